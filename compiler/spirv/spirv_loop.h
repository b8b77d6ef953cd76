/* SPDX-License-Identifier: MIT
 * Counted loops that the front end makes itself: for (index = 0; index < count; index++). What is emitted between begin and end is the body. */
#pragma once

#include "compiler/spirv/spirv_context.h"

struct spirv_loop {
   struct ir_instr *index; /* 32 bits */
   struct ir_instr *instr;
   struct ir_builder behind;
};

struct spirv_loop spirv_loop_begin(struct spirv_ctx *t, struct ir_instr *count);
void spirv_loop_end(struct spirv_ctx *t, const struct spirv_loop *loop);
