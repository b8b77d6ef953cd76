/* SPDX-License-Identifier: MIT
 * A gather costs many processors about as much as the loads of its lanes, so one a component of a vector reads each lane's cache line again and again.
 * Here each lane's words are loaded at once and transposed in registers. A scatter costs as much as the stores of its lanes everywhere: each lane's words
 * are transposed and stored at once. Of components below 32 bits, which are neither gathered nor scattered, two or four are a word. */
#include "compiler/llvm/cg_record.h"
#include "compiler/llvm/cg_runs.h"

/* One is some hundred instructions: a shader has no more than so many, the rest are gathers, so that what it costs to compile stays in bounds. */
enum { MAX_RECORDS = 32 };

/* 0: the components do not fill words. */
static uint32_t num_words(const struct ir_instr *value)
{
   const uint32_t bits = value->num_components * value->bit_size;
   return bits % 32 || value->bit_size > 32 ? 0 : bits / 32;
}

bool cg_can_be_record(const struct cg *cg, const struct ir_instr *value, const struct cg_mem *mem, uint32_t access)
{
   const bool is_open = mem->base && mem->size && mem->offset && !mem->raw && !mem->is_hoisted;
   return cg->num_records < MAX_RECORDS && value->num_components >= 2 && num_words(value) && is_open &&
          !(access & (IR_ACCESS_ATOMIC | IR_ACCESS_VOLATILE));
}

bool cg_is_record(const struct cg *cg, const struct ir_instr *instr, const struct cg_mem *mem, uint32_t access)
{
   return (instr->bit_size < 32 || !cg_has_gathers(cg)) && cg_can_be_record(cg, instr, mem, access);
}

uint32_t cg_record_bytes(const struct ir_instr *instr)
{
   const uint32_t words = num_words(instr);
   return 4 * (words == 3 ? 4 : words);
}

LLVMValueRef cg_record_base(struct cg *cg, const struct cg_mem *mem, uint32_t bytes)
{
   LLVMValueRef is_long = LLVMBuildICmp(cg->b, LLVMIntUGE, mem->size, cg_i32(cg, bytes), "");
   return cg_select(cg, is_long, mem->base, cg->zeros);
}

/* Of four lanes side by side the words of each: vectors of 4 * blocks words, whose block b is lane 4 b + k. */
static LLVMValueRef join_blocks(struct cg *cg, LLVMValueRef *blocks, uint32_t count)
{
   LLVMValueRef indices[CG_RECORD_COMPONENTS * ABI_MAX_LANES / 4];
   for (uint32_t width = CG_RECORD_COMPONENTS; count > 1; count /= 2, width *= 2) {
      for (uint32_t i = 0; i < 2 * width; i++)
         indices[i] = cg_i32(cg, i);
      for (uint32_t i = 0; i < count / 2; i++)
         blocks[i] = LLVMBuildShuffleVector(cg->b, blocks[2 * i], blocks[2 * i + 1], LLVMConstVector(indices, 2 * width), "");
   }
   return blocks[0];
}

/* In each block of four words: the lower or the higher two of a and of b, in turns by one word or by two. */
static LLVMValueRef interleave(struct cg *cg, LLVMValueRef a, LLVMValueRef b, bool is_high, bool is_pair)
{
   static const uint32_t picks[2][2][4] = {{{0, 4, 1, 5}, {2, 6, 3, 7}}, {{0, 1, 4, 5}, {2, 3, 6, 7}}}; /* 4 to 7: of b */
   LLVMValueRef indices[ABI_MAX_LANES];
   const uint32_t count = LLVMGetVectorSize(LLVMTypeOf(a));
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t pick = picks[is_pair][is_high][i % 4];
      indices[i] = cg_i32(cg, (pick < 4 ? 0 : count) + i / 4 * 4 + pick % 4);
   }
   return LLVMBuildShuffleVector(cg->b, a, b, LLVMConstVector(indices, count), "");
}

/* Four rows of blocks of four words: block b of out[c] has word c of the blocks b. */
static void transpose_blocks(struct cg *cg, const LLVMValueRef rows[CG_RECORD_COMPONENTS], LLVMValueRef out[CG_RECORD_COMPONENTS])
{
   LLVMValueRef low[2] = {interleave(cg, rows[0], rows[1], false, false), interleave(cg, rows[2], rows[3], false, false)};
   LLVMValueRef high[2] = {interleave(cg, rows[0], rows[1], true, false), interleave(cg, rows[2], rows[3], true, false)};
   for (uint32_t c = 0; c < CG_RECORD_COMPONENTS; c++) {
      LLVMValueRef *of = c < 2 ? low : high;
      out[c] = interleave(cg, of[0], of[1], c & 1, true);
   }
}

static void load_fours(struct cg *cg, LLVMValueRef base, const LLVMValueRef *offsets, uint32_t align, LLVMValueRef *results)
{
   LLVMTypeRef type = LLVMVectorType(cg->i32, CG_RECORD_COMPONENTS);
   LLVMValueRef rows[CG_RECORD_COMPONENTS], blocks[ABI_MAX_LANES / CG_RECORD_COMPONENTS];
   const uint32_t count = cg->lanes / CG_RECORD_COMPONENTS;
   for (uint32_t k = 0; k < CG_RECORD_COMPONENTS; k++) {
      uint32_t i = 0;
      do
         blocks[i] = cg_load(cg, type, cg_gep(cg, base, offsets[i * CG_RECORD_COMPONENTS + k]), align);
      while (++i < count); /* one at least: of 4 lanes */
      rows[k] = join_blocks(cg, blocks, count);
   }
   transpose_blocks(cg, rows, results);
}

/* Of four lanes side by side the first two are in one vector, the others in the second. */
static void load_twos(struct cg *cg, LLVMValueRef base, const LLVMValueRef *offsets, uint32_t align, LLVMValueRef *results)
{
   LLVMTypeRef type = LLVMVectorType(cg->i64, cg->lanes / 2), words = cg_vec_type(cg, cg->i32);
   LLVMValueRef halves[2] = {LLVMGetPoison(type), LLVMGetPoison(type)}, indices[ABI_MAX_LANES];
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef *half = &halves[lane / 2 % 2], word = cg_load(cg, cg->i64, cg_gep(cg, base, offsets[lane]), align);
      *half = LLVMBuildInsertElement(cg->b, *half, word, cg_i32(cg, lane / 4 * 2 + lane % 2), "");
   }
   for (uint32_t i = 0; i < 2; i++)
      halves[i] = LLVMBuildBitCast(cg->b, halves[i], words, "");
   for (uint32_t c = 0; c < 2; c++) {
      for (uint32_t i = 0; i < cg->lanes; i++)
         indices[i] = cg_i32(cg, (i / 2 % 2 ? cg->lanes : 0) + i / 4 * 4 + i % 2 * 2 + c);
      results[c] = LLVMBuildShuffleVector(cg->b, halves[0], halves[1], LLVMConstVector(indices, cg->lanes), "");
   }
}

void cg_record_words(struct cg *cg, LLVMValueRef base, LLVMValueRef offsets, uint32_t bytes, uint32_t align, LLVMValueRef results[CG_RECORD_COMPONENTS])
{
   LLVMValueRef numbers[ABI_MAX_LANES];
   if (bytes == 4) {
      results[0] = cg_load_apart(cg, cg->i32, cg->i8, base, offsets, align);
      return;
   }
   cg_lane_numbers(cg, offsets, numbers);
   if (bytes == 8)
      load_twos(cg, base, numbers, align, results);
   else
      load_fours(cg, base, numbers, align, results);
}

void cg_load_records(struct cg *cg, const struct ir_instr *instr, const struct cg_mem *mem, LLVMValueRef mask, LLVMValueRef *results)
{
   const uint32_t bytes = cg_record_bytes(instr), bits = instr->bit_size;
   LLVMTypeRef type = cg_vec_type(cg, cg_int_type(cg, bits));
   LLVMValueRef offsets = cg_as_int(cg, cg_vector(cg, mem->offset, 0)), base = mem->base, words[CG_RECORD_COMPONENTS];
   cg->num_records++;
   if (mask) {
      offsets = cg_select(cg, mask, offsets, LLVMConstNull(LLVMTypeOf(offsets)));
      base = cg_record_base(cg, mem, bytes);
   }
   cg_record_words(cg, base, offsets, bytes, mem->align, words);
   for (uint32_t w = 0; mask && w < bytes / 4; w++)
      words[w] = cg_select(cg, mask, words[w], LLVMConstNull(LLVMTypeOf(words[w])));
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef word = words[c * bits / 32];
      results[c] = bits == 32 ? word : LLVMBuildTrunc(cg->b, LLVMBuildLShr(cg->b, word, cg_const_like(LLVMTypeOf(word), c * bits % 32), ""), type, "");
   }
}

/* The words that the components are. */
static void words_of(struct cg *cg, struct ir_instr *value, LLVMValueRef words[CG_RECORD_COMPONENTS])
{
   const uint32_t bits = value->bit_size;
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   for (uint32_t w = num_words(value); w < CG_RECORD_COMPONENTS; w++)
      words[w] = LLVMGetPoison(type);
   for (uint32_t c = 0; c < value->num_components; c++) {
      const uint32_t shift = c * bits % 32;
      LLVMValueRef component = LLVMBuildZExt(cg->b, cg_as_int(cg, cg_vector(cg, value, c)), type, ""), *word = &words[c * bits / 32];
      *word = shift ? LLVMBuildOr(cg->b, *word, LLVMBuildShl(cg->b, component, cg_const_like(type, shift), ""), "") : component;
   }
}

/* Where a lane's words go; of lanes at one distance, all of which are in bounds, all are counted from the first. */
static LLVMValueRef stored_at(struct cg *cg, const struct cg_mem *mem, uint32_t lane)
{
   int64_t stride;
   LLVMValueRef offset = LLVMBuildZExt(cg->b, cg_first_offset(cg, mem, 1, lane), cg->i64, "");
   const int64_t step = cg_is_strided(cg, mem->offset, 0, &stride) ? stride : 0;
   return cg_gep_const(cg, cg_gep(cg, mem->base, offset), (uint64_t)(step * lane));
}

void cg_store_records(struct cg *cg, const struct cg_mem *mem, struct ir_instr *value)
{
   const uint32_t count = num_words(value);
   LLVMValueRef rows[CG_RECORD_COMPONENTS], words[CG_RECORD_COMPONENTS];
   words_of(cg, value, words);
   if (count == 1) {
      for (uint32_t lane = 0; lane < cg->lanes; lane++)
         cg_store(cg, LLVMBuildExtractElement(cg->b, words[0], cg_i32(cg, lane), ""), stored_at(cg, mem, lane), mem->align);
      return;
   }
   transpose_blocks(cg, words, rows);
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef record = cg_part_of(cg, rows[lane % CG_RECORD_COMPONENTS], CG_RECORD_COMPONENTS, lane / CG_RECORD_COMPONENTS);
      LLVMValueRef at = stored_at(cg, mem, lane);
      cg_store(cg, count == CG_RECORD_COMPONENTS ? record : cg_part_of(cg, record, 2, 0), at, mem->align);
      if (count == 3)
         cg_store(cg, LLVMBuildExtractElement(cg->b, record, cg_i32(cg, 2), ""), cg_gep_const(cg, at, 8), mem->align);
   }
}
