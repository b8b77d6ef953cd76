/* SPDX-License-Identifier: MIT
 * Operations in their floating-point environments, as plain ones, against the host's arithmetic in the same rounding mode (ir_eval):
 * the same bits, for numbers near every edge of the formats. */
#include "compiler/ir/ir_eval.h"
#include "tests/compiler/ir/ir_interp.h"
#include "tests/compiler/ir/ir_test.h"
#include "tests/random.h"

#include <math.h>

/* out = op(in0, in1, in2); each input stands in two slots. */
static struct ir_shader *make(struct util_arena *arena, enum ir_op op, uint32_t from_bits, uint32_t bits, uint8_t fp)
{
   struct ir_shader *shader = ir_shader_create(arena, ABI_STAGE_VERTEX);
   struct ir_builder b = ir_builder_at_end(shader, shader->body);
   struct ir_instr *srcs[3];
   for (uint32_t i = 0; i < 3; i++) {
      struct ir_instr *words[2];
      for (uint32_t k = 0; k < 2; k++) {
         words[k] = ir_emit(&b, IR_load_input, 1, 32, 0, NULL);
         words[k]->imm.u[0] = i * 2 + k;
      }
      srcs[i] = from_bits == 64 ? ir_emit(&b, IR_pack, 1, 64, 2, words) : ir_convert(&b, IR_u2u, from_bits, words[0]);
   }
   b.fp = fp;
   struct ir_instr *result = ir_emit(&b, op, 1, bits, (uint32_t)ir_op_infos[op].num_srcs, srcs);
   b.fp = 0;
   ir_emit(&b, IR_store_output, 0, 0, 1, &result);
   ir_jump(&b, IR_yield, NULL, 0, NULL);
   return shader;
}

static uint64_t call(struct ir_shader *shader, const uint64_t *x)
{
   struct ir_interpreter interp = {0};
   for (uint32_t i = 0; i < 3; i++) {
      interp.inputs[i * 2] = (uint32_t)x[i];
      interp.inputs[i * 2 + 1] = (uint32_t)(x[i] >> 32);
   }
   CHECK(ir_interp_run(&interp, shader));
   return interp.outputs[0];
}

/* ---- numbers near the edges ---- */

static uint64_t state;

static uint64_t word(void)
{
   random_step(&state);
   return state >> 32 ^ state << 32 ^ state;
}

static uint64_t some_float(uint32_t bits)
{
   const uint32_t mantissa_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const uint64_t mantissa = (UINT64_C(1) << mantissa_bits) - 1, exponent = (UINT64_C(1) << (bits - 1 - mantissa_bits)) - 1;
   static const uint8_t near[] = {0, 0, 1, 2, 3};
   uint64_t e, m = word() & mantissa;
   switch (word() >> 40 & 7) {
   case 0: e = near[(word() >> 33) % 5]; break;
   case 1: e = exponent - near[(word() >> 33) % 5]; break;
   case 2: case 3: case 4: e = exponent / 2 + (word() >> 33) % (mantissa_bits * 2) - mantissa_bits; break;
   default: e = (word() >> 20) % (exponent + 1); break;
   }
   switch (word() >> 40 & 7) {
   case 0: m = 0; break;
   case 1: m = mantissa; break;
   case 2: m = (word() >> 33) % 3; break;
   case 3: m = UINT64_C(1) << (word() >> 33) % mantissa_bits; break;
   default: break;
   }
   const uint64_t sign = word() >> 50 & 1;
   return ir_mask_bits(sign << (bits - 1) | (e & exponent) << mantissa_bits | m, bits);
}

static uint64_t some_integer(uint32_t bits)
{
   const uint64_t value = word() >> (word() >> 33) % 64;
   return ir_mask_bits(word() & 0x4000000000 ? 0 - value : value, bits);
}

/* Operands that make results near the edges more likely: sums that cancel, products that underflow. */
static void choose(enum ir_op op, uint32_t from_bits, uint64_t *x)
{
   const bool is_integer = op == IR_i2f || op == IR_u2f;
   for (uint32_t i = 0; i < 3; i++)
      x[i] = is_integer ? some_integer(from_bits) : some_float(from_bits);
   const uint64_t sign = UINT64_C(1) << (from_bits - 1);
   if (!is_integer && (word() >> 33 & 7) == 0)
      x[1] = x[0] ^ sign ^ (word() >> 60);
   if (op == IR_fma && (word() >> 33 & 3) == 0) { /* -(x * y), nearly */
      const double product = ir_float_to_double(x[0], from_bits) * ir_float_to_double(x[1], from_bits);
      x[2] = ir_float_from_double(-product, from_bits) ^ (word() >> 62);
   }
}

static bool is_nan(uint64_t x, uint32_t bits)
{
   return isnan(ir_float_to_double(x, bits));
}

static bool check(enum ir_op op, uint32_t from_bits, uint32_t bits, uint8_t fp, bool lacks_fma64, uint32_t count)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *expected = make(&arena, op, from_bits, bits, fp), *lowered = make(&arena, op, from_bits, bits, fp);
   lowered->lacks_fma64 = lacks_fma64;
   ir_lower_float_env(lowered);
   const char *error = ir_validate(lowered, &arena);
   CHECK(!error);
   bool is_good = !error;
   for (uint32_t i = 0; i < count && is_good; i++) {
      uint64_t x[3];
      choose(op, from_bits, x);
      const uint64_t want = call(expected, x), got = call(lowered, x);
      is_good = got == want || (is_nan(got, bits) && is_nan(want, bits));
      if (!is_good)
         fprintf(stderr, "%s %u to %u bits, fp 0x%x (0x%llx, 0x%llx, 0x%llx): 0x%llx instead of 0x%llx\n", ir_op_infos[op].name,
                 from_bits, bits, fp, (unsigned long long)x[0], (unsigned long long)x[1], (unsigned long long)x[2],
                 (unsigned long long)got, (unsigned long long)want);
   }
   util_arena_finish(&arena);
   return is_good;
}

static const uint8_t environments[] = {IR_FP_RTZ, IR_FP_FLUSH_DENORM, IR_FP_RTZ | IR_FP_FLUSH_DENORM};

TEST(arithmetic)
{
   static const enum ir_op ops[] = {IR_fadd, IR_fsub, IR_fmul,  IR_fdiv,  IR_fma,  IR_fsqrt,
                                    IR_fneg, IR_fabs, IR_fmin,  IR_fmax,  IR_fround_even};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(ops); i++) {
      for (uint32_t bits = 16; bits <= 64; bits *= 2) {
         for (uint32_t e = 0; e < UTIL_ARRAY_SIZE(environments); e++)
            CHECK(check(ops[i], bits, bits, environments[e], false, 6000));
      }
   }
}

TEST(conversions)
{
   for (uint32_t from = 16; from <= 64; from *= 2) {
      for (uint32_t to = 16; to <= 64; to *= 2) {
         for (uint32_t e = 0; e < UTIL_ARRAY_SIZE(environments); e++) {
            if (from != to)
               CHECK(check(IR_f2f, from, to, environments[e], false, 6000));
            CHECK(check(IR_i2f, from, to, environments[e], false, 6000));
            CHECK(check(IR_u2f, from, to, environments[e], false, 6000));
         }
      }
   }
}

/* Machines without the instruction: rounded to nearest by integers alone. */
TEST(fused_in_integers)
{
   CHECK(check(IR_fma, 64, 64, 0, true, 60000));
   CHECK(check(IR_fma, 64, 64, IR_FP_FLUSH_DENORM, true, 6000));
}

/* No instruction keeps a flag, whatever it is. */
TEST(flags_are_gone)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = make(&arena, IR_fround_even, 32, 32, IR_FP_RTZ | IR_FP_FLUSH_DENORM);
   CHECK(!ir_lower_float_env(shader));
   IR_FOR_EACH (it, shader->body)
      CHECK_EQ(it->fp, 0);
   util_arena_finish(&arena);
}

/* An atomic sum in an environment: a loop around a compare-exchange that leaves the flushed sum behind. */
TEST(atomics)
{
   static const char text[] = "shader compute\n{\n"
                              "%0 = const 1x32 0\n"
                              "%1 = buffer_addr 1x64 %0 set=0 binding=0\n"
                              "%2 = buffer_size 1x32 %0 set=0 binding=0\n"
                              "%3 = load_buffer 1x32 %1, %2, %0 access=0 align=4\n"
                              "%4 = const 1x32 4\n"
                              "%5 = atomic_buffer 1x32 %1, %2, %4, %3 atomic=10 access=0 fp=flush_denorm\n"
                              "%6 = const 1x32 8\n"
                              "store_buffer %1, %2, %6, %5 access=0 align=4 mask=1\n"
                              "yield\n}\n";
   static const struct {
      uint32_t data, old, sum;
   } cases[] = {{0x3f800000, 0x40000000, 0x40400000}, {0x00800001, 0x80800000, 0}, {1, 1, 0}, {0x3f800000, 0, 0x3f800000}};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      struct util_arena arena;
      uint32_t memory[3] = {cases[i].data, cases[i].old, 0xdead};
      struct ir_interpreter interp = {.buffers[0] = {(uint8_t *)memory, sizeof(memory)}};
      util_arena_init(&arena, 0);
      struct ir_shader *shader = ir_test_parse(&arena, text);
      if (shader) {
         CHECK(ir_lower_float_env(shader));
         CHECK(ir_validate(shader, &arena) == NULL);
         CHECK(ir_interp_run(&interp, shader));
         CHECK_EQ(memory[1], cases[i].sum);
         CHECK_EQ(memory[2], cases[i].old);
      }
      util_arena_finish(&arena);
   }
}

TEST(text_of_a_flushed_product)
{
   IR_PASS(ir_lower_float_env,
           "shader compute\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fmul 1x32 %1, %1 fp=flush_denorm\n"
           "   store_shared %0, %2 access=0 align=4 mask=1\n"
           "   yield\n}\n",
           "shader compute\n{\n"
           "   %0 = const 1x32 0\n"
           "   %1 = load_push 1x32 %0 align=4\n"
           "   %2 = fmul 1x32 %1, %1\n"
           "   %3 = const 1x32 0x7fffffff\n"
           "   %4 = iand 1x32 %2, %3\n"
           "   %5 = const 1x32 0x800000\n"
           "   %6 = ult 1x1 %4, %5\n"
           "   %7 = const 1x32 0x80000000\n"
           "   %8 = iand 1x32 %2, %7\n"
           "   %9 = select 1x32 %6, %8, %2\n"
           "   store_shared %0, %9 access=0 align=4 mask=1\n"
           "   yield\n}\n");
   static const char plain[] =
      "shader compute\n{\n"
      "   %0 = const 1x32 0\n"
      "   %1 = load_push 1x32 %0 align=4\n"
      "   %2 = fmul 1x32 %1, %1 fp=contract\n"
      "   store_shared %0, %2 access=0 align=4 mask=1\n"
      "   yield\n}\n";
   IR_PASS(ir_lower_float_env, plain, plain);
}

/* Many fused multiply-adds of 64 bits, which become a hundred operations each, are calls of one routine of that code; with the machine's own they stay. */
TEST(many_wide_fma_are_calls)
{
   enum { COUNT = 200 };
   for (uint32_t lacks_fma64 = 0; lacks_fma64 < 2; lacks_fma64++) {
      struct util_arena arena;
      util_arena_init(&arena, 0);
      struct ir_shader *shader = ir_shader_create(&arena, ABI_STAGE_VERTEX);
      struct ir_builder b = ir_builder_at_end(shader, shader->body);
      struct ir_instr *x = ir_routine_operand(&b, 0, 64), *sum = x;
      for (uint32_t i = 0; i < COUNT; i++)
         sum = ir_alu3(&b, IR_fma, sum, x, x);
      ir_routine_result(&b, 0, sum);
      ir_routine_end(&b);
      shader->lacks_fma64 = lacks_fma64;
      CHECK_EQ(ir_outline(shader), lacks_fma64);
      CHECK_EQ(shader->num_routines, lacks_fma64);
      CHECK(!ir_lower_float_env(shader));
      CHECK_EQ(ir_shader_renumber(shader), COUNT + 3); /* the operand, the store, the end */
      if (lacks_fma64) {
         struct ir_shader *code = shader->routines[0].code;
         CHECK(ir_is_routine(code) && !ir_is_routine(shader));
         code->lacks_fma64 = true;
         CHECK(ir_lower_float_env(code));
         CHECK(ir_shader_renumber(code) > 100);
      }
      util_arena_finish(&arena);
   }
}

TEST_MAIN
