/* SPDX-License-Identifier: MIT
 * Which bits of a value are undefined, as code that computes it: for `uninit`. */
#pragma once

#include "compiler/ir/ir.h"

/* True if the result may be undefined where a source is. */
bool ir_carries_undefined(const struct ir_instr *instr);
/* A value of the instruction's components and bits with a bit set wherever that of the result may be undefined. `undefined`: the same of each source,
 * NULL where all is defined. Of an instruction that carries it. NULL: all is defined. */
struct ir_instr *ir_undefined_bits(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined);
/* 1 bit: some bit of some component in the bit set `components` is undefined. */
struct ir_instr *ir_any_undefined(struct ir_builder *b, struct ir_instr *undefined, uint32_t components);
/* The same value for nothing, or for all. */
struct ir_instr *ir_undefined_none(struct ir_builder *b, uint32_t num_components, uint32_t bit_size);
struct ir_instr *ir_undefined_all(struct ir_builder *b, uint32_t num_components, uint32_t bit_size);
