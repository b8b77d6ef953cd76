/* SPDX-License-Identifier: MIT
 * What a geometry shader emits: vertices with the outputs' values, numbered in the order of emission, each with flags
 * that say where strips begin and to which stream it goes. Vertices beyond the declared maximum are dropped.
 * Spec: Geometry Shading. */
#pragma once

#include "compiler/spirv/spirv_context.h"

/* Before the entry point's code. */
void spirv_begin_emission(struct spirv_ctx *t);
/* After it: the number of vertices; and what turned out never to be written is not stored. */
void spirv_end_emission(struct spirv_ctx *t);
