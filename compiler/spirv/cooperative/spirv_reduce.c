/* SPDX-License-Identifier: MIT
 * Cooperative matrices whose elements meet or are exchanged: reductions, transposes, changes of use, functions that are called for each element.
 * Sums run in an order that the subgroup's size alone decides, so they are the same bits everywhere.
 * Spec: SPV_NV_cooperative_matrix2. */
#include "compiler/spirv/cooperative/spirv_cooperative.h"

#include <string.h>

/* ---- elements from other positions ---- */

/* The element of the source that becomes element (row, column): both factors times the position, plus offsets. */
struct map {
   uint32_t row_factor, row_offset, column_factor, column_offset;
};

static uint32_t source_element(const struct map *map, const struct spirv_type *from, uint32_t row, uint32_t column)
{
   return (row * map->row_factor + map->row_offset) * from->matrix.columns + column * map->column_factor + map->column_offset;
}

static struct ir_instr *scaled(struct spirv_ctx *t, struct ir_instr *x, uint32_t factor, uint32_t offset)
{
   return ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_imul, x, spirv_u32(t, factor)), spirv_u32(t, offset));
}

/* One component of a matrix of `type` whose elements are those of `comps`, a matrix like `from`. */
static struct ir_instr *gather(struct spirv_ctx *t, struct ir_instr *const *comps, const struct spirv_type *from, const struct spirv_type *type,
                               uint32_t i, const struct map *map)
{
   const uint32_t lanes = spirv_num_lanes(t);
   const struct spirv_coord to = spirv_coord_of(t, type, i);
   struct ir_instr *element = ir_alu2(&t->b, IR_imul, scaled(t, to.row, map->row_factor, map->row_offset), spirv_u32(t, from->matrix.columns));
   element = ir_alu2(&t->b, IR_iadd, element, scaled(t, to.column, map->column_factor, map->column_offset));
   struct ir_instr *lane = ir_alu2(&t->b, IR_umod, element, spirv_u32(t, lanes)), *which = ir_alu2(&t->b, IR_udiv, element, spirv_u32(t, lanes));
   struct ir_instr *result = NULL;
   uint32_t seen[32];
   uint32_t num_seen = 0;
   bool is_own = true;
   for (uint32_t l = 0; l < lanes; l++) {
      const uint32_t at = i * lanes + l;
      is_own &= source_element(map, from, at / type->matrix.columns, at % type->matrix.columns) % lanes == l;
   }
   for (uint32_t l = 0; l < lanes; l++) { /* each component that some lane's element is of, once */
      const uint32_t at = i * lanes + l, component = source_element(map, from, at / type->matrix.columns, at % type->matrix.columns) / lanes;
      bool is_new = true;
      for (uint32_t s = 0; s < num_seen; s++)
         is_new &= seen[s] != component;
      if (!is_new)
         continue;
      seen[num_seen++] = component;
      struct ir_instr *value = is_own ? comps[component] : ir_alu2(&t->b, IR_shuffle, comps[component], lane);
      result = result ? ir_select(&t->b, ir_alu2(&t->b, IR_ieq, which, spirv_u32(t, component)), value, result) : value;
   }
   return result;
}

static void check_same_elements(struct spirv_ctx *t, const struct spirv_type *a, const struct spirv_type *b)
{
   if (a->elem != b->elem)
      spirv_fail(t, "cooperative matrices of different components");
}

/* ---- reductions ---- */

struct reduction {
   uint32_t function;
   const struct spirv_type *elem;
};

static struct ir_instr *combine(struct spirv_ctx *t, const struct reduction *reduction, struct ir_instr *x, struct ir_instr *y)
{
   struct spirv_val *const args[] = {spirv_new_scalar(t, reduction->elem, x), spirv_new_scalar(t, reduction->elem, y)};
   return spirv_comps(t, spirv_call_with(t, reduction->function, 2, args))[0];
}

/* Lanes that differ in these bits of their number have one value then: what all of theirs give. */
static struct ir_instr *across(struct spirv_ctx *t, const struct reduction *reduction, struct ir_instr *x, uint32_t first, uint32_t end)
{
   for (uint32_t mask = first; mask < end; mask *= 2) {
      struct ir_instr *other = ir_alu2(&t->b, IR_ixor, spirv_lane(t), spirv_u32(t, mask));
      x = combine(t, reduction, x, ir_alu2(&t->b, IR_shuffle, x, other));
   }
   return x;
}

/* Each element becomes what its row gives. */
static void reduce_rows(struct spirv_ctx *t, const struct reduction *reduction, const struct spirv_type *type, struct ir_instr **comps)
{
   const uint32_t lanes = spirv_num_lanes(t), columns = type->matrix.columns, in_row = UTIL_MAX(columns / lanes, 1u);
   for (uint32_t first = 0; first < type->count; first += in_row) {
      struct ir_instr *x = comps[first];
      for (uint32_t i = 1; i < in_row; i++)
         x = combine(t, reduction, x, comps[first + i]);
      x = across(t, reduction, x, 1, UTIL_MIN(columns, lanes));
      for (uint32_t i = 0; i < in_row; i++)
         comps[first + i] = x;
   }
}

/* Each element becomes what its column gives. */
static void reduce_columns(struct spirv_ctx *t, const struct reduction *reduction, const struct spirv_type *type, struct ir_instr **comps)
{
   const uint32_t lanes = spirv_num_lanes(t), columns = type->matrix.columns, in_row = UTIL_MAX(columns / lanes, 1u);
   for (uint32_t part = 0; part < in_row; part++) {
      struct ir_instr *x = comps[part];
      for (uint32_t i = part + in_row; i < type->count; i += in_row)
         x = combine(t, reduction, x, comps[i]);
      x = across(t, reduction, x, UTIL_MIN(columns, lanes), lanes);
      for (uint32_t i = part; i < type->count; i += in_row)
         comps[i] = x;
   }
}

static struct ir_instr *reduce_square(struct spirv_ctx *t, const struct reduction *reduction, const struct spirv_type *from,
                                      const struct spirv_type *type, struct ir_instr *const *comps, uint32_t i)
{
   struct ir_instr *x = NULL;
   for (uint32_t k = 0; k < 4; k++) {
      const struct map map = {.row_factor = 2, .row_offset = k / 2, .column_factor = 2, .column_offset = k % 2};
      struct ir_instr *y = gather(t, comps, from, type, i, &map);
      x = x ? combine(t, reduction, x, y) : y;
   }
   return x;
}

static void reduce(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *matrix = spirv_value(t, spirv_word(t, in, 3));
   const struct spirv_type *type = spirv_matrix_type(t, spirv_result_type(t, in)), *from = spirv_matrix_type(t, matrix->type);
   const uint32_t mode = spirv_word(t, in, 4);
   const bool has_rows = mode & SpvCooperativeMatrixReduceRowMask, has_columns = mode & SpvCooperativeMatrixReduceColumnMask;
   const bool has_squares = mode & SpvCooperativeMatrixReduce2x2Mask;
   const struct reduction reduction = {spirv_word(t, in, 5), type->elem};
   check_same_elements(t, type, from);
   const bool fits = has_squares ? !has_rows && !has_columns && from->matrix.rows == 2 * type->matrix.rows && from->matrix.columns == 2 * type->matrix.columns
                                 : (has_rows || has_columns) && (has_columns || from->matrix.rows == type->matrix.rows) &&
                                      (has_rows || from->matrix.columns == type->matrix.columns);
   if (!fits)
      spirv_fail(t, "a reduction of a cooperative matrix to one that does not fit");
   spirv_check_calls(t, reduction.function, UTIL_MAX(3 * type->count, 6 * from->count));
   struct ir_instr **comps = spirv_matrix_comps(t, matrix);
   if (has_columns)
      reduce_columns(t, &reduction, from, comps);
   if (has_rows)
      reduce_rows(t, &reduction, from, comps);
   const struct map map = {.row_factor = !has_columns, .column_factor = !has_rows};
   struct ir_instr **results = UTIL_ARENA_ARRAY(t->arena, struct ir_instr *, type->count);
   for (uint32_t i = 0; i < type->count; i++)
      results[i] = has_squares ? reduce_square(t, &reduction, from, type, comps, i) : gather(t, comps, from, type, i, &map);
   spirv_set_value(t, in->words[2], spirv_matrix_of(t, type, results));
}

/* ---- changes of use ---- */

static uint32_t conversion_op(const struct spirv_type *from, const struct spirv_type *to)
{
   if (!spirv_has_exponent(from))
      return from->is_signed ? SpvOpConvertSToF : SpvOpConvertUToF;
   if (!spirv_has_exponent(to))
      return to->is_signed ? SpvOpConvertFToS : SpvOpConvertFToU;
   return SpvOpFConvert;
}

/* A transpose may give components of another type, converted as instructions for that do. */
static struct ir_instr *converted(struct spirv_ctx *t, struct ir_instr *x, const struct spirv_type *from, const struct spirv_type *to)
{
   if (from != to && (spirv_is_narrow(from) || spirv_is_narrow(to)))
      return spirv_narrow_convert_one(t, conversion_op(from, to), to, from, x, false);
   if (spirv_is_float(from) && spirv_is_float(to))
      return from->bits == to->bits ? x : ir_convert(&t->b, IR_f2f, to->bits, x);
   if (spirv_is_float(from))
      return ir_convert(&t->b, to->is_signed ? IR_f2i : IR_f2u, to->bits, x);
   if (spirv_is_float(to))
      return ir_convert(&t->b, from->is_signed ? IR_i2f : IR_u2f, to->bits, x);
   return spirv_resize(t, x, to->bits, from->is_signed);
}

static void convert(struct spirv_ctx *t, const struct spirv_instr *in, bool is_transposed)
{
   struct spirv_val *matrix = spirv_value(t, spirv_word(t, in, 3));
   const struct spirv_type *type = spirv_matrix_type(t, spirv_result_type(t, in)), *from = spirv_matrix_type(t, matrix->type);
   const struct spirv_type shape = is_transposed ? spirv_transposed(from) : *from;
   if (type->matrix.rows != shape.matrix.rows || type->matrix.columns != shape.matrix.columns)
      spirv_fail(t, "a conversion of a cooperative matrix to one that does not fit");
   struct ir_instr **comps = spirv_matrix_comps(t, matrix);
   if (is_transposed)
      spirv_transpose(t, from, comps);
   else
      check_same_elements(t, type, from);
   for (uint32_t i = 0; i < type->count; i++)
      comps[i] = converted(t, comps[i], from->elem, type->elem);
   spirv_set_value(t, in->words[2], spirv_matrix_of(t, type, comps));
}

/* ---- functions of elements ---- */

static void each_element(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *matrix = spirv_value(t, spirv_word(t, in, 3));
   const struct spirv_type *type = spirv_matrix_type(t, spirv_result_type(t, in));
   const uint32_t function = spirv_word(t, in, 4), num_more = in->count - 5, num_args = 3 + num_more;
   if (!spirv_types_match(t, type, spirv_matrix_type(t, matrix->type)))
      spirv_fail(t, "a function of a cooperative matrix's elements gives another type");
   spirv_check_calls(t, function, type->count);
   struct spirv_val **args = UTIL_ARENA_ARRAY(t->arena, struct spirv_val *, num_args);
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < type->count; i++) {
      const struct spirv_coord coord = spirv_coord_of(t, type, i);
      args[0] = spirv_new_scalar(t, &spirv_type_u32, coord.row);
      args[1] = spirv_new_scalar(t, &spirv_type_u32, coord.column);
      args[2] = spirv_child(t, matrix, i);
      for (uint32_t m = 0; m < num_more; m++) {
         struct spirv_val *more = spirv_value(t, in->words[5 + m]);
         if (more->type->class == SPIRV_TYPE_COOPERATIVE && more->type->count != type->count)
            spirv_fail(t, "a function of the elements of cooperative matrices of different sizes");
         args[3 + m] = more->type->class == SPIRV_TYPE_COOPERATIVE ? spirv_child(t, more, i) : more;
      }
      spirv_set_child(t, val, i, spirv_call_with(t, function, num_args, args));
   }
   spirv_set_value(t, in->words[2], val);
}

bool spirv_cooperative2(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpCooperativeMatrixReduceNV: reduce(t, in); return true;
   case SpvOpCooperativeMatrixConvertNV: convert(t, in, false); return true;
   case SpvOpCooperativeMatrixTransposeNV: convert(t, in, true); return true;
   case SpvOpCooperativeMatrixPerElementOpNV: each_element(t, in); return true;
   default: return spirv_tensor(t, in);
   }
}
