/* SPDX-License-Identifier: MIT
 * Arithmetic: every operation on vectors and on scalars, on values that are known to be trouble, against ir_eval(). */
#include "compiler/ir/ir_eval.h"
#include "tests/compiler/llvm/cg_run.h"

enum { CASES = 64 };

struct op_case {
   enum ir_op op;
   uint8_t num_srcs, src_bits, bits; /* bits of the result */
   bool is_float;                    /* NaN is compared as such */
   uint8_t imm; /* of an operation that has one */
};

static const struct op_case int_ops[] = {
   {IR_iadd, 2, 32, 32, 0}, {IR_isub, 2, 32, 32, 0}, {IR_imul, 2, 32, 32, 0}, {IR_imulh, 2, 32, 32, 0}, {IR_umulh, 2, 32, 32, 0},
   {IR_ineg, 1, 32, 32, 0}, {IR_iabs, 1, 32, 32, 0}, {IR_idiv, 2, 32, 32, 0}, {IR_udiv, 2, 32, 32, 0}, {IR_irem, 2, 32, 32, 0},
   {IR_imod, 2, 32, 32, 0}, {IR_umod, 2, 32, 32, 0}, {IR_imin, 2, 32, 32, 0}, {IR_imax, 2, 32, 32, 0}, {IR_umin, 2, 32, 32, 0},
   {IR_umax, 2, 32, 32, 0}, {IR_iand, 2, 32, 32, 0}, {IR_ior, 2, 32, 32, 0}, {IR_ixor, 2, 32, 32, 0}, {IR_inot, 1, 32, 32, 0},
   {IR_ishl, 2, 32, 32, 0}, {IR_ishr, 2, 32, 32, 0}, {IR_ushr, 2, 32, 32, 0}, {IR_ucarry, 2, 32, 32, 0}, {IR_uborrow, 2, 32, 32, 0},
   {IR_bitreverse, 1, 32, 32, 0}, {IR_bitcount, 1, 32, 32, 0}, {IR_find_lsb, 1, 32, 32, 0}, {IR_find_umsb, 1, 32, 32, 0},
   {IR_find_imsb, 1, 32, 32, 0}, {IR_ieq, 2, 32, 1, 0}, {IR_ine, 2, 32, 1, 0}, {IR_ilt, 2, 32, 1, 0}, {IR_ige, 2, 32, 1, 0},
   {IR_ult, 2, 32, 1, 0}, {IR_uge, 2, 32, 1, 0}, {IR_i2f, 1, 32, 32, 1}, {IR_u2f, 1, 32, 32, 1},
   {IR_i2i, 1, 32, 8, 0}, {IR_i2i, 1, 32, 16, 0}, {IR_i2f, 1, 32, 16, 1}, {IR_u2f, 1, 32, 16, 1},
   {IR_dot_bytes, 2, 32, 32, 0, 0}, {IR_dot_bytes, 2, 32, 32, 0, 1}, {IR_dot_bytes, 2, 32, 32, 0, 2}, {IR_dot_bytes, 2, 32, 32, 0, 3},
};

static const struct op_case float_ops[] = {
   {IR_feq, 2, 32, 1, 0}, {IR_fne, 2, 32, 1, 0}, {IR_flt, 2, 32, 1, 0}, {IR_fge, 2, 32, 1, 0}, {IR_fequ, 2, 32, 1, 0},
   {IR_fneu, 2, 32, 1, 0}, {IR_fltu, 2, 32, 1, 0}, {IR_fgeu, 2, 32, 1, 0}, {IR_fadd, 2, 32, 32, 1}, {IR_fsub, 2, 32, 32, 1},
   {IR_fmul, 2, 32, 32, 1}, {IR_fdiv, 2, 32, 32, 1}, {IR_fma, 3, 32, 32, 1}, {IR_fneg, 1, 32, 32, 1}, {IR_fabs, 1, 32, 32, 1},
   {IR_fone_nan, 1, 32, 32, 0},
   {IR_fsqrt, 1, 32, 32, 1}, {IR_fmin, 2, 32, 32, 1}, {IR_fmax, 2, 32, 32, 1}, {IR_ffloor, 1, 32, 32, 1}, {IR_fceil, 1, 32, 32, 1},
   {IR_ftrunc, 1, 32, 32, 1}, {IR_fround_even, 1, 32, 32, 1}, {IR_f2i, 1, 32, 32, 0}, {IR_f2u, 1, 32, 32, 0}, {IR_f2i, 1, 32, 16, 0},
   {IR_f2u, 1, 32, 8, 0}, {IR_f2f, 1, 32, 16, 1}, {IR_fexponent, 1, 32, 32, 1}, {IR_fsignificand, 1, 32, 32, 1},
   {IR_freduce, 1, 32, 32, 1, 0}, {IR_freduce, 1, 32, 32, 1, 1},
};

/* Sources are the low 16 bits of the words. */
static const struct op_case half_ops[] = {
   {IR_fadd, 2, 16, 16, 1}, {IR_fsub, 2, 16, 16, 1}, {IR_fmul, 2, 16, 16, 1}, {IR_fdiv, 2, 16, 16, 1}, {IR_fsqrt, 1, 16, 16, 1},
   {IR_fone_nan, 1, 16, 16, 0}, {IR_fneg, 1, 16, 16, 1}, {IR_fmin, 2, 16, 16, 1}, {IR_fmax, 2, 16, 16, 1}, {IR_ffloor, 1, 16, 16, 1}, {IR_flt, 2, 16, 1, 0},
   {IR_f2f, 1, 16, 32, 1}, {IR_f2i, 1, 16, 32, 0}, {IR_iadd, 2, 16, 16, 0}, {IR_imul, 2, 16, 16, 0}, {IR_udiv, 2, 16, 16, 0},
   {IR_idiv, 2, 16, 16, 0}, {IR_ishr, 2, 16, 16, 0}, {IR_umulh, 2, 16, 16, 0}, {IR_bitcount, 1, 16, 16, 0},
   {IR_fma, 3, 16, 16, 1}, {IR_fabs, 1, 16, 16, 1}, {IR_fceil, 1, 16, 16, 1}, {IR_ftrunc, 1, 16, 16, 1}, {IR_fround_even, 1, 16, 16, 1},
};

static const struct op_case field_ops[] = {
   {IR_ubfe, 3, 32, 32, 0}, {IR_ibfe, 3, 32, 32, 0}, {IR_bfi, 4, 32, 32, 0},
};

/* Sources are pairs of words; results are folded into one. */
static const struct op_case long_ops[] = {
   {IR_iadd, 2, 64, 64, 0}, {IR_isub, 2, 64, 64, 0}, {IR_imul, 2, 64, 64, 0}, {IR_imulh, 2, 64, 64, 0}, {IR_umulh, 2, 64, 64, 0},
   {IR_idiv, 2, 64, 64, 0}, {IR_udiv, 2, 64, 64, 0}, {IR_irem, 2, 64, 64, 0}, {IR_imod, 2, 64, 64, 0}, {IR_umod, 2, 64, 64, 0},
   {IR_imin, 2, 64, 64, 0}, {IR_umax, 2, 64, 64, 0}, {IR_ishl, 2, 64, 64, 0}, {IR_ishr, 2, 64, 64, 0}, {IR_ushr, 2, 64, 64, 0},
   {IR_ilt, 2, 64, 1, 0}, {IR_ult, 2, 64, 1, 0}, {IR_ieq, 2, 64, 1, 0}, {IR_bitcount, 1, 64, 64, 0}, {IR_find_lsb, 1, 64, 64, 0},
   {IR_u2u, 1, 64, 32, 0}, {IR_i2f, 1, 64, 32, 1}, {IR_u2f, 1, 64, 32, 1}, {IR_i2f, 1, 64, 64, 1}, {IR_u2f, 1, 64, 64, 1},
};

static const struct op_case double_ops[] = {
   {IR_fadd, 2, 64, 64, 1}, {IR_fsub, 2, 64, 64, 1}, {IR_fmul, 2, 64, 64, 1}, {IR_fdiv, 2, 64, 64, 1}, {IR_fsqrt, 1, 64, 64, 1},
   {IR_fneg, 1, 64, 64, 1}, {IR_fabs, 1, 64, 64, 1}, {IR_fmin, 2, 64, 64, 1}, {IR_fmax, 2, 64, 64, 1}, {IR_ffloor, 1, 64, 64, 1},
   {IR_fceil, 1, 64, 64, 1}, {IR_ftrunc, 1, 64, 64, 1}, {IR_fround_even, 1, 64, 64, 1}, {IR_flt, 2, 64, 1, 0}, {IR_fneu, 2, 64, 1, 0},
   {IR_f2i, 1, 64, 64, 0}, {IR_f2u, 1, 64, 64, 0}, {IR_f2i, 1, 64, 32, 0}, {IR_f2u, 1, 64, 32, 0}, {IR_f2f, 1, 64, 32, 1}, {IR_f2f, 1, 64, 16, 1},
   {IR_fone_nan, 1, 64, 64, 0},
};

static const struct op_case *table;
static uint32_t table_size;
static bool is_uniform_run;

static uint32_t int_value(uint32_t i)
{
   static const uint32_t values[] = {0, 1, 2, 3, 7, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0xfffffff9, 100, 0x10000, 0xffff, 31, 32};
   return i < UTIL_ARRAY_SIZE(values) ? values[i] : (i * 2654435761u) ^ (i << 19);
}

static uint32_t float_value(uint32_t i)
{
   static const uint32_t values[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x80000001, 0x007fffff, 0x7f7fffff,
      0xff7fffff, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x4b000001, 0x4affffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x38800000,
      0x387fffff, 0x33000000, 0x33000001, 0x477fefff, 0x477ff000, 0x3f801000, 0x3f803000, 0xc2ff0000, 0x3effffff, 0x40490fdb};
   return i < UTIL_ARRAY_SIZE(values) ? values[i] : (i * 2654435761u) ^ (i << 23);
}

static uint32_t half_value(uint32_t i)
{
   static const uint16_t values[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3800, 0x3e00, 0x4100};
   return i < UTIL_ARRAY_SIZE(values) ? values[i] : (i * 40503u) & 0xffff;
}

static uint64_t double_bits(uint32_t i)
{
   static const uint64_t values[] = {
      0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x0000000000000001,
      0x000fffffffffffff, 0x7fefffffffffffff, 0x3fe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x4330000000000001, 0x432fffffffffffff,
      0x43e0000000000000, 0xc3e0000000000000, 0x41dfffffffc00000, 0x41e0000000000000, 0x47efffffefffffff, 0x36a0000000000000, 0x3f10000000000001,
      0x40effdffffffffff, 0x40effe0000000000, 0x3ff0020000000000, 0x3ff0020000000001, 0x3ff0060000000000, 0x3e60000000000000, 0x3e70000000000001};
   return i < UTIL_ARRAY_SIZE(values) ? values[i] : (i * 0x9e3779b97f4a7c15u) ^ ((uint64_t)i << 52);
}

static uint32_t pair_word(uint32_t k, uint32_t half)
{
   uint64_t value = double_bits(k);
   if (table == long_ops)
      value = k % 4 == 3 ? int_value(k) : k % 2 ? (uint64_t)int_value(k) << 32 | int_value(k / 2) : k % 8 ? (uint64_t)(int64_t)(int32_t)int_value(k / 4) : 1ull << 63;
   return (uint32_t)(half ? value >> 32 : value);
}

/* Buffer 1: four words a case, one a source. Pairs of all interesting values come up since the sources step differently. */
static void setup(struct cg_run *run)
{
   for (uint32_t i = 0; i < CASES; i++) {
      for (uint32_t s = 0; s < 4; s++) {
         const uint32_t k = (i * (s == 0 ? 1 : s == 1 ? 7 : 11) + s * 5) % CASES;
         uint32_t *word = &run->buffers[1][i * 4 + s];
         if (table == long_ops || table == double_ops)
            *word = pair_word((i * (s < 2 ? 1 : 7) + s / 2 * 5) % CASES, s % 2);
         else if (table == float_ops)
            *word = float_value(k);
         else if (table == half_ops)
            *word = half_value(k);
         else if (table == field_ops && s >= (run->push[0] ? 2u : 1u))
            *word = s & 1 ? i % 33 : i % 4 * 8;
         else
            *word = int_value(k);
      }
      if (table == field_ops) { /* offset + count stay within the word */
         uint32_t *w = &run->buffers[1][i * 4];
         w[1] = i % 32;
         w[2] = i * 5 % (33 - w[1]);
         w[3] = w[2];
      }
   }
   if (is_uniform_run)
      run->workgroups[0] = CASES;
}

static uint64_t narrow(uint32_t word, uint32_t bits)
{
   return bits == 32 ? word : word & ((1u << bits) - 1);
}

static bool is_nan(uint64_t value, uint32_t bits)
{
   if (bits == 64)
      return (value & INT64_MAX) > UINT64_C(0x7ff0000000000000);
   return bits == 32 ? (value & 0x7fffffff) > 0x7f800000 : (value & 0x7fff) > 0x7c00;
}

static uint32_t fold(uint64_t value)
{
   return (uint32_t)value ^ (uint32_t)(value >> 32) * 0x9e3779b9u;
}

/* bfi takes base and insert from the same words as offset and count. */
static uint32_t source_word(const struct op_case *op, uint32_t s)
{
   return op->op == IR_bfi ? (s < 2 ? 0 : s - 1) : s;
}

static void expect(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t o = 0; o < table_size; o++) {
      const struct op_case *op = &table[o];
      struct ir_instr srcs[4] = {0}, *src_list[4], instr = {.op = op->op, .num_components = 1, .bit_size = op->bits, .num_srcs = op->num_srcs, .srcs = src_list};
      instr.imm.u[0] = op->imm;
      for (uint32_t i = 0; i < CASES; i++) {
         uint64_t values[4], result = 0;
         for (uint32_t s = 0; s < op->num_srcs; s++) {
            srcs[s] = (struct ir_instr){.num_components = 1, .bit_size = op->src_bits};
            src_list[s] = &srcs[s];
            const uint32_t *words = &b[1][i * 4];
            values[s] = op->src_bits == 64 ? words[s * 2] | (uint64_t)words[s * 2 + 1] << 32 : narrow(words[source_word(op, s)], op->src_bits);
         }
         if (!ir_eval(&instr, values, &result))
            test_fail(__FILE__, __LINE__, ir_op_infos[op->op].name);
         b[0][o * CASES + i] = op->is_float && is_nan(result, op->bits) ? 0x7fc00000 : fold(result);
      }
   }
}

/* One shader with all operations of the table; NaNs become one pattern, since which payload comes out is not defined. */
static char *build(void)
{
   char *text = malloc(1 << 16);
   size_t n = 0;
   uint32_t v = 100;
#define ADD(...) n += (size_t)snprintf(text + n, (1 << 16) - n, __VA_ARGS__)
   ADD("%s", is_uniform_run ? CG_HEAD(1, "") : CG_HEAD(64, ""));
   const char *index = is_uniform_run ? "%7" : "%10";
   ADD("%%20 = const 1x32 16\n%%21 = imul 1x32 %s, %%20\n%%22 = load_buffer 4x32 %%4, %%5, %%21 access=4 align=16\n", index);
   for (uint32_t s = 0; s < 4; s++) {
      ADD("%%%u = extract 1x32 %%22 index=%u\n", 30 + s, s);
      ADD("%%%u = u2u 1x16 %%%u\n", 40 + s, 30 + s);
   }
   ADD("%%60 = pack 1x64 %%30, %%31\n%%61 = pack 1x64 %%32, %%33\n%%52 = const 1x32 0x9e3779b9\n");
   ADD("%%50 = const 1x32 0x7fc00000\n%%51 = const 1x32 2\n");
   for (uint32_t o = 0; o < table_size; o++) {
      const struct op_case *op = &table[o];
      const uint32_t result = v++;
      ADD("%%%u = %s 1x%u", result, ir_op_infos[op->op].name, op->bits);
      for (uint32_t s = 0; s < op->num_srcs; s++)
         ADD("%s %%%u", s ? "," : "", (op->src_bits == 64 ? 60 : op->src_bits == 16 ? 40 : 30) + source_word(op, s));
      if (ir_op_infos[op->op].imm[0])
         ADD(" %s=%u", ir_op_infos[op->op].imm[0], op->imm);
      ADD("\n");
      uint32_t word = result;
      if (op->bits < 32) {
         word = v++;
         ADD("%%%u = u2u 1x32 %%%u\n", word, result);
      } else if (op->bits == 64) {
         word = v + 3;
         ADD("%%%u = unpack 1x32 %%%u index=0\n%%%u = unpack 1x32 %%%u index=1\n%%%u = imul 1x32 %%%u, %%52\n%%%u = ixor 1x32 %%%u, %%%u\n",
             v, result, v + 1, result, v + 2, v + 1, word, v, v + 2);
         v += 4;
      }
      if (op->is_float) {
         ADD("%%%u = fneu 1x1 %%%u, %%%u\n%%%u = select 1x32 %%%u, %%50, %%%u\n", v, result, result, v + 1, v, word);
         word = v + 1;
         v += 2;
      }
      ADD("%%%u = const 1x32 %u\n%%%u = iadd 1x32 %s, %%%u\n%%%u = ishl 1x32 %%%u, %%51\n", v, o * CASES, v + 1, index, v, v + 2, v + 1);
      ADD("store_buffer %%2, %%3, %%%u, %%%u access=0 align=4 mask=1\n", v + 2, word);
      v += 3;
   }
   ADD("yield\n}\n");
#undef ADD
   return text;
}

static void check_table(const struct op_case *ops, uint32_t count)
{
   table = ops;
   table_size = count;
   for (uint32_t uniform = 0; uniform < 2; uniform++) {
      is_uniform_run = uniform;
      char *text = build();
      CG_RUN(text, setup, expect);
      free(text);
   }
}

TEST(integers)
{
   check_table(int_ops, UTIL_ARRAY_SIZE(int_ops));
}

TEST(floats)
{
   check_table(float_ops, UTIL_ARRAY_SIZE(float_ops));
}

TEST(small_types)
{
   check_table(half_ops, UTIL_ARRAY_SIZE(half_ops));
}

/* ---- integers by what is the same for all lanes ---- */

enum { SCALARS = 64 }; /* divisors, one a workgroup, and dividends, one a lane */
static const struct op_case *scalar_op;

static void setup_scalars(struct cg_run *run)
{
   for (uint32_t i = 0; i < 2 * SCALARS; i++) /* dividends, then divisors */
      run->buffers[1][i] = int_value(i < SCALARS ? i : 2 * SCALARS - 1 - i);
   run->workgroups[0] = SCALARS;
}

static void expect_scalars(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   struct ir_instr srcs[2], *src_list[2] = {&srcs[0], &srcs[1]};
   struct ir_instr instr = {.op = scalar_op->op, .num_components = 1, .bit_size = scalar_op->bits, .num_srcs = 2, .srcs = src_list};
   srcs[0] = srcs[1] = (struct ir_instr){.num_components = 1, .bit_size = scalar_op->bits};
   for (uint32_t i = 0; i < SCALARS * SCALARS; i++) {
      const uint64_t values[2] = {narrow(b[1][i % SCALARS], scalar_op->bits), narrow(b[1][SCALARS + i / SCALARS], scalar_op->bits)};
      uint64_t result = 0;
      CHECK(ir_eval(&instr, values, &result));
      b[0][i] = (uint32_t)result;
   }
}

TEST(integers_by_scalars)
{
   static const struct op_case ops[] = {
      {IR_idiv, 2, 32, 32, 0}, {IR_udiv, 2, 32, 32, 0}, {IR_irem, 2, 32, 32, 0}, {IR_imod, 2, 32, 32, 0}, {IR_umod, 2, 32, 32, 0},
      {IR_idiv, 2, 16, 16, 0}, {IR_udiv, 2, 16, 16, 0}, {IR_irem, 2, 16, 16, 0}, {IR_imod, 2, 16, 16, 0}, {IR_umod, 2, 16, 16, 0},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(ops); i++) {
      char text[2048];
      scalar_op = &ops[i];
      const char *narrowed = ops[i].bits == 16 ? "%25 = u2u 1x16 %21\n%26 = u2u 1x16 %24\n" : "%25 = iadd 1x32 %21, %0\n%26 = iadd 1x32 %24, %0\n";
      const char *widened = ops[i].bits == 16 ? "%28 = u2u 1x32 %27\n" : "%28 = iadd 1x32 %27, %0\n";
      snprintf(text, sizeof(text),
               "%s%%20 = imul 1x32 %%91, %%1\n%%21 = load_buffer 1x32 %%4, %%5, %%20 access=0 align=4\n"
               "%%22 = iadd 1x32 %%7, %%8\n%%23 = imul 1x32 %%22, %%1\n%%24 = load_buffer 1x32 %%4, %%5, %%23 access=4 align=4\n"
               "%s%%27 = %s 1x%u %%25, %%26\n%sstore_buffer %%2, %%3, %%11, %%28 access=0 align=4 mask=1\nyield\n}\n",
               CG_HEAD(64, ""), narrowed, ir_op_infos[ops[i].op].name, ops[i].bits, widened);
      CG_RUN(text, setup_scalars, expect_scalars);
   }
}

/* ---- small integers by constants ---- */

static uint32_t small_mask, small_divisor;
static bool small_wants_rest;

static void setup_small(struct cg_run *run)
{
   for (uint32_t i = 0; i < SCALARS; i++) /* the largest, the multiples around them, and others */
      run->buffers[1][i] = i < 8 ? small_mask - i : i < 16 ? small_mask / small_divisor * small_divisor - 8 + i : int_value(i) ^ i * 0x9e3779b9u;
   run->workgroups[0] = 1;
}

static void expect_small(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < SCALARS; i++) {
      const uint32_t n = b[1][i] & small_mask;
      b[0][i] = small_wants_rest ? n % small_divisor : n / small_divisor;
   }
}

/* What is known to be small is divided by a product of 32 bits. */
TEST(small_integers_by_constants)
{
   static const uint32_t masks[] = {0xff, 0x3ff, 0xffff, 0x1ffff, 0xfffff, 0x1fffff};
   static const uint32_t divisors[] = {3, 5, 6, 7, 9, 10, 11, 60, 100, 641, 1000, 12345, 65535};
   static const char *const ops[] = {"udiv", "umod", "idiv", "irem"};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(masks) * UTIL_ARRAY_SIZE(divisors); i++) {
      char text[2048];
      small_mask = masks[i % UTIL_ARRAY_SIZE(masks)];
      small_divisor = divisors[i / UTIL_ARRAY_SIZE(masks)];
      small_wants_rest = i % 2;
      snprintf(text, sizeof(text),
               "%s%%20 = imul 1x32 %%91, %%1\n%%21 = load_buffer 1x32 %%4, %%5, %%20 access=0 align=4\n%%22 = const 1x32 %u\n"
               "%%23 = iand 1x32 %%21, %%22\n%%24 = const 1x32 %u\n%%25 = %s 1x32 %%23, %%24\n"
               "store_buffer %%2, %%3, %%11, %%25 access=0 align=4 mask=1\nyield\n}\n",
               CG_HEAD(64, ""), small_mask, small_divisor, ops[i % 4]);
      CG_RUN(text, setup_small, expect_small);
   }
}

/* ---- 16-bit floats that are computed from one another ---- */

/* Sources are earlier values: 0 to 2 the operands, then what each step gives. Steps that round and steps that do not. */
static const struct step {
   uint32_t op, srcs[3];
} half_chain[] = {
   {IR_fabs, {0}}, {IR_fneg, {1}}, {IR_fmin, {3, 4}}, {IR_fmax, {5, 2}}, {IR_fma, {6, 4, 3}}, {IR_flt, {6, 7}}, {IR_select, {8, 6, 7}}, {IR_ffloor, {9}},
   {IR_fneg, {10}}, {IR_fadd, {11, 7}}, {IR_fabs, {12}}, {IR_fmul, {13, 11}}, {IR_fge, {14, 2}}, {IR_select, {15, 1, 14}}, {IR_fround_even, {16}},
   {IR_fsub, {17, 13}}, {IR_fmax, {18, 9}}, {IR_fneg, {19}}, {IR_fmin, {20, 12}},
};

/* Of operands that are never below zero, never -0 or NaN, and of others: what of that is known decides how the lesser or greater one is made. Behind
 * those that are stored as they are come sums in which the sign of a zero is lost. */
static const struct step choice_chain[] = {
   {IR_fabs, {0}}, {IR_fneg, {3}}, {IR_fmul, {1, 1}}, {IR_fmin, {4, 1}}, {IR_fmax, {0, 1}}, {IR_fmin, {6, 7}}, {IR_fadd, {8, 5}},
   {IR_fmax, {3, 2}}, {IR_fmin, {2, 3}}, {IR_fmax, {4, 2}}, {IR_fmin, {5, 1}}, {IR_fmax, {9, 2}}, {IR_fmin, {1, 2}}, {IR_fmax, {1, 2}},
   {IR_fmax, {4, 3}}, {IR_fmin, {3, 4}}, {IR_fmin, {5, 2}},
};

/* Powers of two whose exponents are known not to be above zero, and others. Roots bring operands into the range where powers are numbers. */
static const struct step power_chain[] = {
   {IR_fabs, {0}}, {IR_fsqrt, {3}}, {IR_fsqrt, {4}}, {IR_fsqrt, {5}}, {IR_fneg, {6}}, {IR_fneg, {3}}, {IR_fsignificand, {3}},
   {IR_fscale, {9, 7}}, {IR_fscale, {9, 8}}, {IR_fscale, {9, 6}}, {IR_fscale, {9, 0}},
};
enum { MAX_CHAIN_STEPS = 24, CHAIN_STORED = 4, CHOICES_STORED = 11, POWERS_STORED = 4 }; /* the last ones */

static const struct step *chain;
static uint32_t chain_steps, chain_stored, chain_size;

static uint32_t chain_bits(uint32_t op)
{
   return op == IR_flt || op == IR_fge ? 1 : chain_size;
}

static void expect_chain(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < CASES; i++) {
      uint64_t values[3 + MAX_CHAIN_STEPS];
      uint32_t bits[3 + MAX_CHAIN_STEPS] = {chain_size, chain_size, chain_size};
      for (uint32_t s = 0; s < 3; s++)
         values[s] = ir_mask_bits(b[1][i * 4 + s], chain_size);
      for (uint32_t n = 0; n < chain_steps; n++) {
         const uint32_t num_srcs = ir_op_infos[chain[n].op].num_srcs;
         struct ir_instr srcs[3] = {0}, *list[3], instr = {.op = (uint16_t)chain[n].op, .num_components = 1, .num_srcs = num_srcs, .srcs = list};
         uint64_t operands[3];
         for (uint32_t s = 0; s < num_srcs; s++) {
            srcs[s] = (struct ir_instr){.num_components = 1, .bit_size = (uint8_t)bits[chain[n].srcs[s]]};
            list[s] = &srcs[s];
            operands[s] = values[chain[n].srcs[s]];
         }
         instr.bit_size = (uint8_t)(bits[3 + n] = chain_bits(chain[n].op));
         if (!ir_eval(&instr, operands, &values[3 + n]))
            test_fail(__FILE__, __LINE__, ir_op_infos[chain[n].op].name);
      }
      for (uint32_t k = 0; k < chain_stored; k++) {
         const uint64_t value = values[3 + chain_steps - chain_stored + k];
         b[0][k * CASES + i] = is_nan(value, chain_size) ? 0x7fc00000 : (uint32_t)value;
      }
   }
}

static void check_chain(const struct step *steps, uint32_t count, uint32_t stored, uint32_t bits)
{
   char text[16384];
   chain = steps;
   chain_steps = count;
   chain_stored = stored;
   chain_size = bits;
   size_t n = 0;
#define ADD(...) n += (size_t)snprintf(text + n, sizeof(text) - n, __VA_ARGS__)
   ADD("%s%%20 = const 1x32 16\n%%21 = imul 1x32 %%10, %%20\n%%22 = load_buffer 4x32 %%4, %%5, %%21 access=4 align=16\n", CG_HEAD(64, ""));
   ADD("%%50 = const 1x32 0x7fc00000\n%%51 = const 1x32 2\n");
   for (uint32_t s = 0; s < 3; s++)
      ADD("%%%u = extract 1x32 %%22 index=%u\n%%%u = u2u 1x%u %%%u\n", 30 + s, s, 100 + s, bits, 30 + s);
   for (uint32_t i = 0; i < count; i++) {
      ADD("%%%u = %s 1x%u", 103 + i, ir_op_infos[chain[i].op].name, chain_bits(chain[i].op));
      for (uint32_t s = 0; s < (uint32_t)ir_op_infos[chain[i].op].num_srcs; s++)
         ADD("%s %%%u", s ? "," : "", 100 + chain[i].srcs[s]);
      ADD("\n");
   }
   for (uint32_t k = 0, v = 200; k < stored; k++, v += 6) {
      const uint32_t value = 103 + count - stored + k;
      ADD("%%%u = u2u 1x32 %%%u\n%%%u = fneu 1x1 %%%u, %%%u\n%%%u = select 1x32 %%%u, %%50, %%%u\n", v, value, v + 1, value, value, v + 2, v + 1, v);
      ADD("%%%u = const 1x32 %u\n%%%u = iadd 1x32 %%10, %%%u\n%%%u = ishl 1x32 %%%u, %%51\n", v + 3, k * CASES, v + 4, v + 3, v + 5, v + 4);
      ADD("store_buffer %%2, %%3, %%%u, %%%u access=0 align=4 mask=1\n", v + 5, v + 2);
   }
   ADD("yield\n}\n");
#undef ADD
   table = bits == 16 ? half_ops : float_ops;
   is_uniform_run = false;
   CG_RUN(text, setup, expect_chain);
}

TEST(half_chain)
{
   check_chain(half_chain, UTIL_ARRAY_SIZE(half_chain), CHAIN_STORED, 16);
}

TEST(choices)
{
   check_chain(choice_chain, UTIL_ARRAY_SIZE(choice_chain), CHOICES_STORED, 32);
   check_chain(choice_chain, UTIL_ARRAY_SIZE(choice_chain), CHOICES_STORED, 16);
}

TEST(powers_of_two)
{
   check_chain(power_chain, UTIL_ARRAY_SIZE(power_chain), POWERS_STORED, 32);
}

/* ---- the lesser and the greater one of a value and a zero ---- */

static const uint32_t zero_bits[2] = {0x00000000, 0x80000000};
static const uint32_t zero_ops[2] = {IR_fmin, IR_fmax};

static void expect_zeros(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t k = 0; k < 8; k++) {
      const uint32_t order = k >> 2; /* which operand is the zero */
      for (uint32_t i = 0; i < CASES; i++) {
         struct ir_instr srcs[2] = {{.num_components = 1, .bit_size = 32}, {.num_components = 1, .bit_size = 32}}, *list[2] = {&srcs[0], &srcs[1]};
         const struct ir_instr instr = {.op = (uint16_t)zero_ops[k & 1], .num_components = 1, .bit_size = 32, .num_srcs = 2, .srcs = list};
         uint64_t operands[2] = {b[1][i * 4], b[1][i * 4]}, value;
         operands[order] = zero_bits[k >> 1 & 1];
         CHECK(ir_eval(&instr, operands, &value));
         b[0][k * CASES + i] = (uint32_t)value;
      }
   }
}

TEST(zeros)
{
   char text[4096];
   size_t n = 0;
#define ADD(...) n += (size_t)snprintf(text + n, sizeof(text) - n, __VA_ARGS__)
   ADD("%s%%20 = const 1x32 16\n%%21 = imul 1x32 %%10, %%20\n%%22 = load_buffer 1x32 %%4, %%5, %%21 access=4 align=4\n", CG_HEAD(64, ""));
   ADD("%%30 = const 1x32 %u\n%%31 = const 1x32 %u\n", zero_bits[0], zero_bits[1]);
   for (uint32_t k = 0, v = 100; k < 8; k++, v += 3) {
      const uint32_t zero = 30 + (k >> 1 & 1), order = k >> 2;
      ADD("%%%u = %s 1x32 %%%u, %%%u\n", v, ir_op_infos[zero_ops[k & 1]].name, order ? 22 : zero, order ? zero : 22);
      ADD("%%%u = const 1x32 %u\n%%%u = iadd 1x32 %%11, %%%u\n", v + 1, k * CASES * 4, v + 2, v + 1);
      ADD("store_buffer %%2, %%3, %%%u, %%%u access=0 align=4 mask=1\n", v + 2, v);
   }
   ADD("yield\n}\n");
#undef ADD
   table = float_ops;
   is_uniform_run = false;
   CG_RUN(text, setup, expect_zeros);
}

TEST(long_integers)
{
   check_table(long_ops, UTIL_ARRAY_SIZE(long_ops));
}

TEST(doubles)
{
   check_table(double_ops, UTIL_ARRAY_SIZE(double_ops));
}

TEST(bit_fields)
{
   check_table(field_ops, UTIL_ARRAY_SIZE(field_ops));
}

TEST_MAIN
