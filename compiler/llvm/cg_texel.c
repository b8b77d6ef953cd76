/* SPDX-License-Identifier: MIT
 * Fetches, loads and stores at integer coordinates in registers, without a call: where the texels are (the formulas of
 * abi/image.h), one gather or one contiguous access, and arithmetic. Where the shader names the format there is code for that one; else
 * what a view is turns up when the code runs: a word of it (enum abi_direct) chooses. All other views go by the runtime.
 * Spec: Image Operations, "Integer Texel Coordinate Operations", "Texel Output Coordinate Validation". */
#include "compiler/llvm/cg_texel.h"
#include "compiler/llvm/cg_call.h"
#include "compiler/llvm/cg_memory.h"
#include "compiler/llvm/cg_record.h"
#include "compiler/llvm/cg_runs.h"
#include "compiler/llvm/cg_texel_format.h"

bool cg_texel_is_direct(uint32_t dim, uint32_t flags)
{
   const uint32_t known = ABI_TEX_ARRAYED | ABI_TEX_MS | ABI_TEX_LOD | ABI_TEX_SAMPLE | ABI_TEX_SIGNED | ABI_TEX_INTEGER | ABI_TEX_OFFSET;
   return dim != ABI_DIM_CUBE && dim <= ABI_DIM_BUFFER && !(flags & ~known);
}

/* ---- vectors and scalars ---- */

/* What is the same for all lanes is a scalar here, and joins vectors as late as it can. */
static LLVMValueRef as_vector(struct cg *cg, LLVMValueRef v)
{
   return cg_is_vector(v) ? v : cg_splat(cg, v);
}

/* As `like` is. */
static LLVMValueRef as(struct cg *cg, LLVMValueRef like, LLVMValueRef scalar)
{
   return cg_is_vector(like) ? cg_splat(cg, scalar) : scalar;
}

LLVMValueRef cg_texel_add(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   if (!a || !b)
      return a ? a : b;
   if (cg_is_vector(a) != cg_is_vector(b)) {
      a = as_vector(cg, a);
      b = as_vector(cg, b);
   }
   return LLVMBuildAdd(cg->b, a, b, "");
}

static LLVMValueRef byte_field(struct cg *cg, LLVMValueRef base, size_t offset)
{
   return LLVMBuildZExt(cg->b, cg_load(cg, cg->i8, cg_gep_const(cg, base, offset), 1), cg->i32, "");
}

static LLVMValueRef word_field(struct cg *cg, LLVMValueRef base, size_t offset)
{
   return cg_load_at(cg, cg->i32, base, offset);
}

/* ---- where texels are ---- */

struct spot {
   LLVMValueRef key;    /* the view's `direct` */
   LLVMValueRef base;   /* ptr: of the level */
   LLVMValueRef index;  /* in texels */
   LLVMValueRef slice;  /* what layers and slices add, in 32-bit words; NULL: nothing */
   LLVMValueRef fits;   /* i1: what is the same for all lanes is in the image; NULL: yes */
   LLVMValueRef inside; /* lanes of the mask that are in the image */
   LLVMValueRef is_run; /* i1: all are, and their texels follow each other in memory */
   bool has_blocks;     /* if it is tiled */
   LLVMValueRef words;  /* of loads, once it is known that texels have 32 bits */
};

/* Lanes below the limit: of vectors more of the mask, of scalars more of what must hold for all. */
static void bound(struct cg *cg, struct spot *spot, LLVMValueRef v, LLVMValueRef limit)
{
   if (!v)
      return;
   LLVMValueRef is_below = LLVMBuildICmp(cg->b, LLVMIntULT, v, as(cg, v, limit), "");
   if (cg_is_vector(v))
      spot->inside = cg_mask_and(cg, spot->inside, is_below);
   else
      spot->fits = spot->fits ? LLVMBuildAnd(cg->b, spot->fits, is_below, "") : is_below;
}

/* The level; where there is no such level, the first one, and no lane is inside. */
static LLVMValueRef find_level(struct cg *cg, const struct cg_texel *texel, struct spot *spot)
{
   LLVMValueRef level = cg_gep_const(cg, texel->image, offsetof(struct abi_image, levels));
   if (!texel->level)
      return level;
   bound(cg, spot, texel->level, word_field(cg, texel->image, offsetof(struct abi_image, num_levels)));
   LLVMValueRef number = LLVMBuildZExt(cg->b, cg_select(cg, spot->fits, texel->level, cg_i32(cg, 0)), cg->i64, "");
   return cg_gep(cg, level, LLVMBuildMul(cg->b, number, cg_i64(cg, sizeof(struct abi_level)), ""));
}

/* Within a tiled level of a single slice, as if there were one sample. */
static LLVMValueRef tiled_index(struct cg *cg, const struct cg_texel *texel, LLVMValueRef level)
{
   LLVMBuilderRef b = cg->b;
   LLVMValueRef x = texel->at[0], y = texel->at[1];
   LLVMValueRef log2_x = byte_field(cg, level, offsetof(struct abi_level, tile_log2_x));
   LLVMValueRef log2_y = byte_field(cg, level, offsetof(struct abi_level, tile_log2_y));
   /* Bit 1 moves to bit 2; levels of several tiles have tiles of 64 texels. */
   LLVMValueRef in_block = LLVMBuildAdd(b, cg_texel_and(cg, x, 3), cg_texel_and(cg, x, 2), "");
   LLVMValueRef index = LLVMBuildOr(b, in_block, cg_texel_shift_left(cg, cg_texel_and(cg, x, 0x3c), 2), "");
   index = LLVMBuildAdd(b, index, LLVMBuildShl(b, cg_texel_and(cg, x, ~63u), as(cg, x, log2_y), ""), "");
   if (!y)
      return index;
   LLVMValueRef row = word_field(cg, level, offsetof(struct abi_level, tile_row_bytes));
   row = LLVMBuildLShr(b, row, byte_field(cg, texel->image, offsetof(struct abi_image, direct_log2)), "");
   LLVMValueRef rows = cg_texel_shift_left(cg, LLVMBuildAdd(b, cg_texel_and(cg, y, 3), cg_texel_and(cg, y, 2), ""), 1);
   rows = LLVMBuildAdd(b, rows, LLVMBuildShl(b, cg_texel_and(cg, y, 0x3c), as(cg, y, log2_x), ""), "");
   rows = LLVMBuildAdd(b, rows, LLVMBuildMul(b, cg_texel_shift_right(cg, y, 6), as(cg, y, row), ""), "");
   return cg_texel_add(cg, index, rows);
}

static LLVMValueRef linear_index(struct cg *cg, const struct cg_texel *texel, LLVMValueRef level)
{
   LLVMValueRef row = word_field(cg, level, offsetof(struct abi_level, row_pitch_bytes)), y = texel->at[1];
   row = LLVMBuildLShr(cg->b, row, byte_field(cg, texel->image, offsetof(struct abi_image, direct_log2)), "");
   return cg_texel_add(cg, texel->at[0], LLVMBuildMul(cg->b, y, as(cg, y, row), ""));
}

static LLVMValueRef find_index(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef level)
{
   if (texel->dim == ABI_DIM_BUFFER)
      return as_vector(cg, texel->at[0]);
   LLVMBasicBlockRef blocks[2] = {cg_new_block(cg, "tiled"), cg_new_block(cg, "linear")}, end = cg_new_block(cg, "found");
   LLVMValueRef is_tiled = cg_texel_and(cg, spot->key, ABI_DIRECT_TILED), values[2];
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntNE, is_tiled, cg_i32(cg, 0), ""), blocks[0], blocks[1]);
   cg_enter(cg, blocks[0]);
   values[0] = as_vector(cg, tiled_index(cg, texel, level));
   cg_branch(cg, end);
   cg_enter(cg, blocks[1]);
   values[1] = as_vector(cg, texel->at[1] ? linear_index(cg, texel, level) : texel->at[0]);
   cg_branch(cg, end);
   cg_enter(cg, end);
   LLVMValueRef index = LLVMBuildPhi(cg->b, LLVMTypeOf(values[0]), "index");
   LLVMAddIncoming(index, values, blocks, 2);
   if (!(texel->flags & ABI_TEX_MS))
      return index;
   /* A block of 16 texels has all those of its first sample first. */
   LLVMValueRef log2 = byte_field(cg, texel->image, offsetof(struct abi_image, samples_log2));
   LLVMValueRef block = LLVMBuildShl(cg->b, cg_texel_and(cg, index, ~15u), cg_splat(cg, log2), "");
   index = LLVMBuildOr(cg->b, block, cg_texel_and(cg, index, 15), "");
   return texel->sample ? cg_texel_add(cg, index, cg_texel_shift_left(cg, texel->sample, 4)) : index;
}

/* `number` slices of as many bytes as the 64-bit field says, in words. */
static LLVMValueRef slice_words(struct cg *cg, LLVMValueRef number, LLVMValueRef base, size_t field)
{
   LLVMValueRef bytes = cg_load_at(cg, cg->i64, base, field);
   LLVMValueRef words = LLVMBuildTrunc(cg->b, LLVMBuildLShr(cg->b, bytes, cg_i64(cg, 2), ""), cg->i32, "");
   return LLVMBuildMul(cg->b, number, as(cg, number, words), "");
}

static void find_spot(struct cg *cg, const struct cg_texel *texel, LLVMValueRef data, struct spot *spot)
{
   spot->inside = spot->fits = spot->slice = NULL;
   spot->has_blocks = texel->dim != ABI_DIM_BUFFER;
   LLVMValueRef level = find_level(cg, texel, spot);
   spot->base = cg_gep(cg, data, cg_load_at(cg, cg->i64, level, offsetof(struct abi_level, offset_bytes)));
   if (texel->layer)
      spot->slice = slice_words(cg, texel->layer, texel->image, offsetof(struct abi_image, layer_bytes));
   if (texel->at[2])
      spot->slice = cg_texel_add(cg, spot->slice, slice_words(cg, texel->at[2], level, offsetof(struct abi_level, slice_bytes)));
   spot->index = find_index(cg, texel, spot, level);
   /* After that, or the mask would cross blocks before it is a number. */
   spot->inside = cg_mask_here(cg, texel->mask);
   bound(cg, spot, texel->layer, word_field(cg, texel->image, offsetof(struct abi_image, num_layers)));
   bound(cg, spot, texel->sample, word_field(cg, texel->image, offsetof(struct abi_image, num_samples)));
   bound(cg, spot, texel->at[2], word_field(cg, level, offsetof(struct abi_level, depth)));
   bound(cg, spot, texel->at[1], word_field(cg, level, offsetof(struct abi_level, height)));
   LLVMValueRef width = word_field(cg, level, offsetof(struct abi_level, width));
   bound(cg, spot, as_vector(cg, texel->at[0]), spot->fits ? cg_select(cg, spot->fits, width, cg_i32(cg, 0)) : width);
   LLVMValueRef first = LLVMBuildExtractElement(cg->b, spot->index, cg_i32(cg, 0), "");
   LLVMValueRef run = LLVMBuildAdd(cg->b, cg_splat(cg, first), cg_iota(cg, 32, 1), "");
   LLVMValueRef follows = cg_mask_and(cg, spot->inside, LLVMBuildICmp(cg->b, LLVMIntEQ, spot->index, run, ""));
   spot->is_run = cg_mask_all(cg, follows);
   if (spot->slice) /* layers of their own: not looked into */
      spot->is_run = LLVMConstNull(cg->i1);
}

/* ---- words in memory ---- */

/* Elements of 32 or 64 bits at spot->base + index of units, which are elements or bytes; lanes that are outside get zeros. */
static LLVMValueRef gather_from(struct cg *cg, const struct spot *spot, LLVMTypeRef element, LLVMTypeRef unit, LLVMValueRef base, LLVMValueRef index)
{
   LLVMTypeRef type = cg_vec_type(cg, element);
   LLVMValueRef inside = cg_mask_here(cg, spot->inside);
   const uint32_t align = unit == element ? 4 : 1;
   if (!cg_has_gathers(cg) && unit == element && element == cg->i32 && cg_v4_has_registers(cg) && (spot->has_blocks || !cg->fragment))
      return cg_v4_gather_words(cg, spot->has_blocks, base, index, inside);
   if (cg_can_gather(cg))
      return cg_gather(cg, element, LLVMBuildGEP2(cg->b, unit, base, &index, 1, ""), inside, align);
   /* Without gathers: of lanes outside the first texel, which there is. */
   index = cg_select(cg, inside, index, LLVMConstNull(LLVMTypeOf(index)));
   return cg_select(cg, inside, cg_load_apart(cg, element, unit, base, index, align), LLVMConstNull(type));
}

static LLVMValueRef gather(struct cg *cg, const struct spot *spot, LLVMTypeRef element, LLVMValueRef base, LLVMValueRef index)
{
   return gather_from(cg, spot, element, element, base, index);
}

/* Where slices count, all is counted in words: a texel of 64 bits is two of those. */
static LLVMValueRef load_words(struct cg *cg, const struct spot *spot, uint32_t bits)
{
   LLVMTypeRef element = cg_int_type(cg, bits), type = cg_vec_type(cg, element);
   if (spot->slice) {
      LLVMValueRef slice = bits == 64 ? cg_texel_shift_right(cg, spot->slice, 1) : spot->slice;
      return gather(cg, spot, element, spot->base, cg_texel_add(cg, spot->index, slice));
   }
   LLVMBasicBlockRef blocks[2] = {cg_new_block(cg, "run"), cg_new_block(cg, "gather")}, end = cg_new_block(cg, "words");
   LLVMValueRef values[2];
   cg_branch_if(cg, spot->is_run, blocks[0], blocks[1]);
   cg_enter(cg, blocks[0]);
   LLVMValueRef first = LLVMBuildExtractElement(cg->b, spot->index, cg_i32(cg, 0), "");
   values[0] = cg_load(cg, type, LLVMBuildGEP2(cg->b, element, spot->base, &first, 1, ""), 4);
   cg_branch(cg, end);
   cg_enter(cg, blocks[1]);
   values[1] = gather(cg, spot, element, spot->base, spot->index);
   blocks[1] = LLVMGetInsertBlock(cg->b);
   cg_branch(cg, end);
   cg_enter(cg, end);
   LLVMValueRef words = LLVMBuildPhi(cg->b, type, "words");
   LLVMAddIncoming(words, values, blocks, 2);
   return words;
}

/* Where slices count, all is counted in words. */
static LLVMValueRef byte_index(struct cg *cg, const struct spot *spot, uint32_t log2)
{
   LLVMValueRef bytes = cg_texel_shift_left(cg, spot->index, log2);
   return spot->slice ? cg_texel_add(cg, bytes, cg_texel_shift_left(cg, spot->slice, 2)) : bytes;
}

/* `count` words, 2 or 4, of each lane's texel, without gathers: of lanes that are outside those of the first texel, which there is, and then zeros. */
static void load_records(struct cg *cg, const struct spot *spot, uint32_t count, LLVMValueRef words[4])
{
   LLVMValueRef inside = cg_mask_here(cg, spot->inside), zeros = LLVMConstNull(cg_vec_type(cg, cg->i32));
   cg_record_words(cg, spot->base, cg_select(cg, inside, byte_index(cg, spot, count == 2 ? 3 : 4), zeros), 4 * count, 4, words);
   for (uint32_t w = 0; w < count; w++)
      words[w] = cg_select(cg, inside, words[w], zeros);
}

/* The two words of texels of 64 bits. */
static void load_pairs(struct cg *cg, const struct spot *spot, LLVMValueRef words[2])
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   if (cg_can_gather(cg)) {
      LLVMValueRef texels = load_words(cg, spot, 64);
      for (uint32_t w = 0; w < 2; w++)
         words[w] = LLVMBuildTrunc(cg->b, cg_texel_shift_right(cg, texels, 32 * w), type, "");
      return;
   }
   LLVMBasicBlockRef blocks[2] = {cg_new_block(cg, "run"), cg_new_block(cg, "records")}, end = cg_new_block(cg, "pairs");
   LLVMValueRef values[2][4]; /* [block][word] */
   cg_branch_if(cg, spot->is_run, blocks[0], blocks[1]);
   cg_enter(cg, blocks[0]);
   LLVMValueRef first = LLVMBuildExtractElement(cg->b, spot->index, cg_i32(cg, 0), "");
   LLVMValueRef run = cg_load(cg, LLVMVectorType(cg->i32, 2 * cg->lanes), LLVMBuildGEP2(cg->b, cg->i64, spot->base, &first, 1, ""), 4);
   for (uint32_t w = 0; w < 2; w++)
      values[0][w] = cg_pick_component(cg, run, w, 2);
   cg_branch(cg, end);
   cg_enter(cg, blocks[1]);
   load_records(cg, spot, 2, values[1]);
   blocks[1] = LLVMGetInsertBlock(cg->b);
   cg_branch(cg, end);
   cg_enter(cg, end);
   for (uint32_t w = 0; w < 2; w++) {
      words[w] = LLVMBuildPhi(cg->b, type, "words");
      for (uint32_t i = 0; i < 2; i++)
         LLVMAddIncoming(words[w], &values[i][w], &blocks[i], 1);
   }
}

static void store_lane(struct cg *cg, const struct spot *spot, LLVMTypeRef element, LLVMValueRef index, LLVMValueRef word)
{
   LLVMValueRef i = LLVMBuildZExt(cg->b, index, cg->i64, "");
   cg_store(cg, word, LLVMBuildGEP2(cg->b, element, spot->base, &i, 1, ""), 4);
}

/* Without scatters: where all lanes are inside, as mostly, a store a lane, else a loop over those that are. */
static void store_lanes(struct cg *cg, const struct spot *spot, LLVMTypeRef element, LLVMValueRef index, LLVMValueRef words)
{
   LLVMBasicBlockRef all = cg_new_block(cg, "store_all"), some = cg_new_block(cg, "store_some"), end = cg_new_block(cg, "store_end");
   LLVMValueRef inside = cg_mask_here(cg, spot->inside);
   cg_branch_if(cg, cg_mask_all(cg, inside), all, some);
   cg_enter(cg, all);
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      store_lane(cg, spot, element, LLVMBuildExtractElement(cg->b, index, cg_i32(cg, lane), ""),
                 LLVMBuildExtractElement(cg->b, words, cg_i32(cg, lane), ""));
   cg_branch(cg, end);
   cg_enter(cg, some);
   LLVMValueRef indices = cg_spill(cg, 0, index), values = cg_spill(cg, 1, words);
   const uint32_t bits = cg_bits(words);
   struct cg_lane_loop loop;
   cg_lane_loop_begin(cg, cg_mask_here(cg, spot->inside), &loop);
   store_lane(cg, spot, element, cg_load(cg, cg->i32, cg_lane_ptr(cg, indices, 32, loop.lane), 4),
              cg_load(cg, element, cg_lane_ptr(cg, values, bits, loop.lane), bits / 8));
   cg_lane_loop_end(cg, &loop);
   cg_branch(cg, end);
   cg_enter(cg, end);
}

static void scatter_words(struct cg *cg, const struct spot *spot, LLVMValueRef index, LLVMValueRef words)
{
   LLVMTypeRef element = cg_int_type(cg, cg_bits(words));
   if (cg->target.level >= UTIL_CPU_V4)
      cg_scatter(cg, words, LLVMBuildGEP2(cg->b, element, spot->base, &index, 1, ""), cg_mask_here(cg, spot->inside), 4);
   else
      store_lanes(cg, spot, element, index, words);
}

static void store_words(struct cg *cg, const struct spot *spot, LLVMValueRef words)
{
   LLVMTypeRef element = cg_int_type(cg, cg_bits(words));
   LLVMValueRef index = spot->index;
   LLVMBasicBlockRef blocks[2] = {cg_new_block(cg, "run"), cg_new_block(cg, "scatter")}, end = cg_new_block(cg, "stored");
   if (spot->slice)
      index = cg_texel_add(cg, index, cg_bits(words) == 64 ? cg_texel_shift_right(cg, spot->slice, 1) : spot->slice);
   cg_branch_if(cg, spot->is_run, blocks[0], blocks[1]);
   cg_enter(cg, blocks[0]);
   LLVMValueRef first = LLVMBuildExtractElement(cg->b, index, cg_i32(cg, 0), "");
   cg_store(cg, words, LLVMBuildGEP2(cg->b, element, spot->base, &first, 1, ""), 4);
   cg_branch(cg, end);
   cg_enter(cg, blocks[1]);
   scatter_words(cg, spot, index, words);
   cg_branch(cg, end);
   cg_enter(cg, end);
}

static void load_fours(struct cg *cg, const struct spot *spot, LLVMValueRef words[4])
{
   if (!cg_has_gathers(cg)) {
      load_records(cg, spot, 4, words);
      return;
   }
   LLVMValueRef first = cg_texel_shift_right(cg, byte_index(cg, spot, 4), 2);
   for (uint32_t w = 0; w < 4; w++)
      words[w] = gather(cg, spot, cg->i32, spot->base, LLVMBuildAdd(cg->b, first, cg_const_like(LLVMTypeOf(first), w), ""));
}

static void load_texels(struct cg *cg, const struct spot *spot, uint32_t log2, uint32_t word_bits, LLVMValueRef words[4])
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   if (log2 < 2) {
      words[0] = gather_from(cg, spot, cg->i32, cg->i8, spot->base, byte_index(cg, spot, log2));
   } else if (log2 == 2) {
      words[0] = load_words(cg, spot, 32);
   } else if (log2 == 3 && word_bits == 16) {
      LLVMValueRef texels = load_words(cg, spot, 64);
      for (uint32_t c = 0; c < 4; c++)
         words[c] = LLVMBuildZExt(cg->b, cg_v4_quarter(cg, texels, c), type, "");
   } else if (log2 == 3) {
      load_pairs(cg, spot, words);
   } else {
      load_fours(cg, spot, words);
   }
}

/* ---- classes of views ---- */

static LLVMValueRef decode_byte(struct cg *cg, LLVMValueRef words, LLVMValueRef shift)
{
   LLVMValueRef byte = cg_texel_and(cg, LLVMBuildLShr(cg->b, words, cg_splat(cg, shift), ""), 255);
   return cg_texel_decode_unorm(cg, byte, cg_texel_unorm_head(cg, 8), cg_texel_unorm_tail(cg, 8));
}

static LLVMValueRef encode_byte(struct cg *cg, LLVMValueRef value)
{
   return cg_texel_encode_unorm(cg, value, LLVMConstReal(cg->f32, 255));
}

static void load_bytes(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   for (uint32_t c = 0; c < 4; c++) {
      LLVMValueRef shift = byte_field(cg, texel->image, offsetof(struct abi_image, direct_shift) + c);
      if (texel->flags & ABI_TEX_INTEGER)
         values[c] = cg_texel_and(cg, LLVMBuildLShr(cg->b, spot->words, cg_splat(cg, shift), ""), 255);
      else
         values[c] = cg_as_int(cg, cg_v4_has_registers(cg) ? cg_v4_decode_bytes(cg, spot->words, shift) : decode_byte(cg, spot->words, shift));
   }
}

/* A fourth component that there is not. */
static LLVMValueRef one_of(struct cg *cg, const struct cg_texel *texel)
{
   return cg_const_like(cg_vec_type(cg, cg->i32), texel->flags & ABI_TEX_INTEGER ? 1 : 0x3f800000);
}

static void load_word(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   values[0] = spot->words;
   values[1] = values[2] = LLVMConstNull(type);
   values[3] = one_of(cg, texel);
}

/* What a view with small texels says of them: i32, i1, and where the lanes' are, in bytes from spot->base. */
struct small {
   LLVMValueRef log2, bits[2], is_16, bytes;
};

static struct small small_of(struct cg *cg, const struct cg_texel *texel, const struct spot *spot)
{
   struct small s = {.log2 = byte_field(cg, texel->image, offsetof(struct abi_image, direct_log2))};
   for (uint32_t c = 0; c < 2; c++)
      s.bits[c] = byte_field(cg, texel->image, offsetof(struct abi_image, direct_shift) + c);
   s.is_16 = LLVMBuildICmp(cg->b, LLVMIntEQ, s.bits[0], cg_i32(cg, 16), "");
   s.bytes = LLVMBuildShl(cg->b, spot->index, cg_splat(cg, s.log2), "");
   if (spot->slice)
      s.bytes = cg_texel_add(cg, s.bytes, cg_texel_shift_left(cg, spot->slice, 2));
   return s;
}

static void load_small(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   LLVMBuilderRef b = cg->b;
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   const struct small s = small_of(cg, texel, spot);
   LLVMValueRef words = gather_from(cg, spot, cg->i32, cg->i8, spot->base, s.bytes), one = cg_i32(cg, 1);
   LLVMValueRef head = LLVMBuildSelect(b, s.is_16, cg_texel_unorm_head(cg, 16), cg_texel_unorm_head(cg, 8), "");
   LLVMValueRef tail = LLVMBuildSelect(b, s.is_16, cg_texel_unorm_tail(cg, 16), cg_texel_unorm_tail(cg, 8), "");
   for (uint32_t c = 0; c < 2; c++) {
      LLVMValueRef mask = LLVMBuildSub(b, LLVMBuildShl(b, one, s.bits[c], ""), one, ""); /* no channel: no bits, so that it is 0 */
      LLVMValueRef number = c ? LLVMBuildLShr(b, words, cg_splat(cg, s.bits[0]), "") : words;
      number = LLVMBuildAnd(b, number, cg_splat(cg, mask), "");
      values[c] = texel->flags & ABI_TEX_INTEGER ? number : cg_as_int(cg, cg_texel_decode_unorm(cg, number, head, tail));
   }
   values[2] = LLVMConstNull(type);
   values[3] = one_of(cg, texel);
}

/* A half of a word. */
static LLVMValueRef half_of(struct cg *cg, LLVMValueRef word, uint32_t c)
{
   return LLVMBuildTrunc(cg->b, cg_texel_shift_right(cg, word, 16 * c), cg_vec_type(cg, cg->i16), "");
}

static void load_halves(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   const bool has_quarters = cg->target.level >= UTIL_CPU_V4;
   LLVMValueRef texels = NULL, words[2];
   if (has_quarters)
      texels = load_words(cg, spot, 64);
   else
      load_pairs(cg, spot, words);
   for (uint32_t c = 0; c < 4; c++)
      values[c] = cg_as_int(cg, cg_half_to_float(cg, has_quarters ? cg_v4_quarter(cg, texels, c) : half_of(cg, words[c / 2], c % 2)));
}

static void store_bytes(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   LLVMValueRef word = NULL;
   for (uint32_t c = 0; c < 4; c++) {
      LLVMValueRef shift = byte_field(cg, texel->image, offsetof(struct abi_image, direct_shift) + c);
      LLVMValueRef part = LLVMBuildShl(cg->b, encode_byte(cg, texel->data[c]), cg_splat(cg, shift), "");
      word = word ? LLVMBuildOr(cg->b, word, part, "") : part;
   }
   store_words(cg, spot, word);
}

static void store_word(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   store_words(cg, spot, cg_as_int(cg, texel->data[0]));
}

/* Lane after lane, in lane order. */
static void change_word(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   LLVMValueRef bytes = cg_spill(cg, 0, byte_index(cg, spot, 2)), operands[2] = {NULL};
   for (uint32_t i = 0; i < 2 && texel->data[i]; i++)
      operands[i] = cg_spill(cg, 1 + i, cg_as_int(cg, texel->data[i]));
   LLVMValueRef result = cg_spill(cg, 3, LLVMConstNull(type)), of_lane[2] = {NULL};
   struct cg_lane_loop loop;
   cg_lane_loop_begin(cg, cg_mask_here(cg, spot->inside), &loop);
   LLVMValueRef at = LLVMBuildZExt(cg->b, cg_load(cg, cg->i32, cg_lane_ptr(cg, bytes, 32, loop.lane), 4), cg->i64, "");
   for (uint32_t i = 0; i < 2 && operands[i]; i++)
      of_lane[i] = cg_load(cg, cg->i32, cg_lane_ptr(cg, operands[i], 32, loop.lane), 4);
   LLVMValueRef old = cg_atomic_apply(cg, texel->atomic, false, LLVMBuildGEP2(cg->b, cg->i8, spot->base, &at, 1, ""), of_lane[0], of_lane[1]);
   cg_store(cg, old, cg_lane_ptr(cg, result, 32, loop.lane), 4);
   cg_lane_loop_end(cg, &loop);
   values[0] = cg_load(cg, type, result, 64);
}

/* A loop over lanes, in order: no scatter stores less than words. `ptr`: where the lane's word of `words` goes, of which some bytes count. */
static void narrow_begin(struct cg *cg, const struct spot *spot, LLVMValueRef bytes, LLVMValueRef words, struct cg_lane_loop *loop, LLVMValueRef *ptr,
                         LLVMValueRef *word)
{
   words = cg_spill(cg, 1, words);
   bytes = cg_spill(cg, 0, bytes);
   cg_lane_loop_begin(cg, cg_mask_here(cg, spot->inside), loop);
   LLVMValueRef at = LLVMBuildZExt(cg->b, cg_load(cg, cg->i32, cg_lane_ptr(cg, bytes, 32, loop->lane), 4), cg->i64, "");
   *ptr = LLVMBuildGEP2(cg->b, cg->i8, spot->base, &at, 1, "");
   *word = cg_load(cg, cg->i32, cg_lane_ptr(cg, words, 32, loop->lane), 4);
}

static void store_small(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   const struct small s = small_of(cg, texel, spot);
   LLVMValueRef max = LLVMBuildSelect(cg->b, s.is_16, LLVMConstReal(cg->f32, 65535), LLVMConstReal(cg->f32, 255), "");
   LLVMValueRef green = LLVMBuildShl(cg->b, cg_texel_encode_unorm(cg, texel->data[1], max), cg_splat(cg, s.bits[0]), "");
   LLVMValueRef words = LLVMBuildOr(cg->b, cg_texel_encode_unorm(cg, texel->data[0], max), green, ""), ptr, word;
   struct cg_lane_loop loop;
   narrow_begin(cg, spot, s.bytes, words, &loop, &ptr, &word);
   LLVMBasicBlockRef end = cg_new_block(cg, "small_stored");
   for (uint32_t log2 = 0; log2 < 3; log2++) {
      LLVMBasicBlockRef yes = cg_new_block(cg, "small"), no = log2 < 2 ? cg_new_block(cg, "larger") : end;
      cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, s.log2, cg_i32(cg, log2), ""), yes, no);
      cg_enter(cg, yes);
      cg_store(cg, log2 < 2 ? LLVMBuildTrunc(cg->b, word, cg_int_type(cg, 8u << log2), "") : word, ptr, 1);
      cg_branch(cg, end);
      cg_enter(cg, no);
   }
   cg_lane_loop_end(cg, &loop);
}

static void store_halves(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
   LLVMValueRef pairs[2];
   for (uint32_t i = 0; i < 2; i++) {
      LLVMValueRef low = cg_texel_encode_half(cg, texel->data[2 * i]), high = cg_texel_encode_half(cg, texel->data[2 * i + 1]);
      pairs[i] = LLVMBuildZExt(cg->b, LLVMBuildOr(cg->b, low, cg_texel_shift_left(cg, high, 16), ""), wide, "");
   }
   store_words(cg, spot, LLVMBuildOr(cg->b, pairs[0], cg_texel_shift_left(cg, pairs[1], 32), ""));
}

/* The struct of a call for the components of texels that the runtime knows. */
static LLVMValueRef other_call(struct cg *cg, bool has_slice)
{
   const uint32_t key[8] = {has_slice};
   bool is_new;
   LLVMValueRef m = cg_call_find(cg, &cg->texel_shapes, key, sizeof(struct abi_texel_call), &is_new);
   if (!is_new)
      return m;
   LLVMBasicBlockRef here = cg_call_begin(cg, m, sizeof(struct abi_texel_call));
   cg_call_set_u32(cg, m, offsetof(struct abi_texel_call, lanes), cg->lanes);
   cg_call_set_arrays(cg, m, offsetof(struct abi_texel_call, index), 1, CG_SCRATCH_COORDS);
   if (has_slice)
      cg_call_set_arrays(cg, m, offsetof(struct abi_texel_call, slice), 1, CG_SCRATCH_COORDS + 1);
   cg_call_set_arrays(cg, m, offsetof(struct abi_texel_call, result), 4, CG_SCRATCH_RESULT);
   cg_call_end(cg, here);
   return m;
}

static void load_other(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   LLVMValueRef inside = cg_mask_bits(cg, cg_mask_here(cg, spot->inside)), m = other_call(cg, spot->slice != NULL);
   cg_spill(cg, CG_SCRATCH_COORDS, spot->index);
   if (spot->slice)
      cg_spill(cg, CG_SCRATCH_COORDS + 1, as_vector(cg, spot->slice));
   cg_call_set_ptr(cg, m, offsetof(struct abi_texel_call, image), texel->image);
   cg_call_set_ptr(cg, m, offsetof(struct abi_texel_call, base), spot->base);
   cg_store(cg, inside, cg_gep_const(cg, m, offsetof(struct abi_texel_call, inside)), 4);
   cg_call_helper(cg, offsetof(struct abi_helpers, texels), cg->void_type, 1, &m);
   for (uint32_t c = 0; c < 4; c++)
      values[c] = cg_load(cg, cg_vec_type(cg, cg->i32), cg_scratch(cg, CG_SCRATCH_RESULT + c), 64);
}

/* Formats that views of other classes mostly have, those of one size together: their texels are read once. */
enum { FREQUENT_OF_SIZE = 2, NUM_FREQUENT = 5 };
static const struct {
   uint32_t log2; /* of a texel's bytes */
   enum abi_texel_format formats[FREQUENT_OF_SIZE];
} frequent[] = {
   {3, {ABI_TEXEL_FORMAT_Rg32f, ABI_TEXEL_FORMAT_Rgba16}},
   {2, {ABI_TEXEL_FORMAT_Rgb10A2, ABI_TEXEL_FORMAT_R11fG11fB10f}},
   {4, {ABI_TEXEL_FORMAT_Rgba32f}},
};

/* The block where the view has one of the formats; the builder is there. `no`: where it has none. */
static void enter_formats(struct cg *cg, LLVMValueRef format, const enum abi_texel_format *formats, uint32_t count, LLVMBasicBlockRef no)
{
   LLVMBasicBlockRef yes = cg_new_block(cg, "frequent");
   LLVMValueRef is_any = NULL;
   for (uint32_t i = 0; i < count && formats[i]; i++) {
      LLVMValueRef is_it = LLVMBuildICmp(cg->b, LLVMIntEQ, format, cg_i32(cg, formats[i]), "");
      is_any = is_any ? LLVMBuildOr(cg->b, is_any, is_it, "") : is_it;
   }
   cg_branch_if(cg, is_any, yes, no);
   cg_enter(cg, yes);
}

/* Code for some formats where texels of 64 bits are one gather, so that it is short. */
static void load_frequent(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   LLVMValueRef all[NUM_FREQUENT + 1][4];
   LLVMBasicBlockRef from[NUM_FREQUENT + 1];
   uint32_t count = 0;
   if (cg->target.level < UTIL_CPU_V4 || texel->flags & ABI_TEX_INTEGER) {
      load_other(cg, texel, spot, values);
      return;
   }
   LLVMValueRef format = cg_texel_shift_right(cg, spot->key, ABI_DIRECT_FORMAT_SHIFT);
   LLVMBasicBlockRef end = cg_new_block(cg, "other_end");
   for (uint32_t size = 0; size < UTIL_ARRAY_SIZE(frequent); size++) {
      const enum abi_texel_format *formats = frequent[size].formats;
      LLVMBasicBlockRef rare = cg_new_block(cg, "rare");
      LLVMValueRef words[4];
      enter_formats(cg, format, formats, FREQUENT_OF_SIZE, rare);
      load_texels(cg, spot, frequent[size].log2, 32, words);
      for (uint32_t i = 0; i < FREQUENT_OF_SIZE && formats[i]; i++) {
         const bool is_last = i + 1 == FREQUENT_OF_SIZE || !formats[i + 1];
         LLVMBasicBlockRef next = is_last ? rare : cg_new_block(cg, "next");
         if (!is_last)
            enter_formats(cg, format, &formats[i], 1, next);
         cg_texel_decode(cg, formats[i], 32, words, all[count]);
         from[count++] = LLVMGetInsertBlock(cg->b);
         cg_branch(cg, end);
         cg_enter(cg, next);
      }
   }
   load_other(cg, texel, spot, all[count]);
   from[count++] = LLVMGetInsertBlock(cg->b);
   cg_branch(cg, end);
   cg_enter(cg, end);
   for (uint32_t c = 0; c < 4; c++) {
      values[c] = LLVMBuildPhi(cg->b, cg_vec_type(cg, cg->i32), "");
      for (uint32_t i = 0; i < count; i++)
         LLVMAddIncoming(values[c], &all[i][c], &from[i], 1);
   }
}

/* 16-bit floats want instructions for them. */
static void load_small_halves(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4])
{
   if (cg->target.level < UTIL_CPU_V3) {
      load_other(cg, texel, spot, values);
      return;
   }
   const struct small s = small_of(cg, texel, spot);
   LLVMValueRef words = gather_from(cg, spot, cg->i32, cg->i8, spot->base, s.bytes), zeros = LLVMConstNull(LLVMTypeOf(words));
   LLVMValueRef has_two = LLVMBuildICmp(cg->b, LLVMIntNE, s.bits[1], cg_i32(cg, 0), "");
   for (uint32_t c = 0; c < 2; c++)
      values[c] = cg_as_int(cg, cg_half_to_float(cg, half_of(cg, words, c)));
   values[1] = LLVMBuildSelect(cg->b, has_two, values[1], zeros, "");
   values[2] = zeros;
   values[3] = one_of(cg, texel);
}

typedef void access_fn(struct cg *cg, const struct cg_texel *texel, const struct spot *spot, LLVMValueRef values[4]);

/* Those of other than 32 bits first: texels of the others are read once for both. */
static const struct format {
   enum abi_direct class;
   bool loads_ints, stores_ints;
   uint32_t bits; /* of a texel; 0: their words are read by `load` */
   uint32_t level; /* enum util_cpu_level: what its arithmetic wants */
   access_fn *load, *store, *change; /* NULL: by the call for all */
} formats[CG_TEXEL_CLASSES] = {
   {ABI_DIRECT_HALVES, false, false, 64, UTIL_CPU_V3, load_halves, store_halves},
   {ABI_DIRECT_SMALL, true, false, 0, 0, load_small, store_small}, /* these two load whatever is asked for: words of 32 bits would be others */
   {ABI_DIRECT_SMALL_HALVES, true, false, 0, 0, load_small_halves, NULL},
   {ABI_DIRECT_OTHER, true, false, 0, 0, load_frequent, NULL},
   {ABI_DIRECT_BYTES, true, false, 32, 0, load_bytes, store_bytes},
   {ABI_DIRECT_WORD, true, true, 32, 0, load_word, store_word, change_word},
};

static access_fn *access_of(const struct cg_texel *texel, const struct format *format)
{
   return texel->is_atomic ? format->change : texel->data[0] ? format->store : format->load;
}

static bool has_format(const struct cg *cg, const struct cg_texel *texel, const struct format *format)
{
   const bool is_plain = texel->dim == ABI_DIM_2D && !(texel->flags & ABI_TEX_MS);
   const bool takes_ints = texel->data[0] ? format->stores_ints : format->loads_ints;
   return access_of(texel, format) && (takes_ints || !(texel->flags & ABI_TEX_INTEGER)) && cg->target.level >= format->level &&
          (is_plain || (format->class != ABI_DIRECT_SMALL && format->class != ABI_DIRECT_SMALL_HALVES));
}

/* ---- formats that the shader names ---- */

static void store_narrow(struct cg *cg, const struct spot *spot, uint32_t log2, LLVMValueRef words)
{
   LLVMValueRef ptr, word;
   struct cg_lane_loop loop;
   narrow_begin(cg, spot, byte_index(cg, spot, log2), words, &loop, &ptr, &word);
   cg_store(cg, LLVMBuildTrunc(cg->b, word, cg_int_type(cg, 8u << log2), ""), ptr, 1);
   cg_lane_loop_end(cg, &loop);
}

static void store_texels(struct cg *cg, const struct spot *spot, uint32_t log2, LLVMValueRef words[4])
{
   LLVMTypeRef wide = cg_vec_type(cg, cg->i64);
   if (log2 < 2) {
      store_narrow(cg, spot, log2, words[0]);
   } else if (log2 == 2) {
      store_words(cg, spot, words[0]);
   } else if (log2 == 3) {
      LLVMValueRef high = cg_texel_shift_left(cg, LLVMBuildZExt(cg->b, words[1], wide, ""), 32);
      store_words(cg, spot, LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, words[0], wide, ""), high, ""));
   } else {
      LLVMValueRef first = cg_texel_shift_right(cg, byte_index(cg, spot, log2), 2);
      for (uint32_t w = 0; w < 4; w++)
         scatter_words(cg, spot, LLVMBuildAdd(cg->b, first, cg_const_like(LLVMTypeOf(first), w), ""), words[w]);
   }
}

static void access_named(struct cg *cg, struct cg_texel *texel, const struct spot *spot)
{
   const uint32_t log2 = cg_texel_format_log2(texel->format);
   LLVMValueRef words[4];
   if (texel->data[0]) {
      cg_texel_encode(cg, texel->format, texel->data, words);
      store_texels(cg, spot, log2, words);
   } else {
      const uint32_t word_bits = cg_texel_format_word_bits(cg, texel->format);
      load_texels(cg, spot, log2, word_bits, words);
      cg_texel_decode(cg, texel->format, word_bits, words, texel->values[0]);
   }
   texel->from[0] = LLVMGetInsertBlock(cg->b);
   texel->num_classes = 1;
   cg_branch(cg, texel->join);
}

/* ---- the access ---- */

/* The view is what the instruction says, and the key is as expected; whether it is tiled is looked at later. */
static LLVMValueRef is_named(struct cg *cg, const struct cg_texel *texel, LLVMValueRef key, uint32_t expected)
{
   expected |= (uint32_t)texel->format << ABI_DIRECT_FORMAT_SHIFT;
   key = cg_texel_and(cg, key, ~(uint32_t)(ABI_DIRECT_TILED | ABI_DIRECT_CLASS));
   return LLVMBuildICmp(cg->b, LLVMIntEQ, key, cg_i32(cg, expected), "");
}

/* A class, tiled or not, and nothing else that is not expected: from 1 to 15. Views without a class are 0. */
static LLVMValueRef is_classed(struct cg *cg, LLVMValueRef key, uint32_t expected)
{
   LLVMValueRef rest = LLVMBuildXor(cg->b, cg_texel_and(cg, key, (1u << ABI_DIRECT_FORMAT_SHIFT) - 1), cg_i32(cg, expected), "");
   rest = LLVMBuildSub(cg->b, rest, cg_i32(cg, 1), "");
   return LLVMBuildICmp(cg->b, LLVMIntULT, rest, cg_i32(cg, ABI_DIRECT_CLASS | ABI_DIRECT_TILED), "");
}

static void access_classes(struct cg *cg, struct cg_texel *texel, struct spot *spot, LLVMBasicBlockRef call)
{
   LLVMValueRef class = cg_texel_and(cg, spot->key, ABI_DIRECT_CLASS);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(formats); i++) {
      const uint32_t n = texel->num_classes;
      if (!has_format(cg, texel, &formats[i]))
         continue;
      if (!texel->data[0] && formats[i].bits == 32 && !spot->words) /* views of 64 bits that are called for have as many words, and more */
         spot->words = load_words(cg, spot, 32);
      LLVMBasicBlockRef yes = cg_new_block(cg, "class"), no = cg_new_block(cg, "other_class");
      cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, class, cg_i32(cg, formats[i].class), ""), yes, no);
      cg_enter(cg, yes);
      access_of(texel, &formats[i])(cg, texel, spot, texel->values[n]);
      texel->from[n] = LLVMGetInsertBlock(cg->b);
      texel->num_classes++;
      cg_branch(cg, texel->join);
      cg_enter(cg, no);
   }
   cg_branch(cg, call);
}

LLVMValueRef cg_texel_join(struct cg *cg, struct cg_texel *texel, uint32_t c)
{
   LLVMValueRef phi = LLVMBuildPhi(cg->b, cg_vec_type(cg, cg->i32), "texel");
   for (uint32_t i = 0; i < texel->num_classes; i++)
      LLVMAddIncoming(phi, &texel->values[i][c], &texel->from[i], 1);
   return phi;
}

void cg_texel_write(struct cg *cg, struct cg_texel *texel)
{
   LLVMBasicBlockRef direct = cg_new_block(cg, "texel"), call = cg_new_block(cg, "texel_call");
   const uint32_t expected = texel->dim << ABI_DIRECT_DIM_SHIFT | (texel->flags & ABI_TEX_MS ? ABI_DIRECT_MS : 0);
   const bool has_name = cg_texel_has_format(cg, texel->format, texel->flags & ABI_TEX_INTEGER);
   struct spot spot = {.key = word_field(cg, texel->image, offsetof(struct abi_image, direct))};
   texel->join = cg_new_block(cg, "texel_end");
   texel->num_classes = 0;
   LLVMValueRef data = cg_load_at(cg, cg->ptr, texel->image, offsetof(struct abi_image, data));
   LLVMValueRef has_data = LLVMBuildICmp(cg->b, LLVMIntNE, data, LLVMConstNull(cg->ptr), "");
   LLVMValueRef is_expected = has_name ? is_named(cg, texel, spot.key, expected) : is_classed(cg, spot.key, expected);
   cg_branch_if(cg, LLVMBuildAnd(cg->b, has_data, is_expected, ""), direct, call);
   cg_enter(cg, direct);
   find_spot(cg, texel, data, &spot);
   if (has_name)
      access_named(cg, texel, &spot);
   else
      access_classes(cg, texel, &spot, call);
   cg_enter(cg, call);
}
