/* SPDX-License-Identifier: MIT
 * Components of texels and the 32-bit words that hold them, in registers: as runtime/format/convert.h has them, bit by bit. */
#pragma once

#include "abi/texel_format.h"
#include "compiler/llvm/cg.h"

/* Of 32-bit vectors and scalars, with constants. */
LLVMValueRef cg_texel_and(struct cg *cg, LLVMValueRef v, uint32_t mask);
LLVMValueRef cg_texel_shift_left(struct cg *cg, LLVMValueRef v, uint32_t bits);
LLVMValueRef cg_texel_shift_right(struct cg *cg, LLVMValueRef v, uint32_t bits);

/* Whether there is code for a format that a shader names; `is_integer`: the instruction's texels are integers. */
bool cg_texel_has_format(const struct cg *cg, enum abi_texel_format format, bool is_integer);
uint32_t cg_texel_format_log2(enum abi_texel_format format); /* of a texel's bytes */
/* What a word of a texel is where it is read for one format: 32 bits of it, or 16 in each of four words. */
uint32_t cg_texel_format_word_bits(const struct cg *cg, enum abi_texel_format format);
/* `words`: as many as the texel has of `word_bits`, 32 or 16, one at least; of smaller texels what is beyond them is not looked at. Words of zeros are
 * components of zeros. */
void cg_texel_decode(struct cg *cg, enum abi_texel_format format, uint32_t word_bits, const LLVMValueRef words[4], LLVMValueRef values[4]);
/* Into as many words as the texel has, one at least; the others are NULL. */
void cg_texel_encode(struct cg *cg, enum abi_texel_format format, const LLVMValueRef values[4], LLVMValueRef words[4]);

/* number * head + number * tail, as rt_unorm_decode() does it. */
LLVMValueRef cg_texel_decode_unorm(struct cg *cg, LLVMValueRef number, LLVMValueRef head, LLVMValueRef tail);
LLVMValueRef cg_texel_unorm_head(struct cg *cg, uint32_t bits);
LLVMValueRef cg_texel_unorm_tail(struct cg *cg, uint32_t bits);
/* As rt_unorm_encode() of up to 16 bits. `max`: the scalar float 2^bits - 1. */
LLVMValueRef cg_texel_encode_unorm(struct cg *cg, LLVMValueRef value, LLVMValueRef max);
/* As rt_half_encode(); in 32 bits. */
LLVMValueRef cg_texel_encode_half(struct cg *cg, LLVMValueRef value);
