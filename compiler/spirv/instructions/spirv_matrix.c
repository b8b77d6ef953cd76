/* SPDX-License-Identifier: MIT
 * Matrices: composites of columns. Products sum up from the first column or component on, always in this order.
 * Spec: SPIR-V, "Arithmetic Instructions". */
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

/* matrix * vector */
static void transform(struct spirv_ctx *t, const struct matrix *m, struct ir_instr *const *vector,
                      struct ir_instr **result)
{
   for (uint32_t r = 0; r < m->rows; r++) {
      result[r] = mul(t, m->at[0][r], vector[0]);
      for (uint32_t c = 1; c < m->columns; c++)
         result[r] = ir_alu2(&t->b, IR_fadd, result[r], mul(t, m->at[c][r], vector[c]));
   }
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

static void matrix_times_vector(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct matrix m = read_matrix(t, spirv_value(t, spirv_word(t, in, 3)));
   struct ir_instr *comps[4];
   if (spirv_leaf_count(t, spirv_result_type(t, in)) != m.rows)
      spirv_fail(t, "OpMatrixTimesVector: the result does not fit");
   transform(t, &m, spirv_comps_of(t, spirv_word(t, in, 4), m.columns), comps);
   spirv_set_result(t, in, m.rows, comps);
}

static void vector_times_matrix(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct matrix m = read_matrix(t, spirv_value(t, spirv_word(t, in, 4)));
   struct ir_instr **vector = spirv_comps_of(t, spirv_word(t, in, 3), m.rows);
   struct ir_instr *comps[4];
   if (spirv_leaf_count(t, spirv_result_type(t, in)) != m.columns)
      spirv_fail(t, "OpVectorTimesMatrix: the result does not fit");
   for (uint32_t c = 0; c < m.columns; c++)
      comps[c] = spirv_dot(t, m.rows, vector, m.at[c]);
   spirv_set_result(t, in, m.columns, comps);
}

static void matrix_times_matrix(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct matrix a = read_matrix(t, spirv_value(t, spirv_word(t, in, 3)));
   const struct matrix b = read_matrix(t, spirv_value(t, spirv_word(t, in, 4)));
   struct matrix m = {.columns = b.columns, .rows = a.rows};
   if (a.columns != b.rows)
      spirv_fail(t, "OpMatrixTimesMatrix of matrices that do not fit");
   for (uint32_t c = 0; c < b.columns; c++)
      transform(t, &a, b.at[c], m.at[c]);
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

static void transpose(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct matrix from = read_matrix(t, spirv_value(t, spirv_word(t, in, 3)));
   struct matrix m = {.columns = from.rows, .rows = from.columns};
   for (uint32_t c = 0; c < m.columns; c++) {
      for (uint32_t r = 0; r < m.rows; r++)
         m.at[c][r] = from.at[r][c];
   }
   set_matrix(t, in, &m);
}

/* A square matrix, and the determinants of two rows and two columns of it that were asked for: larger ones share them. */
struct square {
   struct matrix matrix;
   struct ir_instr *pairs[16][16]; /* by bits of columns and of rows */
};

static struct ir_instr *minor_determinant(struct spirv_ctx *t, struct square *square, uint32_t size, const uint8_t *columns, const uint8_t *rows);

/* By the first column. */
static struct ir_instr *expand(struct spirv_ctx *t, struct square *square, uint32_t size, const uint8_t *columns, const uint8_t *rows)
{
   struct ir_instr *sum = NULL;
   for (uint32_t i = 0; i < size; i++) {
      uint8_t others[4];
      uint32_t n = 0;
      for (uint32_t j = 0; j < size; j++) {
         if (j != i)
            others[n++] = rows[j];
      }
      struct ir_instr *term = mul(t, square->matrix.at[columns[0]][rows[i]], minor_determinant(t, square, size - 1, columns + 1, others));
      sum = !sum ? term : ir_alu2(&t->b, i % 2 ? IR_fsub : IR_fadd, sum, term);
   }
   return sum;
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

static struct square read_square(struct spirv_ctx *t, struct spirv_val *val)
{
   const struct square square = {.matrix = read_matrix(t, val)};
   if (square.matrix.columns != square.matrix.rows)
      spirv_fail(t, "the matrix is not square");
   return square;
}

struct ir_instr *spirv_determinant(struct spirv_ctx *t, struct spirv_val *val)
{
   static const uint8_t all[4] = {0, 1, 2, 3};
   struct square square = read_square(t, val);
   return minor_determinant(t, &square, square.matrix.columns, all, all);
}

struct spirv_val *spirv_matrix_inverse(struct spirv_ctx *t, struct spirv_val *val)
{
   struct square square = read_square(t, val);
   const struct matrix *m = &square.matrix;
   const uint32_t size = m->columns;
   struct matrix cofactors = {.columns = size, .rows = size}; /* already transposed */
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
         struct ir_instr *minor = minor_determinant(t, &square, size - 1, columns, rows);
         cofactors.at[r][c] = (c + r) % 2 ? ir_alu1(&t->b, IR_fneg, minor) : minor;
      }
   }
   struct ir_instr *determinant = mul(t, m->at[0][0], cofactors.at[0][0]);
   for (uint32_t r = 1; r < size; r++)
      determinant = ir_alu2(&t->b, IR_fadd, determinant, mul(t, m->at[0][r], cofactors.at[r][0]));
   for (uint32_t c = 0; c < size; c++) {
      for (uint32_t r = 0; r < size; r++)
         cofactors.at[c][r] = ir_alu2(&t->b, IR_fdiv, cofactors.at[c][r], determinant);
   }
   return write_matrix(t, val->type, &cofactors);
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
