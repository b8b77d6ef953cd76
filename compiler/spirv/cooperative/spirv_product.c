/* SPDX-License-Identifier: MIT
 * Products and transposes of cooperative matrices: calls for whole matrices in memory (abi/matrix.h), which stand there row by row because elements are
 * counted so. A variable has the matrices of all products, one product after the other; another those of transposes, because they hold bits of any meaning.
 * Spec: SPV_KHR_cooperative_matrix; Vulkan, "Cooperative Matrices". */
#include "compiler/spirv/cooperative/spirv_cooperative.h"

/* ---- words in variables of matrices ---- */

/* The variable, made for the first call, with room for `bytes` an invocation. */
static struct ir_var *variable_of(struct spirv_ctx *t, struct ir_var **var, uint32_t bytes)
{
   if (!*var) {
      *var = ir_var_create(t->shader, 0, "matrices");
      (*var)->class = IR_VAR_MATRICES;
   }
   (*var)->size_bytes = UTIL_MAX((*var)->size_bytes, bytes);
   return *var;
}

/* Writes components of 32 bits from `bytes` on; where they end. */
static uint32_t put_words(struct spirv_ctx *t, struct ir_var *var, uint32_t bytes, uint32_t count, struct ir_instr *const *comps)
{
   for (uint32_t i = 0; i < count; i++, bytes += 4)
      ir_store_var(&t->b, var, spirv_u32(t, bytes), comps[i], 1);
   return bytes;
}

static void get_words(struct spirv_ctx *t, struct ir_var *var, uint32_t bytes, uint32_t count, struct ir_instr **comps)
{
   for (uint32_t i = 0; i < count; i++)
      comps[i] = ir_load_var(&t->b, var, spirv_u32(t, bytes + 4 * i), 1, 32);
}

/* ---- transposes ---- */

struct spirv_type spirv_transposed(const struct spirv_type *type)
{
   struct spirv_type transposed = *type;
   transposed.matrix.rows = type->matrix.columns;
   transposed.matrix.columns = type->matrix.rows;
   return transposed;
}

void spirv_transpose(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr **comps)
{
   struct ir_var *var = variable_of(t, &t->transposes, 2 * 4 * type->count);
   for (uint32_t i = 0; i < type->count; i++)
      comps[i] = spirv_resize(t, comps[i], 32, false);
   const uint32_t bytes = put_words(t, var, 0, type->count, comps);
   struct ir_instr *transpose = ir_emit(&t->b, IR_transpose_matrix, 0, 0, 0, NULL);
   transpose->imm.var.var = var;
   transpose->imm.u[2] = type->matrix.rows;
   transpose->imm.u[3] = type->matrix.columns;
   get_words(t, var, bytes, type->count, comps);
   for (uint32_t i = 0; i < type->count; i++)
      comps[i] = spirv_resize(t, comps[i], type->bits, false);
}

/* ---- products ---- */

static struct ir_instr *to_word(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x, bool is_signed)
{
   return spirv_has_exponent(type) ? spirv_to_float32(t, type->elem, x) : spirv_resize(t, x, 32, is_signed);
}

static struct ir_instr *from_word(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x)
{
   if (spirv_is_narrow(type))
      return spirv_to_narrow(t, type->elem, x, false);
   if (!spirv_is_float(type))
      return spirv_resize(t, x, type->bits, false);
   return type->bits == 32 ? x : ir_convert(&t->b, IR_f2f, type->bits, x);
}

static void check_product(struct spirv_ctx *t, const struct spirv_type *a, const struct spirv_type *b, const struct spirv_type *c,
                          const struct spirv_type *type)
{
   const bool fits = a->matrix.rows == type->matrix.rows && a->matrix.columns == b->matrix.rows && b->matrix.columns == type->matrix.columns &&
                     c->matrix.rows == type->matrix.rows && c->matrix.columns == type->matrix.columns;
   const bool is_float = spirv_has_exponent(type);
   if (!fits || spirv_has_exponent(a) != is_float || spirv_has_exponent(b) != is_float || spirv_has_exponent(c) != is_float)
      spirv_fail(t, "a product of cooperative matrices that do not fit");
}

static bool is_short(const struct spirv_type *type, bool is_signed)
{
   return type->bits < (is_signed ? 32u : 16u);
}

/* Factors narrower than words are made words by their signs; a sum in words has the low bits of a narrower one. Floats below 32 bits are summed up in
 * 32 bits and rounded once; the order and precision are ours to choose. */
void spirv_multiply_add(struct spirv_ctx *t, const struct spirv_instr *in)
{
   static const uint32_t sign_masks[3] = {SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask,
                                          SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask,
                                          SpvCooperativeMatrixOperandsMatrixCSignedComponentsKHRMask};
   const struct spirv_type *type = spirv_matrix_type(t, spirv_result_type(t, in)), *types[3];
   struct spirv_val *vals[3];
   for (uint32_t m = 0; m < 3; m++) {
      vals[m] = spirv_value(t, spirv_word(t, in, 3 + m));
      types[m] = spirv_matrix_type(t, vals[m]->type);
   }
   const uint32_t operands = in->count > 6 ? in->words[6] : 0;
   if (operands & SpvCooperativeMatrixOperandsSaturatingAccumulationKHRMask)
      spirv_fail(t, "saturating accumulation is not supported");
   check_product(t, types[0], types[1], types[2], type);
   struct ir_var *var = variable_of(t, &t->products, 4 * (types[0]->count + types[1]->count + types[2]->count));
   uint32_t bytes = 0;
   for (uint32_t m = 0; m < 3; m++) {
      struct ir_instr **comps = spirv_matrix_comps(t, vals[m]);
      for (uint32_t i = 0; i < types[m]->count; i++)
         comps[i] = to_word(t, types[m], comps[i], operands & sign_masks[m]);
      bytes = put_words(t, var, bytes, types[m]->count, comps);
   }
   const bool are_short = is_short(types[0], operands & sign_masks[0]) && is_short(types[1], operands & sign_masks[1]);
   struct ir_instr *product = ir_emit(&t->b, IR_multiply_matrices, 0, 0, 0, NULL);
   product->imm.var.var = var;
   product->imm.u[2] = abi_matrix_sizes(type->matrix.rows, type->matrix.columns, types[0]->matrix.columns);
   product->imm.u[3] = spirv_has_exponent(type) ? ABI_MATRIX_FLOAT : are_short ? ABI_MATRIX_SHORT : ABI_MATRIX_INTEGER;
   struct ir_instr **comps = UTIL_ARENA_ARRAY(t->arena, struct ir_instr *, type->count);
   get_words(t, var, bytes - 4 * type->count, type->count, comps);
   for (uint32_t i = 0; i < type->count; i++) {
      if (spirv_has_exponent(type)) /* an operation for the check of numbers to look at; it goes */
         comps[i] = ir_alu2(&t->b, IR_fadd, comps[i], ir_const(&t->b, 32, 0x80000000));
      comps[i] = from_word(t, type, comps[i]);
   }
   spirv_set_value(t, spirv_word(t, in, 2), spirv_matrix_of(t, type, comps));
}
