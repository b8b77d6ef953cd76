/* SPDX-License-Identifier: MIT
 * Random shaders whose choices are bytes: what makes another path of the compiler run is kept and changed further.
 * Bytes: flags (bit 0: untyped pointers, the others the stage), the seed of choices that no byte gives, then choices. */
#include "tests/fuzz/input.h"
#include "tests/fuzz/random_trial.h"

#include <stdlib.h>

static struct random_trial trial;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
   random_trial_init(&trial);
   return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct input in = {data, data + size};
   const uint32_t flags = input_byte(&in);
   struct random_choices choices = {.seed = input_byte(&in), .is_untyped = RANDOM_SPIRV_HAS_UNTYPED && flags & 1};
   choices.bytes = in.at;
   choices.num_bytes = (size_t)(in.end - in.at);
   if (random_trial_run(&trial, &choices, 1u << (flags >> 1) % RANDOM_TRIAL_STAGES, false))
      abort();
   return 0;
}
