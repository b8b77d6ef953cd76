/* SPDX-License-Identifier: MIT
 * What the analyses promise holds when random shaders run: the lanes of a vector, which is half of a subgroup, are interpreted one after the other, the values
 * that they make at the same moment are compared, and none is as large as the one that it is said to be below. Memory is empty, so that
 * lanes do not see each other. */
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_map.h"
#include "tests/compiler/ir/ir_interp.h"
#include "tests/compiler/ir/ir_random.h"
#include "tests/compiler/ir/ir_test.h"

#include <stdlib.h>

enum { LANES = 8, SUBGROUP_SIZE = 16, IS_BELOW = IR_VARYING + 1, IN_RUNS, IS_NUMBER, NUM_PROMISES };

struct first { /* the lane that made a value first */
   uint32_t lane;
   uint64_t bits;
};

struct record {
   struct ir_map firsts; /* by value and moment */
   uint32_t lane;
   const struct ir_instr *broken;
   uint64_t num_checked[NUM_PROMISES];
};

static void note(void *data, const struct ir_instr *value, uint64_t moment, uint64_t bits)
{
   struct record *record = data;
   if (value->op != IR_const && value->below && value->below <= ir_mask_bits(UINT64_MAX, value->bit_size)) {
      record->num_checked[IS_BELOW]++;
      if (bits >= value->below)
         record->broken = value;
   }
   const uint32_t numbers = value->numbers & IR_MAY_BE_ANY;
   if (value->op != IR_const && value->bit_size >= 16 && numbers && numbers != IR_MAY_BE_ANY) {
      record->num_checked[IS_NUMBER]++;
      if (!(ir_class_of_number(ir_float_to_double(bits, value->bit_size)) & numbers))
         record->broken = value;
   }
   const uint32_t run = value->run ? record->lane / value->run + 1 : 0;
   const uint64_t key = ir_mix(moment ^ ir_mix(value->index + UINT64_C(0x51ed27) + ((uint64_t)run << 32)));
   struct first *first = ir_map_find(&record->firsts, key);
   if (!first) {
      first = UTIL_ARENA_NEW(record->firsts.arena, struct first);
      *first = (struct first){record->lane, bits};
      ir_map_add(&record->firsts, key, first);
      return;
   }
   uint64_t expected = first->bits;
   if (value->divergence == IR_STRIDED || run)
      expected += (record->lane - (uint64_t)first->lane) * (uint64_t)value->stride;
   expected = ir_mask_bits(expected, value->bit_size);
   record->num_checked[run ? IN_RUNS : value->divergence]++;
   if ((value->divergence != IR_VARYING || run) && bits != expected)
      record->broken = value;
}

static bool check_shader(uint64_t seed, uint64_t *num_checked)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_random_shader(&arena, seed);
   struct record record = {.firsts.arena = &arena};
   shader->info.lanes = LANES;
   shader->subgroup_size = SUBGROUP_SIZE;
   shader->info.local_size[0] = shader->info.local_size[1] = shader->info.local_size[2] = LANES;
   if (seed % 2) {
      ir_opt_promote_vars(shader);
      ir_opt_simplify(shader);
   }
   ir_analyze_divergence(shader);
   ir_analyze_ranges(shader);
   ir_analyze_numbers(shader);
   for (record.lane = 0; record.lane < LANES && !record.broken; record.lane++) {
      struct ir_interpreter interp = {.max_steps = 20000, .trace = note, .trace_data = &record};
      interp.sysvals[IR_SYSVAL_LOCAL_INDEX][0] = record.lane + LANES * (uint32_t)(seed % 7);
      interp.sysvals[IR_SYSVAL_SUBGROUP_ID][0] = (uint32_t)(seed % 7) * LANES / SUBGROUP_SIZE;
      ir_interp_run(&interp, shader);
   }
   if (record.broken) {
      fprintf(stderr, "seed %llu: %%%u is not as promised\n", (unsigned long long)seed, record.broken->index);
      if (getenv("IR_FUZZ_SEED"))
         ir_print(shader, stderr);
   }
   for (uint32_t i = 0; i < NUM_PROMISES; i++)
      num_checked[i] += record.num_checked[i];
   const bool is_good = !record.broken;
   util_arena_finish(&arena);
   return is_good;
}

TEST(promises_hold)
{
   const char *seed = getenv("IR_FUZZ_SEED"), *count = getenv("IR_FUZZ_COUNT");
   const uint64_t first = seed ? strtoull(seed, NULL, 10) : 1;
   const uint64_t number = count ? strtoull(count, NULL, 10) : seed ? 1 : 1500;
   uint64_t num_checked[NUM_PROMISES] = {0};
   for (uint64_t i = 0; i < number; i++)
      CHECK(check_shader(first + i, num_checked));
   /* every class of promise was put to the test */
   for (uint32_t i = 0; i < NUM_PROMISES && number > 100; i++)
      CHECK(num_checked[i] > 1000);
}

TEST_MAIN
