/* SPDX-License-Identifier: MIT
 * Cooperative matrices of subgroups (where their elements are: spirv_elements.c). Products are calls for whole matrices in memory, which stand there
 * row by row because elements are counted so.
 * Spec: SPV_KHR_cooperative_matrix; Vulkan, "Cooperative Matrices". */
#include "compiler/spirv/cooperative/spirv_cooperative.h"

#include <string.h>

/* ---- memory ---- */

/* The pointer to component `i`; `stride` counts what the pointer points at, bytes if it is untyped, and may be NULL for 0. */
static struct spirv_pointer component_pointer(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *type,
                                              uint32_t i, uint32_t layout, struct ir_instr *stride)
{
   struct spirv_coord coord = spirv_coord_of(t, type, i);
   const bool is_row_major = layout == SpvCooperativeMatrixLayoutRowMajorKHR;
   if (!is_row_major && layout != SpvCooperativeMatrixLayoutColumnMajorKHR)
      spirv_fail(t, "layout %u of a cooperative matrix", layout);
   struct ir_instr *major = is_row_major ? coord.row : coord.column, *minor = is_row_major ? coord.column : coord.row;
   const uint32_t bytes = type->bits / 8;
   struct ir_instr *offset = ir_alu2(&t->b, IR_imul, minor, spirv_u32(t, bytes));
   if (stride) {
      const uint32_t unit = (uint32_t)spirv_type_bytes(t, base->type, base->layout);
      struct ir_instr *step = ir_alu2(&t->b, IR_imul, stride, spirv_u32(t, unit));
      offset = ir_alu2(&t->b, IR_iadd, offset, ir_alu2(&t->b, IR_imul, major, step));
   }
   return spirv_component_pointer(t, base, type, offset);
}

static struct ir_instr *stride_operand(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index)
{
   return index < in->count ? spirv_resize(t, spirv_scalar(t, in->words[index]), 32, false) : NULL;
}

static void load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_matrix_type(t, spirv_result_type(t, in));
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 3), &spirv_type_u8);
   const uint32_t layout = spirv_constant_u32(t, spirv_word(t, in, 4));
   struct ir_instr *stride = stride_operand(t, in, 5);
   spirv_memory_operands(t, in, 6, &base);
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < type->count; i++) {
      const struct spirv_pointer pointer = component_pointer(t, &base, type, i, layout, stride);
      spirv_put_child(t, val, i, spirv_load(t, &pointer));
   }
   spirv_set_value(t, spirv_word(t, in, 2), val);
}

static void store(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 1), &spirv_type_u8);
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 2));
   const struct spirv_type *type = spirv_matrix_type(t, val->type);
   const uint32_t layout = spirv_constant_u32(t, spirv_word(t, in, 3));
   struct ir_instr *stride = stride_operand(t, in, 4);
   spirv_memory_operands(t, in, 5, &base);
   for (uint32_t i = 0; i < type->count; i++) {
      const struct spirv_pointer pointer = component_pointer(t, &base, type, i, layout, stride);
      spirv_store(t, &pointer, spirv_child(t, val, i));
   }
}

/* ---- products ---- */

static struct ir_instr *convert(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x, uint32_t bits, bool is_signed)
{
   if (!spirv_is_float(type))
      return spirv_resize(t, x, bits, is_signed);
   return x->bit_size == bits ? x : ir_convert(&t->b, IR_f2f, bits, x);
}

static void check_product(struct spirv_ctx *t, const struct spirv_type *a, const struct spirv_type *b, const struct spirv_type *c,
                          const struct spirv_type *type)
{
   const bool fits = a->matrix.rows == type->matrix.rows && a->matrix.columns == b->matrix.rows && b->matrix.columns == type->matrix.columns &&
                     c->matrix.rows == type->matrix.rows && c->matrix.columns == type->matrix.columns;
   if (!fits || spirv_is_float(a) != spirv_is_float(type) || spirv_is_float(b) != spirv_is_float(type) ||
       spirv_is_float(c) != spirv_is_float(type))
      spirv_fail(t, "a product of cooperative matrices that do not fit");
   const uint32_t sizes[3] = {type->matrix.rows, type->matrix.columns, a->matrix.columns};
   for (uint32_t i = 0; i < 3; i++)
      if (sizes[i] % 8 || sizes[i] > ABI_MATRIX_MAX_SIZE)
         spirv_fail(t, "a product of cooperative matrices of size %u is not supported", sizes[i]);
}

static bool is_short(const struct spirv_type *type, bool is_signed)
{
   return type->bits < (is_signed ? 32u : 16u);
}

/* Factors narrower than words are made words by their signs; a sum in words has the low bits of a narrower one. Floats below 32 bits are summed up in
 * 32 bits and rounded once; the order and precision are ours to choose. One variable has the matrices of all products, one product after the other. */
static void multiply_add(struct spirv_ctx *t, const struct spirv_instr *in)
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
   if (!t->matrices) {
      t->matrices = ir_var_create(t->shader, 0, "matrices");
      t->matrices->class = IR_VAR_MATRICES;
   }
   uint32_t bytes = 0;
   for (uint32_t m = 0; m < 3; m++)
      for (uint32_t i = 0; i < types[m]->count; i++, bytes += 4) {
         struct ir_instr *x = spirv_comps(t, spirv_child(t, vals[m], i))[0];
         ir_store_var(&t->b, t->matrices, spirv_u32(t, bytes), convert(t, types[m], x, 32, operands & sign_masks[m]), 1);
      }
   t->matrices->size_bytes = UTIL_MAX(t->matrices->size_bytes, bytes);
   const bool are_short = is_short(types[0], operands & sign_masks[0]) && is_short(types[1], operands & sign_masks[1]);
   struct ir_instr *product = ir_emit(&t->b, IR_multiply_matrices, 0, 0, 0, NULL);
   product->imm.var.var = t->matrices;
   product->imm.u[2] = abi_matrix_sizes(type->matrix.rows, type->matrix.columns, types[0]->matrix.columns);
   product->imm.u[3] = spirv_is_float(type) ? ABI_MATRIX_FLOAT : are_short ? ABI_MATRIX_SHORT : ABI_MATRIX_INTEGER;
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < type->count; i++) {
      struct ir_instr *x = ir_load_var(&t->b, t->matrices, spirv_u32(t, bytes - 4 * (type->count - i)), 1, 32);
      if (spirv_is_float(type)) /* an operation for the check of numbers to look at; it goes */
         x = ir_alu2(&t->b, IR_fadd, x, ir_const(&t->b, 32, 0x80000000));
      spirv_put_child(t, val, i, spirv_new_scalar(t, type->elem, convert(t, type, x, type->bits, false)));
   }
   spirv_set_value(t, spirv_word(t, in, 2), val);
}

/* ---- component by component ---- */

/* The instruction that does for one component what `op` does for a matrix; SpvOpNop: there is none. */
static uint32_t scalar_op(uint32_t op, const struct spirv_type *type)
{
   switch (op) {
   case SpvOpMatrixTimesScalar: return spirv_is_float(type) ? SpvOpFMul : SpvOpIMul;
   case SpvOpSNegate: case SpvOpFNegate: case SpvOpIAdd: case SpvOpFAdd: case SpvOpISub: case SpvOpFSub: case SpvOpIMul: case SpvOpFMul:
   case SpvOpUDiv: case SpvOpSDiv: case SpvOpFDiv: case SpvOpConvertFToU: case SpvOpConvertFToS: case SpvOpConvertSToF:
   case SpvOpConvertUToF: case SpvOpUConvert: case SpvOpSConvert: case SpvOpFConvert: case SpvOpBitcast: return op;
   default: return SpvOpNop;
   }
}

/* Runs the instruction once for each component, with the components instead of the operands' values. */
static void each_component(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t op)
{
   enum { MAX_OPERANDS = 2 };
   const struct spirv_type *type = spirv_result_type(t, in);
   uint32_t words[3 + MAX_OPERANDS];
   struct spirv_val *whole[MAX_OPERANDS];
   const uint32_t num_operands = in->count - 3;
   if (num_operands < 1 || num_operands > MAX_OPERANDS)
      spirv_fail(t, "%s of cooperative matrices has %u operands", spirv_op_name(in->op), num_operands);
   memcpy(words, in->words, in->count * sizeof(*words));
   words[1] = type->elem->id;
   const struct spirv_instr scalar = {.op = op, .count = in->count, .words = words};
   for (uint32_t o = 0; o < num_operands; o++) {
      whole[o] = spirv_value(t, words[3 + o]);
      if (whole[o]->type->class == SPIRV_TYPE_COOPERATIVE && whole[o]->type->count != type->count)
         spirv_fail(t, "%s of cooperative matrices of different sizes", spirv_op_name(in->op));
   }
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < type->count; i++) {
      for (uint32_t o = 0; o < num_operands; o++) {
         if (whole[o]->type->class == SPIRV_TYPE_COOPERATIVE)
            t->ids[words[3 + o]].value = spirv_child(t, whole[o], i);
      }
      if (!spirv_alu(t, &scalar) && !spirv_conversion(t, &scalar))
         spirv_fail(t, "%s of cooperative matrices is not supported", spirv_op_name(in->op));
      spirv_set_child(t, val, i, t->ids[words[2]].value);
   }
   for (uint32_t o = 0; o < num_operands; o++)
      t->ids[words[3 + o]].value = whole[o];
   spirv_set_value(t, words[2], val);
}

bool spirv_cooperative(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpCooperativeMatrixLoadKHR: load(t, in); return true;
   case SpvOpCooperativeMatrixStoreKHR: store(t, in); return true;
   case SpvOpCooperativeMatrixMulAddKHR: multiply_add(t, in); return true;
   case SpvOpCooperativeMatrixLengthKHR: {
      struct ir_instr *length = spirv_u32(t, spirv_matrix_type(t, spirv_type(t, spirv_word(t, in, 3)))->count);
      spirv_set_result(t, in, 1, &length);
      return true;
   }
   default:
      if (spirv_cooperative2(t, in))
         return true;
   }
   if (!t->has_cooperative || in->count < 4 || in->words[1] >= t->bound)
      return false;
   const struct spirv_id *type_id = &t->ids[in->words[1]];
   if (type_id->class != SPIRV_ID_TYPE || type_id->type->class != SPIRV_TYPE_COOPERATIVE)
      return false;
   const uint32_t op = scalar_op(in->op, type_id->type);
   if (op != SpvOpNop)
      each_component(t, in, op);
   return op != SpvOpNop;
}
