/* SPDX-License-Identifier: MIT
 * Hit objects that shaders record: calls of abi_helpers.trace_object (abi/trace.h) that trace nothing.
 *
 * With ABI_TRACE_RECORDS_HIT in the row ABI_TRACE_FLAGS of all lanes, the object's committed instance_index, primitive_index, geometry_index and hit_kind,
 * and its attributes, which the shader stored, are those of a hit at tmax, of an instance of the structure. The object becomes that, or empty
 * if there is no such instance. Its record is what a traced hit would have; with ABI_TRACE_NAMES_RECORD the row ABI_TRACE_MISS_INDEX is its index.
 * Spec: SPIR-V, SPV_NV_shader_invocation_reorder. Threads: as abi/trace.h. */
#pragma once

#include "abi/trace.h"

#define ABI_TRACE_RECORDS_HIT (1u << 31) /* SPIR-V's flags are below */
#define ABI_TRACE_NAMES_RECORD (1u << 30)
