/* SPDX-License-Identifier: MIT
 * Rays of an invocation (abi/ray.h): fields are loaded and stored as they stand, traversal is a call a vector.
 *
 * The rays of a variable stand in the frame, those of a vector's lanes side by side: the ray of lane l at byte offset o of the variable is at
 * o * lanes + l * sizeof(struct abi_ray). Offsets are held within the variable, and to whole rays. */
#include "compiler/llvm/cg_call.h"
#include "compiler/llvm/cg_memory.h"

#include <stddef.h>

enum { S_POINTERS = 0, S_T = 1, RAY_BYTES = sizeof(struct abi_ray), LINE_BYTES = 64 };

/* Where the rays of the lanes are. */
struct rays {
   LLVMValueRef first; /* ptr to lane 0's, those of others RAY_BYTES further each; NULL: `offsets` */
   LLVMValueRef base;
   LLVMValueRef offsets; /* <lanes x i64> from `base`, bytes; NULL: `ptrs` */
   LLVMValueRef ptrs;    /* <lanes x ptr> */
};

/* A multiple of RAY_BYTES within the variable: what an index out of range makes of it is another ray, not a part of one. */
static LLVMValueRef whole_ray(struct cg *cg, const struct ir_var *var, LLVMValueRef offset)
{
   if (LLVMIsConstant(offset) && !cg_is_vector(offset) && LLVMConstIntGetZExtValue(offset) + RAY_BYTES <= var->size_bytes &&
       LLVMConstIntGetZExtValue(offset) % RAY_BYTES == 0)
      return offset;
   LLVMTypeRef type = LLVMTypeOf(offset);
   LLVMValueRef index = LLVMBuildUDiv(cg->b, offset, cg_const_like(type, RAY_BYTES), "");
   LLVMValueRef last = cg_const_like(type, var->size_bytes / RAY_BYTES - 1);
   index = cg_select(cg, LLVMBuildICmp(cg->b, LLVMIntULT, index, last, ""), index, last);
   return LLVMBuildMul(cg->b, index, cg_const_like(type, RAY_BYTES), "");
}

static struct rays find(struct cg *cg, struct ir_instr *instr)
{
   const struct ir_var *var = instr->imm.var.var;
   struct rays rays = {.base = cg_var_base(cg, var)};
   if (var->class == IR_VAR_RAY) { /* the arguments have a pointer for each */
      rays.ptrs = cg_load(cg, cg_vec_type(cg, cg->ptr), rays.base, UTIL_MIN(cg->lanes * 8, 64));
      return rays;
   }
   const bool is_uniform = cg_is_uniform(cg, instr->srcs[0], 0);
   LLVMValueRef offset = cg_as_int(cg, is_uniform ? cg_scalar(cg, instr->srcs[0], 0) : cg_vector(cg, instr->srcs[0], 0));
   offset = whole_ray(cg, var, offset);
   LLVMTypeRef wide = is_uniform ? cg->i64 : cg_vec_type(cg, cg->i64);
   offset = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, offset, wide, ""), cg_const_like(wide, cg->lanes), "");
   if (is_uniform)
      rays.first = cg_gep(cg, rays.base, offset);
   else
      rays.offsets = LLVMBuildAdd(cg->b, offset, cg_iota(cg, 64, RAY_BYTES), "");
   return rays;
}

static LLVMValueRef lane_ptr(struct cg *cg, const struct rays *rays, uint32_t lane, uint32_t field)
{
   if (rays->first)
      return cg_gep_const(cg, rays->first, (uint64_t)lane * RAY_BYTES + field);
   if (rays->ptrs)
      return cg_gep_const(cg, LLVMBuildExtractElement(cg->b, rays->ptrs, cg_i32(cg, lane), ""), field);
   LLVMValueRef offset = LLVMBuildExtractElement(cg->b, rays->offsets, cg_i32(cg, lane), "");
   return cg_gep_const(cg, cg_gep(cg, rays->base, offset), field);
}

static LLVMValueRef lane_ptrs(struct cg *cg, const struct rays *rays)
{
   if (rays->ptrs)
      return rays->ptrs;
   return rays->first ? cg_gep(cg, rays->first, cg_iota(cg, 64, RAY_BYTES)) : cg_gep(cg, rays->base, rays->offsets);
}

/* ---- fields ---- */

/* What is in line is a load or a store a lane. Beyond the first ones of a shader they are calls of functions that the object has for each size, if the rays
 * stand side by side. */
enum { MAX_IN_LINE = 128 };

static LLVMValueRef load_here(struct cg *cg, const struct rays *rays, uint32_t field, uint32_t bits)
{
   LLVMTypeRef type = cg_int_type(cg, bits);
   LLVMValueRef result = LLVMGetPoison(cg_vec_type(cg, type));
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, type, lane_ptr(cg, rays, lane, field), bits / 8), cg_i32(cg, lane), "");
   return result;
}

/* Each lane has rays of its own: one that is off writes back what is there. */
static void store_here(struct cg *cg, const struct rays *rays, uint32_t field, LLVMValueRef mask, LLVMValueRef value)
{
   const uint32_t bits = cg_bits(value);
   if (mask)
      value = cg_select(cg, mask, value, load_here(cg, rays, field, bits));
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      cg_store(cg, LLVMBuildExtractElement(cg->b, value, cg_i32(cg, lane), ""), lane_ptr(cg, rays, lane, field), bits / 8);
}

/* Whether to call, and what: NULL, to be made. */
static LLVMValueRef *function_for(struct cg *cg, const struct rays *rays, bool stores, uint32_t bits)
{
   if (cg->num_ray_fields++ < MAX_IN_LINE || !rays->first)
      return NULL;
   return &cg->ray_functions[stores][bits == 64];
}

/* Takes the address of lane 0's field. */
static LLVMValueRef make_load(struct cg *cg, uint32_t bits)
{
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, "load_ray", LLVMFunctionType(cg_vec_type(cg, cg_int_type(cg, bits)), &cg->ptr, 1, false));
   const struct rays rays = {.first = LLVMGetParam(fn, 0)};
   LLVMBuildRet(cg->b, load_here(cg, &rays, 0, bits));
   cg_function_end(cg, &around);
   return fn;
}

/* Takes that address, lanes that are on as bits, and values. */
static LLVMValueRef make_store(struct cg *cg, uint32_t bits)
{
   LLVMTypeRef params[3] = {cg->ptr, cg->i32, cg_vec_type(cg, cg_int_type(cg, bits))};
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, "store_ray", LLVMFunctionType(cg->void_type, params, 3, false));
   const struct rays rays = {.first = LLVMGetParam(fn, 0)};
   store_here(cg, &rays, 0, cg_mask_from_bits(cg, LLVMGetParam(fn, 1)), LLVMGetParam(fn, 2));
   LLVMBuildRetVoid(cg->b);
   cg_function_end(cg, &around);
   return fn;
}

static LLVMValueRef load_field(struct cg *cg, const struct rays *rays, uint32_t field, uint32_t bits)
{
   if (cg->target.level >= UTIL_CPU_V4)
      return cg_gather(cg, cg_int_type(cg, bits), cg_gep(cg, lane_ptrs(cg, rays), cg_i64(cg, field)), cg->exec, bits / 8);
   LLVMValueRef *fn = function_for(cg, rays, false, bits);
   if (!fn)
      return load_here(cg, rays, field, bits);
   if (!*fn)
      *fn = make_load(cg, bits);
   LLVMValueRef at = lane_ptr(cg, rays, 0, field);
   return cg_call_own(cg, *fn, &at, 1);
}

static void store_field(struct cg *cg, const struct rays *rays, uint32_t field, LLVMValueRef value)
{
   const uint32_t bits = cg_bits(value);
   if (cg->target.level >= UTIL_CPU_V4) {
      cg_scatter(cg, value, cg_gep(cg, lane_ptrs(cg, rays), cg_i64(cg, field)), cg->exec, bits / 8);
      return;
   }
   LLVMValueRef *fn = function_for(cg, rays, true, bits);
   if (!fn) {
      store_here(cg, rays, field, cg->exec, value);
      return;
   }
   if (!*fn)
      *fn = make_store(cg, bits);
   LLVMValueRef args[3] = {lane_ptr(cg, rays, 0, field), cg_mask_bits(cg, cg->exec), value};
   cg_call_own(cg, *fn, args, 3);
}

static void emit_load(struct cg *cg, struct ir_instr *instr)
{
   const struct rays rays = find(cg, instr);
   for (uint32_t c = 0; c < instr->num_components; c++)
      cg_set_vector(cg, instr, c, load_field(cg, &rays, instr->imm.var.field + c * instr->bit_size / 8, instr->bit_size));
}

static void emit_store(struct cg *cg, struct ir_instr *instr)
{
   const struct rays rays = find(cg, instr);
   struct ir_instr *source = instr->srcs[1];
   for (uint32_t c = 0; c < source->num_components; c++) {
      if (instr->imm.var.mask >> c & 1)
         store_field(cg, &rays, instr->imm.var.field + c * source->bit_size / 8, cg_as_int(cg, cg_vector(cg, source, c)));
   }
}

/* ---- whole rays ---- */

/* A loop of emitted code over byte offsets: from 0 on, by steps, to `end`. */
struct offset_loop {
   LLVMValueRef var, offset;
   LLVMBasicBlockRef body;
};

static struct offset_loop begin_offsets(struct cg *cg)
{
   struct offset_loop loop = {.var = cg_take_var(cg, cg->i64, "offset"), .body = cg_new_block(cg, "rays")};
   cg_store(cg, cg_i64(cg, 0), loop.var, 8);
   cg_branch(cg, loop.body);
   cg_enter(cg, loop.body);
   loop.offset = cg_load(cg, cg->i64, loop.var, 8);
   return loop;
}

static void end_offsets(struct cg *cg, struct offset_loop *loop, uint64_t step, uint64_t end)
{
   LLVMBasicBlockRef done = cg_new_block(cg, "rays_done");
   LLVMValueRef next = LLVMBuildAdd(cg->b, loop->offset, cg_i64(cg, step), "");
   cg_store(cg, next, loop->var, 8);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntULT, next, cg_i64(cg, end), ""), loop->body, done);
   cg_enter(cg, done);
   cg_give_var(cg, cg->i64, loop->var);
}

/* All rays of the variable, whichever lanes are on: those that are off have no query that is used again. */
static void emit_clear(struct cg *cg, const struct ir_instr *instr)
{
   const struct ir_var *var = instr->imm.var.var;
   LLVMValueRef base = cg_var_base(cg, var);
   struct offset_loop loop = begin_offsets(cg);
   LLVMValueRef ray = cg_gep(cg, base, loop.offset);
   for (uint32_t at = 0; at < ABI_RAY_HEAD_BYTES; at += LINE_BYTES)
      cg_store(cg, LLVMConstNull(LLVMVectorType(cg->i32, LINE_BYTES / 4)), cg_gep_const(cg, ray, at), LINE_BYTES);
   end_offsets(cg, &loop, RAY_BYTES, (uint64_t)var->size_bytes * cg->lanes);
}

/* Line by line. A lane that is off copies its ray onto itself. */
static void emit_copy(struct cg *cg, struct ir_instr *instr)
{
   const struct rays rays = find(cg, instr);
   LLVMTypeRef line = LLVMVectorType(cg->i32, LINE_BYTES / 4);
   LLVMValueRef to = LLVMBuildPtrToInt(cg->b, lane_ptrs(cg, &rays), cg_vec_type(cg, cg->i64), ""), from = cg_vector(cg, instr->srcs[1], 0);
   if (cg->exec)
      from = cg_select(cg, cg->exec, from, to);
   struct offset_loop loop = begin_offsets(cg);
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef source = LLVMBuildIntToPtr(cg->b, LLVMBuildExtractElement(cg->b, from, cg_i32(cg, lane), ""), cg->ptr, "");
      cg_store(cg, cg_load(cg, line, cg_gep(cg, source, loop.offset), LINE_BYTES), cg_gep(cg, lane_ptr(cg, &rays, lane, 0), loop.offset), LINE_BYTES);
   }
   end_offsets(cg, &loop, LINE_BYTES, RAY_BYTES);
}
_Static_assert(ABI_RAY_HEAD_BYTES % LINE_BYTES == 0 && RAY_BYTES % LINE_BYTES == 0, "heads are cleared by lines, rays copied by them");

/* ---- calls ---- */

static LLVMValueRef spill_pointers(struct cg *cg, const struct rays *rays)
{
   return cg_spill(cg, S_POINTERS, LLVMBuildPtrToInt(cg->b, lane_ptrs(cg, rays), cg_vec_type(cg, cg->i64), ""));
}

static void emit_proceed(struct cg *cg, struct ir_instr *instr)
{
   const struct rays rays = find(cg, instr);
   LLVMValueRef args[3] = {cg->worker, spill_pointers(cg, &rays), cg_mask_bits(cg, cg->exec)};
   LLVMValueRef bits = cg_call_helper(cg, offsetof(struct abi_helpers, ray_proceed), cg->i32, 3, args);
   cg_set_vector(cg, instr, 0, cg_mask_from_bits(cg, bits));
}

static void emit_commit(struct cg *cg, struct ir_instr *instr)
{
   const struct rays rays = find(cg, instr);
   LLVMValueRef t = instr->num_srcs > 1 ? cg_spill(cg, S_T, cg_as_int(cg, cg_vector(cg, instr->srcs[1], 0))) : LLVMConstNull(cg->ptr);
   LLVMValueRef args[4] = {spill_pointers(cg, &rays), cg_mask_bits(cg, cg->exec), t, LLVMConstNull(cg->ptr)};
   LLVMValueRef bits = cg_call_helper(cg, offsetof(struct abi_helpers, ray_commit), cg->i32, 4, args);
   cg_set_vector(cg, instr, 0, cg_mask_from_bits(cg, bits));
}

static void emit_fetch(struct cg *cg, struct ir_instr *instr)
{
   const struct rays rays = find(cg, instr);
   const uint32_t what = instr->imm.var.mask >> 2, column = instr->imm.var.mask & 3;
   if (!cg->ray_words)
      cg->ray_words = cg_alloca(cg, LLVMArrayType2(cg->i32, ABI_RAY_FETCH_WORDS * ABI_RAY_LANES), 64, "words");
   LLVMValueRef result = cg->ray_words;
   LLVMValueRef args[5] = {spill_pointers(cg, &rays), cg_mask_bits(cg, cg->exec), cg_i32(cg, what),
                           cg_i32(cg, instr->imm.var.field != 0), result};
   cg_call_helper(cg, offsetof(struct abi_helpers, ray_fetch), cg->void_type, 5, args);
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef row = cg_gep_const(cg, result, (uint64_t)(column * 3 + c) * ABI_RAY_LANES * 4);
      cg_set_vector(cg, instr, c, cg_load(cg, cg_vec_type(cg, cg->i32), row, 16));
   }
}

static void emit_address(struct cg *cg, struct ir_instr *instr)
{
   const struct rays rays = find(cg, instr);
   cg_set_vector(cg, instr, 0, LLVMBuildPtrToInt(cg->b, lane_ptrs(cg, &rays), cg_vec_type(cg, cg->i64), ""));
}

void cg_emit_ray(struct cg *cg, struct ir_instr *instr)
{
   switch (instr->op) {
   case IR_load_ray: emit_load(cg, instr); break;
   case IR_store_ray: emit_store(cg, instr); break;
   case IR_ray_clear: emit_clear(cg, instr); break;
   case IR_ray_proceed: emit_proceed(cg, instr); break;
   case IR_ray_commit: emit_commit(cg, instr); break;
   case IR_ray_copy: emit_copy(cg, instr); break;
   case IR_ray_address: emit_address(cg, instr); break;
   default: emit_fetch(cg, instr); break;
   }
}
