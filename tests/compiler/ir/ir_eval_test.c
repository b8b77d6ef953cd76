/* SPDX-License-Identifier: MIT
 * Arithmetic on constants against the machine's and against known cases. */
#include "compiler/ir/ir_eval.h"
#include "tests/compiler/ir/ir_test.h"
#include "tests/random.h"

#include <float.h>
#include <math.h>

static uint64_t eval_fp(enum ir_op op, uint32_t bits, uint32_t result_bits, uint8_t fp, uint64_t x, uint64_t y,
                        uint64_t z)
{
   struct ir_instr src = {.num_components = 1, .bit_size = (uint8_t)bits};
   struct ir_instr *srcs[4] = {&src, &src, &src, &src};
   const int count = ir_op_infos[op].num_srcs;
   struct ir_instr instr = {.op = (uint16_t)op,
                            .num_components = 1,
                            .bit_size = (uint8_t)result_bits,
                            .fp = fp,
                            .num_srcs = (uint32_t)count,
                            .srcs = srcs};
   uint64_t result = 0xdeadbeef;
   CHECK(ir_eval(&instr, (uint64_t[]){x, y, z, 0}, &result));
   return result;
}

static uint64_t eval(enum ir_op op, uint32_t bits, uint64_t x, uint64_t y)
{
   const bool is_bool = ir_op_infos[op].result == IR_RESULT_BOOL;
   return eval_fp(op, bits, is_bool ? 1 : bits, 0, x, y, 0);
}

static uint32_t f32(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

TEST(integers)
{
   CHECK_EQ(eval(IR_iadd, 8, 200, 100), 44);
   CHECK_EQ(eval(IR_isub, 32, 1, 2), 0xffffffff);
   CHECK_EQ(eval(IR_imulh, 32, 0x80000000, 0x80000000), 0x40000000);
   CHECK_EQ(eval(IR_umulh, 64, UINT64_MAX, UINT64_MAX), -2);
   CHECK_EQ(eval(IR_ishr, 16, 0x8000, 17), 0xc000);
   CHECK_EQ(eval(IR_ushr, 32, 0x80000000, 33), 0x40000000);
   CHECK_EQ(eval(IR_ucarry, 32, 0xffffffff, 1), 1);
   CHECK_EQ(eval(IR_uborrow, 32, 1, 2), 1);
   CHECK_EQ(eval(IR_bitreverse, 8, 0x13, 0), 0xc8);
   CHECK_EQ(eval(IR_find_lsb, 32, 0, 0), 0xffffffff);
   CHECK_EQ(eval(IR_find_umsb, 32, 0x00010000, 0), 16);
   CHECK_EQ(eval(IR_find_imsb, 32, 0xffffffff, 0), 0xffffffff);
   CHECK_EQ(eval(IR_find_imsb, 32, 0xfffffffe, 0), 0);
   CHECK_EQ(eval(IR_ilt, 32, 0xffffffff, 0), 1);
   CHECK_EQ(eval(IR_ult, 32, 0xffffffff, 0), 0);
}

TEST(scaling_rounds_once)
{
   CHECK_EQ(eval_fp(IR_fscale, 32, 32, 0, f32(1.5f), f32(3.75f), 0), f32(12.0f));
   CHECK_EQ(eval_fp(IR_fscale, 32, 32, 0, f32(1.5f), f32(-148.5f), 0), 2); /* a tie, to even */
   CHECK_EQ(eval_fp(IR_fscale, 32, 32, 0, f32(0x1.fffffep0f), f32(-127.0f), 0), 0x00800000);
   CHECK_EQ(eval_fp(IR_fscale, 32, 32, 0, f32(1.0f), f32(128.0f), 0), 0x7f800000);
   CHECK_EQ(eval_fp(IR_fscale, 32, 32, 0, f32(-1.0f), f32(-1e30f), 0), 0x80000000);
   CHECK_EQ(eval_fp(IR_fscale, 32, 32, 0, f32(1.0f), f32(INFINITY), 0), 0x7f800000);
   CHECK_EQ(eval_fp(IR_fscale, 32, 32, 0, f32(1.0f), f32(-INFINITY), 0), 0);
}

TEST(fractions)
{
   CHECK_EQ(eval_fp(IR_ffraction, 32, 32, 0, f32(-2.25f), 0, 0), f32(0.75f));
   CHECK_EQ(eval_fp(IR_ffraction, 32, 32, 0, f32(-0x1p-40f), 0, 0), f32(1.0f)); /* rounded */
   CHECK_EQ(eval_fp(IR_ffraction, 32, 32, 0, f32(INFINITY), 0, 0), 0);
   CHECK(eval_fp(IR_ffraction, 32, 32, 0, f32(NAN), 0, 0) & 0x400000);
}

TEST(exponent_and_significand)
{
   static const struct {
      float x, exponent, significand;
   } cases[] = {{1.0f, 0, 1.0f},           {0x1.7ffffep0f, 0, 0x1.7ffffep0f}, {1.5f, 1, 0.75f},           {0.75f, 0, 0.75f},
                {3.0f, 2, 0.75f},          {0x1p-149f, -149, 1.0f},           {0x1.8p-148f, -147, 0.75f}, {0x1.fffffep127f, 128, 0x1.fffffep-1f},
                {INFINITY, INFINITY, 1.0f}, {0.0f, -INFINITY, 1.0f},          {-0.0f, -INFINITY, -1.0f}};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      CHECK_EQ(eval_fp(IR_fexponent, 32, 32, 0, f32(cases[i].x), 0, 0), f32(cases[i].exponent));
      CHECK_EQ(eval_fp(IR_fsignificand, 32, 32, 0, f32(cases[i].x), 0, 0), f32(cases[i].significand));
   }
   CHECK(eval_fp(IR_fexponent, 32, 32, 0, f32(-1.0f), 0, 0) & 0x400000 && eval_fp(IR_fsignificand, 32, 32, 0, f32(NAN), 0, 0) & 0x400000);
}

TEST(divisions_never_trap)
{
   CHECK_EQ(eval(IR_udiv, 32, 5, 0), 0xffffffff);
   CHECK_EQ(eval(IR_umod, 32, 5, 0), 5);
   CHECK_EQ(eval(IR_idiv, 32, 5, 0), 0xffffffff);
   CHECK_EQ(eval(IR_idiv, 32, 0x80000000, 0xffffffff), 0x80000000);
   CHECK_EQ(eval(IR_irem, 32, 0x80000000, 0xffffffff), 0);
   CHECK_EQ(eval(IR_irem, 32, (uint32_t)-7, 3), 0xffffffff);
   CHECK_EQ(eval(IR_imod, 32, (uint32_t)-7, 3), 2);
   CHECK_EQ(eval(IR_imod, 32, 7, (uint32_t)-3), 0xfffffffe);
   CHECK_EQ(eval(IR_idiv, 64, (uint64_t)INT64_MIN, UINT64_MAX), INT64_MIN);
}

/* Every half survives the conversion to double and back; halfway cases go to even. */
TEST(halves)
{
   for (uint32_t bits = 0; bits < 0x10000; bits++) {
      const bool is_nan = (bits & 0x7fff) > 0x7c00;
      const uint64_t back = ir_float_from_double(ir_float_to_double(bits, 16), 16);
      CHECK_EQ(back, is_nan ? bits | 0x200 : bits);
   }
   CHECK_EQ(ir_float_from_double(65519.0, 16), 0x7bff);
   CHECK_EQ(ir_float_from_double(65520.0, 16), 0x7c00);
   CHECK_EQ(ir_float_from_double_rtz(1e9, 16), 0x7bff);
   CHECK_EQ(ir_float_from_double(0x1p-25, 16), 0);
   CHECK_EQ(ir_float_from_double(0x1.004p-25, 16), 1);
   CHECK_EQ(ir_float_from_double(0x1.8p-24, 16), 2);
   CHECK_EQ(ir_float_from_double(1.0 + 0x1p-11, 16), 0x3c00);
   CHECK_EQ(ir_float_from_double(1.0 + 0x3p-11, 16), 0x3c02);
   /* 1 + 2^-11 + a bit that doubles hold and floats do not: rounding twice would lose it */
   CHECK_EQ(eval_fp(IR_f2f, 64, 16, 0, ir_float_from_double(1.0 + 0x1p-11 + 0x1p-40, 64), 0, 0), 0x3c01);
   /* fma: 0x1.004p-14 * 1 + tiny is just above a tie */
   CHECK_EQ(eval_fp(IR_fma, 16, 16, 0, 0x3c01, 0x3c01, 0x8001),
            ir_float_from_double(0x1.004p0 * 0x1.004p0 - 0x1p-24, 16));
}

TEST(narrowing_to_floats)
{
   uint64_t state = 1;
   for (uint32_t i = 0; i < 200000; i++) {
      random_step(&state);
      /* doubles around the range of floats, denormals included */
      const uint64_t bits = (state & 0x800fffffffffffff) | (uint64_t)(1023 - 160 + (state >> 52) % 300) << 52;
      const double value = ir_float_to_double(bits, 64);
      CHECK_EQ(ir_float_from_double(value, 32), f32((float)value));
   }
}

TEST(rounding_toward_zero)
{
   const uint32_t third = f32(1.0f / 3.0f), one = f32(1.0f), three = f32(3.0f);
   CHECK_EQ(eval_fp(IR_fdiv, 32, 32, 0, one, three, 0), third);
   CHECK_EQ(eval_fp(IR_fdiv, 32, 32, IR_FP_RTZ, one, three, 0), third - 1);
   CHECK_EQ(eval_fp(IR_fmul, 32, 32, IR_FP_RTZ, f32(FLT_MAX), f32(2.0f), 0), f32(FLT_MAX));
   CHECK_EQ(eval_fp(IR_fdiv, 32, 32, 0, one, three, 0), third); /* the mode is back */
}

TEST(flushing)
{
   CHECK_EQ(eval_fp(IR_fmul, 32, 32, IR_FP_FLUSH_DENORM, f32(0x1p-126f), f32(-0.5f), 0), 0x80000000);
   CHECK_EQ(eval_fp(IR_fadd, 32, 32, IR_FP_FLUSH_DENORM, 1, 1, 0), 0);
   CHECK_EQ(eval_fp(IR_fadd, 32, 32, 0, 1, 1, 0), 2);
   CHECK_EQ(eval_fp(IR_feq, 32, 1, IR_FP_FLUSH_DENORM, 1, 0, 0), 0); /* results are flushed, operands are not */
   CHECK_EQ(eval_fp(IR_fmul, 32, 32, IR_FP_FLUSH_DENORM, 1, f32(0x1p100f), 0), f32(0x1p-49f));
}

TEST(floats)
{
   CHECK_EQ(eval(IR_fmin, 32, f32(0.0f), f32(-0.0f)), f32(-0.0f));
   CHECK_EQ(eval(IR_fmax, 32, f32(-0.0f), f32(0.0f)), f32(0.0f));
   CHECK_EQ(eval(IR_fmin, 32, 0x7fc00000, f32(1.0f)), f32(1.0f));
   CHECK_EQ(eval(IR_fround_even, 32, f32(2.5f), 0), f32(2.0f));
   CHECK_EQ(eval(IR_fround_even, 32, f32(-0.3f), 0), f32(-0.0f));
   CHECK_EQ(eval(IR_fround_even, 32, f32(3.5f), 0), f32(4.0f));
   CHECK_EQ(eval(IR_feq, 32, 0x7fc00000, 0x7fc00000), 0);
   CHECK_EQ(eval(IR_fneu, 32, 0x7fc00000, 0x7fc00000), 1);
   CHECK_EQ(eval(IR_fne, 32, 0x7fc00000, 0x7fc00000), 0);
   CHECK_EQ(eval_fp(IR_ffrexp_sig, 32, 32, 0, 1, 0, 0), f32(0.5f));
   CHECK_EQ(eval_fp(IR_ffrexp_exp, 32, 32, 0, 1, 0, 0), (uint32_t)-148);
}

TEST(conversions)
{
   CHECK_EQ(eval_fp(IR_f2i, 32, 32, 0, f32(3e9f), 0, 0), 0x7fffffff);
   CHECK_EQ(eval_fp(IR_f2i, 32, 32, 0, f32(-3e9f), 0, 0), 0x80000000);
   CHECK_EQ(eval_fp(IR_f2i, 32, 8, 0, f32(-3.9f), 0, 0), 0xfd);
   CHECK_EQ(eval_fp(IR_f2u, 32, 32, 0, f32(-3.9f), 0, 0), 0);
   CHECK_EQ(eval_fp(IR_f2u, 32, 64, 0, f32(INFINITY), 0, 0), -1);
   CHECK_EQ(eval_fp(IR_f2i, 32, 32, 0, 0x7fc00000, 0, 0), 0);
   CHECK_EQ(eval_fp(IR_u2f, 64, 32, 0, UINT64_MAX, 0, 0), f32(0x1p64f));
   CHECK_EQ(eval_fp(IR_u2f, 64, 32, IR_FP_RTZ, UINT64_MAX, 0, 0), f32(0x1.fffffep63f));
   CHECK_EQ(eval_fp(IR_i2f, 32, 32, 0, 16777217, 0, 0), f32(16777216.0f));
   CHECK_EQ(eval_fp(IR_i2f, 32, 32, 0, 16777219, 0, 0), f32(16777220.0f));
   CHECK_EQ(eval_fp(IR_i2f, 32, 16, 0, 65520, 0, 0), 0x7c00);
   CHECK_EQ(eval_fp(IR_i2i, 8, 32, 0, 0x80, 0, 0), 0xffffff80);
   CHECK_EQ(eval_fp(IR_u2u, 1, 32, 0, 1, 0, 0), 1);
   CHECK_EQ(eval_fp(IR_i2i, 1, 32, 0, 1, 0, 0), 0xffffffff);
}

TEST(bit_fields)
{
   CHECK_EQ(eval_fp(IR_ubfe, 32, 32, 0, 0xabcd1234, 8, 8), 0x12);
   CHECK_EQ(eval_fp(IR_ibfe, 32, 32, 0, 0x0000ff00, 8, 8), 0xffffffff);
   CHECK_EQ(eval_fp(IR_ubfe, 32, 32, 0, 0xabcd1234, 0, 32), 0xabcd1234);
   CHECK_EQ(eval_fp(IR_ubfe, 32, 32, 0, 0xabcd1234, 5, 0), 0);
   CHECK_EQ(eval_fp(IR_ubfe, 32, 32, 0, 0xabcd1234, 32, 4), 0);
}

TEST_MAIN
