/* SPDX-License-Identifier: MIT
 * Random structured shaders for tests. They end: every loop counts to at most 5. */
#pragma once

#include "compiler/ir/ir.h"

enum { IR_RANDOM_SHARED_BYTES = 128 }; /* of shared memory that they store to; loads also reach just beyond */

/* A valid compute shader, the same for the same seed. It reads sysvals local_index and subgroup_id. */
struct ir_shader *ir_random_shader(struct util_arena *arena, uint64_t seed);
