/* SPDX-License-Identifier: MIT
 * Which accesses of a shader with workgroups can be in a race at all: of shared memory those that share a phase, the stretch between two barriers of the
 * workgroup, with another one that conflicts, of buffers and of images those that share the dispatch with one. The others need no probe.
 * Memory: the shader's arena. Threads: one user at a time. Uses ir_instr.pass_flags. */
#pragma once

#include "compiler/instrument/instrument.h"

enum { IR_CONFLICTS_MAX_WRITTEN = 4 };
struct ir_conflicts {
   uint8_t *phases;          /* by ir_instr.pass_flags: bits of what is done to shared memory */
   uint8_t buffers, images;  /* the same of these, in the whole shader */
   uint32_t num_buffers, num_images; /* accesses to these */
   bool keeps_atomics;       /* they pass flags */
   bool writes_anywhere;     /* more buffers than `written` holds, or by addresses */
   uint32_t num_written;
   const struct ir_instr *written[IR_CONFLICTS_MAX_WRITTEN]; /* buffer_addr of each buffer that is written */
};

void ir_conflicts_find(struct ir_conflicts *conflicts, const struct ir_instrument *in);

/* The instruction, which does not touch memory that nobody writes, may conflict with what another invocation does. */
bool ir_conflicts_may(const struct ir_conflicts *conflicts, const struct ir_instr *instr);

/* Of a read of a buffer: 1 bit, some of its bytes are those of a buffer that is written. NULL: that is not to be known. */
struct ir_instr *ir_conflicts_overlap(const struct ir_conflicts *conflicts, struct ir_builder *b, const struct ir_memory_access *access);

bool ir_conflicts_is_image(const struct ir_instr *instr);
/* Of these, image_load, image_store and image_atomic: some of the first two are atomic operations too. */
bool ir_conflicts_is_image_atomic(const struct ir_instr *instr);
enum abi_probe_access ir_conflicts_image_access(const struct ir_instr *instr);
