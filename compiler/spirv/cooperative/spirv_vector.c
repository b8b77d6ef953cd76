/* SPDX-License-Identifier: MIT
 * Cooperative vectors: loads, stores, sums that are added to memory. What is done component by component is done as for every vector.
 * Spec: SPV_NV_cooperative_vector; Vulkan, "Cooperative Vectors". */
#include "compiler/spirv/cooperative/spirv_vector.h"

#include "compiler/spirv/spirv_loop.h"

static const struct spirv_type *vector_type(struct spirv_ctx *t, const struct spirv_type *type)
{
   if (type->class != SPIRV_TYPE_VECTOR)
      spirv_fail(t, "type %u is not a cooperative vector", type->id);
   return type;
}

/* ---- memory ---- */

static void load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = vector_type(t, spirv_result_type(t, in));
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 3), &spirv_type_u8);
   struct ir_instr *offset = spirv_stored_begin(t, spirv_word(t, in, 4), &base);
   spirv_memory_operands(t, in, 5, &base);
   const struct spirv_pointer pointer = spirv_stored_pointer(t, &base, type, offset);
   spirv_set_value(t, in->words[2], spirv_load(t, &pointer));
}

static void store(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 1), &spirv_type_u8);
   struct ir_instr *offset = spirv_stored_begin(t, spirv_word(t, in, 2), &base);
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 3));
   spirv_memory_operands(t, in, 4, &base);
   const struct spirv_pointer pointer = spirv_stored_pointer(t, &base, vector_type(t, val->type), offset);
   spirv_store(t, &pointer, val);
}

/* ---- sums in memory ---- */

/* Adds a float of the scalar type atomically to what stands there. */
static void add_to_memory(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *type, struct ir_instr *offset, struct ir_instr *x)
{
   struct spirv_pointer pointer = spirv_stored_pointer(t, base, type, offset);
   pointer.align = 1; /* the offset may be any number */
   pointer = spirv_aligned_pointer(t, &pointer, type->bits / 8);
   spirv_emit_atomic(t, &pointer, ABI_ATOMIC_FADD, type->bits, 1, &x);
}

static const struct spirv_type *float_type(struct spirv_ctx *t, const struct spirv_type *type)
{
   if (type->class != SPIRV_TYPE_FLOAT || type->bits > 32)
      spirv_fail(t, "only floats of 16 and 32 bits are added to memory");
   return type;
}

/* The components of a vector of floats, in 32 bits, as words that a loop finds. */
static struct ir_var *float_words(struct spirv_ctx *t, uint32_t id, struct ir_var **var, uint32_t *count)
{
   const struct spirv_type *type = vector_type(t, spirv_value_type(t, id)), *scalar = float_type(t, spirv_scalar_type(type));
   struct ir_instr **comps = spirv_comps_of(t, id, type->count);
   struct ir_var *words = spirv_vector_words(t, var, type->count);
   for (uint32_t i = 0; i < type->count; i++)
      spirv_store_word(t, words, spirv_u32(t, i), spirv_to_float32(t, scalar, comps[i]));
   *count = type->count;
   return words;
}

/* The number is one of the type, or is rounded to it. */
static struct ir_instr *from_float32(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x)
{
   return type->bits == 32 ? x : ir_convert(&t->b, IR_f2f, 16, x);
}

static void add_vector(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 1), &spirv_type_u8);
   struct ir_instr *offset = spirv_stored_begin(t, spirv_word(t, in, 2), &base);
   uint32_t count;
   struct ir_var *words = float_words(t, spirv_word(t, in, 3), &t->vector_inputs, &count);
   const struct spirv_type *type = spirv_scalar_type(spirv_value_type(t, in->words[3]));
   const struct spirv_loop loop = spirv_loop_begin(t, spirv_u32(t, count));
   struct ir_instr *at = ir_alu2(&t->b, IR_iadd, offset, ir_alu2(&t->b, IR_imul, loop.index, spirv_u32(t, type->bits / 8)));
   add_to_memory(t, &base, type, at, from_float32(t, type, spirv_load_word(t, words, loop.index)));
   spirv_loop_end(t, &loop);
}

static void add_outer_product(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 1), &spirv_type_u8);
   struct ir_instr *offset = spirv_stored_begin(t, spirv_word(t, in, 2), &base);
   const struct spirv_type *type = float_type(t, spirv_interpretation(t, spirv_constant_u32(t, spirv_word(t, in, 6))));
   struct spirv_stored_shape shape = {.layout = spirv_constant_u32(t, spirv_word(t, in, 5))};
   struct ir_var *a = float_words(t, spirv_word(t, in, 3), &t->vector_inputs, &shape.rows);
   struct ir_var *b = float_words(t, spirv_word(t, in, 4), &t->vector_results, &shape.columns);
   if (in->count > 7)
      shape.stride = spirv_stored_number(t, in->words[7]);
   const struct spirv_stored_matrix matrix = spirv_stored_matrix(t, &base, offset, type, &shape);
   const struct spirv_loop columns = spirv_loop_begin(t, spirv_u32(t, shape.columns));
   struct ir_instr *y = spirv_load_word(t, b, columns.index);
   const struct spirv_loop rows = spirv_loop_begin(t, spirv_u32(t, shape.rows));
   struct ir_instr *product = ir_alu2(&t->b, IR_fmul, spirv_load_word(t, a, rows.index), y);
   add_to_memory(t, &base, type, spirv_stored_offset(t, &matrix, rows.index, columns.index), from_float32(t, type, product));
   spirv_loop_end(t, &rows);
   spirv_loop_end(t, &columns);
}

bool spirv_cooperative_vector(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpCooperativeVectorLoadNV: load(t, in); return true;
   case SpvOpCooperativeVectorStoreNV: store(t, in); return true;
   case SpvOpCooperativeVectorMatrixMulNV:
   case SpvOpCooperativeVectorMatrixMulAddNV: spirv_multiply_vector(t, in); return true;
   case SpvOpCooperativeVectorReduceSumAccumulateNV: add_vector(t, in); return true;
   case SpvOpCooperativeVectorOuterProductAccumulateNV: add_outer_product(t, in); return true;
   default: return false;
   }
}
