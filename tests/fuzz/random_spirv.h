/* SPDX-License-Identifier: MIT
 * Random shaders of any graphics stage and of compute as SPIR-V assembly: nested selections, switches and loops with breaks, continues and early returns, functions,
 * variables and arrays with computed indices, loads and stores side by side, arithmetic of 8 to 64 bits, floating-point modes. They end, and every result is defined
 * by the driver's own rules (division by zero, shifts beyond the width, conversions out of range), so that two machines must agree.
 * NaNs are made one value, since which one an operation gives is free; products are not contracted.
 *
 * Bindings of set 0: 0 RANDOM_SPIRV_INPUTS words that are read, 1 RANDOM_SPIRV_OUTPUTS words an invocation that it writes.
 *
 * A seed is the same body in all stages, which knows of its stage nothing but the number of its invocation: with the same inputs, invocation n stores
 * the same words in all. How invocations are numbered:
 *   compute, task, mesh     gl_GlobalInvocationID.x, in workgroups of RANDOM_SPIRV_LOCAL_SIZE
 *   vertex                  gl_VertexIndex
 *   control, evaluation     primitive * 4 + corner, of patches of 4 vertices; those of evaluation are the corners of a quad in point mode
 *   geometry                primitive * 2 + gl_InvocationID, of points
 *   fragment                row * RANDOM_SPIRV_COLUMNS + column of the texel
 * What is stored goes also to location 0 to 3 as the components of uvec4, which are zero at first: per vertex in control and mesh shaders. Stages before
 * rasterization make a point of each invocation, at the texel of its number in a target of RANDOM_SPIRV_COLUMNS by RANDOM_SPIRV_ROWS; a control shader's
 * levels are one, a task shader starts a workgroup of a mesh shader. Untyped modules leave them zero. */
#pragma once

#include "abi/shader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#ifdef VK_KHR_shader_untyped_pointers
enum { RANDOM_SPIRV_HAS_UNTYPED = true };
#else
enum { RANDOM_SPIRV_HAS_UNTYPED = false }; /* with older headers */
#endif

enum { RANDOM_SPIRV_INPUTS = 512, RANDOM_SPIRV_OUTPUTS = 16, RANDOM_SPIRV_LOCAL_SIZE = 40, RANDOM_SPIRV_COLUMNS = 10, RANDOM_SPIRV_ROWS = 8 };

/* Where choices come from: bytes as long as there are any, each of them one choice, then the numbers of a seed. */
struct random_choices {
   uint64_t seed;
   bool is_untyped; /* also loads, stores and copies through untyped pointers (SPV_KHR_untyped_pointers) */
   const uint8_t *bytes;
   size_t num_bytes;
};

/* The text, to be freed with free(); the same for the same arguments. NULL: out of memory. `stage`: up to compute. */
char *random_spirv(enum abi_stage stage, const struct random_choices *choices);
