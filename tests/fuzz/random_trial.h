/* SPDX-License-Identifier: MIT
 * One random shader (random_spirv.h) in the driver, which has to do what the scalar interpreter does with the IR that the front end makes of the compute
 * shader of the same choices: all of the optimizer, the lowering, the code generator and the runtime stand between the two, and what is of a stage: how its
 * invocations become lanes, its inputs, its outputs and how they come to texels. Threads: one at a time. */
#pragma once

#include "tests/fuzz/random_draw.h"
#include "tests/fuzz/random_spirv.h"

enum { RANDOM_TRIAL_STAGES = ABI_STAGE_COMPUTE + 1 };

struct random_trial {
   struct client client;
   struct client_buffer inputs, outputs;
   struct client_set set;
   VkPipelineLayout layout;
   struct random_draw draw;
};

extern const char *const random_trial_stages[]; /* names by enum abi_stage */

void random_trial_init(struct random_trial *trial);
void random_trial_finish(struct random_trial *trial);

/* stages: bits 1 << stage; returns those that differ, with a line each on stdout. */
uint32_t random_trial_run(struct random_trial *trial, const struct random_choices *choices, uint32_t stages, bool wants_text);
