/* SPDX-License-Identifier: MIT
 * Runs IR as it comes from the front end, one invocation at a time, for tests that check what shaders compute. */
#pragma once

#include "compiler/ir/ir.h"

struct ir_run {
   /* in and out */
   uint8_t *buffers[8]; /* by binding, set 0; arrays of descriptors use the following ones */
   uint32_t sizes[8];   /* bytes */
   uint8_t push[256];
   uint32_t sysvals[IR_SYSVAL_COUNT][4];
   uint32_t inputs[ABI_NUM_PATCH_SLOTS];
   uint32_t outputs[ABI_NUM_SLOTS];
   bool is_demoted;

   /* inside */
   const struct ir_shader *shader;
   uint64_t (*values)[4]; /* by index */
   uint8_t **vars;        /* by index */
   uint8_t *shared;
   uint64_t steps;
   const char *error;
};

/* Runs the shader, which is renumbered; false with run->error on what it cannot run, or when it does not end. */
bool ir_run_shader(struct ir_run *run, struct ir_shader *shader);

/* Assembles a compute shader with the entry point "main", translates and runs it. NULL, or why not: run->error, or what the front end says. */
const char *ir_run_text(struct ir_run *run, const char *text);
/* False: this SPIRV-Tools is too old for the text. */
bool ir_run_assembles(const char *text);
