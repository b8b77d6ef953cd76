/* SPDX-License-Identifier: MIT
 * A scalar reference interpreter of the IR: runs one invocation, as a subgroup of one lane. Arithmetic is ir_eval()'s;
 * transcendental functions that were not lowered are libm's in double precision. Images are not there.
 * Threads: one user of a shader at a time (it is renumbered). */
#pragma once

#include "compiler/ir/ir.h"

struct ir_interp_buffer {
   uint8_t *bytes;
   uint32_t size_bytes;
};

enum { IR_INTERP_MAX_BUFFERS = 8 };

struct ir_interpreter {
   /* what the invocation sees */
   struct ir_interp_buffer
      buffers[IR_INTERP_MAX_BUFFERS]; /* by binding (set 0) + array index; addresses lead here too */
   struct ir_interp_buffer shared, push;
   uint32_t sysvals[IR_SYSVAL_COUNT][4];
   uint32_t inputs[ABI_NUM_PATCH_SLOTS]; /* load_input and interp */
   uint64_t max_steps;             /* instructions; 0: a million */
   /* If not NULL, called with each scalar value as it is made. `moment` names the rounds of the loops around: lanes that
    * run in step make the values of one moment together. */
   void (*trace)(void *data, const struct ir_instr *value, uint64_t moment, uint64_t bits);
   void *trace_data;

   /* what it did */
   uint64_t outputs[ABI_NUM_SLOTS]; /* store_output */
   bool is_demoted;
   uint64_t num_steps;
   const char *error; /* NULL, or why it stopped early */
};

/* The address of a buffer's byte `offset`, as buffer_addr gives it. */
static inline uint64_t ir_interp_address(uint32_t buffer, uint64_t offset)
{
   return (uint64_t)(buffer + 1) << 40 | offset;
}

/* A transcendental operation, IR_fmod or IR_frem as the C library computes it; `y`: of those with two operands. */
double ir_interp_libm(enum ir_op op, double x, double y);

/* True if the shader ran to its end. */
bool ir_interp_run(struct ir_interpreter *interp, struct ir_shader *shader);
