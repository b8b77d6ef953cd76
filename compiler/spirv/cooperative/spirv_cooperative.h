/* SPDX-License-Identifier: MIT
 * What the files of cooperative matrices share: where elements are. Row by row, component i of lane l is element i * lanes + l.
 * Spec: SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix2. */
#pragma once

#include "compiler/spirv/instructions/spirv_instructions.h"

/* Row and column of a component, in each lane. */
struct spirv_coord {
   struct ir_instr *row, *column;
};

static inline uint32_t spirv_num_lanes(const struct spirv_ctx *t)
{
   return t->shader->subgroup_size;
}
struct ir_instr *spirv_lane(struct spirv_ctx *t);
/* Fails for other types. */
const struct spirv_type *spirv_matrix_type(struct spirv_ctx *t, const struct spirv_type *type);
/* Of component `i` of a matrix. */
struct spirv_coord spirv_coord_of(struct spirv_ctx *t, const struct spirv_type *type, uint32_t i);
/* Components of a matrix, in an array of their own; the matrix that they are. */
struct ir_instr **spirv_matrix_comps(struct spirv_ctx *t, struct spirv_val *val);
struct spirv_val *spirv_matrix_of(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *const *comps);
/* The pointer `offset` bytes behind another, to a component of the matrix. */
struct spirv_pointer spirv_component_pointer(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *type,
                                             struct ir_instr *offset);

/* Products and transposes (spirv_product.c). `comps`, the components of a matrix of `type`, become those of its transpose, of spirv_transposed(type). */
void spirv_multiply_add(struct spirv_ctx *t, const struct spirv_instr *in);
struct spirv_type spirv_transposed(const struct spirv_type *type);
void spirv_transpose(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr **comps);

/* The second extension's: reductions, changes of use, functions of elements (spirv_reduce.c); tensors (spirv_tensor.c). False: another instruction. */
bool spirv_cooperative2(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_tensor(struct spirv_ctx *t, const struct spirv_instr *in);
/* Calls a function of the module with values; NULL: it returns none (spirv_function.c). */
struct spirv_val *spirv_call_with(struct spirv_ctx *t, uint32_t function_id, uint32_t num_args, struct spirv_val *const *args);
/* Fails where so many copies of the function are too many instructions. */
void spirv_check_calls(struct spirv_ctx *t, uint32_t function_id, uint32_t times);
