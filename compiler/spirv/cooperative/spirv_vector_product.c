/* SPDX-License-Identifier: MIT
 * Products of matrices in memory and cooperative vectors: loops over tiles of the matrix, whose elements are the same for all lanes where its address is, so
 * that a product is a scalar times a vector of lanes. Floats are fused and summed up in 32 bits in the order of the inputs, whatever the layout, and
 * rounded once; integers are summed up modulo 2^32.
 * Spec: SPV_NV_cooperative_vector, "OpCooperativeVectorMatrixMulAddNV". */
#include "compiler/spirv/cooperative/spirv_vector.h"

#include "abi/matrix.h"
#include "compiler/ir/ir_eval.h"
#include "compiler/spirv/spirv_loop.h"

/* Of a tile: sums that are made side by side, inputs that one round of the loop takes. */
enum { TILE_ROWS = 4, TILE_COLUMNS = 4 };

struct product {
   struct spirv_stored_matrix matrix;
   uint32_t rows, columns;
   bool is_float;
   struct ir_var *inputs, *results; /* words, by column and by row */
   struct ir_var *sums;             /* of a tile: becomes values */
   struct spirv_pointer bias;
   const struct spirv_type *bias_type; /* NULL: there is none */
   struct ir_instr *bias_offset;
};

/* The operands behind those of the bias stand so many words further on. */
enum { BIAS_OPERANDS = 3 };

struct operands {
   const struct spirv_type *input, *type; /* vectors */
   const struct spirv_type *interpretation; /* of the input */
   bool is_packed, is_signed; /* the input is; it is of signed integers */
   uint32_t last; /* word of M, behind which the others come */
};

/* ---- the input ---- */

/* An integer of at most 32 bits as the nearest that the interpretation has. */
static struct ir_instr *clamp_integer(struct spirv_ctx *t, const struct spirv_type *to, struct ir_instr *x, bool is_signed)
{
   const uint64_t greatest = (UINT64_C(1) << (to->bits - to->is_signed)) - 1;
   x = spirv_resize(t, x, 32, is_signed);
   if (!is_signed)
      return ir_alu2(&t->b, IR_umin, x, spirv_u32(t, (uint32_t)greatest));
   x = ir_alu2(&t->b, IR_imax, x, spirv_u32(t, to->is_signed ? ~(uint32_t)greatest : 0));
   return greatest > INT32_MAX ? x : ir_alu2(&t->b, IR_imin, x, spirv_u32(t, (uint32_t)greatest));
}

static struct ir_instr *to_integer(struct spirv_ctx *t, const struct spirv_type *from, const struct spirv_type *to, struct ir_instr *x, bool is_signed)
{
   if (from->class == SPIRV_TYPE_INT)
      return clamp_integer(t, to, x, is_signed);
   x = ir_alu1(&t->b, IR_fround_even, spirv_to_float32(t, from, x));
   return spirv_resize(t, ir_convert(&t->b, to->is_signed ? IR_f2i : IR_f2u, to->bits, x), 32, to->is_signed);
}

static struct ir_instr *to_float(struct spirv_ctx *t, const struct spirv_type *from, const struct spirv_type *to, struct ir_instr *x, bool is_signed)
{
   x = from->class == SPIRV_TYPE_INT ? ir_convert(&t->b, is_signed ? IR_i2f : IR_u2f, 32, x) : spirv_to_float32(t, from, x);
   if (to->class == SPIRV_TYPE_NARROW)
      x = spirv_to_narrow(t, to, x, true);
   else if (to->bits == 16)
      x = ir_convert(&t->b, IR_f2f, 16, x);
   return spirv_to_float32(t, to, x);
}

/* Component `i` of what the input stands for, in 32 bits. */
static struct ir_instr *input_component(struct spirv_ctx *t, const struct operands *o, struct ir_instr *const *comps, uint32_t i)
{
   const struct spirv_type *from = spirv_scalar_type(o->input);
   if (o->is_packed) {
      struct ir_instr *byte = ir_emit(&t->b, IR_unpack, 1, 8, 1, &comps[i / 4]);
      byte->imm.u[0] = i % 4;
      return spirv_resize(t, byte, 32, o->interpretation->is_signed);
   }
   return (o->interpretation->class == SPIRV_TYPE_INT ? to_integer : to_float)(t, from, o->interpretation, comps[i], o->is_signed);
}

/* ---- tiles ---- */

/* A float of 8 bits as one of 32, by a table: one look for all lanes where the matrix is the same for them. */
static struct ir_instr *look_up(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x)
{
   enum { COUNT = 256 };
   struct ir_var **table = type->encoding == UTIL_SPV_ENCODING_E4M3 ? &t->e4m3_numbers : &t->e5m2_numbers;
   if (!*table) {
      uint64_t *numbers = UTIL_ARENA_ARRAY(t->arena, uint64_t, COUNT);
      for (uint32_t i = 0; i < COUNT; i++)
         numbers[i] = ir_float_from_double(spirv_narrow_to_double(type, i), 32);
      *table = ir_var_create(t->shader, 4 * COUNT, "numbers");
      ir_var_make_table(t->shader, *table, COUNT, 32, numbers);
   }
   struct ir_instr *index = ir_convert(&t->b, IR_u2u, 32, x), *number = ir_emit(&t->b, IR_load_table, 1, 32, 1, &index);
   number->imm.var.var = *table;
   return number;
}

/* An element in 32 bits. */
static struct ir_instr *widen(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x)
{
   if (type->class == SPIRV_TYPE_INT)
      return spirv_resize(t, x, 32, type->is_signed);
   return type->class == SPIRV_TYPE_NARROW && type->bits == 8 ? look_up(t, type, x) : spirv_to_float32(t, type, x);
}

/* `count` elements that stand together. */
static void load_elements(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *type, struct ir_instr *offset, uint32_t count,
                          struct ir_instr **comps)
{
   const struct spirv_type vector = {.class = count > 1 ? SPIRV_TYPE_VECTOR : type->class, .elem = type, .count = count, .bits = type->bits};
   const struct spirv_pointer pointer = spirv_stored_pointer(t, base, count > 1 ? util_arena_dup(t->arena, &vector, sizeof(vector)) : type, offset);
   struct ir_instr **loaded = spirv_comps(t, spirv_load(t, &pointer));
   for (uint32_t i = 0; i < count; i++)
      comps[i] = widen(t, type, loaded[i]);
}

static struct ir_instr *load_sum(struct spirv_ctx *t, const struct product *p, uint32_t row)
{
   return ir_load_var(&t->b, p->sums, spirv_u32(t, 4 * row), 1, 32);
}

static void store_sum(struct spirv_ctx *t, const struct product *p, uint32_t row, struct ir_instr *sum)
{
   ir_store_var(&t->b, p->sums, spirv_u32(t, 4 * row), sum, 1);
}

static struct ir_instr *plus(struct spirv_ctx *t, struct ir_instr *x, uint32_t more)
{
   return more ? ir_alu2(&t->b, IR_iadd, x, spirv_u32(t, more)) : x;
}

static struct ir_instr *add_product(struct spirv_ctx *t, const struct product *p, struct ir_instr *x, struct ir_instr *element, struct ir_instr *sum)
{
   return p->is_float ? ir_alu3(&t->b, IR_fma, x, element, sum) : ir_alu2(&t->b, IR_iadd, sum, ir_alu2(&t->b, IR_imul, x, element));
}

/* Adds the products of `rows` by `columns` elements from (row, column) on to the sums. */
static void add_tile(struct spirv_ctx *t, const struct product *p, struct ir_instr *row, struct ir_instr *column, uint32_t rows, uint32_t columns)
{
   struct ir_instr *elements[TILE_ROWS * TILE_COLUMNS], *sums[TILE_ROWS]; /* elements: line by line of memory */
   const bool is_by_rows = p->matrix.is_by_rows;
   const uint32_t lines = is_by_rows ? rows : columns, length = is_by_rows ? columns : rows;
   for (uint32_t l = 0; l < lines; l++) {
      struct ir_instr *offset = spirv_stored_offset(t, &p->matrix, plus(t, row, is_by_rows ? l : 0), plus(t, column, is_by_rows ? 0 : l));
      load_elements(t, &p->matrix.base, p->matrix.type, offset, length, elements + l * length);
   }
   for (uint32_t r = 0; r < rows; r++)
      sums[r] = load_sum(t, p, r);
   for (uint32_t c = 0; c < columns; c++) {
      struct ir_instr *x = spirv_load_word(t, p->inputs, plus(t, column, c));
      for (uint32_t r = 0; r < rows; r++)
         sums[r] = add_product(t, p, x, elements[is_by_rows ? r * length + c : c * length + r], sums[r]);
   }
   for (uint32_t r = 0; r < rows; r++)
      store_sum(t, p, r, sums[r]);
}

/* The results of `rows` rows from `row` on. */
static void multiply_rows(struct spirv_ctx *t, const struct product *p, struct ir_instr *row, uint32_t rows)
{
   struct ir_instr *sums[TILE_ROWS];
   if (p->bias_type) {
      struct ir_instr *begin = ir_alu2(&t->b, IR_imul, row, spirv_u32(t, p->bias_type->bits / 8));
      load_elements(t, &p->bias, p->bias_type, ir_alu2(&t->b, IR_iadd, p->bias_offset, begin), rows, sums);
   }
   for (uint32_t r = 0; r < rows; r++)
      store_sum(t, p, r, p->bias_type ? sums[r] : spirv_u32(t, 0));
   if (p->columns / TILE_COLUMNS) {
      const struct spirv_loop loop = spirv_loop_begin(t, spirv_u32(t, p->columns / TILE_COLUMNS));
      add_tile(t, p, row, ir_alu2(&t->b, IR_imul, loop.index, spirv_u32(t, TILE_COLUMNS)), rows, TILE_COLUMNS);
      spirv_loop_end(t, &loop);
   }
   if (p->columns % TILE_COLUMNS)
      add_tile(t, p, row, spirv_u32(t, p->columns / TILE_COLUMNS * TILE_COLUMNS), rows, p->columns % TILE_COLUMNS);
   for (uint32_t r = 0; r < rows; r++)
      spirv_store_word(t, p->results, plus(t, row, r), load_sum(t, p, r));
}

static void multiply(struct spirv_ctx *t, const struct product *p)
{
   if (p->rows / TILE_ROWS) {
      const struct spirv_loop loop = spirv_loop_begin(t, spirv_u32(t, p->rows / TILE_ROWS));
      multiply_rows(t, p, ir_alu2(&t->b, IR_imul, loop.index, spirv_u32(t, TILE_ROWS)), TILE_ROWS);
      spirv_loop_end(t, &loop);
   }
   if (p->rows % TILE_ROWS)
      multiply_rows(t, p, spirv_u32(t, p->rows / TILE_ROWS * TILE_ROWS), p->rows % TILE_ROWS);
}

/* ---- the instruction ---- */

static bool constant_bool(struct spirv_ctx *t, uint32_t id)
{
   uint64_t bits;
   if (!spirv_is_constant(spirv_value(t, id), &bits))
      spirv_fail(t, "whether a matrix is transposed is no constant");
   return bits;
}

static struct operands read_operands(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct operands o = {.type = spirv_result_type(t, in), .input = spirv_value_type(t, spirv_word(t, in, 3))};
   const uint32_t component = spirv_constant_u32(t, spirv_word(t, in, 4));
   const bool has_bias = in->op == SpvOpCooperativeVectorMatrixMulAddNV;
   o.last = 8 + (has_bias ? BIAS_OPERANDS : 0);
   o.is_packed = component == SpvComponentTypeSignedInt8PackedNV || component == SpvComponentTypeUnsignedInt8PackedNV;
   o.interpretation = spirv_interpretation(t, !o.is_packed                                      ? component
                                              : component == SpvComponentTypeSignedInt8PackedNV ? SpvComponentTypeSignedInt8NV
                                                                                                : SpvComponentTypeUnsignedInt8NV);
   const uint32_t sign_word = o.last + 5;
   o.is_signed = sign_word < in->count && in->words[sign_word] & SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask;
   return o;
}

/* A vector of numbers of at most 32 bits. */
static bool is_of_numbers(const struct spirv_type *vector)
{
   const struct spirv_type *scalar = spirv_scalar_type(vector);
   return vector->class == SPIRV_TYPE_VECTOR && scalar->class != SPIRV_TYPE_BOOL && scalar->bits <= 32;
}

/* The result's and the input's components fit the matrix and each other. */
static void check_product(struct spirv_ctx *t, const struct operands *o, const struct product *p)
{
   const struct spirv_type *input = spirv_scalar_type(o->input), *result = spirv_scalar_type(o->type);
   const bool fits = is_of_numbers(o->input) && is_of_numbers(o->type) && o->type->count == p->rows &&
                     (o->is_packed ? o->input->count * 4 >= p->columns && input->class == SPIRV_TYPE_INT && input->bits == 32 : o->input->count == p->columns);
   const bool is_result_float = result->class == SPIRV_TYPE_FLOAT;
   const bool is_same = (o->interpretation->class != SPIRV_TYPE_INT) == is_result_float && (p->matrix.type->class != SPIRV_TYPE_INT) == is_result_float &&
                        (!p->bias_type || (p->bias_type->class != SPIRV_TYPE_INT) == is_result_float) && result->class != SPIRV_TYPE_NARROW;
   if (!fits || !is_same)
      spirv_fail(t, "a product of a matrix and a cooperative vector that do not fit");
}

static struct product read_product(struct spirv_ctx *t, const struct spirv_instr *in, const struct operands *o)
{
   struct product p = {.is_float = spirv_is_float(o->type)};
   p.rows = spirv_constant_u32(t, spirv_word(t, in, o->last));
   p.columns = spirv_constant_u32(t, spirv_word(t, in, o->last + 1));
   struct spirv_stored_shape shape = {.layout = spirv_constant_u32(t, spirv_word(t, in, o->last + 2))};
   shape.is_transposed = constant_bool(t, spirv_word(t, in, o->last + 3));
   shape.rows = shape.is_transposed ? p.columns : p.rows;
   shape.columns = shape.is_transposed ? p.rows : p.columns;
   if (o->last + 4 < in->count)
      shape.stride = spirv_stored_number(t, in->words[o->last + 4]);
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 5), &spirv_type_u8);
   base.access |= IR_ACCESS_READ_ONLY; /* as the instruction may assume */
   struct ir_instr *offset = spirv_stored_begin(t, spirv_word(t, in, 6), &base);
   p.matrix = spirv_stored_matrix(t, &base, offset, spirv_interpretation(t, spirv_constant_u32(t, spirv_word(t, in, 7))), &shape);
   if (in->op == SpvOpCooperativeVectorMatrixMulAddNV) {
      p.bias = spirv_pointer_to(t, spirv_word(t, in, 8), &spirv_type_u8);
      p.bias.access |= IR_ACCESS_READ_ONLY;
      p.bias_offset = spirv_stored_begin(t, spirv_word(t, in, 9), &p.bias);
      p.bias_type = spirv_interpretation(t, spirv_constant_u32(t, spirv_word(t, in, 10)));
   }
   return p;
}

void spirv_multiply_vector(struct spirv_ctx *t, const struct spirv_instr *in)
{
   t->b.fp = 0; /* execution modes do not count */
   const struct operands o = read_operands(t, in);
   struct product p = read_product(t, in, &o);
   check_product(t, &o, &p);
   p.inputs = spirv_vector_words(t, &t->vector_inputs, p.columns);
   p.results = spirv_vector_words(t, &t->vector_results, p.rows);
   p.sums = ir_var_create(t->shader, 4 * TILE_ROWS, "sums");
   struct ir_instr **input = spirv_comps_of(t, in->words[3], 0), **comps = spirv_new_comps(t, p.rows);
   for (uint32_t c = 0; c < p.columns; c++)
      spirv_store_word(t, p.inputs, spirv_u32(t, c), input_component(t, &o, input, c));
   multiply(t, &p);
   for (uint32_t r = 0; r < p.rows; r++) {
      comps[r] = spirv_load_word(t, p.results, spirv_u32(t, r));
      if (p.is_float && o.type->bits == 16)
         comps[r] = ir_convert(&t->b, IR_f2f, 16, comps[r]);
      else if (!p.is_float)
         comps[r] = spirv_resize(t, comps[r], o.type->bits, false);
   }
   spirv_set_result(t, in, p.rows, comps);
}
