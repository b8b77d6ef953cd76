/* SPDX-License-Identifier: MIT
 * Matrices: composites of columns. Products sum up from the first column or component on, always in this order.
 * Spec: SPIR-V, "Arithmetic Instructions". */
#include "compiler/spirv/instructions/spirv_formula.h"
#include "compiler/spirv/instructions/spirv_instructions.h"

struct matrix {
   uint32_t columns, rows;
   struct ir_instr *at[4][4]; /* [column][row] */
};

static struct matrix read_matrix(struct spirv_ctx *t, struct spirv_val *val)
{
   if (val->type->class != SPIRV_TYPE_MATRIX)
      spirv_fail(t, "an operand is not a matrix");
   struct matrix m = {.columns = val->type->count, .rows = val->type->elem->count};
   for (uint32_t c = 0; c < m.columns; c++) {
      struct ir_instr **comps = spirv_comps(t, spirv_child(t, val, c));
      for (uint32_t r = 0; r < m.rows; r++)
         m.at[c][r] = comps[r];
   }
   return m;
}

static struct spirv_val *write_matrix(struct spirv_ctx *t, const struct spirv_type *type, const struct matrix *m)
{
   if (type->class != SPIRV_TYPE_MATRIX || type->count != m->columns || type->elem->count != m->rows ||
       m->at[0][0]->bit_size != type->bits)
      spirv_fail(t, "a matrix does not fit its type");
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t c = 0; c < m->columns; c++)
      spirv_put_child(t, val, c, spirv_new_leaf(t, type->elem, m->at[c]));
   return val;
}

static void set_matrix(struct spirv_ctx *t, const struct spirv_instr *in, const struct matrix *m)
{
   spirv_set_value(t, spirv_word(t, in, 2), write_matrix(t, spirv_result_type(t, in), m));
}

static struct ir_instr *mul(struct spirv_ctx *t, struct ir_instr *x, struct ir_instr *y)
{
   if (x->bit_size != y->bit_size)
      spirv_fail(t, "product of different types");
   return ir_alu2(&t->b, IR_fmul, x, y);
}

static struct ir_instr *negated(struct spirv_ctx *t, struct ir_instr *x, bool is_negated)
{
   return is_negated ? ir_alu1(&t->b, IR_fneg, x) : x;
}

/* x[0] y[0] + x[1] y[1] + …, from two products on; if the signs alternate every other one is subtracted. Fused as opt/contract would, were it free to:
 * of the first two products the first. */
static struct ir_instr *sum_of_products(struct spirv_ctx *t, const struct spirv_formula *formula, uint32_t count, struct ir_instr *const *x,
                                        struct ir_instr *const *y, bool alternates)
{
   struct ir_builder *b = &t->b;
   if (!formula->fuses) {
      struct ir_instr *sum = ir_alu2(b, IR_fmul, x[0], y[0]);
      for (uint32_t i = 1; i < count; i++)
         sum = ir_alu2(b, alternates && i % 2 ? IR_fsub : IR_fadd, sum, ir_alu2(b, IR_fmul, x[i], y[i]));
      return sum;
   }
   struct ir_instr *second = negated(t, ir_alu2(b, IR_fmul, x[1], y[1]), alternates);
   struct ir_instr *sum = ir_alu3(b, IR_fma, x[0], y[0], second);
   for (uint32_t i = 2; i < count; i++)
      sum = ir_alu3(b, IR_fma, negated(t, x[i], alternates && i % 2), y[i], sum);
   return sum;
}

static void matrix_times_scalar(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct matrix m = read_matrix(t, spirv_value(t, spirv_word(t, in, 3)));
   struct ir_instr *factor = spirv_scalar(t, spirv_word(t, in, 4));
   for (uint32_t c = 0; c < m.columns; c++) {
      for (uint32_t r = 0; r < m.rows; r++)
         m.at[c][r] = mul(t, m.at[c][r], factor);
   }
   set_matrix(t, in, &m);
}

/* Operands: the matrix, then vectors of as many components as it has columns, `others` of them. Results: vectors of its rows. */
static void write_product(struct spirv_ctx *t, const struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results)
{
   const uint32_t columns = formula->columns, rows = formula->rows;
   for (uint32_t v = 0; v < formula->others; v++) {
      struct ir_instr *const *vector = operands + (columns * rows) + (v * columns);
      for (uint32_t r = 0; r < rows; r++) {
         struct ir_instr *row[4];
         for (uint32_t c = 0; c < columns; c++)
            row[c] = operands[c * rows + r];
         results[v * rows + r] = sum_of_products(t, formula, columns, row, vector, false);
      }
   }
}

static void set_columns(struct matrix *m, struct ir_instr *const *values)
{
   for (uint32_t c = 0; c < m->columns; c++) {
      for (uint32_t r = 0; r < m->rows; r++)
         m->at[c][r] = values[c * m->rows + r];
   }
}

/* Appends the matrix, column after column; how many values that are. */
static uint32_t add_operands(const struct matrix *m, struct ir_instr **operands)
{
   for (uint32_t c = 0; c < m->columns; c++) {
      for (uint32_t r = 0; r < m->rows; r++)
         operands[c * m->rows + r] = m->at[c][r];
   }
   return m->columns * m->rows;
}

/* The vectors' products with the matrix. */
static void multiply(struct spirv_ctx *t, const struct matrix *m, const struct matrix *vectors, struct ir_instr **results)
{
   struct spirv_formula formula = {.write = write_product, .columns = (uint8_t)m->columns, .rows = (uint8_t)m->rows, .others = (uint8_t)vectors->columns};
   struct ir_instr *operands[SPIRV_MAX_OPERANDS];
   formula.num_operands = (uint8_t)add_operands(m, operands);
   formula.num_operands += (uint8_t)add_operands(vectors, operands + formula.num_operands);
   formula.num_results = (uint8_t)(m->rows * vectors->columns);
   spirv_apply(t, &formula, operands, results);
}

static struct matrix column_vector(struct spirv_ctx *t, uint32_t id, uint32_t count)
{
   struct matrix vector = {.columns = 1, .rows = count};
   struct ir_instr **comps = spirv_comps_of(t, id, count);
   for (uint32_t i = 0; i < count; i++)
      vector.at[0][i] = comps[i];
   return vector;
}

static void matrix_times_vector(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct matrix m = read_matrix(t, spirv_value(t, spirv_word(t, in, 3)));
   const struct matrix vector = column_vector(t, spirv_word(t, in, 4), m.columns);
   struct ir_instr *comps[4];
   if (spirv_leaf_count(t, spirv_result_type(t, in)) != m.rows)
      spirv_fail(t, "OpMatrixTimesVector: the result does not fit");
   multiply(t, &m, &vector, comps);
   spirv_set_result(t, in, m.rows, comps);
}

static struct matrix transposed(const struct matrix *from)
{
   struct matrix m = {.columns = from->rows, .rows = from->columns};
   for (uint32_t c = 0; c < m.columns; c++) {
      for (uint32_t r = 0; r < m.rows; r++)
         m.at[c][r] = from->at[r][c];
   }
   return m;
}

/* Factors of a product commute, to the bit. */
static void vector_times_matrix(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct matrix from = read_matrix(t, spirv_value(t, spirv_word(t, in, 4))), m = transposed(&from);
   const struct matrix vector = column_vector(t, spirv_word(t, in, 3), m.columns);
   struct ir_instr *comps[4];
   if (spirv_leaf_count(t, spirv_result_type(t, in)) != m.rows)
      spirv_fail(t, "OpVectorTimesMatrix: the result does not fit");
   multiply(t, &m, &vector, comps);
   spirv_set_result(t, in, m.rows, comps);
}

static void matrix_times_matrix(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct matrix a = read_matrix(t, spirv_value(t, spirv_word(t, in, 3)));
   const struct matrix b = read_matrix(t, spirv_value(t, spirv_word(t, in, 4)));
   struct matrix m = {.columns = b.columns, .rows = a.rows};
   struct ir_instr *results[SPIRV_MAX_RESULTS];
   if (a.columns != b.rows)
      spirv_fail(t, "OpMatrixTimesMatrix of matrices that do not fit");
   multiply(t, &a, &b, results);
   set_columns(&m, results);
   set_matrix(t, in, &m);
}

static void outer_product(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *x = spirv_value(t, spirv_word(t, in, 3)), *y = spirv_value(t, spirv_word(t, in, 4));
   struct matrix m = {.columns = spirv_leaf_count(t, y->type), .rows = spirv_leaf_count(t, x->type)};
   struct ir_instr **rows = spirv_comps(t, x), **columns = spirv_comps(t, y);
   for (uint32_t c = 0; c < m.columns; c++) {
      for (uint32_t r = 0; r < m.rows; r++)
         m.at[c][r] = mul(t, rows[r], columns[c]);
   }
   set_matrix(t, in, &m);
}

static void write_transposed(struct spirv_ctx *t, const struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results)
{
   for (uint32_t c = 0; c < formula->columns; c++) {
      for (uint32_t r = 0; r < formula->rows; r++)
         results[r * formula->columns + c] = operands[c * formula->rows + r];
   }
}

static void transpose(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct matrix from = read_matrix(t, spirv_value(t, spirv_word(t, in, 3)));
   struct matrix m = {.columns = from.rows, .rows = from.columns};
   struct spirv_formula formula = {.write = write_transposed, .moves = true, .columns = (uint8_t)from.columns, .rows = (uint8_t)from.rows};
   struct ir_instr *operands[SPIRV_MAX_OPERANDS], *results[SPIRV_MAX_RESULTS];
   formula.num_operands = formula.num_results = (uint8_t)add_operands(&from, operands);
   spirv_apply(t, &formula, operands, results);
   set_columns(&m, results);
   set_matrix(t, in, &m);
}

/* A square matrix, and the determinants of two rows and two columns of it that were asked for: larger ones share them. */
struct square {
   const struct spirv_formula *formula;
   struct matrix matrix;
   struct ir_instr *pairs[16][16]; /* by bits of columns and of rows */
};

static struct ir_instr *minor_determinant(struct spirv_ctx *t, struct square *square, uint32_t size, const uint8_t *columns, const uint8_t *rows);

/* By the first column. */
static struct ir_instr *expand(struct spirv_ctx *t, struct square *square, uint32_t size, const uint8_t *columns, const uint8_t *rows)
{
   struct ir_instr *factors[4], *minors[4];
   for (uint32_t i = 0; i < size; i++) {
      uint8_t others[4];
      uint32_t n = 0;
      for (uint32_t j = 0; j < size; j++) {
         if (j != i)
            others[n++] = rows[j];
      }
      factors[i] = square->matrix.at[columns[0]][rows[i]];
      minors[i] = minor_determinant(t, square, size - 1, columns + 1, others);
   }
   return sum_of_products(t, square->formula, size, factors, minors, true);
}

/* Determinant of the rows and columns listed, in rising order. */
static struct ir_instr *minor_determinant(struct spirv_ctx *t, struct square *square, uint32_t size, const uint8_t *columns, const uint8_t *rows)
{
   if (size == 1)
      return square->matrix.at[columns[0]][rows[0]];
   if (size > 2)
      return expand(t, square, size, columns, rows);
   struct ir_instr **pair = &square->pairs[1 << columns[0] | 1 << columns[1]][1 << rows[0] | 1 << rows[1]];
   if (!*pair)
      *pair = expand(t, square, size, columns, rows);
   return *pair;
}

static struct square read_square(const struct spirv_formula *formula, struct ir_instr *const *operands)
{
   struct square square = {.formula = formula, .matrix = {.columns = formula->columns, .rows = formula->rows}};
   set_columns(&square.matrix, operands);
   return square;
}

static void write_determinant(struct spirv_ctx *t, const struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results)
{
   static const uint8_t all[4] = {0, 1, 2, 3};
   struct square square = read_square(formula, operands);
   results[0] = minor_determinant(t, &square, square.matrix.columns, all, all);
}

static void write_inverse(struct spirv_ctx *t, const struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results)
{
   struct square square = read_square(formula, operands);
   const struct matrix *m = &square.matrix;
   const uint32_t size = m->columns;
   struct matrix cofactors = {.columns = size, .rows = size}; /* already transposed */
   struct ir_instr *first[4] = {NULL};
   for (uint32_t c = 0; c < size; c++) {
      for (uint32_t r = 0; r < size; r++) {
         uint8_t columns[4], rows[4];
         uint32_t num_columns = 0, num_rows = 0;
         for (uint32_t i = 0; i < size; i++) {
            if (i != c)
               columns[num_columns++] = i;
            if (i != r)
               rows[num_rows++] = i;
         }
         cofactors.at[r][c] = negated(t, minor_determinant(t, &square, size - 1, columns, rows), (c + r) % 2);
      }
   }
   for (uint32_t r = 0; r < size; r++)
      first[r] = cofactors.at[r][0];
   struct ir_instr *determinant = sum_of_products(t, formula, size, m->at[0], first, false);
   for (uint32_t c = 0; c < size; c++) {
      for (uint32_t r = 0; r < size; r++)
         results[c * size + r] = ir_alu2(&t->b, IR_fdiv, cofactors.at[c][r], determinant);
   }
}

static void apply_to_square(struct spirv_ctx *t, struct spirv_formula *formula, const struct matrix *m, struct ir_instr **results)
{
   struct ir_instr *operands[SPIRV_MAX_OPERANDS];
   if (m->columns != m->rows)
      spirv_fail(t, "the matrix is not square");
   formula->columns = formula->rows = (uint8_t)m->columns;
   formula->num_operands = (uint8_t)add_operands(m, operands);
   spirv_apply(t, formula, operands, results);
}

struct ir_instr *spirv_determinant(struct spirv_ctx *t, struct spirv_val *val)
{
   const struct matrix m = read_matrix(t, val);
   struct spirv_formula formula = {.write = write_determinant, .num_results = 1};
   struct ir_instr *result;
   apply_to_square(t, &formula, &m, &result);
   return result;
}

struct spirv_val *spirv_matrix_inverse(struct spirv_ctx *t, struct spirv_val *val)
{
   struct matrix m = read_matrix(t, val);
   struct spirv_formula formula = {.write = write_inverse, .num_results = (uint8_t)(m.columns * m.rows)};
   struct ir_instr *results[SPIRV_MAX_RESULTS];
   apply_to_square(t, &formula, &m, results);
   set_columns(&m, results);
   return write_matrix(t, val->type, &m);
}

bool spirv_matrix(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpMatrixTimesScalar: matrix_times_scalar(t, in); return true;
   case SpvOpMatrixTimesVector: matrix_times_vector(t, in); return true;
   case SpvOpVectorTimesMatrix: vector_times_matrix(t, in); return true;
   case SpvOpMatrixTimesMatrix: matrix_times_matrix(t, in); return true;
   case SpvOpOuterProduct: outer_product(t, in); return true;
   case SpvOpTranspose: transpose(t, in); return true;
   default: return false;
   }
}
