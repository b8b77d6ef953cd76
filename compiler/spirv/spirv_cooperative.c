/* SPDX-License-Identifier: MIT
 * Cooperative matrices of subgroups: row by row, component i of lane l is element i * lanes + l. So a row of a matrix is one vector or
 * some whole ones wherever a row has as many columns as there are lanes, and a vector is some whole rows where it has fewer; products
 * broadcast single elements of the left matrix, each along its row.
 * Spec: SPV_KHR_cooperative_matrix; Vulkan, "Cooperative Matrices". */
#include "compiler/spirv/spirv_instructions.h"

#include <string.h>

static uint32_t num_lanes(const struct spirv_ctx *t)
{
   return t->shader->subgroup_size;
}

static struct ir_instr *lane(struct spirv_ctx *t)
{
   return ir_sysval(&t->b, IR_SYSVAL_SUBGROUP_LANE, 1, 32);
}

static const struct spirv_type *matrix_type(struct spirv_ctx *t, const struct spirv_type *type)
{
   if (type->kind != SPIRV_TYPE_COOPERATIVE)
      spirv_fail(t, "type %u is not a cooperative matrix", type->id);
   return type;
}

/* ---- where elements are ---- */

/* Row and column of component `i`, in each lane. */
struct place {
   struct ir_instr *row, *column;
};

static struct place place_of(struct spirv_ctx *t, const struct spirv_type *type, uint32_t i)
{
   const uint32_t first = i * num_lanes(t), columns = type->matrix.columns;
   struct place place;
   if (columns % num_lanes(t) == 0) {
      place.row = spirv_u32(t, first / columns);
      place.column = ir_alu2(&t->b, IR_iadd, lane(t), spirv_u32(t, first % columns));
      return place;
   }
   struct ir_instr *index = ir_alu2(&t->b, IR_iadd, lane(t), spirv_u32(t, first)), *width = spirv_u32(t, columns);
   place.row = ir_alu2(&t->b, IR_udiv, index, width);
   place.column = ir_alu2(&t->b, IR_umod, index, width);
   return place;
}

/* The pointer to component `i`; `stride` counts what the pointer points at, bytes if it is untyped, and may be NULL for 0. */
static struct spirv_pointer component_pointer(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *type,
                                              uint32_t i, uint32_t layout, struct ir_instr *stride)
{
   struct place place = place_of(t, type, i);
   const bool is_row_major = layout == SpvCooperativeMatrixLayoutRowMajorKHR;
   if (!is_row_major && layout != SpvCooperativeMatrixLayoutColumnMajorKHR)
      spirv_fail(t, "layout %u of a cooperative matrix", layout);
   struct ir_instr *major = is_row_major ? place.row : place.column, *minor = is_row_major ? place.column : place.row;
   const uint32_t bytes = type->bits / 8;
   struct ir_instr *offset = ir_alu2(&t->b, IR_imul, minor, spirv_u32(t, bytes));
   if (stride) {
      const uint32_t unit = (uint32_t)spirv_type_bytes(t, base->type, base->layout);
      struct ir_instr *step = ir_alu2(&t->b, IR_imul, stride, spirv_u32(t, unit));
      offset = ir_alu2(&t->b, IR_iadd, offset, ir_alu2(&t->b, IR_imul, major, step));
   }
   struct spirv_pointer pointer = *base;
   if (pointer.kind == SPIRV_PTR_GLOBAL)
      offset = ir_convert(&t->b, IR_i2i, 64, offset);
   else if (pointer.kind != SPIRV_PTR_BUFFER && pointer.kind != SPIRV_PTR_SHARED)
      spirv_fail(t, "cooperative matrices are loaded from and stored to buffers and shared memory only");
   pointer.dyn = pointer.dyn ? ir_alu2(&t->b, IR_iadd, pointer.dyn, offset) : offset;
   pointer.align = UTIL_MIN(pointer.align, bytes);
   pointer.type = type->elem;
   return pointer;
}

static struct ir_instr *stride_operand(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index)
{
   return index < in->count ? spirv_resize(t, spirv_scalar(t, in->words[index]), 32, false) : NULL;
}

static void load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = matrix_type(t, spirv_result_type(t, in));
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 3), &spirv_type_u8);
   const uint32_t layout = spirv_constant_u32(t, spirv_word(t, in, 4));
   struct ir_instr *stride = stride_operand(t, in, 5);
   spirv_memory_operands(t, in, 6, &base);
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < type->count; i++) {
      const struct spirv_pointer pointer = component_pointer(t, &base, type, i, layout, stride);
      val->children[i] = spirv_load(t, &pointer);
   }
   spirv_set_value(t, spirv_word(t, in, 2), val);
}

static void store(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 1), &spirv_type_u8);
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 2));
   const struct spirv_type *type = matrix_type(t, val->type);
   const uint32_t layout = spirv_constant_u32(t, spirv_word(t, in, 3));
   struct ir_instr *stride = stride_operand(t, in, 4);
   spirv_memory_operands(t, in, 5, &base);
   for (uint32_t i = 0; i < type->count; i++) {
      const struct spirv_pointer pointer = component_pointer(t, &base, type, i, layout, stride);
      spirv_store(t, &pointer, spirv_child(t, val, i));
   }
}

/* ---- products ---- */

/* All components as numbers of `bits` bits to calculate with. */
static struct ir_instr **widened(struct spirv_ctx *t, struct spirv_val *val, uint32_t bits, bool is_signed)
{
   const struct spirv_type *type = val->type;
   struct ir_instr **comps = UTIL_ARENA_ARRAY(t->arena, struct ir_instr *, type->count);
   for (uint32_t i = 0; i < type->count; i++) {
      struct ir_instr *x = spirv_comps(t, spirv_child(t, val, i))[0];
      if (!spirv_is_float(type))
         comps[i] = spirv_resize(t, x, bits, is_signed);
      else
         comps[i] = x->bit_size == bits ? x : ir_convert(&t->b, IR_f2f, bits, x);
   }
   return comps;
}

static struct ir_instr *element_of_lane(struct spirv_ctx *t, struct ir_instr *const *comps, uint32_t element)
{
   const uint32_t lanes = num_lanes(t);
   return ir_alu2(&t->b, IR_shuffle, comps[element / lanes], spirv_u32(t, element % lanes));
}

/* a[row][k], the row being that of component `i` of the result. With several rows in a vector the matrices are square: the element stands in
 * the same component, in lane k of its row. */
static struct ir_instr *left_element(struct spirv_ctx *t, struct ir_instr *const *a, const struct spirv_type *a_type,
                                     const struct spirv_type *type, uint32_t i, uint32_t k)
{
   const uint32_t lanes = num_lanes(t), columns = type->matrix.columns;
   if (columns >= lanes)
      return element_of_lane(t, a, i * lanes / columns * a_type->matrix.columns + k);
   struct ir_instr *row = ir_alu2(&t->b, IR_iand, lane(t), spirv_u32(t, ~(columns - 1)));
   return ir_alu2(&t->b, IR_shuffle, a[i], ir_alu2(&t->b, IR_ior, row, spirv_u32(t, k)));
}

/* b[k][column], the column being that of component `i` of the result. */
static struct ir_instr *right_element(struct spirv_ctx *t, struct ir_instr *const *b, const struct spirv_type *type, uint32_t i,
                                      uint32_t k)
{
   const uint32_t lanes = num_lanes(t), columns = type->matrix.columns;
   if (columns >= lanes)
      return b[(k * columns + i * lanes % columns) / lanes];
   struct ir_instr *column = ir_alu2(&t->b, IR_iand, lane(t), spirv_u32(t, columns - 1));
   struct ir_instr *from = ir_alu2(&t->b, IR_iadd, column, spirv_u32(t, k * columns % lanes));
   return ir_alu2(&t->b, IR_shuffle, b[k * columns / lanes], from);
}

static void check_product(struct spirv_ctx *t, const struct spirv_type *a, const struct spirv_type *b, const struct spirv_type *c,
                          const struct spirv_type *type)
{
   const uint32_t columns = type->matrix.columns, lanes = num_lanes(t);
   const bool fits = a->matrix.rows == type->matrix.rows && a->matrix.columns == b->matrix.rows && b->matrix.columns == columns &&
                     c->matrix.rows == type->matrix.rows && c->matrix.columns == columns;
   if (!fits || spirv_is_float(a) != spirv_is_float(type) || spirv_is_float(b) != spirv_is_float(type) ||
       spirv_is_float(c) != spirv_is_float(type))
      spirv_fail(t, "a product of cooperative matrices that do not fit");
   if (columns & (columns - 1) || a->matrix.columns % 4 || (columns < lanes && a->matrix.columns != columns))
      spirv_fail(t, "cooperative matrices of %u columns are not supported", columns);
}

/* Sums run over k in order. Floats below 32 bits are summed up in 32 bits and rounded once; the order and precision are ours to choose. */
static void multiply_add(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = matrix_type(t, spirv_result_type(t, in));
   struct spirv_val *vals[3];
   for (uint32_t i = 0; i < 3; i++) {
      vals[i] = spirv_value(t, spirv_word(t, in, 3 + i));
      matrix_type(t, vals[i]->type);
   }
   const uint32_t operands = in->count > 6 ? in->words[6] : 0;
   if (operands & SpvCooperativeMatrixOperandsSaturatingAccumulationKHRMask)
      spirv_fail(t, "saturating accumulation is not supported");
   const struct spirv_type *a_type = vals[0]->type, *b_type = vals[1]->type;
   check_product(t, a_type, b_type, vals[2]->type, type);

   const bool is_float = spirv_is_float(type);
   const uint32_t bits = is_float ? UTIL_MAX(type->bits, 32u) : type->bits;
   struct ir_instr **a = widened(t, vals[0], bits, operands & SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask);
   struct ir_instr **b = widened(t, vals[1], bits, operands & SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask);
   struct ir_instr **c = widened(t, vals[2], bits, operands & SpvCooperativeMatrixOperandsMatrixCSignedComponentsKHRMask);
   struct spirv_val *val = spirv_new_composite(t, type);
   t->b.fp = is_float && bits == 32 ? IR_FP_CONTRACT : 0;
   for (uint32_t i = 0; i < type->count; i++) {
      struct ir_instr *sum = c[i];
      for (uint32_t k = 0; k < a_type->matrix.columns; k++) {
         struct ir_instr *left = left_element(t, a, a_type, type, i, k), *right = right_element(t, b, type, i, k);
         struct ir_instr *product = ir_alu2(&t->b, is_float ? IR_fmul : IR_imul, left, right);
         sum = ir_alu2(&t->b, is_float ? IR_fadd : IR_iadd, sum, product);
      }
      if (sum->bit_size != type->bits)
         sum = ir_convert(&t->b, IR_f2f, type->bits, sum);
      val->children[i] = spirv_new_scalar(t, type->elem, sum);
   }
   t->b.fp = 0;
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

/* Runs the instruction once for each component, with the components in the place of the operands' values. */
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
      if (whole[o]->type->kind == SPIRV_TYPE_COOPERATIVE && whole[o]->type->count != type->count)
         spirv_fail(t, "%s of cooperative matrices of different sizes", spirv_op_name(in->op));
   }
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < type->count; i++) {
      for (uint32_t o = 0; o < num_operands; o++) {
         if (whole[o]->type->kind == SPIRV_TYPE_COOPERATIVE)
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
      struct ir_instr *length = spirv_u32(t, matrix_type(t, spirv_type(t, spirv_word(t, in, 3)))->count);
      spirv_set_result(t, in, 1, &length);
      return true;
   }
   default: break;
   }
   if (!t->has_cooperative || in->count < 4 || in->words[1] >= t->bound)
      return false;
   const struct spirv_id *type_id = &t->ids[in->words[1]];
   if (type_id->kind != SPIRV_ID_TYPE || type_id->type->kind != SPIRV_TYPE_COOPERATIVE)
      return false;
   const uint32_t op = scalar_op(in->op, type_id->type);
   if (op != SpvOpNop)
      each_component(t, in, op);
   return op != SpvOpNop;
}
