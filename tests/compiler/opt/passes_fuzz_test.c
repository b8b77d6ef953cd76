/* SPDX-License-Identifier: MIT
 * Random structured shaders do the same before and after passes: memory and outputs are compared after runs of the
 * reference interpreter. IR_FUZZ_SEED and IR_FUZZ_COUNT in the environment choose others; a failure prints the shader
 * and the pass. */
#include "tests/compiler/ir/ir_interp.h"
#include "tests/compiler/ir/ir_random.h"
#include "tests/compiler/ir/ir_test.h"

#include <stdlib.h>

enum { MEMORY_BYTES = IR_RANDOM_SHARED_BYTES };

struct observed {
   uint8_t memory[MEMORY_BYTES];
   const char *error;
};

static struct observed observe(struct ir_shader *shader, uint32_t invocation)
{
   struct observed result = {{0}, NULL};
   for (uint32_t i = 0; i < MEMORY_BYTES; i++)
      result.memory[i] = (uint8_t)(i * 37 + invocation);
   struct ir_interpreter interp = {.shared = {result.memory, MEMORY_BYTES}, .max_steps = 200000};
   interp.sysvals[IR_SYSVAL_LOCAL_INDEX][0] = invocation;
   interp.sysvals[IR_SYSVAL_SUBGROUP_ID][0] = invocation * 0x9e3779b9;
   ir_interp_run(&interp, shader);
   result.error = interp.error;
   return result;
}

/* The payload and sign of a NaN are free: they count as one value. */
static bool is_same_memory(const uint8_t *a, const uint8_t *b)
{
   for (uint32_t i = 0; i < MEMORY_BYTES; i += 4) {
      uint32_t x, y;
      memcpy(&x, a + i, 4);
      memcpy(&y, b + i, 4);
      const bool both_nan = (x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000;
      if (x != y && !both_nan)
         return false;
   }
   return true;
}

static const struct {
   const char *name;
   bool (*run)(struct ir_shader *shader);
} passes[] = {
   {"simplify", ir_opt_simplify},
   {"promote_vars", ir_opt_promote_vars},
   {"tables", ir_opt_tables},
   {"whole tables", ir_opt_whole_tables},
   {"simplify", ir_opt_simplify},
   {"dead_code", ir_opt_dead_code},
   {"control_flow", ir_opt_control_flow},
   {"unroll", ir_opt_unroll},
   {"simplify", ir_opt_simplify},
   {"promote_vars", ir_opt_promote_vars},
   {"elements", ir_opt_elements},
   {"promote_vars", ir_opt_promote_vars},
   {"if_to_select", ir_opt_if_to_select},
   {"simplify", ir_opt_simplify},
   {"control_flow", ir_opt_control_flow},
   {"merge_loads", ir_opt_merge_loads},
   {"merge_stores", ir_opt_merge_stores},
   {"hoist", ir_opt_hoist},
   {"dead_code", ir_opt_dead_code},
   {"simplify", ir_opt_simplify},
   {"dead_code", ir_opt_dead_code},
};

static bool check_shader(uint64_t seed)
{
   enum { NUM_INVOCATIONS = 3 };
   struct util_arena arena;
   struct observed expected[NUM_INVOCATIONS];
   bool is_good = true;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_random_shader(&arena, seed);
   const char *error = ir_validate(shader, &arena);
   CHECK(!error);
   for (uint32_t i = 0; i < NUM_INVOCATIONS; i++)
      expected[i] = observe(shader, i * 5);

   /* every pass alone on some seeds, else in a row from a pass that the seed chooses */
   const uint32_t first = (uint32_t)(seed % UTIL_ARRAY_SIZE(passes));
   for (uint32_t p = first; p < UTIL_ARRAY_SIZE(passes) && is_good && !error; p++) {
      const char *before = getenv("IR_FUZZ_SEED") ? ir_print_to_string(shader, &arena) : NULL;
      passes[p].run(shader);
      error = ir_validate(shader, &arena);
      for (uint32_t i = 0; i < NUM_INVOCATIONS && !error && is_good; i++) {
         if (expected[i].error)
            continue; /* too many steps */
         const struct observed got = observe(shader, i * 5);
         is_good = !got.error && is_same_memory(got.memory, expected[i].memory);
      }
      if (error || !is_good) {
         fprintf(stderr, "seed %llu, after %s: %s\n", (unsigned long long)seed, passes[p].name,
                 error ? error : "does something else");
         if (before) {
            fprintf(stderr, "before:\n%safter:\n", before);
            ir_print(shader, stderr);
         }
         is_good = false;
      }
   }
   util_arena_finish(&arena);
   return is_good;
}

TEST(same_results)
{
   const char *seed = getenv("IR_FUZZ_SEED"), *count = getenv("IR_FUZZ_COUNT");
   const uint64_t first = seed ? strtoull(seed, NULL, 10) : 1;
   const uint64_t number = count ? strtoull(count, NULL, 10) : seed ? 1 : 1500;
   for (uint64_t i = 0; i < number; i++)
      CHECK(check_shader(first + i));
}

/* The passes that make shaders smaller find nothing more after a few rounds. */
TEST(rounds_come_to_an_end)
{
   for (uint64_t seed = 1; seed < 300; seed++) {
      struct util_arena arena;
      util_arena_init(&arena, 0);
      struct ir_shader *shader = ir_random_shader(&arena, seed);
      ir_opt_promote_vars(shader);
      bool has_changed = true;
      for (uint32_t round = 0; round < 10 && has_changed; round++) {
         has_changed = ir_opt_simplify(shader);
         has_changed |= ir_opt_control_flow(shader);
         has_changed |= ir_opt_dead_code(shader);
      }
      CHECK(!has_changed);
      util_arena_finish(&arena);
   }
}

/* A printed shader is read back as the same. */
TEST(text_round_trip)
{
   for (uint64_t seed = 1; seed < 60; seed++) {
      struct util_arena arena;
      util_arena_init(&arena, 0);
      struct ir_shader *shader = ir_random_shader(&arena, seed);
      ir_shader_renumber(shader);
      const char *text = ir_print_to_string(shader, &arena), *error;
      struct ir_shader *copy = ir_parse(&arena, text, &error);
      CHECK(copy);
      if (copy)
         CHECK_STR(ir_print_to_string(copy, &arena), text);
      util_arena_finish(&arena);
   }
}

TEST_MAIN
