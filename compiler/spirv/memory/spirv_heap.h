/* SPDX-License-Identifier: MIT
 * Descriptor heaps: built-in variables that point to them, and bindings that a pipeline maps to them or to other memory (comp_layout.mappings).
 * Spec: Descriptor Heaps; SPV_EXT_descriptor_heap. */
#pragma once

#include "compiler/spirv/memory/spirv_pointer.h"

/* The shader's bindings are mapped: it has no descriptor sets. */
bool spirv_has_heaps(struct spirv_ctx *t);
/* SamplerHeapEXT or ResourceHeapEXT: a buffer of the heap's bytes. False: the variable is neither. */
bool spirv_heap_variable(struct spirv_ctx *t, const struct spirv_variable *variable, struct spirv_pointer *pointer);
/* The image, sampler or acceleration structure whose descriptor a pointer into a heap is to. */
struct spirv_val *spirv_load_from_heap(struct spirv_ctx *t, const struct spirv_pointer *pointer);
/* OpBufferPointerEXT. False: another instruction. */
bool spirv_heap_instruction(struct spirv_ctx *t, const struct spirv_instr *in);

/* Completes the pointer to the block of pointer->variable, element `index` of its array (NULL: it is none): it may become one of another type. */
void spirv_mapped_buffer(struct spirv_ctx *t, struct ir_instr *index, struct spirv_pointer *pointer);
/* What the binding of a pointer of class DESCRIPTOR is mapped to. */
struct spirv_val *spirv_load_mapped(struct spirv_ctx *t, const struct spirv_pointer *pointer);
