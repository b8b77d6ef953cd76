/* SPDX-License-Identifier: MIT
 * Cooperative vectors: vectors of any length as SPV_EXT_long_vector has them, which matrices in memory are multiplied by, and which are added to memory.
 * Spec: SPV_NV_cooperative_vector; Vulkan, "Cooperative Vectors". */
#pragma once

#include "compiler/spirv/instructions/spirv_instructions.h"

/* A matrix in memory, as what uses it sees it: transposed where that is asked for. */
struct spirv_stored_matrix {
   struct spirv_pointer base;
   const struct spirv_type *type; /* an element's */
   struct ir_instr *offset; /* bytes, of the first element */
   struct ir_instr *row_step, *column_step; /* bytes from one to the next */
   bool is_by_rows; /* the elements of a row stand next to each other, else those of a column */
};

/* The shape that SPIR-V gives a matrix in memory: enum abi_matrix_layout, and the bytes between lines of the two that are not optimal. */
struct spirv_stored_shape {
   uint32_t rows, columns; /* in memory */
   uint32_t layout;
   bool is_transposed;
   struct ir_instr *stride; /* 32 bits; NULL: 0 */
};

/* The scalar type that a component type of SPIR-V stands for (spirv_stored_matrix.c); fails for one that vectors are not multiplied with. */
const struct spirv_type *spirv_interpretation(struct spirv_ctx *t, uint32_t component_type);
struct spirv_stored_matrix spirv_stored_matrix(struct spirv_ctx *t, const struct spirv_pointer *base, struct ir_instr *offset, const struct spirv_type *type,
                                               const struct spirv_stored_shape *shape);
/* Bytes, of an element: row and column have 32 bits. */
struct ir_instr *spirv_stored_offset(struct spirv_ctx *t, const struct spirv_stored_matrix *matrix, struct ir_instr *row, struct ir_instr *column);
/* The pointer to a scalar or vector `offset` bytes behind another, whatever that is to. */
struct spirv_pointer spirv_stored_pointer(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *type, struct ir_instr *offset);
/* The value of an id in 32 bits. */
struct ir_instr *spirv_stored_number(struct spirv_ctx *t, uint32_t id);
/* An offset from the base on, in 32 bits: with 64-bit indices it becomes part of the base, and what is left is 0. */
struct ir_instr *spirv_stored_begin(struct spirv_ctx *t, uint32_t id, struct spirv_pointer *base);

/* Words that a loop finds by an index: a variable with room for so many, one for the inputs of all products and one for their results. */
struct ir_var *spirv_vector_words(struct spirv_ctx *t, struct ir_var **var, uint32_t count);
struct ir_instr *spirv_load_word(struct spirv_ctx *t, struct ir_var *var, struct ir_instr *index);
void spirv_store_word(struct spirv_ctx *t, struct ir_var *var, struct ir_instr *index, struct ir_instr *value);

/* OpCooperativeVectorMatrixMulNV, OpCooperativeVectorMatrixMulAddNV (spirv_vector_product.c). */
void spirv_multiply_vector(struct spirv_ctx *t, const struct spirv_instr *in);
