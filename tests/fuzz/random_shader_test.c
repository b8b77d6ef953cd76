/* SPDX-License-Identifier: MIT
 * Random shaders by seeds, in one stage or in all of graphics.
 * Usage: random_shader_test [--stage NAME] [--seed N | --first N --count N | --seconds N]
 *    --stage: one of ABI_STAGES up to compute, which is the default, or graphics, all others.   --seed prints the shader. */
#include "tests/fuzz/random_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random_trial trial;

/* Bits 1 << stage; 0: there is no such stage here. */
static uint32_t stages_of(const char *name)
{
   if (!strcmp(name, "graphics"))
      return (1u << RANDOM_TRIAL_STAGES) - 1 - (1u << ABI_STAGE_COMPUTE);
   for (uint32_t i = 0; i < RANDOM_TRIAL_STAGES; i++) {
      if (!strcmp(name, random_trial_stages[i]))
         return 1u << i;
   }
   return 0;
}

int main(int argc, char **argv)
{
   uint64_t first = 1, count = 150;
   double seconds = 0;
   bool wants_text = false;
   uint32_t stages = 1u << ABI_STAGE_COMPUTE;
   for (int i = 1; i + 1 < argc; i += 2) {
      const uint64_t number = strtoull(argv[i + 1], NULL, 10);
      if (!strcmp(argv[i], "--seed")) {
         first = number;
         count = 1;
         wants_text = true;
      } else if (!strcmp(argv[i], "--stage") && stages_of(argv[i + 1])) {
         stages = stages_of(argv[i + 1]);
      } else if (!strcmp(argv[i], "--first")) {
         first = number;
      } else if (!strcmp(argv[i], "--count")) {
         count = number;
      } else if (!strcmp(argv[i], "--seconds")) {
         seconds = (double)number;
      } else {
         client_die("usage: random_shader_test [--stage NAME] [--seed N | --first N --count N | --seconds N]");
      }
   }
   uint64_t passed = 0, failed = 0;
   random_trial_init(&trial);
   const double end = client_now_s() + seconds;
   for (uint64_t i = 0; seconds > 0 ? client_now_s() < end : i < count; i++) {
      const struct random_choices choices = {.seed = first + i, .is_untyped = RANDOM_SPIRV_HAS_UNTYPED && (first + i) % 3 == 2};
      const uint32_t differ = random_trial_run(&trial, &choices, stages, wants_text);
      passed += (uint32_t)__builtin_popcount(stages & ~differ);
      failed += (uint32_t)__builtin_popcount(differ);
   }
   random_trial_finish(&trial);
   printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
   return failed != 0;
}
