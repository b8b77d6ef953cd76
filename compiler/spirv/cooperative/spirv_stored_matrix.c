/* SPDX-License-Identifier: MIT
 * Matrices in memory that cooperative vectors are multiplied by, and words that loops find by an index.
 * Spec: SPV_NV_cooperative_vector, "Cooperative Vector Matrix Layout". */
#include "compiler/spirv/cooperative/spirv_vector.h"

#include "abi/matrix.h"

/* ---- types of elements ---- */

#define SCALAR(which, width, sign, code)                                                                                                          \
   {.class = which, .bits = width, .is_signed = sign, .encoding = code, .num_parts = 1, .num_leaves = 1, .size = {UTIL_MAX(width / 8, 4), width / 8}, \
    .align = {UTIL_MAX(width / 8, 4), width / 8}}

const struct spirv_type *spirv_interpretation(struct spirv_ctx *t, uint32_t component_type)
{
   static const struct {
      uint32_t component;
      struct spirv_type type;
   } rows[] = {
      {SpvComponentTypeFloat16NV, SCALAR(SPIRV_TYPE_FLOAT, 16, false, 0)},
      {SpvComponentTypeFloat32NV, SCALAR(SPIRV_TYPE_FLOAT, 32, false, 0)},
      {SpvComponentTypeSignedInt8NV, SCALAR(SPIRV_TYPE_INT, 8, true, 0)},
      {SpvComponentTypeUnsignedInt8NV, SCALAR(SPIRV_TYPE_INT, 8, false, 0)},
      {SpvComponentTypeSignedInt32NV, SCALAR(SPIRV_TYPE_INT, 32, true, 0)},
      {SpvComponentTypeUnsignedInt32NV, SCALAR(SPIRV_TYPE_INT, 32, false, 0)},
      {SpvComponentTypeFloatE4M3NV, SCALAR(SPIRV_TYPE_NARROW, 8, false, UTIL_SPV_ENCODING_E4M3)},
      {SpvComponentTypeFloatE5M2NV, SCALAR(SPIRV_TYPE_NARROW, 8, false, UTIL_SPV_ENCODING_E5M2)},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (rows[i].component == component_type)
         return &rows[i].type;
   }
   spirv_fail(t, "components of type %u are not supported in products of cooperative vectors", component_type);
}

/* ---- where elements are ---- */

struct ir_instr *spirv_stored_number(struct spirv_ctx *t, uint32_t id)
{
   return spirv_resize(t, spirv_scalar(t, id), 32, false);
}

struct ir_instr *spirv_stored_begin(struct spirv_ctx *t, uint32_t id, struct spirv_pointer *base)
{
   if (!t->has_64bit_indices || spirv_offset_bits(base) == 32)
      return spirv_stored_number(t, id);
   spirv_add_offset(t, base, spirv_resize(t, spirv_scalar(t, id), 64, false));
   return spirv_u32(t, 0);
}

struct spirv_stored_matrix spirv_stored_matrix(struct spirv_ctx *t, const struct spirv_pointer *base, struct ir_instr *offset, const struct spirv_type *type,
                                               const struct spirv_stored_shape *shape)
{
   struct spirv_stored_matrix matrix = {.base = *base, .type = type, .offset = offset};
   struct ir_instr *stride = shape->stride ? shape->stride : spirv_u32(t, 0);
   if (shape->layout > ABI_LAYOUT_TRAINING)
      spirv_fail(t, "layout %u of a matrix of cooperative vectors", shape->layout);
   if (shape->layout == ABI_LAYOUT_INFERENCING || shape->layout == ABI_LAYOUT_TRAINING)
      stride = spirv_u32(t, (uint32_t)abi_optimal_stride(shape->rows, type->bits / 8));
   matrix.is_by_rows = (shape->layout == ABI_LAYOUT_ROWS) != shape->is_transposed;
   struct ir_instr *next = spirv_u32(t, type->bits / 8);
   matrix.row_step = matrix.is_by_rows ? stride : next;
   matrix.column_step = matrix.is_by_rows ? next : stride;
   return matrix;
}

struct ir_instr *spirv_stored_offset(struct spirv_ctx *t, const struct spirv_stored_matrix *matrix, struct ir_instr *row, struct ir_instr *column)
{
   struct ir_instr *offset = ir_alu2(&t->b, IR_iadd, matrix->offset, ir_alu2(&t->b, IR_imul, row, matrix->row_step));
   return ir_alu2(&t->b, IR_iadd, offset, ir_alu2(&t->b, IR_imul, column, matrix->column_step));
}

struct spirv_pointer spirv_stored_pointer(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *type, struct ir_instr *offset)
{
   struct spirv_pointer pointer = *base;
   offset = spirv_resize(t, offset, spirv_offset_bits(&pointer), false);
   if (pointer.class != SPIRV_PTR_GLOBAL && pointer.class != SPIRV_PTR_BUFFER && pointer.class != SPIRV_PTR_SHARED)
      spirv_fail(t, "cooperative vectors are loaded from and stored to buffers and shared memory only");
   spirv_add_offset(t, &pointer, offset);
   pointer.align = UTIL_MIN(pointer.align, type->bits / 8);
   pointer.is_of_floats = false; /* its elements are what the vector's are */
   pointer.type = type;
   return pointer;
}

/* ---- words ---- */

struct ir_var *spirv_vector_words(struct spirv_ctx *t, struct ir_var **var, uint32_t count)
{
   if (!*var) {
      *var = ir_var_create(t->shader, 0, "vector");
      (*var)->stays = true;
   }
   (*var)->size_bytes = UTIL_MAX((*var)->size_bytes, 4 * count);
   return *var;
}

struct ir_instr *spirv_load_word(struct spirv_ctx *t, struct ir_var *var, struct ir_instr *index)
{
   return ir_load_var(&t->b, var, ir_alu2(&t->b, IR_imul, index, spirv_u32(t, 4)), 1, 32);
}

void spirv_store_word(struct spirv_ctx *t, struct ir_var *var, struct ir_instr *index, struct ir_instr *value)
{
   ir_store_var(&t->b, var, ir_alu2(&t->b, IR_imul, index, spirv_u32(t, 4)), value, 1);
}
