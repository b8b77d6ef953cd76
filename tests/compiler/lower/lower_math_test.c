/* SPDX-License-Identifier: MIT
 * Measures the lowered functions against libm in double precision, on the reference interpreter. Bounds are what is
 * promised here, far below Vulkan's ("Precision and Operation of SPIR-V Instructions"). IR_MATH_REPORT=1 in the
 * environment prints what was measured. */
#include "compiler/ir/ir_eval.h"
#include "tests/compiler/ir/ir_interp.h"
#include "tests/compiler/ir/ir_test.h"
#include "tests/random.h"

#include <math.h>
#include <stdlib.h>

struct function {
   struct util_arena arena;
   struct ir_shader *shader, *reference;
   uint32_t bits;
};

/* out = op(in0, in1) */
static struct ir_shader *make(struct util_arena *arena, enum ir_op op, uint32_t bits, bool lowers)
{
   struct ir_shader *shader = ir_shader_create(arena, ABI_STAGE_VERTEX);
   struct ir_builder b = ir_builder_at_end(shader, shader->body);
   struct ir_instr *srcs[2];
   for (uint32_t i = 0; i < 2; i++) {
      struct ir_instr *slot = ir_emit(&b, IR_load_input, 1, 32, 0, NULL);
      slot->imm.u[0] = i;
      srcs[i] = bits == 32 || (op == IR_fldexp && i == 1) ? slot : ir_convert(&b, IR_u2u, bits, slot);
   }
   if (bits == 64) { /* two slots a value */
      for (uint32_t i = 0; i < 2; i++) {
         struct ir_instr *words[2];
         for (uint32_t k = 0; k < 2; k++) {
            words[k] = ir_emit(&b, IR_load_input, 1, 32, 0, NULL);
            words[k]->imm.u[0] = i * 2 + k;
         }
         srcs[i] = op == IR_fldexp && i == 1 ? words[0] : ir_emit(&b, IR_pack, 1, 64, 2, words);
      }
   }
   const uint32_t result_bits = op == IR_ffrexp_exp ? 32 : bits;
   struct ir_instr *result = ir_emit(&b, op, 1, result_bits, (uint32_t)ir_op_infos[op].num_srcs, srcs);
   ir_emit(&b, IR_store_output, 0, 0, 1, &result);
   ir_jump(&b, IR_yield, NULL, 0, NULL);
   if (lowers) {
      CHECK(ir_lower_math(shader));
      CHECK(ir_validate(shader, arena) == NULL);
      ir_opt_simplify(shader);
      ir_opt_dead_code(shader);
      CHECK(ir_validate(shader, arena) == NULL);
   }
   return shader;
}

static void function_init(struct function *f, enum ir_op op, uint32_t bits)
{
   util_arena_init(&f->arena, 0);
   f->shader = make(&f->arena, op, bits, true);
   f->reference = make(&f->arena, op, bits, false);
   f->bits = bits;
}

static uint64_t call(struct function *f, struct ir_shader *shader, uint64_t x, uint64_t y)
{
   struct ir_interpreter interp = {.inputs = {(uint32_t)x, (uint32_t)y}};
   if (f->bits == 64) {
      interp.inputs[1] = (uint32_t)(x >> 32);
      interp.inputs[2] = (uint32_t)y;
      interp.inputs[3] = (uint32_t)(y >> 32);
   }
   CHECK(ir_interp_run(&interp, shader));
   return interp.outputs[0];
}

static uint32_t bits_of(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static float float_of(uint64_t bits)
{
   return (float)ir_float_to_double(bits & 0xffffffff, 32);
}

/* Distance in units in the last place of the true value. */
static double ulps(double got, double true_value)
{
   if (isnan(true_value))
      return isnan(got) ? 0.0 : INFINITY;
   if (got == true_value || (isinf(got) && fabs(true_value) > 0x1.fffffep127))
      return 0.0;
   int exponent;
   frexp(true_value, &exponent);
   const double ulp = ldexp(1.0, UTIL_MAX(exponent - 24, -149));
   return fabs(got - true_value) / ulp;
}

struct range {
   enum ir_op op;
   float low, high;     /* of x; also of y if y_low < y_high */
   float y_low, y_high;
   double max_ulps, max_absolute; /* either is enough */
};

static const struct range ranges[] = {
   {IR_fexp2, -150, 128, 0, 0, 2.1, 0},
   {IR_fexp2, -1, 1, 0, 0, 2.1, 0},
   {IR_fexp, -104, 89, 0, 0, 70.0, 0}, /* Vulkan allows 3 + 2 |x| */
   {IR_fexp, -16, 16, 0, 0, 16.0, 0},
   {IR_fexp, -1, 1, 0, 0, 3.0, 0},
   {IR_flog2, 0x1p-149f, 0x1p-120f, 0, 0, 1.5, 0},
   {IR_flog2, 0.5f, 2.0f, 0, 0, 2.5, 0},
   {IR_flog2, 2.0f, 3e38f, 0, 0, 1.5, 0},
   {IR_flog, 0x1p-149f, 0x1p-120f, 0, 0, 1.5, 0},
   {IR_flog, 0.5f, 2.0f, 0, 0, 1.5, 0},
   {IR_flog, 2.0f, 3e38f, 0, 0, 1.5, 0},
   {IR_fpow, 0.0f, 1.0f, 0.2f, 2.4f, 2.0, 0},
   {IR_fpow, 0.01f, 100.0f, -5.0f, 5.0f, 4.0, 0},
   {IR_fpow, 0x1p-149f, 3e38f, -1.5f, 1.5f, 2.0, 0},
   {IR_fpow, 0.9f, 1.1f, -900.0f, 900.0f, 150.0, 0},
   {IR_fpow, 0.6f, 1.6f, -250.0f, 250.0f, 200.0, 0},
   {IR_fsin, -3.15f, 3.15f, 0, 0, 1.8, 0x1p-34},
   {IR_fsin, -8192, 8192, 0, 0, 1.8, 0x1p-30},
   {IR_fsin, 8192, 0x1.fffffep17f, 0, 0, 1.8, 0},
   {IR_fsin, 0x1p18f, 1e9f, 0, 0, 1.8, 0},
   {IR_fsin, 0x1p23f, 0x1.fffffep127f, 0, 0, 1.8, 0},
   {IR_fcos, -3.15f, 3.15f, 0, 0, 1.8, 0x1p-34},
   {IR_fcos, -8192, 8192, 0, 0, 1.8, 0x1p-30},
   {IR_fcos, 8192, 0x1.fffffep17f, 0, 0, 1.8, 0},
   {IR_fcos, 0x1p18f, 1e9f, 0, 0, 1.8, 0},
   {IR_fcos, 0x1p23f, 0x1.fffffep127f, 0, 0, 1.8, 0},
   {IR_ftan, -1.57f, 1.57f, 0, 0, 3.5, 0},
   {IR_ftan, -1000, 1000, 0, 0, 4.0, 0},
   {IR_ftan, 8192, 0x1.fffffep17f, 0, 0, 4.0, 0},
   {IR_ftan, 0x1p18f, 0x1.fffffep127f, 0, 0, 4.0, 0},
   {IR_fasin, -1, 1, 0, 0, 2.5, 0},
   {IR_facos, -1, 1, 0, 0, 2.5, 0},
   {IR_fatan, -3, 3, 0, 0, 2.7, 0},
   {IR_fatan, -3e38f, 3e38f, 0, 0, 2.5, 0},
   {IR_fatan2, -2, 2, -2, 2, 3.5, 0},
   {IR_fatan2, -3e38f, 3e38f, -3e38f, 3e38f, 3.5, 0},
   {IR_fatan2, -0x1p-144f, 0x1p-144f, -0x1p-144f, 0x1p-144f, 3.5, 0},
   {IR_fsinh, -88.7f, 88.7f, 0, 0, 3.0, 0},
   {IR_fsinh, -1.5f, 1.5f, 0, 0, 3.0, 0},
   {IR_fcosh, -88.7f, 88.7f, 0, 0, 2.5, 0},
   {IR_ftanh, -1.5f, 1.5f, 0, 0, 2.5, 0},
   {IR_ftanh, -20, 20, 0, 0, 2.5, 0},
   {IR_fasinh, -1.5f, 1.5f, 0, 0, 3.5, 0},
   {IR_fasinh, -3e38f, 3e38f, 0, 0, 3.0, 0},
   {IR_facosh, 1.0f, 3.0f, 0, 0, 3.0, 0},
   {IR_facosh, 1.0f, 3e38f, 0, 0, 3.0, 0},
   {IR_fatanh, -0.99999f, 0.99999f, 0, 0, 3.5, 0},
};

/* Half of the samples are spread evenly over the range, half over the exponents in it. */
static float sample(uint32_t i, uint32_t count, float low, float high, uint64_t *state)
{
   random_step(state);
   const double random = (double)(*state >> 40) / 0x1p24;
   if (i < 2)
      return i ? high : low;
   if (i & 1)
      return (float)(low + (high - (double)low) * random);
   const double largest = fmax(fabs(low), fabs(high));
   const double smallest = low > 0 ? low : fmax(largest * 0x1p-30, 0x1p-149);
   const double magnitude = smallest * pow(largest / smallest, random);
   const double value = low < 0 && (*state >> 39 & 1) ? -magnitude : magnitude;
   return (float)fmin(fmax(value, low), high);
}

static void measure(const struct range *range, uint32_t count)
{
   struct function f;
   function_init(&f, range->op, 32);
   uint64_t state = 42;
   double worst = 0.0, worst_absolute = 0.0, at = 0.0, at_y = 0.0;
   for (uint32_t i = 0; i < count; i++) {
      const float x = sample(i, count, range->low, range->high, &state);
      float y = 0.0f;
      if (range->y_low < range->y_high)
         y = sample(i * 7 + 3, count, range->y_low, range->y_high, &state);
      const double got = float_of(call(&f, f.shader, bits_of(x), bits_of(y)));
      const double true_value = ir_interp_libm(range->op, x, y), error = ulps(got, true_value);
      const double absolute = fabs(got - true_value);
      if (error > range->max_ulps && !(absolute <= range->max_absolute) && error > worst) {
         at = x;
         at_y = y;
      }
      if (!(absolute <= range->max_absolute))
         worst = fmax(worst, error);
      worst_absolute = fmax(worst_absolute, absolute);
      if (range->op == IR_fsin || range->op == IR_fcos)
         CHECK(fabs(got) <= 1.0);
   }
   if (getenv("IR_MATH_REPORT"))
      printf("%-8s [%g, %g]: %.2f ulp, absolute 2^%.1f\n", ir_op_infos[range->op].name, range->low, range->high, worst,
             log2(worst_absolute));
   if (worst > range->max_ulps) {
      fprintf(stderr, "%s(%a, %a): %g ulp, %g allowed\n", ir_op_infos[range->op].name, at, at_y, worst,
              range->max_ulps);
      test_fail(__FILE__, __LINE__, "error is within its bound");
   }
   util_arena_finish(&f.arena);
}

TEST(accuracy)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(ranges); i++)
      measure(&ranges[i], getenv("IR_MATH_REPORT") ? 100000 : 4000);
}

static float one(enum ir_op op, float x, float y)
{
   struct function f;
   function_init(&f, op, 32);
   const float result = float_of(call(&f, f.shader, bits_of(x), bits_of(y)));
   util_arena_finish(&f.arena);
   return result;
}

#define CHECK_FLOAT(op, x, y, expected) CHECK_EQ(bits_of(one(op, x, y)), bits_of(expected))

TEST(special_cases)
{
   const float inf = INFINITY;
   CHECK_FLOAT(IR_fexp2, inf, 0, inf);
   CHECK_FLOAT(IR_fexp2, -inf, 0, 0.0f);
   CHECK_FLOAT(IR_fexp2, 0.0f, 0, 1.0f);
   CHECK_FLOAT(IR_fexp2, 10.0f, 0, 1024.0f);
   CHECK_FLOAT(IR_fexp2, -149.0f, 0, 0x1p-149f);
   CHECK_FLOAT(IR_fexp, 0.0f, 0, 1.0f);
   CHECK_FLOAT(IR_fexp, 1000.0f, 0, inf);
   CHECK_FLOAT(IR_fexp, -1000.0f, 0, 0.0f);
   CHECK(isnan(one(IR_fexp, NAN, 0)) && isnan(one(IR_fexp2, NAN, 0)));
   CHECK(isnan(one(IR_fexp, float_of(0x7fc12345), 0)) && isnan(one(IR_fexp2, float_of(0xffffffff), 0))); /* with a payload */
   CHECK_FLOAT(IR_flog2, 0.0f, 0, -inf);
   CHECK_FLOAT(IR_flog2, 1.0f, 0, 0.0f);
   CHECK_FLOAT(IR_flog2, 0x1p-149f, 0, -149.0f);
   CHECK_FLOAT(IR_flog2, inf, 0, inf);
   CHECK_FLOAT(IR_flog2, -0.0f, 0, -inf);
   CHECK(isnan(one(IR_flog2, -1.0f, 0)) && isnan(one(IR_flog2, -0x1p-149f, 0)) && isnan(one(IR_flog2, -inf, 0)));
   CHECK_FLOAT(IR_flog, 1.0f, 0, 0.0f);
   CHECK_FLOAT(IR_flog, 0.0f, 0, -inf);
   CHECK_FLOAT(IR_flog, inf, 0, inf);
   CHECK(isnan(one(IR_flog, -1.0f, 0)) && isnan(one(IR_flog, NAN, 0)));
   CHECK_FLOAT(IR_fpow, 0.0f, 0.0f, 1.0f);
   CHECK_FLOAT(IR_fpow, inf, 0.0f, 1.0f);
   CHECK_FLOAT(IR_fpow, 0.0f, 1e-30f, 0.0f);
   CHECK_FLOAT(IR_fpow, 0.0f, inf, 0.0f);
   CHECK_FLOAT(IR_fpow, -0.0f, 3.0f, 0.0f);
   CHECK_FLOAT(IR_fpow, inf, -0.5f, 0.0f);
   CHECK_FLOAT(IR_fpow, 0x1p-149f, 1.0f, 0x1p-149f);
   CHECK_FLOAT(IR_fpow, 0x1p-140f, -0.5f, 0x1p70f);
   CHECK_FLOAT(IR_fpow, 0x1.fffffep127f, 1.0f, 0x1.fffffep127f);
   CHECK(isnan(one(IR_fpow, NAN, 1.0f)) && isnan(one(IR_fpow, 2.0f, NAN)) && isnan(one(IR_fpow, -0x1p-149f, 2.0f)));
   CHECK_FLOAT(IR_fpow, 0.0f, 2.0f, 0.0f);
   CHECK_FLOAT(IR_fpow, 0.0f, -2.0f, inf);
   CHECK_FLOAT(IR_fpow, 5.0f, 0.0f, 1.0f);
   CHECK_FLOAT(IR_fpow, 2.0f, 10.0f, 1024.0f);
   CHECK_FLOAT(IR_fpow, 3.0f, 2.0f, 9.0f);
   CHECK_FLOAT(IR_fpow, 2.0f, 1e30f, inf);
   CHECK_FLOAT(IR_fpow, 2.0f, -1e30f, 0.0f);
   CHECK_FLOAT(IR_fpow, inf, 0.5f, inf);
   CHECK_FLOAT(IR_fpow, 0.5f, inf, 0.0f);
   CHECK(isnan(one(IR_fpow, -1.0f, 2.0f)));
   CHECK_FLOAT(IR_fsin, -0.0f, 0, -0.0f);
   CHECK_FLOAT(IR_fcos, 0.0f, 0, 1.0f);
   CHECK(isnan(one(IR_fsin, inf, 0)) && isnan(one(IR_fcos, NAN, 0)));
   CHECK(fabsf(one(IR_fsin, 1e38f, 0)) <= 1.0f);
   CHECK_FLOAT(IR_fasin, -1.0f, 0, -1.57079632679f);
   CHECK_FLOAT(IR_facos, 1.0f, 0, 0.0f);
   CHECK_FLOAT(IR_facos, -1.0f, 0, 3.14159265359f);
   CHECK(isnan(one(IR_fasin, 1.5f, 0)) && isnan(one(IR_facos, -1.5f, 0)));
   CHECK_FLOAT(IR_fatan, inf, 0, 1.57079632679f);
   CHECK_FLOAT(IR_fatan2, 0.0f, 0.0f, 0.0f);
   CHECK_FLOAT(IR_fatan2, 0.0f, -0.0f, 3.14159265359f);
   CHECK_FLOAT(IR_fatan2, -0.0f, -1.0f, -3.14159265359f);
   CHECK_FLOAT(IR_fatan2, 1.0f, 0.0f, 1.57079632679f);
   CHECK_FLOAT(IR_fatan2, inf, -inf, 2.35619449019f);
   CHECK(isnan(one(IR_fatan2, NAN, 1.0f)));
   CHECK_FLOAT(IR_fsinh, -0.0f, 0, -0.0f);
   CHECK_FLOAT(IR_fsinh, -inf, 0, -inf);
   CHECK_FLOAT(IR_fcosh, 0.0f, 0, 1.0f);
   CHECK_FLOAT(IR_fcosh, -inf, 0, inf);
   /* e^89 overflows, although half of it would not. */
   CHECK_FLOAT(IR_fcosh, 89.0f, 0, inf);
   CHECK_FLOAT(IR_fsinh, -89.0f, 0, -inf);
   CHECK_FLOAT(IR_ftanh, inf, 0, 1.0f);
   CHECK_FLOAT(IR_ftanh, -100.0f, 0, -1.0f);
   CHECK_FLOAT(IR_fasinh, -inf, 0, -inf);
   CHECK_FLOAT(IR_facosh, 1.0f, 0, 0.0f);
   CHECK(isnan(one(IR_facosh, 0.5f, 0)));
   CHECK_FLOAT(IR_fatanh, 1.0f, 0, inf);
   CHECK(isnan(one(IR_fatanh, 2.0f, 0)));
}

/* Where the sequences promise exactness: the same bits as the reference. */
static void compare_exactly(enum ir_op op, uint32_t bits, uint64_t x, uint64_t y, struct function *f)
{
   const uint64_t got = call(f, f->shader, x, y), expected = call(f, f->reference, x, y);
   const bool is_float = op != IR_ffrexp_exp;
   const bool both_nan = is_float && isnan(ir_float_to_double(got, bits)) && isnan(ir_float_to_double(expected, bits));
   if (got != expected && !both_nan) {
      fprintf(stderr, "%s %u bits (0x%llx, 0x%llx): 0x%llx instead of 0x%llx\n", ir_op_infos[op].name, bits,
              (unsigned long long)x, (unsigned long long)y, (unsigned long long)got, (unsigned long long)expected);
      test_fail(__FILE__, __LINE__, "same bits");
   }
}

static const uint64_t interesting64[] = {
   0, 1, UINT64_C(0x8000000000000000), UINT64_C(0x000fffffffffffff), UINT64_C(0x0010000000000000),
   UINT64_C(0x3ff0000000000000), UINT64_C(0x7fefffffffffffff), UINT64_C(0xfff0000000000000),
   UINT64_C(0x7ff8000000000000), UINT64_C(0x3fd5555555555555), UINT64_C(0x0008000000000001),
};
static const int exponents[] = {0, 1, -1, 23, 24, -126, -149, -150, 127, 128, 254, 277, 278, -300, 1000, -1000,
                                1023, 1024, 2046, 2100, -1022, -1074, -1075, -2100, 1000000, -1000000};

TEST(ldexp_and_frexp)
{
   for (uint32_t bits = 16; bits <= 64; bits *= 2) {
      struct function scale, significand, exponent;
      function_init(&scale, IR_fldexp, bits);
      function_init(&significand, IR_ffrexp_sig, bits);
      function_init(&exponent, IR_ffrexp_exp, bits);
      uint64_t state = bits;
      for (uint32_t i = 0; i < 600; i++) {
         random_step(&state);
         uint64_t x = ir_mask_bits(state >> (64 - bits), bits);
         if (i < UTIL_ARRAY_SIZE(interesting64))
            x = bits == 64 ? interesting64[i] : ir_float_from_double(ir_float_to_double(interesting64[i], 64), bits);
         if (!isnan(ir_float_to_double(x, bits)))
            compare_exactly(IR_ffrexp_sig, bits, x, 0, &significand);
         compare_exactly(IR_ffrexp_exp, bits, x, 0, &exponent);
         for (uint32_t k = 0; k < 4; k++)
            compare_exactly(IR_fldexp, bits, x,
                            (uint32_t)exponents[(i * 5 + k * 7) % UTIL_ARRAY_SIZE(exponents)], &scale);
      }
      util_arena_finish(&scale.arena);
      util_arena_finish(&significand.arena);
      util_arena_finish(&exponent.arena);
   }
}

TEST(remainders)
{
   for (uint32_t bits = 32; bits <= 64; bits *= 2) {
      struct function rem, mod;
      function_init(&rem, IR_frem, bits);
      function_init(&mod, IR_fmod, bits);
      uint64_t state = bits;
      for (uint32_t i = 0; i < 4000; i++) {
         random_step(&state);
         const double y = ((double)(state >> 40) + 1.0) * ((state & 1) ? 0x1p-10 : -0x1p-12);
         random_step(&state);
         double x = (double)(int32_t)(state >> 32) * ((state & 2) ? 0x1p-8 : 0x1p-20);
         x = i % 8 == 0 ? y * (double)(int32_t)(i / 8) : x; /* multiples */
         const uint64_t a = ir_float_from_double(x, bits), b = ir_float_from_double(y, bits);
         if (fabs(x / y) >= 0x1p23)
            continue;
         const uint64_t got = call(&rem, rem.shader, a, b), expected = call(&rem, rem.reference, a, b);
         CHECK_EQ(got, ir_float_to_double(expected, bits) == 0.0 ? got & ~(UINT64_MAX >> 1 >> (64 - bits)) : expected);
         const double m = ir_float_to_double(call(&mod, mod.shader, a, b), bits);
         const double true_mod = ir_float_to_double(call(&mod, mod.reference, a, b), bits);
         CHECK(m == true_mod);
      }
      util_arena_finish(&rem.arena);
      util_arena_finish(&mod.arena);
   }
   CHECK_FLOAT(IR_frem, 5.5f, INFINITY, 5.5f);
   CHECK_FLOAT(IR_frem, -6.0f, 3.0f, -0.0f);
   CHECK_FLOAT(IR_fmod, -1.0f, 3.0f, 2.0f);
   CHECK(isnan(one(IR_frem, 1.0f, 0.0f)) && isnan(one(IR_fmod, INFINITY, 1.0f)));
}

/* Halves are computed in 32 bits: within one half's ulp of the truth. */
TEST(halves)
{
   static const enum ir_op ops[] = {IR_fexp2, IR_flog2, IR_fsin, IR_fatan, IR_ftanh, IR_fsinh};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(ops); i++) {
      struct function f;
      function_init(&f, ops[i], 16);
      for (uint32_t x = 0; x < 0x10000; x += 37) {
         const double true_value = ir_interp_libm(ops[i], ir_float_to_double(x, 16), 0.0);
         const double got = ir_float_to_double(call(&f, f.shader, x, 0), 16);
         const double nearest = ir_float_to_double(ir_float_from_double(true_value, 16), 16);
         CHECK((isnan(got) && isnan(true_value)) || got == nearest ||
               fabs(got - true_value) <= fabs(nearest) * 0x1p-10 + 0x1p-24);
      }
      util_arena_finish(&f.arena);
   }
}

/* The exponent of a half: widened; denormals are scaled by 2^24 first; zeros, infinities and NaNs have none. */
TEST(text_of_an_exponent)
{
   IR_PASS(ir_lower_math,
           "shader compute\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x16 %0 align=4\n"
           "   %2 = ffrexp_exp 1x32 %1\n"
           "   store_shared %0, %2 access=0 align=4 mask=1\n"
           "   yield\n}\n",
           "shader compute\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x16 %0 align=4\n"
           "   %2 = f2f 1x32 %1\n"
           "   %3 = fabs 1x32 %2\n"
           "   %4 = const 1x32 0\n"
           "   %5 = const 1x32 0x800000\n"
           "   %6 = ult 1x1 %3, %5\n"
           "   %7 = const 1x32 0x7f800000\n"
           "   %8 = uge 1x1 %3, %7\n"
           "   %9 = ieq 1x1 %3, %4\n"
           "   %10 = ior 1x1 %9, %8\n"
           "   %11 = const 1x32 0x4b800000\n"
           "   %12 = fmul 1x32 %2, %11\n"
           "   %13 = select 1x32 %6, %12, %2\n"
           "   %14 = const 1x32 23\n"
           "   %15 = ushr 1x32 %13, %14\n"
           "   %16 = const 1x32 255\n"
           "   %17 = iand 1x32 %15, %16\n"
           "   %18 = const 1x32 0xffffff82\n"
           "   %19 = const 1x32 0xffffff6a\n"
           "   %20 = select 1x32 %6, %19, %18\n"
           "   %21 = iadd 1x32 %17, %20\n"
           "   %22 = const 1x32 0\n"
           "   %23 = select 1x32 %10, %22, %21\n"
           "   store_shared %0, %23 access=0 align=4 mask=1\n"
           "   yield\n}\n");
}

/* out = op(in0, c), after opt/divide and lower_math. */
static struct ir_shader *of_constant(struct util_arena *arena, enum ir_op op, float c)
{
   struct ir_shader *shader = ir_shader_create(arena, ABI_STAGE_VERTEX);
   struct ir_builder b = ir_builder_at_end(shader, shader->body);
   b.fp = IR_FP_CONTRACT;
   struct ir_instr *x = ir_emit(&b, IR_load_input, 1, 32, 0, NULL), *result = ir_alu2(&b, op, x, ir_const_f(&b, 32, c));
   ir_emit(&b, IR_store_output, 0, 0, 1, &result);
   ir_jump(&b, IR_yield, NULL, 0, NULL);
   CHECK(op == IR_fdiv ? ir_opt_divide(shader) : ir_lower_math(shader));
   return shader;
}

/* The same bits as without the knowledge that it is a constant; quotients that are missed by a hair are too rare to be here. */
TEST(constant_divisors)
{
   static const float divisors[] = {3.0f, 289.0f, -7.0f, 0.1f, 255.0f, 49.0f, 18.0f, 0x1.fffffep0f, 0x1.000002p-20f, 1280.0f, 0.3183099f};
   static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 0x1p-149f, -0x1p-130f, 0x1.fffffep127f, -1e-10f};
   enum { NUM_SAMPLES = 500, NUM_SPECIAL = UTIL_ARRAY_SIZE(special) };
   struct function mod;
   function_init(&mod, IR_fmod, 32);
   for (uint32_t d = 0; d < UTIL_ARRAY_SIZE(divisors); d++) {
      const float c = divisors[d];
      struct ir_shader *division = of_constant(&mod.arena, IR_fdiv, c), *remainder = of_constant(&mod.arena, IR_fmod, c);
      uint64_t state = d;
      for (uint32_t i = 0; i < NUM_SAMPLES + NUM_SPECIAL; i++) {
         float x = i < NUM_SAMPLES ? sample(i + 2, NUM_SAMPLES, -1e6f, 1e6f, &state) : special[i - NUM_SAMPLES];
         if (i % 4 == 1 && i < NUM_SAMPLES)
            x = c * (float)i; /* exactly divisible, for small ones */
         const uint32_t quotient = (uint32_t)call(&mod, division, bits_of(x), 0), rest = (uint32_t)call(&mod, remainder, bits_of(x), 0);
         const uint32_t expected = (uint32_t)call(&mod, mod.shader, bits_of(x), bits_of(c));
         CHECK(fabsf(x / c) < 0x1p-126f || quotient == bits_of(x / c) || (isnan(x / c) && isnan(float_of(quotient))));
         CHECK(rest == expected || (isnan(float_of(rest)) && isnan(float_of(expected))) || fabsf(x / c) > 0x1p22f);
      }
   }
   util_arena_finish(&mod.arena);
}

/* Exact whatever the quotient is, but for denormal numbers below zero. */
TEST(mod_of_powers_of_two)
{
   static const float divisors[] = {1.0f, 2.0f, 8.0f, 0x1p20f, 0x1p100f};
   static const float special[] = {0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1.fffffep127f, -0x1.fffffep127f, -1e-10f, INFINITY, NAN};
   enum { NUM_SAMPLES = 500, NUM_SPECIAL = UTIL_ARRAY_SIZE(special) };
   struct function mod;
   function_init(&mod, IR_fmod, 32);
   for (uint32_t d = 0; d < UTIL_ARRAY_SIZE(divisors); d++) {
      const float c = divisors[d];
      struct ir_shader *remainder = of_constant(&mod.arena, IR_fmod, c);
      uint64_t state = d;
      for (uint32_t i = 0; i < NUM_SAMPLES + NUM_SPECIAL; i++) {
         const float scale = i % 2 ? 1e3f : 1e30f, x = i < NUM_SAMPLES ? sample(i + 2, NUM_SAMPLES, -scale, scale, &state) : special[i - NUM_SAMPLES];
         const float rest = float_of((uint32_t)call(&mod, remainder, bits_of(x), 0)), expected = fmodf(x, c) + (fmodf(x, c) < 0.0f ? c : 0.0f);
         CHECK(isfinite(x) ? rest == expected || (x == -0x1p-149f && c > 1.0f && rest == 0.0f) : isnan(rest));
      }
   }
   util_arena_finish(&mod.arena);
}

TEST_MAIN
