/* SPDX-License-Identifier: MIT
 * The extended instruction set GLSL.std.450. Formulas are those that the Vulkan precision table refers to where it has
 * any. Spec: "SPIR-V Extended Instructions for GLSL"; Vulkan, "Precision of GLSL.std.450 Instructions". */
#include "compiler/ir/ir_eval.h"
#include "compiler/spirv/instructions/spirv_instructions.h"

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>

/* Instructions that are one operation on each component. */
struct glsl_row {
   uint16_t ir; /* enum ir_op */
   uint8_t num_operands;
};

static const struct glsl_row rows[GLSLstd450NClamp + 1] = {
   [GLSLstd450Round] = {IR_fround_even, 1},
   [GLSLstd450RoundEven] = {IR_fround_even, 1},
   [GLSLstd450Trunc] = {IR_ftrunc, 1},
   [GLSLstd450FAbs] = {IR_fabs, 1},
   [GLSLstd450SAbs] = {IR_iabs, 1},
   [GLSLstd450Floor] = {IR_ffloor, 1},
   [GLSLstd450Ceil] = {IR_fceil, 1},
   [GLSLstd450Sin] = {IR_fsin, 1},
   [GLSLstd450Cos] = {IR_fcos, 1},
   [GLSLstd450Tan] = {IR_ftan, 1},
   [GLSLstd450Asin] = {IR_fasin, 1},
   [GLSLstd450Acos] = {IR_facos, 1},
   [GLSLstd450Atan] = {IR_fatan, 1},
   [GLSLstd450Sinh] = {IR_fsinh, 1},
   [GLSLstd450Cosh] = {IR_fcosh, 1},
   [GLSLstd450Tanh] = {IR_ftanh, 1},
   [GLSLstd450Asinh] = {IR_fasinh, 1},
   [GLSLstd450Acosh] = {IR_facosh, 1},
   [GLSLstd450Atanh] = {IR_fatanh, 1},
   [GLSLstd450Atan2] = {IR_fatan2, 2},
   [GLSLstd450Exp] = {IR_fexp, 1},
   [GLSLstd450Log] = {IR_flog, 1},
   [GLSLstd450Exp2] = {IR_fexp2, 1},
   [GLSLstd450Log2] = {IR_flog2, 1},
   [GLSLstd450Sqrt] = {IR_fsqrt, 1},
   [GLSLstd450FMin] = {IR_fmin, 2},
   [GLSLstd450UMin] = {IR_umin, 2},
   [GLSLstd450SMin] = {IR_imin, 2},
   [GLSLstd450FMax] = {IR_fmax, 2},
   [GLSLstd450UMax] = {IR_umax, 2},
   [GLSLstd450SMax] = {IR_imax, 2},
   [GLSLstd450NMin] = {IR_fmin, 2},
   [GLSLstd450NMax] = {IR_fmax, 2},
   [GLSLstd450Fma] = {IR_fma, 3},
   [GLSLstd450FindILsb] = {IR_find_lsb, 1},
   [GLSLstd450FindSMsb] = {IR_find_imsb, 1},
   [GLSLstd450FindUMsb] = {IR_find_umsb, 1},
};

struct glsl {
   struct spirv_ctx *t;
   const struct spirv_instr *in;
   const struct spirv_type *type; /* of the result */
   uint32_t count;                /* components of the result, if it has such */
   uint32_t bits;
};

/* ---- shorthands ---- */

static struct ir_instr *f1(struct glsl *g, enum ir_op op, struct ir_instr *x)
{
   return ir_alu1(&g->t->b, op, x);
}

static struct ir_instr *f2(struct glsl *g, enum ir_op op, struct ir_instr *x, struct ir_instr *y)
{
   if (x->bit_size != y->bit_size)
      spirv_fail(g->t, "GLSL.std.450: operands of %u and %u bits", x->bit_size, y->bit_size);
   return ir_alu2(&g->t->b, op, x, y);
}

static struct ir_instr *number(struct glsl *g, const struct ir_instr *like, double value)
{
   if (like->bit_size < 16)
      spirv_fail(g->t, "GLSL.std.450: an operand is not a float");
   return ir_const_f(&g->t->b, like->bit_size, value);
}

static struct ir_instr *add(struct glsl *g, struct ir_instr *x, struct ir_instr *y) { return f2(g, IR_fadd, x, y); }
static struct ir_instr *sub(struct glsl *g, struct ir_instr *x, struct ir_instr *y) { return f2(g, IR_fsub, x, y); }
static struct ir_instr *mul(struct glsl *g, struct ir_instr *x, struct ir_instr *y) { return f2(g, IR_fmul, x, y); }
static struct ir_instr *divide(struct glsl *g, struct ir_instr *x, struct ir_instr *y) { return f2(g, IR_fdiv, x, y); }

static struct ir_instr *clamp(struct glsl *g, struct ir_instr *x, struct ir_instr *low, struct ir_instr *high)
{
   return f2(g, IR_fmin, f2(g, IR_fmax, x, low), high);
}

/* Operand `index` (0 first) with so many components; 0: any. */
static struct ir_instr **operand(struct glsl *g, uint32_t index, uint32_t count)
{
   return spirv_comps_of(g->t, spirv_word(g->t, g->in, 5 + index), count);
}

static struct spirv_val *operand_value(struct glsl *g, uint32_t index)
{
   return spirv_value(g->t, spirv_word(g->t, g->in, 5 + index));
}

static uint32_t operand_count(struct glsl *g, uint32_t index)
{
   return spirv_leaf_count(g->t, operand_value(g, index)->type);
}

static void set_scalar(struct glsl *g, struct ir_instr *result)
{
   spirv_set_result(g->t, g->in, 1, &result);
}

/* ---- component by component ---- */

static void translate_row(struct glsl *g, const struct glsl_row *row)
{
   struct ir_instr **x[3] = {NULL}, **comps = spirv_new_comps(g->t, g->count);
   for (uint32_t i = 0; i < row->num_operands; i++)
      x[i] = operand(g, i, g->count);
   for (uint32_t c = 0; c < g->count; c++) {
      if (row->num_operands == 1)
         comps[c] = spirv_resize(g->t, f1(g, row->ir, x[0][c]), g->bits, true);
      else if (row->num_operands == 2)
         comps[c] = f2(g, row->ir, x[0][c], x[1][c]);
      else if (x[0][c]->bit_size == x[1][c]->bit_size && x[0][c]->bit_size == x[2][c]->bit_size)
         comps[c] = ir_alu3(&g->t->b, row->ir, x[0][c], x[1][c], x[2][c]);
      else
         spirv_fail(g->t, "GLSL.std.450: operands of different sizes");
   }
   spirv_set_result(g->t, g->in, g->count, comps);
}

/* Where denormals become zeros, so does a denormal operand: for functions that make normal numbers of denormals. */
static struct ir_instr *flushed(struct glsl *g, struct ir_instr *x)
{
   return g->t->b.fp & IR_FP_FLUSH_DENORM ? ir_convert(&g->t->b, IR_f2f, x->bit_size, x) : x;
}

/* -1, 0 or 1; NaN gives 0. */
static struct ir_instr *float_sign(struct glsl *g, struct ir_instr *x)
{
   struct ir_builder *b = &g->t->b;
   struct ir_instr *zero = number(g, x, 0);
   struct ir_instr *is_positive = f2(g, IR_flt, zero, x), *is_negative = f2(g, IR_flt, x, zero);
   return ir_select(b, is_positive, number(g, x, 1), ir_select(b, is_negative, number(g, x, -1), zero));
}

static struct ir_instr *int_sign(struct glsl *g, struct ir_instr *x)
{
   struct ir_builder *b = &g->t->b;
   return f2(g, IR_imin, f2(g, IR_imax, x, ir_const(b, x->bit_size, UINT64_MAX)), ir_const(b, x->bit_size, 1));
}

static struct ir_instr *step(struct glsl *g, struct ir_instr *edge, struct ir_instr *x)
{
   return ir_select(&g->t->b, f2(g, IR_flt, x, edge), number(g, x, 0), number(g, x, 1));
}

static struct ir_instr *smooth_step(struct glsl *g, struct ir_instr *low, struct ir_instr *high, struct ir_instr *x)
{
   struct ir_instr *at = clamp(g, divide(g, sub(g, x, low), sub(g, high, low)), number(g, x, 0), number(g, x, 1));
   return mul(g, mul(g, at, at), sub(g, number(g, x, 3), mul(g, number(g, x, 2), at)));
}

static struct ir_instr *mix(struct glsl *g, struct ir_instr *x, struct ir_instr *y, struct ir_instr *a)
{
   return add(g, mul(g, x, sub(g, number(g, x, 1), a)), mul(g, y, a));
}

/* The whole number from 1 to MAX_PRODUCT that the constant is, or 0. */
static uint32_t small_exponent(const struct ir_instr *y)
{
   enum { MAX_PRODUCT = 8 }; /* seven roundings are 3.5 units in the last place, as many as the general power may have */
   if (!ir_is_const(y))
      return 0;
   const double exponent = ir_float_to_double(y->imm.c[0], y->bit_size);
   return exponent >= 1 && exponent <= MAX_PRODUCT && exponent == (uint32_t)exponent ? (uint32_t)exponent : 0;
}

/* Squares and higher powers that the module names are products; what they give for x < 0, which is undefined, is their sign's. */
static struct ir_instr *power(struct glsl *g, struct ir_instr *x, struct ir_instr *y)
{
   uint32_t exponent = small_exponent(y);
   if (!exponent || x->bit_size != y->bit_size)
      return f2(g, IR_fpow, x, y);
   struct ir_instr *result = NULL;
   for (struct ir_instr *square = flushed(g, x);; square = mul(g, square, square)) {
      if (exponent & 1)
         result = result ? mul(g, result, square) : square;
      exponent >>= 1;
      if (!exponent)
         return result;
   }
}

/* One component of what takes its operands component by component. */
static struct ir_instr *component(struct glsl *g, uint32_t instruction, struct ir_instr *x, struct ir_instr *y,
                                  struct ir_instr *z)
{
   switch (instruction) {
   case GLSLstd450FSign: return float_sign(g, x);
   case GLSLstd450SSign: return int_sign(g, x);
   case GLSLstd450Fract: return sub(g, x, f1(g, IR_ffloor, x));
   case GLSLstd450Radians: return mul(g, x, number(g, x, M_PI / 180));
   case GLSLstd450Degrees: return mul(g, flushed(g, x), number(g, x, 180 / M_PI));
   case GLSLstd450InverseSqrt: return divide(g, number(g, x, 1), f1(g, IR_fsqrt, x));
   case GLSLstd450Step: return step(g, x, y);
   case GLSLstd450Pow: return power(g, x, y);
   case GLSLstd450FClamp:
   case GLSLstd450NClamp: return clamp(g, x, y, z);
   case GLSLstd450UClamp: return f2(g, IR_umin, f2(g, IR_umax, x, y), z);
   case GLSLstd450SClamp: return f2(g, IR_imin, f2(g, IR_imax, x, y), z);
   case GLSLstd450FMix: return mix(g, x, y, z);
   case GLSLstd450SmoothStep: return smooth_step(g, x, y, z);
   default: return NULL;
   }
}

static void by_component(struct glsl *g, uint32_t instruction, uint32_t num_operands)
{
   struct ir_instr **x = operand(g, 0, g->count);
   struct ir_instr **y = num_operands > 1 ? operand(g, 1, g->count) : NULL;
   struct ir_instr **z = num_operands > 2 ? operand(g, 2, g->count) : NULL;
   struct ir_instr **comps = spirv_new_comps(g->t, g->count);
   for (uint32_t c = 0; c < g->count; c++)
      comps[c] = component(g, instruction, x[c], y ? y[c] : NULL, z ? z[c] : NULL);
   spirv_set_result(g->t, g->in, g->count, comps);
}

/* The exponent may have another width than the significand. */
/* An exponent in 32 bits; one that does not fit is far beyond every format's range, and stays so. */
static struct ir_instr *exponent32(struct spirv_ctx *t, struct ir_instr *exponent)
{
   if (exponent->bit_size == 64) {
      const int64_t far = 1 << 16;
      exponent = ir_alu2(&t->b, IR_imin, exponent, ir_const(&t->b, 64, (uint64_t)far));
      exponent = ir_alu2(&t->b, IR_imax, exponent, ir_const(&t->b, 64, (uint64_t)-far));
   }
   return spirv_resize(t, exponent, 32, true);
}

static void ldexp_(struct glsl *g)
{
   struct ir_instr **x = operand(g, 0, g->count), **exponent = operand(g, 1, g->count), **comps = spirv_new_comps(g->t, g->count);
   for (uint32_t c = 0; c < g->count; c++)
      comps[c] = ir_alu2(&g->t->b, IR_fldexp, x[c], exponent32(g->t, exponent[c]));
   spirv_set_result(g->t, g->in, g->count, comps);
}

/* ---- two results: through a pointer, or a structure ---- */

static void set_two(struct glsl *g, bool is_struct, const struct spirv_type *first_type, struct ir_instr *const *first,
                    struct ir_instr *const *second)
{
   struct spirv_ctx *t = g->t;
   if (is_struct) {
      struct spirv_val *val = spirv_new_composite(t, g->type);
      spirv_put_child(t, val, 0, spirv_new_leaf(t, g->type->members[0].type, first));
      spirv_put_child(t, val, 1, spirv_new_leaf(t, g->type->members[1].type, second));
      spirv_set_value(t, g->in->words[2], val);
      return;
   }
   struct spirv_pointer *pointer = spirv_pointer(t, spirv_word(t, g->in, 6));
   if (spirv_leaf_count(t, pointer->type) != spirv_leaf_count(t, first_type))
      spirv_fail(t, "GLSL.std.450: the pointer's type does not fit");
   spirv_store(t, pointer, spirv_new_leaf(t, pointer->type, second));
   spirv_set_result(t, g->in, spirv_leaf_count(t, first_type), first);
}

static void check_struct(struct glsl *g, uint32_t count)
{
   if (g->type->class != SPIRV_TYPE_STRUCT || g->type->count != 2 ||
       spirv_leaf_count(g->t, g->type->members[0].type) != count ||
       spirv_leaf_count(g->t, g->type->members[1].type) != count)
      spirv_fail(g->t, "GLSL.std.450: the result's structure does not fit");
}

static void modf_(struct glsl *g, bool is_struct)
{
   const struct spirv_type *type = operand_value(g, 0)->type;
   const uint32_t count = spirv_leaf_count(g->t, type);
   struct ir_instr **x = operand(g, 0, count), **fraction = spirv_new_comps(g->t, count), **whole = spirv_new_comps(g->t, count);
   if (is_struct)
      check_struct(g, count);
   static const uint64_t infinity[] = {0x7c00, 0x7f800000, UINT64_C(0x7ff0000000000000)};
   for (uint32_t c = 0; c < count; c++) {
      const uint32_t bits = x[c]->bit_size;
      struct ir_builder *b = &g->t->b;
      whole[c] = f1(g, IR_ftrunc, x[c]);
      /* inf - inf is NaN, the fraction of infinity is 0; and a fraction has x's sign, zero too */
      struct ir_instr *sign = f2(g, IR_iand, x[c], ir_const(b, bits, UINT64_C(1) << (bits - 1)));
      struct ir_instr *is_inf = f2(g, IR_feq, f1(g, IR_fabs, x[c]),
                                   ir_const(b, bits,
                                            infinity[bits == 16   ? 0
                                                     : bits == 32 ? 1
                                                                  : 2]));
      struct ir_instr *rest = f1(g, IR_fabs, sub(g, x[c], whole[c]));
      fraction[c] = f2(g, IR_ior, ir_select(b, is_inf, number(g, x[c], 0), rest), sign);
   }
   set_two(g, is_struct, type, fraction, whole);
}

static void frexp_(struct glsl *g, bool is_struct)
{
   const struct spirv_type *type = operand_value(g, 0)->type;
   const uint32_t count = spirv_leaf_count(g->t, type);
   struct ir_instr **x = operand(g, 0, count), **significand = spirv_new_comps(g->t, count), **exponent = spirv_new_comps(g->t, count);
   if (is_struct)
      check_struct(g, count);
   const struct spirv_type *exponent_type =
      is_struct ? g->type->members[1].type : spirv_pointer(g->t, spirv_word(g->t, g->in, 6))->type;
   for (uint32_t c = 0; c < count; c++) {
      significand[c] = f1(g, IR_ffrexp_sig, x[c]);
      exponent[c] = spirv_resize(g->t, ir_convert(&g->t->b, IR_ffrexp_exp, 32, x[c]),
                                 spirv_scalar_type(exponent_type)->bits, true);
   }
   set_two(g, is_struct, type, significand, exponent);
}

/* ---- geometry ---- */

static struct ir_instr *length(struct glsl *g, uint32_t count, struct ir_instr *const *x)
{
   return count == 1 ? f1(g, IR_fabs, x[0]) : f1(g, IR_fsqrt, spirv_dot(g->t, count, x, x));
}

static void distance(struct glsl *g)
{
   const uint32_t count = operand_count(g, 0);
   struct ir_instr **x = operand(g, 0, count), **y = operand(g, 1, count), **difference = spirv_new_comps(g->t, count);
   for (uint32_t c = 0; c < count; c++)
      difference[c] = sub(g, x[c], y[c]);
   set_scalar(g, length(g, count, difference));
}

static void cross(struct glsl *g)
{
   struct ir_instr **x = operand(g, 0, 3), **y = operand(g, 1, 3), *comps[3];
   if (g->count != 3)
      spirv_fail(g->t, "Cross of vectors that have not three components");
   for (uint32_t c = 0; c < 3; c++) {
      const uint32_t i = (c + 1) % 3, j = (c + 2) % 3;
      comps[c] = sub(g, mul(g, x[i], y[j]), mul(g, y[i], x[j]));
   }
   spirv_set_result(g->t, g->in, g->count, comps);
}

/* Spec: "Precision of GLSL.std.450 Instructions": x * inversesqrt(dot(x, x)). Of a scalar the sign is exact. */
static void normalize(struct glsl *g)
{
   struct ir_instr **x = operand(g, 0, g->count), **comps = spirv_new_comps(g->t, g->count);
   struct ir_instr *divisor = length(g, g->count, x);
   struct ir_instr *factor = g->count > 1 ? divide(g, number(g, divisor, 1), divisor) : NULL;
   for (uint32_t c = 0; c < g->count; c++)
      comps[c] = factor ? mul(g, x[c], factor) : divide(g, x[c], divisor);
   spirv_set_result(g->t, g->in, g->count, comps);
}

static void face_forward(struct glsl *g)
{
   struct ir_instr **n = operand(g, 0, g->count), **comps = spirv_new_comps(g->t, g->count);
   struct ir_instr *dot = spirv_dot(g->t, g->count, operand(g, 2, g->count), operand(g, 1, g->count));
   struct ir_instr *is_facing = f2(g, IR_flt, dot, number(g, dot, 0));
   for (uint32_t c = 0; c < g->count; c++)
      comps[c] = ir_select(&g->t->b, is_facing, n[c], f1(g, IR_fneg, n[c]));
   spirv_set_result(g->t, g->in, g->count, comps);
}

/* I - 2 dot(N, I) N */
static void reflect(struct glsl *g)
{
   struct ir_instr **i = operand(g, 0, g->count), **n = operand(g, 1, g->count), **comps = spirv_new_comps(g->t, g->count);
   struct ir_instr *dot = spirv_dot(g->t, g->count, n, i);
   struct ir_instr *twice = mul(g, number(g, dot, 2), dot);
   for (uint32_t c = 0; c < g->count; c++)
      comps[c] = sub(g, i[c], mul(g, twice, n[c]));
   spirv_set_result(g->t, g->in, g->count, comps);
}

/* k = 1 - eta^2 (1 - dot(N, I)^2); k < 0: 0, else eta I - (eta dot(N, I) + sqrt(k)) N */
static void refract(struct glsl *g)
{
   struct ir_instr **i = operand(g, 0, g->count), **n = operand(g, 1, g->count), **comps = spirv_new_comps(g->t, g->count);
   struct ir_instr *dot = spirv_dot(g->t, g->count, n, i);
   struct ir_instr *eta = operand(g, 2, 1)[0];
   if (eta->bit_size != dot->bit_size)
      eta = ir_convert(&g->t->b, IR_f2f, dot->bit_size, eta);
   struct ir_instr *one = number(g, dot, 1), *zero = number(g, dot, 0);
   struct ir_instr *k = sub(g, one, mul(g, mul(g, eta, eta), sub(g, one, mul(g, dot, dot))));
   struct ir_instr *is_total = f2(g, IR_flt, k, zero);
   struct ir_instr *factor = add(g, mul(g, eta, dot), f1(g, IR_fsqrt, k));
   for (uint32_t c = 0; c < g->count; c++)
      comps[c] = ir_select(&g->t->b, is_total, zero, sub(g, mul(g, eta, i[c]), mul(g, factor, n[c])));
   spirv_set_result(g->t, g->in, g->count, comps);
}

/* ---- packing ---- */

static struct ir_instr *part(struct glsl *g, struct ir_instr *x, uint32_t bits, uint32_t index)
{
   struct ir_instr *result = ir_emit(&g->t->b, IR_unpack, 1, bits, 1, &x);
   result->imm.u[0] = index;
   return result;
}

static void pack_double(struct glsl *g)
{
   set_scalar(g, ir_emit(&g->t->b, IR_pack, 1, 64, 2, operand(g, 0, 2)));
}

static void unpack_double(struct glsl *g)
{
   struct ir_instr *x = operand(g, 0, 1)[0];
   struct ir_instr *comps[2] = {part(g, x, 32, 0), part(g, x, 32, 1)};
   if (g->count != 2 || x->bit_size != 64)
      spirv_fail(g->t, "GLSL.std.450: unpacking to a type that does not fit");
   spirv_set_result(g->t, g->in, g->count, comps);
}

/* ---- interpolation ---- */

static void interpolate(struct glsl *g, uint32_t instruction)
{
   const struct spirv_pointer *pointer = spirv_pointer(g->t, spirv_word(g->t, g->in, 5));
   struct spirv_val *val;
   if (instruction == GLSLstd450InterpolateAtCentroid)
      val = spirv_interpolate_at(g->t, pointer, IR_AT_CENTROID, 0, NULL);
   else if (instruction == GLSLstd450InterpolateAtSample)
      val = spirv_interpolate_at(g->t, pointer, IR_AT_SAMPLE_INDEX, 1, operand(g, 1, 1));
   else
      val = spirv_interpolate_at(g->t, pointer, IR_AT_OFFSET, 2, operand(g, 1, 2));
   spirv_set_value(g->t, g->in->words[2], val);
}

/* What is neither a row nor component by component; false: unknown. */
static bool special(struct glsl *g, uint32_t instruction)
{
   switch (instruction) {
   case GLSLstd450Ldexp: ldexp_(g); return true;
   case GLSLstd450Modf: modf_(g, false); return true;
   case GLSLstd450ModfStruct: modf_(g, true); return true;
   case GLSLstd450Frexp: frexp_(g, false); return true;
   case GLSLstd450FrexpStruct: frexp_(g, true); return true;
   case GLSLstd450Determinant: set_scalar(g, spirv_determinant(g->t, operand_value(g, 0))); return true;
   case GLSLstd450MatrixInverse:
      spirv_set_value(g->t, g->in->words[2], spirv_matrix_inverse(g->t, operand_value(g, 0)));
      return true;
   case GLSLstd450Length: set_scalar(g, length(g, operand_count(g, 0), operand(g, 0, 0))); return true;
   case GLSLstd450Distance: distance(g); return true;
   case GLSLstd450Cross: cross(g); return true;
   case GLSLstd450Normalize: normalize(g); return true;
   case GLSLstd450FaceForward: face_forward(g); return true;
   case GLSLstd450Reflect: reflect(g); return true;
   case GLSLstd450Refract: refract(g); return true;
   case GLSLstd450PackDouble2x32: pack_double(g); return true;
   case GLSLstd450UnpackDouble2x32: unpack_double(g); return true;
   case GLSLstd450InterpolateAtCentroid:
   case GLSLstd450InterpolateAtSample:
   case GLSLstd450InterpolateAtOffset: interpolate(g, instruction); return true;
   default: return spirv_pack(g->t, g->in);
   }
}

static uint32_t num_component_operands(uint32_t instruction)
{
   switch (instruction) {
   case GLSLstd450FSign:
   case GLSLstd450SSign:
   case GLSLstd450Fract:
   case GLSLstd450Radians:
   case GLSLstd450Degrees:
   case GLSLstd450InverseSqrt:
      return 1;
   case GLSLstd450Step:
   case GLSLstd450Pow:
      return 2;
   case GLSLstd450FClamp:
   case GLSLstd450NClamp:
   case GLSLstd450UClamp:
   case GLSLstd450SClamp:
   case GLSLstd450FMix:
   case GLSLstd450SmoothStep:
      return 3;
   default:
      return 0;
   }
}

void spirv_glsl(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t instruction = spirv_word(t, in, 4);
   struct glsl g = {.t = t, .in = in, .type = spirv_result_type(t, in)};
   if (spirv_is_scalar_or_vector(g.type)) {
      g.count = spirv_leaf_count(t, g.type);
      g.bits = g.type->bits;
   }
   const uint32_t num_operands = num_component_operands(instruction);
   const bool is_row = instruction < UTIL_ARRAY_SIZE(rows) && rows[instruction].num_operands;
   const bool may_be_composite =
      instruction == GLSLstd450ModfStruct || instruction == GLSLstd450FrexpStruct ||
      instruction == GLSLstd450MatrixInverse ||
      (instruction >= GLSLstd450InterpolateAtCentroid && instruction <= GLSLstd450InterpolateAtOffset);
   if (!g.count && !may_be_composite)
      spirv_fail(t, "GLSL.std.450 instruction %u: the result is neither scalar nor vector", instruction);
   if (is_row)
      translate_row(&g, &rows[instruction]);
   else if (num_operands)
      by_component(&g, instruction, num_operands);
   else if (!special(&g, instruction))
      spirv_fail(t, "GLSL.std.450 instruction %u is not supported", instruction);
}
