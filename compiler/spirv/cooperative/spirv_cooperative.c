/* SPDX-License-Identifier: MIT
 * Cooperative matrices of subgroups (where their elements are: spirv_elements.c). A row of a matrix is one vector or
 * some whole ones wherever a row has as many columns as there are lanes, and a vector is some whole rows where it has fewer; products
 * broadcast single elements of the left matrix, each along its row.
 * Spec: SPV_KHR_cooperative_matrix; Vulkan, "Cooperative Matrices". */
#include "compiler/spirv/cooperative/spirv_cooperative.h"
#include "compiler/spirv/spirv_loop.h"

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
   const uint32_t lanes = spirv_num_lanes(t);
   return ir_alu2(&t->b, IR_shuffle, comps[element / lanes], spirv_u32(t, element % lanes));
}

/* a[row][k], the row being that of component `i` of the result. With several rows in a vector the matrices are square: the element stands in
 * the same component, in lane k of its row. */
static struct ir_instr *left_element(struct spirv_ctx *t, struct ir_instr *const *a, const struct spirv_type *a_type,
                                     const struct spirv_type *type, uint32_t i, uint32_t k)
{
   const uint32_t lanes = spirv_num_lanes(t), columns = type->matrix.columns;
   if (columns >= lanes)
      return element_of_lane(t, a, i * lanes / columns * a_type->matrix.columns + k);
   struct ir_instr *row = ir_alu2(&t->b, IR_iand, spirv_lane(t), spirv_u32(t, ~(columns - 1)));
   return ir_alu2(&t->b, IR_shuffle, a[i], ir_alu2(&t->b, IR_ior, row, spirv_u32(t, k)));
}

/* b[k][column], the column being that of component `i` of the result. */
static struct ir_instr *right_element(struct spirv_ctx *t, struct ir_instr *const *b, const struct spirv_type *type, uint32_t i,
                                      uint32_t k)
{
   const uint32_t lanes = spirv_num_lanes(t), columns = type->matrix.columns;
   if (columns >= lanes)
      return b[(k * columns + i * lanes % columns) / lanes];
   struct ir_instr *column = ir_alu2(&t->b, IR_iand, spirv_lane(t), spirv_u32(t, columns - 1));
   struct ir_instr *from = ir_alu2(&t->b, IR_iadd, column, spirv_u32(t, k * columns % lanes));
   return ir_alu2(&t->b, IR_shuffle, b[k * columns / lanes], from);
}

static void check_product(struct spirv_ctx *t, const struct spirv_type *a, const struct spirv_type *b, const struct spirv_type *c,
                          const struct spirv_type *type)
{
   const uint32_t columns = type->matrix.columns, lanes = spirv_num_lanes(t);
   const bool fits = a->matrix.rows == type->matrix.rows && a->matrix.columns == b->matrix.rows && b->matrix.columns == columns &&
                     c->matrix.rows == type->matrix.rows && c->matrix.columns == columns;
   if (!fits || spirv_is_float(a) != spirv_is_float(type) || spirv_is_float(b) != spirv_is_float(type) ||
       spirv_is_float(c) != spirv_is_float(type))
      spirv_fail(t, "a product of cooperative matrices that do not fit");
   if (columns % lanes ? columns & (columns - 1) || a->matrix.columns != columns : a->matrix.rows * a->matrix.columns % lanes)
      spirv_fail(t, "cooperative matrices of %u columns are not supported", columns);
}

/* A large product, by loops over rows and k: matrices are arrays then, columns of a row the only thing that is unrolled. */
enum { MAX_UNROLLED = 2048 };

struct product {
   struct ir_instr **a, **b, **c;
   const struct spirv_type *a_type, *b_type, *type;
   uint32_t bits;
   bool is_float;
};

static struct ir_instr *array_offset(struct spirv_ctx *t, struct ir_instr *index, uint32_t bits)
{
   return ir_alu2(&t->b, IR_imul, index, spirv_u32(t, bits / 8));
}

static struct ir_var *array_of(struct spirv_ctx *t, struct ir_instr *const *comps, uint32_t count, uint32_t bits)
{
   struct ir_var *var = ir_var_create(t->shader, count * bits / 8, "matrix");
   for (uint32_t i = 0; i < count; i++)
      ir_store_var(&t->b, var, spirv_u32(t, i * bits / 8), comps[i], 1);
   return var;
}

static struct ir_instr *array_load(struct spirv_ctx *t, struct ir_var *var, struct ir_instr *index, uint32_t bits)
{
   return ir_load_var(&t->b, var, array_offset(t, index, bits), 1, bits);
}

static void multiply_in_loops(struct spirv_ctx *t, const struct product *p, struct spirv_val *val)
{
   const uint32_t lanes = spirv_num_lanes(t), in_row = p->type->matrix.columns / lanes, bits = UTIL_MAX(p->bits, 32u), k_count = p->a_type->matrix.columns;
   struct ir_instr **parts[3] = {p->a, p->b, p->c};
   const struct spirv_type *types[3] = {p->a_type, p->b_type, p->type};
   struct ir_var *vars[3], *sums = ir_var_create(t->shader, in_row * bits / 8, "sums");
   for (uint32_t m = 0; m < 3; m++) {
      for (uint32_t i = 0; i < types[m]->count && p->bits < 32; i++) /* cells have 32 bits; sums wrap alike */
         parts[m][i] = ir_convert(&t->b, IR_u2u, 32, parts[m][i]);
      vars[m] = array_of(t, parts[m], types[m]->count, bits);
   }
   const struct spirv_loop rows = spirv_loop_begin(t, spirv_u32(t, p->type->matrix.rows));
   struct ir_instr *first = ir_alu2(&t->b, IR_imul, rows.index, spirv_u32(t, in_row));
   for (uint32_t s = 0; s < in_row; s++) {
      struct ir_instr *at = ir_alu2(&t->b, IR_iadd, first, spirv_u32(t, s));
      ir_store_var(&t->b, sums, spirv_u32(t, s * bits / 8), array_load(t, vars[2], at, bits), 1);
   }
   const struct spirv_loop ks = spirv_loop_begin(t, spirv_u32(t, k_count));
   struct ir_instr *element = ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_imul, rows.index, spirv_u32(t, k_count)), ks.index);
   struct ir_instr *left = array_load(t, vars[0], ir_alu2(&t->b, IR_udiv, element, spirv_u32(t, lanes)), bits);
   left = ir_alu2(&t->b, IR_shuffle, left, ir_alu2(&t->b, IR_umod, element, spirv_u32(t, lanes)));
   struct ir_instr *row_of_b = ir_alu2(&t->b, IR_imul, ks.index, spirv_u32(t, in_row));
   for (uint32_t s = 0; s < in_row; s++) {
      struct ir_instr *right = array_load(t, vars[1], ir_alu2(&t->b, IR_iadd, row_of_b, spirv_u32(t, s)), bits);
      struct ir_instr *at = spirv_u32(t, s * bits / 8), *product = ir_alu2(&t->b, p->is_float ? IR_fmul : IR_imul, left, right);
      struct ir_instr *sum = ir_alu2(&t->b, p->is_float ? IR_fadd : IR_iadd, ir_load_var(&t->b, sums, at, 1, bits), product);
      ir_store_var(&t->b, sums, at, sum, 1);
   }
   spirv_loop_end(t, &ks);
   for (uint32_t s = 0; s < in_row; s++) {
      struct ir_instr *at = ir_alu2(&t->b, IR_iadd, first, spirv_u32(t, s));
      ir_store_var(&t->b, vars[2], array_offset(t, at, bits), ir_load_var(&t->b, sums, spirv_u32(t, s * bits / 8), 1, bits), 1);
   }
   spirv_loop_end(t, &rows);
   for (uint32_t i = 0; i < p->type->count; i++) {
      struct ir_instr *sum = ir_load_var(&t->b, vars[2], spirv_u32(t, i * bits / 8), 1, bits);
      if (bits != p->type->bits)
         sum = ir_convert(&t->b, p->is_float ? IR_f2f : IR_u2u, p->type->bits, sum);
      spirv_put_child(t, val, i, spirv_new_scalar(t, p->type->elem, sum));
   }
}

static void multiply_unrolled(struct spirv_ctx *t, const struct product *p, struct spirv_val *val)
{
   for (uint32_t i = 0; i < p->type->count; i++) {
      struct ir_instr *sum = p->c[i];
      for (uint32_t k = 0; k < p->a_type->matrix.columns; k++) {
         struct ir_instr *left = left_element(t, p->a, p->a_type, p->type, i, k), *right = right_element(t, p->b, p->type, i, k);
         struct ir_instr *product = ir_alu2(&t->b, p->is_float ? IR_fmul : IR_imul, left, right);
         sum = ir_alu2(&t->b, p->is_float ? IR_fadd : IR_iadd, sum, product);
      }
      if (sum->bit_size != p->type->bits)
         sum = ir_convert(&t->b, IR_f2f, p->type->bits, sum);
      spirv_put_child(t, val, i, spirv_new_scalar(t, p->type->elem, sum));
   }
}

/* Sums run over k in order. Floats below 32 bits are summed up in 32 bits and rounded once; the order and precision are ours to choose. */
static void multiply_add(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_matrix_type(t, spirv_result_type(t, in));
   struct spirv_val *vals[3];
   for (uint32_t i = 0; i < 3; i++) {
      vals[i] = spirv_value(t, spirv_word(t, in, 3 + i));
      spirv_matrix_type(t, vals[i]->type);
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
   const struct product product = {a, b, c, a_type, b_type, type, bits, is_float};
   t->b.fp = is_float && bits == 32 ? IR_FP_CONTRACT : 0;
   if (type->count * a_type->matrix.columns > MAX_UNROLLED)
      multiply_in_loops(t, &product, val);
   else
      multiply_unrolled(t, &product, val);
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
