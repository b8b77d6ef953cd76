/* SPDX-License-Identifier: MIT
 * Texts that an invocation gives to the runtime: pieces of a format with the values for it, a probe each (abi/probe.h).
 * Memory: the caller's struct. Threads: as the context. */
#pragma once

#include "compiler/spirv/memory/spirv_pointer.h"

struct spirv_print {
   struct spirv_ctx *t;
   enum abi_probe probe;
   struct ir_instr *condition; /* 1 bit: whose text it is */
   bool has_pieces;
   uint32_t length, num_values;
   char text[ABI_MAX_PIECE_TEXT + 1], types[ABI_MAX_PIECE_VALUES + 1];
   struct ir_instr *values[ABI_MAX_PIECE_VALUES];
};

struct spirv_print spirv_print_begin(struct spirv_ctx *t, enum abi_probe probe, struct ir_instr *condition);
/* Text that stays as it is. */
void spirv_print_text(struct spirv_print *print, const char *text, size_t length);
/* The first `count` values (0: all) of a scalar, a vector or an address. `flags`: what stands between % and the letter in C, up to
 * SPIRV_PRINT_FLAGS characters. False: the value is of another type; nothing is printed. */
enum { SPIRV_PRINT_FLAGS = 24 };
bool spirv_print_value(struct spirv_print *print, const char *flags, size_t length, char letter, uint32_t count, struct spirv_val *value);
void spirv_print_end(struct spirv_print *print);
