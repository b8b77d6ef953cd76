/* SPDX-License-Identifier: MIT
 * Fragment shaders: the loop over blocks of 4x4 fragments (over parts of one, for vectors of fewer lanes; over pairs, for those of 32),
 * interpolation, coverage. Of an odd number of blocks the last stands for both of its pair: the second has no coverage, and what is
 * written there the first overwrites. Lanes stand in Z order, four neighbours a quad. Planes are evaluated as include/abi/shader.h
 * defines, rounding by rounding.
 *
 * Helpers run with the others, for derivatives; the live mask says who is none. Quads without a covered fragment run only where that
 * costs nothing, ends, and nobody looks at them. */
#include "compiler/llvm/cg.h"

#include <stddef.h>

enum { NUM_POSITIONS = 3 }; /* centre (or the sample, for per-sample shading), sample, centroid */

/* Where planes are evaluated, and what follows from it; made on demand in body_block. */
struct position {
   LLVMValueRef x, y;   /* window coordinates */
   LLVMValueRef dx, dy; /* minus the primitive's reference point */
   LLVMValueRef w;      /* 1 / (1/w) */
};

/* The position that was interpolated at last, of a shader's own choice. The components of an input are interpolated one after the other. */
struct own_position {
   struct position p;
   const struct ir_instr *of[2]; /* the sources that it is computed from */
   uint32_t at;                  /* IR_AT_* */
   LLVMBasicBlockRef block;      /* where it is known */
};

struct cg_fragment {
   LLVMValueRef primitive, blocks, num_blocks, num_vectors, planes;
   LLVMValueRef size_log2[2];     /* of a fragment: args.size_log2 */
   LLVMValueRef center[2];        /* half of it: 0.5 where that is one texel */
   LLVMValueRef lane_texels[2];   /* texels from the block's corner, or its part's, to each lane's; vectors */
   LLVMValueRef offset[2];        /* of the shading point in the fragment: its centre or the sample's */
   LLVMValueRef sample_offset[2]; /* of args.sample */
   LLVMValueRef x0, y0;
   LLVMValueRef block, part;      /* ptr; index of the vector within the block, 32 bits */
   LLVMValueRef second;           /* ptr to the block of lanes 16 to 31; NULL: no such lanes */
   LLVMValueRef has_second;       /* i1: it is another block */
   LLVMValueRef part_bytes;       /* of 32-bit lanes before this part, 64 bits */
   LLVMValueRef quad_bits;        /* lanes of quads that have coverage, i32 */
   LLVMValueRef initial_exec;
   LLVMValueRef pixel[2];         /* integer coordinates, vectors; made on demand */
   struct position positions[NUM_POSITIONS];
   struct own_position own;
   LLVMValueRef look_up;          /* function of sample_positions(); NULL: not made yet */
   uint32_t num_look_ups;
};

static LLVMTypeRef vec_f32(struct cg *cg)
{
   return cg_vec_type(cg, cg->f32);
}

/* ---- pairs of blocks ---- */

static LLVMValueRef join(struct cg *cg, LLVMValueRef first, LLVMValueRef second)
{
   LLVMValueRef indices[2 * ABI_BLOCK_TEXELS];
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(indices); i++)
      indices[i] = cg_i32(cg, i);
   return LLVMBuildShuffleVector(cg->b, first, second, LLVMConstVector(indices, UTIL_ARRAY_SIZE(indices)), "");
}

static LLVMValueRef lanes_of_block(struct cg *cg, LLVMValueRef vector, uint32_t block)
{
   LLVMValueRef indices[ABI_BLOCK_TEXELS];
   for (uint32_t i = 0; i < ABI_BLOCK_TEXELS; i++)
      indices[i] = cg_i32(cg, block * ABI_BLOCK_TEXELS + i);
   return LLVMBuildShuffleVector(cg->b, vector, LLVMGetPoison(LLVMTypeOf(vector)), LLVMConstVector(indices, ABI_BLOCK_TEXELS), "");
}

/* ---- the loop ---- */

/* Every lane of a quad with a bit. */
static LLVMValueRef spread_to_quads(struct cg *cg, LLVMValueRef bits)
{
   LLVMBuilderRef b = cg->b;
   bits = LLVMBuildOr(b, bits, LLVMBuildLShr(b, bits, cg_i32(cg, 1), ""), "");
   bits = LLVMBuildOr(b, bits, LLVMBuildLShr(b, bits, cg_i32(cg, 2), ""), "");
   return LLVMBuildMul(b, LLVMBuildAnd(b, bits, cg_i32(cg, 0x11111111), ""), cg_i32(cg, 0xf), "");
}

static uint32_t blocks_of_vector(const struct cg *cg)
{
   return UTIL_MAX(cg->lanes / ABI_BLOCK_TEXELS, 1u);
}

static uint32_t parts_of_block(const struct cg *cg)
{
   return UTIL_MAX(ABI_BLOCK_TEXELS / cg->lanes, 1u);
}

/* Where the vector's fragments are. */
static void find_blocks(struct cg *cg, LLVMValueRef index)
{
   struct cg_fragment *f = cg->fragment;
   const uint32_t parts = parts_of_block(cg), num_blocks = blocks_of_vector(cg);
   LLVMValueRef at = LLVMBuildZExt(cg->b, index, cg->i64, ""), size = cg_i64(cg, sizeof(struct abi_block));
   f->part = parts == 1 ? cg_i32(cg, 0) : LLVMBuildAnd(cg->b, index, cg_i32(cg, parts - 1), "");
   at = LLVMBuildMul(cg->b, LLVMBuildUDiv(cg->b, at, cg_i64(cg, parts), ""), cg_i64(cg, num_blocks * sizeof(struct abi_block)), "");
   f->block = cg_gep(cg, f->blocks, at);
   f->part_bytes = LLVMBuildZExt(cg->b, LLVMBuildMul(cg->b, f->part, cg_i32(cg, cg->lanes * 4), ""), cg->i64, "");
   f->second = NULL;
   if (num_blocks > 1) {
      LLVMValueRef second = LLVMBuildAdd(cg->b, LLVMBuildShl(cg->b, index, cg_i32(cg, 1), ""), cg_i32(cg, 1), "");
      f->has_second = LLVMBuildICmp(cg->b, LLVMIntULT, second, f->num_blocks, "");
      f->second = cg_gep(cg, f->block, cg_select(cg, f->has_second, size, cg_i64(cg, 0)));
   }
}

/* The vector's lanes with coverage. */
static LLVMValueRef load_coverage(struct cg *cg)
{
   struct cg_fragment *f = cg->fragment;
   LLVMValueRef covered = cg_load_at(cg, cg->i32, f->block, offsetof(struct abi_block, mask));
   if (!f->second) {
      covered = LLVMBuildLShr(cg->b, covered, LLVMBuildMul(cg->b, f->part, cg_i32(cg, cg->lanes), ""), "");
      return LLVMBuildAnd(cg->b, covered, cg_i32(cg, (1u << cg->lanes) - 1), "");
   }
   LLVMValueRef second = cg_load_at(cg, cg->i32, f->second, offsetof(struct abi_block, mask));
   second = LLVMBuildShl(cg->b, second, cg_i32(cg, ABI_BLOCK_TEXELS), "");
   covered = LLVMBuildAnd(cg->b, covered, cg_i32(cg, (1u << ABI_BLOCK_TEXELS) - 1), "");
   return LLVMBuildOr(cg->b, covered, cg_select(cg, f->has_second, second, cg_i32(cg, 0)), "");
}

static void segment_begin(struct cg *cg, struct cg_segment *segment)
{
   struct cg_fragment *f = cg->fragment;
   cg->body_block = cg_new_block(cg, "vector");
   segment->main = cg_new_block(cg, "main");
   segment->next = cg_new_block(cg, "next_vector");
   segment->end = cg_new_block(cg, "segment_end");
   cg->live_bits = cg_alloca(cg, cg->i32, 4, "live");
   cg->vector_index = segment->index = cg_count_begin(cg, cg->body_block);
   find_blocks(cg, cg->vector_index);
   LLVMValueRef covered = load_coverage(cg);
   cg_store(cg, covered, cg->live_bits, 4);
   f->quad_bits = spread_to_quads(cg, covered);
   f->pixel[0] = f->pixel[1] = NULL;
   for (uint32_t i = 0; i < NUM_POSITIONS; i++)
      f->positions[i] = (struct position){0};
   f->own.block = NULL;
   cg->exec = cg->ir->info.has_loops ? cg_mask_from_bits(cg, f->quad_bits) : NULL;
   f->initial_exec = cg->exec;
   cg_enter(cg, segment->main);
   if (cg->ir->info.has_loops) { /* code runs with some lane on, or not at all */
      LLVMBasicBlockRef some = cg_new_block(cg, "some");
      cg_branch_if(cg, cg_mask_any(cg, cg->exec), some, segment->next);
      cg_enter(cg, some);
   }
}

/* Which fragments go on. */
static void store_live(struct cg *cg)
{
   const struct cg_fragment *f = cg->fragment;
   LLVMValueRef live = cg_load(cg, cg->i32, cg->live_bits, 4);
   LLVMValueRef out = cg_gep_const(cg, f->block, offsetof(struct abi_block, mask_out));
   if (f->second) {
      LLVMValueRef second = LLVMBuildLShr(cg->b, live, cg_i32(cg, ABI_BLOCK_TEXELS), "");
      cg_store(cg, second, cg_gep_const(cg, f->second, offsetof(struct abi_block, mask_out)), 4);
      live = LLVMBuildAnd(cg->b, live, cg_i32(cg, (1u << ABI_BLOCK_TEXELS) - 1), "");
   } else if (parts_of_block(cg) > 1) {
      LLVMValueRef is_first = LLVMBuildICmp(cg->b, LLVMIntEQ, f->part, cg_i32(cg, 0), "");
      LLVMValueRef before = cg_select(cg, is_first, cg_i32(cg, 0), cg_load(cg, cg->i32, out, 4));
      live = LLVMBuildShl(cg->b, live, LLVMBuildMul(cg->b, f->part, cg_i32(cg, cg->lanes), ""), "");
      live = LLVMBuildOr(cg->b, live, before, "");
   }
   cg_store(cg, live, out, 4);
}

static void segment_end(struct cg *cg, struct cg_segment *segment)
{
   struct cg_fragment *f = cg->fragment;
   cg_branch(cg, segment->next);
   cg_enter(cg, cg->body_block);
   cg_branch(cg, segment->main);

   cg_enter(cg, segment->next);
   if (segment->polls)
      cg_poll_cancel(cg, NULL);
   store_live(cg);
   cg_count_end(cg, segment->index, 1, f->num_vectors, segment->end);
}

/* ---- coverage ---- */

LLVMValueRef cg_fragment_quad_bits(struct cg *cg)
{
   return cg->fragment->quad_bits;
}

void cg_fragment_demote(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef gone = cg_mask_bits(cg, cg_mask_and(cg, cg->exec, cg_vector(cg, instr->srcs[0], 0)));
   LLVMValueRef live = cg_load(cg, cg->i32, cg->live_bits, 4);
   cg_store(cg, LLVMBuildAnd(cg->b, live, LLVMBuildNot(cg->b, gone, ""), ""), cg->live_bits, 4);
}

/* ---- positions ---- */

static LLVMBasicBlockRef go_to_body(struct cg *cg)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMPositionBuilderAtEnd(cg->b, cg->body_block);
   return here;
}

/* A scalar for the lanes of each of two blocks. */
static LLVMValueRef of_blocks(struct cg *cg, LLVMValueRef first, LLVMValueRef second)
{
   LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(first), ABI_BLOCK_TEXELS);
   LLVMValueRef parts[2] = {first, second};
   for (uint32_t i = 0; i < 2; i++) {
      parts[i] = LLVMBuildInsertElement(cg->b, LLVMGetPoison(type), parts[i], cg_i32(cg, 0), "");
      parts[i] = LLVMBuildShuffleVector(cg->b, parts[i], LLVMGetPoison(type), LLVMConstNull(LLVMVectorType(cg->i32, ABI_BLOCK_TEXELS)), "");
   }
   return join(cg, parts[0], parts[1]);
}

/* Integer window coordinates of the fragments' corners: the block's, plus the lane's position, plus what the part adds. */
static LLVMValueRef pixel(struct cg *cg, uint32_t axis)
{
   struct cg_fragment *f = cg->fragment;
   if (f->pixel[axis])
      return f->pixel[axis];
   LLVMBasicBlockRef here = go_to_body(cg);
   const size_t field = axis ? offsetof(struct abi_block, y) : offsetof(struct abi_block, x);
   LLVMValueRef base = cg_load_at(cg, cg->i32, f->block, field);
   if (cg->lanes < ABI_BLOCK_TEXELS) {
      const uint32_t first_bit = cg->lanes == 8 ? 3 : 2; /* of the lane index that the part stands for */
      if (first_bit <= axis + 2) {
         LLVMValueRef bit = LLVMBuildLShr(cg->b, f->part, cg_i32(cg, axis + 2 - first_bit), "");
         bit = LLVMBuildAnd(cg->b, bit, cg_i32(cg, 1), "");
         bit = LLVMBuildShl(cg->b, LLVMBuildShl(cg->b, bit, cg_i32(cg, 1), ""), f->size_log2[axis], "");
         base = LLVMBuildAdd(cg->b, base, bit, "");
      }
   }
   LLVMValueRef bases = f->second ? of_blocks(cg, base, cg_load_at(cg, cg->i32, f->second, field)) : cg_splat(cg, base);
   f->pixel[axis] = LLVMBuildAdd(cg->b, bases, f->lane_texels[axis], "");
   LLVMPositionBuilderAtEnd(cg->b, here);
   return f->pixel[axis];
}

LLVMValueRef cg_fragment_pixel(struct cg *cg, uint32_t axis)
{
   return pixel(cg, axis);
}

static LLVMValueRef corner(struct cg *cg, uint32_t axis)
{
   return LLVMBuildSIToFP(cg->b, pixel(cg, axis), vec_f32(cg), "");
}

/* The vector's words of a row of a block, `offset` bytes from its start. */
static LLVMValueRef load_row(struct cg *cg, size_t offset)
{
   const struct cg_fragment *f = cg->fragment;
   const uint32_t lanes = UTIL_MIN(cg->lanes, (uint32_t)ABI_BLOCK_TEXELS);
   LLVMTypeRef type = LLVMVectorType(cg->i32, lanes);
   LLVMValueRef row = cg_load(cg, type, cg_gep(cg, cg_gep_const(cg, f->block, offset), f->part_bytes), 4);
   return f->second ? join(cg, row, cg_load(cg, type, cg_gep_const(cg, f->second, offset), 4)) : row;
}

static void store_row(struct cg *cg, LLVMValueRef value, size_t offset)
{
   const struct cg_fragment *f = cg->fragment;
   LLVMValueRef ptr = cg_gep(cg, cg_gep_const(cg, f->block, offset), f->part_bytes);
   if (f->second) {
      cg_store(cg, lanes_of_block(cg, value, 1), cg_gep_const(cg, f->second, offset), ABI_BLOCK_TEXELS * 4);
      value = lanes_of_block(cg, value, 0);
   }
   cg_store(cg, value, ptr, UTIL_MIN(cg->lanes, (uint32_t)ABI_BLOCK_TEXELS) * 4);
}

static LLVMValueRef sample_masks(struct cg *cg)
{
   return load_row(cg, offsetof(struct abi_block, sample_masks));
}

/* From a table of positions of samples, one coordinate every 64 bits. */
static LLVMValueRef look_up(struct cg *cg, LLVMValueRef table, LLVMValueRef samples)
{
   LLVMValueRef result = LLVMGetPoison(vec_f32(cg));
   samples = LLVMBuildAnd(cg->b, samples, cg_const_like(LLVMTypeOf(samples), 31), "");
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef sample = LLVMBuildExtractElement(cg->b, samples, cg_i32(cg, lane), "");
      LLVMValueRef ptr = LLVMBuildGEP2(cg->b, cg->i64, table, &sample, 1, "");
      result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, cg->f32, ptr, 4), cg_i32(cg, lane), "");
   }
   return result;
}

static LLVMValueRef make_look_up(struct cg *cg)
{
   LLVMTypeRef params[2] = {cg->ptr, cg_vec_type(cg, cg->i32)};
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, "sample_position", LLVMFunctionType(vec_f32(cg), params, 2, false));
   LLVMBuildRet(cg->b, look_up(cg, LLVMGetParam(fn, 0), LLVMGetParam(fn, 1)));
   cg_function_end(cg, &around);
   return fn;
}

/* The position of each lane's sample in its fragment, axis 0 or 1. Beyond the first ones of a shader it is a call. */
static LLVMValueRef sample_positions(struct cg *cg, LLVMValueRef samples, uint32_t axis)
{
   enum { MAX_IN_LINE = 64 };
   struct cg_fragment *f = cg->fragment;
   LLVMValueRef table = cg_gep_const(cg, cg->args, offsetof(struct abi_fragment_args, sample_pos) + axis * sizeof(float));
   if (f->num_look_ups++ < MAX_IN_LINE)
      return look_up(cg, table, samples);
   if (!f->look_up)
      f->look_up = make_look_up(cg);
   LLVMValueRef args[2] = {table, samples};
   return cg_call_own(cg, f->look_up, args, 2);
}

/* The first covered sample, or the centre where all are or none is. */
static LLVMValueRef centroid_offset(struct cg *cg, uint32_t axis)
{
   LLVMValueRef masks = sample_masks(cg);
   LLVMTypeRef type = LLVMTypeOf(masks);
   LLVMValueRef count = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_fragment_args, num_samples));
   LLVMValueRef unused = LLVMBuildAnd(cg->b, LLVMBuildSub(cg->b, cg_i32(cg, 32), count, ""), cg_i32(cg, 31), ""); /* count: 1 to 32 */
   LLVMValueRef full = LLVMBuildLShr(cg->b, cg_i32(cg, UINT32_MAX), unused, "");
   LLVMValueRef is_full = LLVMBuildICmp(cg->b, LLVMIntEQ, masks, cg_splat(cg, full), "");
   LLVMValueRef is_empty = LLVMBuildICmp(cg->b, LLVMIntEQ, masks, LLVMConstNull(type), "");
   LLVMValueRef args[2] = {masks, LLVMConstInt(cg->i1, 0, false)};
   LLVMValueRef first = cg_intrinsic(cg, "llvm.cttz", &type, 1, args, 2);
   LLVMValueRef at_sample = sample_positions(cg, first, axis);
   LLVMValueRef is_center = LLVMBuildOr(cg->b, is_full, is_empty, "");
   return cg_select(cg, is_center, cg_splat(cg, cg->fragment->offset[axis]), at_sample);
}

static void complete_position(struct cg *cg, struct position *p)
{
   p->dx = LLVMBuildFSub(cg->b, p->x, cg_splat(cg, cg->fragment->x0), "");
   p->dy = LLVMBuildFSub(cg->b, p->y, cg_splat(cg, cg->fragment->y0), "");
}

/* which: 0 centre, 1 sample, 2 centroid. */
static struct position *get_position(struct cg *cg, uint32_t which)
{
   struct cg_fragment *f = cg->fragment;
   struct position *p = &f->positions[which];
   if (p->x)
      return p;
   LLVMBasicBlockRef here = go_to_body(cg);
   LLVMValueRef offset[2];
   for (uint32_t axis = 0; axis < 2; axis++) {
      if (which == 2)
         offset[axis] = centroid_offset(cg, axis);
      else
         offset[axis] = cg_splat(cg, which == 1 ? f->sample_offset[axis] : f->offset[axis]);
   }
   p->x = LLVMBuildFAdd(cg->b, corner(cg, 0), offset[0], "");
   p->y = LLVMBuildFAdd(cg->b, corner(cg, 1), offset[1], "");
   complete_position(cg, p);
   LLVMPositionBuilderAtEnd(cg->b, here);
   return p;
}

/* ---- planes ---- */

static LLVMValueRef eval_plane(struct cg *cg, LLVMValueRef plane, const struct position *p)
{
   LLVMValueRef c = cg_splat(cg, cg_load_at(cg, cg->f32, plane, offsetof(struct abi_plane, c)));
   LLVMValueRef dx = cg_splat(cg, cg_load_at(cg, cg->f32, plane, offsetof(struct abi_plane, dx)));
   LLVMValueRef dy = cg_splat(cg, cg_load_at(cg, cg->f32, plane, offsetof(struct abi_plane, dy)));
   LLVMValueRef value = LLVMBuildFAdd(cg->b, c, LLVMBuildFMul(cg->b, dx, p->dx, ""), "");
   return LLVMBuildFAdd(cg->b, value, LLVMBuildFMul(cg->b, dy, p->dy, ""), "");
}

static LLVMValueRef eval_w(struct cg *cg, const struct position *p)
{
   LLVMValueRef inv_w = eval_plane(cg, cg_gep_const(cg, cg->fragment->primitive, offsetof(struct abi_primitive, inv_w)), p);
   return LLVMBuildFDiv(cg->b, cg_constf_like(vec_f32(cg), 1.0), inv_w, "");
}

/* Of interpolateAtSample and interpolateAtOffset. */
static struct position *own_position(struct cg *cg, struct ir_instr *instr)
{
   struct own_position *own = &cg->fragment->own;
   const struct ir_instr *of[2] = {instr->srcs[0], instr->num_srcs == 2 ? instr->srcs[1] : NULL};
   LLVMBasicBlockRef block = LLVMGetInsertBlock(cg->b);
   if (own->block == block && own->at == instr->imm.u[2] && own->of[0] == of[0] && own->of[1] == of[1])
      return &own->p;
   LLVMValueRef offset[2];
   for (uint32_t axis = 0; axis < 2; axis++) {
      if (instr->imm.u[2] == IR_AT_SAMPLE_INDEX) {
         offset[axis] = sample_positions(cg, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), axis);
      } else {
         LLVMValueRef value = instr->num_srcs == 2 ? cg_vector(cg, instr->srcs[axis], 0) : cg_vector(cg, instr->srcs[0], axis);
         offset[axis] = LLVMBuildFAdd(cg->b, cg_as_float(cg, value), cg_splat(cg, cg->fragment->center[axis]), "");
      }
   }
   *own = (struct own_position){.of = {of[0], of[1]}, .at = instr->imm.u[2], .block = block};
   own->p.x = LLVMBuildFAdd(cg->b, corner(cg, 0), offset[0], "");
   own->p.y = LLVMBuildFAdd(cg->b, corner(cg, 1), offset[1], "");
   complete_position(cg, &own->p);
   return &own->p;
}

/* Known where it is needed again: for a position of the shader's own, from here on in the block. */
static LLVMValueRef position_w(struct cg *cg, struct position *p)
{
   if (!p->w) {
      LLVMBasicBlockRef here = p == &cg->fragment->own.p ? LLVMGetInsertBlock(cg->b) : go_to_body(cg);
      p->w = eval_w(cg, p);
      LLVMPositionBuilderAtEnd(cg->b, here);
   }
   return p->w;
}

void cg_fragment_interp(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t slot = instr->imm.u[0], mode = instr->imm.u[1], at = instr->imm.u[2];
   const uint64_t *set = cg->ir->info.inputs;
   if (!cg->fragment || !(set[slot / 64] >> (slot % 64) & 1))
      cg_fail(cg, "input slot %u is not declared", slot);
   LLVMValueRef plane = cg_gep_const(cg, cg->fragment->planes, (uint64_t)cg_slot_rank(set, slot) * sizeof(struct abi_plane));
   if (mode == IR_INTERP_FLAT || mode == IR_INTERP_PER_VERTEX) {
      const uint64_t plane_offset = mode == IR_INTERP_FLAT ? offsetof(struct abi_plane, c) : (at % 3) * sizeof(float);
      LLVMValueRef value = cg_load_at(cg, cg->i32, plane, plane_offset);
      if (instr->bit_size == 64) {
         LLVMValueRef high = cg_load_at(cg, cg->i32, plane, sizeof(struct abi_plane) + plane_offset);
         high = LLVMBuildShl(cg->b, LLVMBuildZExt(cg->b, high, cg->i64, ""), cg_i64(cg, 32), "");
         value = LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, value, cg->i64, ""), high, "");
      } else if (instr->bit_size < 32) {
         value = LLVMBuildTrunc(cg->b, value, cg_int_type(cg, instr->bit_size), "");
      }
      cg_set_scalar(cg, instr, 0, value, 0);
      return;
   }
   if (instr->bit_size != 32)
      cg_fail(cg, "interpolation of %u bits is not supported", instr->bit_size);
   const bool is_own = at == IR_AT_SAMPLE_INDEX || at == IR_AT_OFFSET;
   struct position *p = is_own ? own_position(cg, instr) : get_position(cg, at == IR_AT_SAMPLE ? 1 : at == IR_AT_CENTROID ? 2 : 0);
   LLVMValueRef value = eval_plane(cg, plane, p);
   if (mode == IR_INTERP_PERSPECTIVE)
      value = LLVMBuildFMul(cg->b, value, position_w(cg, p), "");
   cg_set_vector(cg, instr, 0, value);
}

/* ---- system values ---- */

static void emit_frag_coord(struct cg *cg, struct ir_instr *instr)
{
   struct position *p = get_position(cg, 0);
   LLVMValueRef primitive = cg->fragment->primitive;
   cg_set_vector(cg, instr, 0, p->x);
   cg_set_vector(cg, instr, 1, p->y);
   cg_set_vector(cg, instr, 2, eval_plane(cg, cg_gep_const(cg, primitive, offsetof(struct abi_primitive, z)), p));
   cg_set_vector(cg, instr, 3, eval_plane(cg, cg_gep_const(cg, primitive, offsetof(struct abi_primitive, inv_w)), p));
}

static void emit_point_coord(struct cg *cg, struct ir_instr *instr)
{
   struct position *p = get_position(cg, 0);
   LLVMValueRef primitive = cg->fragment->primitive;
   LLVMValueRef inv_size = cg_load_at(cg, cg->f32, primitive, offsetof(struct abi_primitive, point_inv_size));
   for (uint32_t axis = 0; axis < 2; axis++) {
      LLVMValueRef center = cg_load_at(cg, cg->f32, primitive, offsetof(struct abi_primitive, point_center) + axis * sizeof(float));
      LLVMValueRef value = LLVMBuildFSub(cg->b, axis ? p->y : p->x, cg_splat(cg, center), "");
      value = LLVMBuildFMul(cg->b, value, cg_splat(cg, inv_size), "");
      cg_set_vector(cg, instr, axis, LLVMBuildFAdd(cg->b, value, cg_constf_like(vec_f32(cg), 0.5), ""));
   }
}

static void emit_sample_mask_in(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef per_sample = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_fragment_args, per_sample));
   LLVMValueRef sample = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_fragment_args, sample));
   LLVMValueRef is_one = LLVMBuildICmp(cg->b, LLVMIntNE, per_sample, cg_i32(cg, 0), "");
   LLVMValueRef only = LLVMBuildShl(cg->b, cg_i32(cg, 1), LLVMBuildAnd(cg->b, sample, cg_i32(cg, 31), ""), "");
   LLVMValueRef keep = cg_select(cg, is_one, only, cg_i32(cg, UINT32_MAX));
   cg_set_vector(cg, instr, 0, LLVMBuildAnd(cg->b, sample_masks(cg), cg_splat(cg, keep), ""));
}

static void emit_shading_rate(struct cg *cg, struct ir_instr *instr)
{
   const struct cg_fragment *f = cg->fragment;
   LLVMValueRef width = LLVMBuildShl(cg->b, f->size_log2[0], cg_i32(cg, 2), "");
   cg_set_scalar(cg, instr, 0, LLVMBuildOr(cg->b, width, f->size_log2[1], ""), 0);
}

static void emit_frag_size(struct cg *cg, struct ir_instr *instr)
{
   for (uint32_t i = 0; i < 2; i++)
      cg_set_scalar(cg, instr, i, LLVMBuildShl(cg->b, cg_i32(cg, 1), cg->fragment->size_log2[i], ""), 0);
}

/* One a sample, or one alone. */
static void emit_frag_invocations(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef per_sample = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_fragment_args, per_sample));
   LLVMValueRef samples = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_fragment_args, num_samples));
   LLVMValueRef is_per_sample = LLVMBuildICmp(cg->b, LLVMIntNE, per_sample, cg_i32(cg, 0), "");
   cg_set_scalar(cg, instr, 0, cg_select(cg, is_per_sample, samples, cg_i32(cg, 1)), 0);
}

static void set_field(struct cg *cg, struct ir_instr *instr, LLVMValueRef base, size_t offset)
{
   cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, base, offset), 0);
}

static void sysval(struct cg *cg, struct ir_instr *instr)
{
   struct cg_fragment *f = cg->fragment;
   switch (instr->imm.u[0]) {
   case IR_SYSVAL_FRAG_COORD: emit_frag_coord(cg, instr); break;
   case IR_SYSVAL_POINT_COORD: emit_point_coord(cg, instr); break;
   case IR_SYSVAL_SAMPLE_MASK_IN: emit_sample_mask_in(cg, instr); break;
   case IR_SYSVAL_FRONT_FACING: {
      LLVMValueRef front = cg_load_at(cg, cg->i32, f->primitive, offsetof(struct abi_primitive, is_front));
      cg_set_scalar(cg, instr, 0, LLVMBuildICmp(cg->b, LLVMIntNE, front, cg_i32(cg, 0), ""), 0);
      break;
   }
   case IR_SYSVAL_PRIMITIVE_ID: set_field(cg, instr, f->primitive, offsetof(struct abi_primitive, primitive_id)); break;
   case IR_SYSVAL_LAYER: set_field(cg, instr, f->primitive, offsetof(struct abi_primitive, layer)); break;
   case IR_SYSVAL_VIEWPORT_INDEX: set_field(cg, instr, f->primitive, offsetof(struct abi_primitive, viewport)); break;
   case IR_SYSVAL_VIEW_INDEX: set_field(cg, instr, f->primitive, offsetof(struct abi_primitive, view_index)); break;
   case IR_SYSVAL_SAMPLE_ID: set_field(cg, instr, cg->args, offsetof(struct abi_fragment_args, sample)); break;
   case IR_SYSVAL_SAMPLE_POS:
      for (uint32_t axis = 0; axis < 2; axis++)
         cg_set_scalar(cg, instr, axis, f->sample_offset[axis], 0);
      break;
   case IR_SYSVAL_SHADING_RATE: emit_shading_rate(cg, instr); break;
   case IR_SYSVAL_FRAG_SIZE: emit_frag_size(cg, instr); break;
   case IR_SYSVAL_FRAG_INVOCATIONS: emit_frag_invocations(cg, instr); break;
   case IR_SYSVAL_TAKEN_OUTPUTS: set_field(cg, instr, cg->args, offsetof(struct abi_fragment_args, taken_outputs)); break;
   case IR_SYSVAL_DEVICE_INDEX: cg_set_scalar(cg, instr, 0, cg_i32(cg, 0), 0); break;
   default: cg_fail(cg, "%s in a fragment shader", ir_sysval_names[instr->imm.u[0]]);
   }
}

LLVMValueRef cg_fragment_view(struct cg *cg)
{
   return cg_load_at(cg, cg->i32, cg->fragment->primitive, offsetof(struct abi_primitive, view_index));
}

/* With several views the view is the layer and the primitive's is 0. */
LLVMValueRef cg_fragment_layer(struct cg *cg)
{
   return cg_load_at(cg, cg->i32, cg->fragment->primitive, offsetof(struct abi_primitive, layer));
}

void cg_fragment_attachment(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t first = instr->imm.u[0];
   if (!cg->fragment || first >= ABI_NUM_ATTACHMENTS || !cg_is_uniform(cg, instr->srcs[0], 0))
      cg_fail(cg, "attachment %u cannot be read", first);
   /* an index that is out of range must not leave the table */
   LLVMValueRef index = cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0)), last = cg_i32(cg, ABI_NUM_ATTACHMENTS - 1 - first);
   index = cg_select(cg, LLVMBuildICmp(cg->b, LLVMIntULT, index, last, ""), index, last);
   LLVMValueRef table = cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_fragment_args, attachments));
   LLVMValueRef at = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, index, cg->i64, ""), cg_i64(cg, sizeof(void *)), "");
   LLVMValueRef entry = cg_gep(cg, cg_gep_const(cg, table, first * sizeof(void *)), at);
   cg_set_scalar(cg, instr, 0, cg_load(cg, cg->i64, entry, 8), 0);
}

/* ---- outputs ---- */

static void store_output(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t slot = instr->imm.u[0];
   if (!cg->fragment || slot >= ABI_FRAG_NUM_OUTPUTS)
      cg_fail(cg, "output slot %u does not exist", slot);
   const uint64_t offset = offsetof(struct abi_block, outputs) + (uint64_t)slot * ABI_BLOCK_TEXELS * sizeof(uint32_t);
   LLVMValueRef value = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
   if (cg_bits(value) < 32)
      value = LLVMBuildZExt(cg->b, value, cg_vec_type(cg, cg->i32), "");
   if (cg->exec && cg->exec != cg->fragment->initial_exec)
      value = cg_merge(cg, cg->exec, value, load_row(cg, offset));
   store_row(cg, value, offset);
}

/* ---- the function ---- */

/* Before the loop: how large fragments are. */
static void load_size(struct cg *cg, uint32_t axis)
{
   struct cg_fragment *f = cg->fragment;
   const size_t field = offsetof(struct abi_fragment_args, size_log2) + axis * sizeof(uint32_t);
   f->size_log2[axis] = LLVMBuildAnd(cg->b, cg_load_at(cg, cg->i32, cg->args, field), cg_i32(cg, 3), "");
   LLVMValueRef size = LLVMBuildShl(cg->b, cg_i32(cg, 1), f->size_log2[axis], "");
   f->center[axis] = LLVMBuildFMul(cg->b, LLVMBuildUIToFP(cg->b, size, cg->f32, ""), cg_constf_like(cg->f32, 0.5), "");
   uint32_t lanes[32];
   for (uint32_t i = 0; i < cg->lanes; i++) /* index bits y1 x1 y0 x0 */
      lanes[i] = (i >> axis & 1) | (i >> (axis + 2) & 1) << 1;
   f->lane_texels[axis] = LLVMBuildShl(cg->b, cg_const_vector_u32(cg, lanes), cg_splat(cg, f->size_log2[axis]), "");
}

static void emit(struct cg *cg)
{
   struct cg_fragment f = {.primitive = LLVMGetParam(cg->fn, 2), .blocks = LLVMGetParam(cg->fn, 3)};
   LLVMValueRef count = LLVMGetParam(cg->fn, 4);
   cg->fragment = &f;
   f.planes = cg_load_at(cg, cg->ptr, f.primitive, offsetof(struct abi_primitive, planes));
   f.x0 = cg_load_at(cg, cg->f32, f.primitive, offsetof(struct abi_primitive, x0));
   f.y0 = cg_load_at(cg, cg->f32, f.primitive, offsetof(struct abi_primitive, y0));
   f.num_blocks = count;
   f.num_vectors = LLVMBuildMul(cg->b, count, cg_i32(cg, parts_of_block(cg)), "");
   if (blocks_of_vector(cg) > 1)
      f.num_vectors = LLVMBuildLShr(cg->b, LLVMBuildAdd(cg->b, count, cg_i32(cg, 1), ""), cg_i32(cg, 1), "");
   LLVMValueRef sample = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_fragment_args, sample));
   LLVMValueRef per_sample = cg_load_at(cg, cg->i32, cg->args, offsetof(struct abi_fragment_args, per_sample));
   LLVMValueRef is_per_sample = LLVMBuildICmp(cg->b, LLVMIntNE, per_sample, cg_i32(cg, 0), "");
   sample = LLVMBuildZExt(cg->b, LLVMBuildAnd(cg->b, sample, cg_i32(cg, 15), ""), cg->i64, "");
   for (uint32_t axis = 0; axis < 2; axis++) {
      LLVMValueRef table = cg_gep_const(cg, cg->args, offsetof(struct abi_fragment_args, sample_pos) + axis * sizeof(float));
      load_size(cg, axis);
      f.sample_offset[axis] = cg_load(cg, cg->f32, LLVMBuildGEP2(cg->b, cg->i64, table, &sample, 1, ""), 4);
      f.offset[axis] = cg_select(cg, is_per_sample, f.sample_offset[axis], f.center[axis]);
   }
   LLVMBasicBlockRef start = cg_new_block(cg, "start");
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntNE, count, cg_i32(cg, 0), ""), start, cg->leave);
   cg_enter(cg, start);
   cg_emit_body(cg);
}

const struct cg_stage cg_stage_fragment = {
   .num_pointers = 4,
   .num_numbers = 1,
   .emit = emit,
   .segment_begin = segment_begin,
   .segment_end = segment_end,
   .sysval = sysval,
   .store_output = store_output,
};
