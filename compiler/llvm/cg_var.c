/* SPDX-License-Identifier: MIT
 * Variables of an invocation that stayed in memory because their offsets are not constant. Lanes are interleaved dword by dword: dword d
 * of lane l stands at (d * lanes + l) * 4, so that an access with one offset for all lanes is a plain vector, of dwords also if it is narrower. Offsets out
 * of bounds are held at the last element. */
#include "compiler/llvm/cg_memory.h"
#include "util/size.h"

#include <stddef.h>

enum {
   MAX_ALLOCA_BYTES = 16 * 1024,
   MAX_APART = 512, /* accesses whose lanes go apart; beyond, each is a call instead of some instructions a lane */
};

/* Of all lanes. */
static uint64_t vector_bytes(const struct cg *cg, const struct ir_var *var)
{
   return util_size_mul(util_align(var->size_bytes, 4), cg->lanes);
}

/* Of the caller's, or of the hit: memory that the arguments name. NULL: others. */
static LLVMValueRef outside_base(struct cg *cg, enum ir_var_class class)
{
   if (class == IR_VAR_INCOMING)
      return cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_ray_args, payload));
   if (class == IR_VAR_ATTRIBUTES)
      return cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_ray_args, attributes));
   if (class == IR_VAR_RAY)
      return cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_ray_args, rays));
   return NULL;
}

/* Variables of shaders with barriers live as long as the workgroup, so in the frame; so do big ones. */
void cg_prepare_vars(struct cg *cg)
{
   UTIL_LIST_FOR_EACH(struct ir_var, var, &cg->ir->vars, link) {
      if (var->class == IR_VAR_PLAIN)
         cg->var_bytes = util_size_add(cg->var_bytes, vector_bytes(cg, var));
   }
   cg->var_alloca = UTIL_ARENA_ARRAY(cg->arena, LLVMValueRef, cg->ir->num_vars + 1);
   cg->var_slot = UTIL_ARENA_ARRAY(cg->arena, uint32_t, cg->ir->num_vars + 1);
   const bool in_frame = cg->num_segments > 1 || cg->var_bytes > MAX_ALLOCA_BYTES;
   UTIL_LIST_FOR_EACH(struct ir_var, var, &cg->ir->vars, link) {
      if (var->class == IR_VAR_TABLE)
         continue;
      const uint64_t bytes = vector_bytes(cg, var);
      cg->var_slot[var->index] = CG_NO_SLOT;
      cg->var_alloca[var->index] = outside_base(cg, var->class);
      if (cg->var_alloca[var->index])
         continue;
      if (in_frame || var->class != IR_VAR_PLAIN)
         cg->var_slot[var->index] = cg_frame_alloc(cg, bytes, 64);
      else
         cg->var_alloca[var->index] = cg_alloca(cg, LLVMArrayType2(cg->i32, bytes / 4), 64, var->name);
   }
}

LLVMValueRef cg_var_base(struct cg *cg, const struct ir_var *var)
{
   const uint32_t slot = cg->var_slot[var->index];
   return slot == CG_NO_SLOT ? cg->var_alloca[var->index] : cg_frame_ptr(cg, slot);
}

/* The offset of one component, held within the variable. */
static LLVMValueRef clamp_offset(struct cg *cg, const struct ir_var *var, LLVMValueRef offset, uint32_t bytes)
{
   LLVMTypeRef type = LLVMTypeOf(offset);
   LLVMValueRef last = cg_const_like(type, var->size_bytes >= bytes ? var->size_bytes - bytes : 0);
   LLVMValueRef fits = LLVMBuildICmp(cg->b, LLVMIntULE, offset, last, "");
   return cg_select(cg, fits, offset, last);
}

struct location {
   LLVMValueRef base;
   LLVMValueRef scalar; /* i32 byte offset of lane 0's dword, where all lanes use one */
   LLVMValueRef shift;  /* i32, with `scalar`: the first bit in each dword; NULL: of whole ones */
   LLVMValueRef lanes;  /* <lanes x i32> byte offsets of each lane's */
};

/* Of the dword (or part) at component offset `add`. */
static struct location find(struct cg *cg, struct ir_instr *instr, uint32_t add, uint32_t bytes)
{
   const struct ir_var *var = instr->imm.var.var;
   struct ir_instr *src = instr->srcs[0];
   struct location location = {.base = cg_var_base(cg, var)};
   const bool is_scalar = cg_is_uniform(cg, src, 0);
   /* Of lanes that are off nothing is known: only a gather spares them. */
   const bool spares_lanes = is_scalar || !cg->exec || (cg->target.level >= UTIL_CPU_V4 && bytes == 4);
   const bool fits = spares_lanes && src->below && src->below - 1 + add + bytes <= var->size_bytes;
   LLVMValueRef offset = cg_as_int(cg, is_scalar ? cg_scalar(cg, src, 0) : cg_vector(cg, src, 0));
   if (add)
      offset = LLVMBuildAdd(cg->b, offset, cg_const_like(LLVMTypeOf(offset), add), "");
   offset = fits ? offset : clamp_offset(cg, var, offset, bytes);
   LLVMTypeRef type = LLVMTypeOf(offset);
   LLVMValueRef byte = bytes < 4 ? LLVMBuildAnd(cg->b, offset, cg_const_like(type, 3), "") : NULL;
   LLVMValueRef dword = byte ? LLVMBuildAnd(cg->b, offset, cg_const_like(type, ~3u), "") : offset;
   dword = LLVMBuildMul(cg->b, dword, cg_const_like(type, cg->lanes), "");
   if (is_scalar) {
      location.scalar = dword;
      location.shift = byte ? LLVMBuildMul(cg->b, byte, cg_i32(cg, 8), "") : NULL;
   } else {
      location.lanes = LLVMBuildAdd(cg->b, byte ? LLVMBuildAdd(cg->b, dword, byte, "") : dword, cg_iota(cg, 32, 4), "");
   }
   return location;
}

static LLVMValueRef lane_ptr(struct cg *cg, const struct location *location, uint32_t lane)
{
   LLVMValueRef offset = LLVMBuildExtractElement(cg->b, location->lanes, cg_i32(cg, lane), "");
   return cg_gep(cg, location->base, LLVMBuildZExt(cg->b, offset, cg->i64, ""));
}

static LLVMValueRef row_ptr(struct cg *cg, const struct location *location)
{
   return cg_gep(cg, location->base, LLVMBuildZExt(cg->b, location->scalar, cg->i64, ""));
}

/* The dwords of all lanes. */
static LLVMValueRef load_row(struct cg *cg, const struct location *location)
{
   return cg_load(cg, cg_vec_type(cg, cg->i32), row_ptr(cg, location), 4);
}

/* `bits` of each dword become those of `value`. */
static LLVMValueRef insert_part(struct cg *cg, const struct location *location, LLVMValueRef dwords, LLVMValueRef value, uint32_t bits)
{
   LLVMTypeRef type = LLVMTypeOf(dwords);
   LLVMValueRef shift = cg_splat(cg, location->shift), mask = LLVMBuildShl(cg->b, cg_const_like(type, (1u << bits) - 1), shift, "");
   value = LLVMBuildShl(cg->b, LLVMBuildZExt(cg->b, value, type, ""), shift, "");
   return LLVMBuildOr(cg->b, LLVMBuildAnd(cg->b, dwords, LLVMBuildNot(cg->b, mask, ""), ""), value, "");
}

static bool is_call(struct cg *cg, uint32_t bits)
{
   return bits == 32 && cg->num_vars_apart++ >= MAX_APART;
}

/* A load, or a store of `value`. */
static LLVMValueRef call_apart(struct cg *cg, const struct location *location, LLVMValueRef value)
{
   LLVMValueRef dwords = LLVMBuildLShr(cg->b, location->lanes, cg_const_like(LLVMTypeOf(location->lanes), 2), "");
   return cg_batch_call_apart(cg, location->base, LLVMBuildZExt(cg->b, dwords, cg_vec_type(cg, cg->i64), ""), value);
}

/* `mask`: which lanes want it; NULL: all. */
static LLVMValueRef load_part(struct cg *cg, const struct location *location, uint32_t bits, LLVMValueRef mask)
{
   LLVMTypeRef type = cg_int_type(cg, bits);
   if (location->scalar) {
      LLVMValueRef row = load_row(cg, location);
      return !location->shift ? row : LLVMBuildTrunc(cg->b, LLVMBuildLShr(cg->b, row, cg_splat(cg, location->shift), ""), cg_vec_type(cg, type), "");
   }
   if (cg_can_gather(cg) && bits == 32)
      return cg_gather(cg, type, cg_gep(cg, location->base, location->lanes), mask, 4);
   if (is_call(cg, bits))
      return call_apart(cg, location, NULL);
   return cg_load_apart(cg, type, cg->i8, location->base, location->lanes, bits / 8);
}

static void store_part(struct cg *cg, const struct location *location, LLVMValueRef value, uint32_t bits)
{
   if (location->scalar) {
      LLVMValueRef row = cg->exec || location->shift ? load_row(cg, location) : NULL;
      if (location->shift)
         value = insert_part(cg, location, row, value, bits);
      if (cg->exec)
         value = cg_merge(cg, cg->exec, value, row);
      cg_store(cg, value, row_ptr(cg, location), 4);
      return;
   }
   if (cg->target.level >= UTIL_CPU_V4 && bits == 32) {
      cg_scatter(cg, value, cg_gep(cg, location->base, location->lanes), cg->exec, 4);
      return;
   }
   if (is_call(cg, bits)) {
      call_apart(cg, location, value);
      return;
   }
   /* each lane has memory of its own: one that is off writes back what is there */
   LLVMValueRef old = cg->exec ? load_part(cg, location, bits, NULL) : NULL;
   if (old)
      value = cg_select(cg, cg->exec, value, old);
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      cg_store(cg, LLVMBuildExtractElement(cg->b, value, cg_i32(cg, lane), ""), lane_ptr(cg, location, lane), bits / 8);
}

void cg_emit_load_var(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t bytes = instr->bit_size / 8;
   for (uint32_t c = 0; c < instr->num_components; c++) {
      struct location location = find(cg, instr, c * bytes, UTIL_MIN(bytes, 4));
      LLVMValueRef value = load_part(cg, &location, UTIL_MIN(instr->bit_size, 32), cg->exec);
      if (bytes == 8) {
         LLVMTypeRef type = cg_vec_type(cg, cg->i64);
         location = find(cg, instr, c * bytes + 4, 4);
         LLVMValueRef high = LLVMBuildZExt(cg->b, load_part(cg, &location, 32, cg->exec), type, "");
         high = LLVMBuildShl(cg->b, high, cg_const_like(type, 32), "");
         value = LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, value, type, ""), high, "");
      }
      cg_set_vector(cg, instr, c, value);
   }
}

void cg_emit_store_var(struct cg *cg, struct ir_instr *instr)
{
   struct ir_instr *source = instr->srcs[1];
   const uint32_t bytes = source->bit_size / 8;
   for (uint32_t c = 0; c < source->num_components; c++) {
      if (!(instr->imm.var.mask >> c & 1))
         continue;
      LLVMValueRef value = cg_as_int(cg, cg_vector(cg, source, c));
      struct location location = find(cg, instr, c * bytes, UTIL_MIN(bytes, 4));
      if (bytes < 8) {
         store_part(cg, &location, value, source->bit_size);
         continue;
      }
      LLVMTypeRef type = cg_vec_type(cg, cg->i32);
      store_part(cg, &location, LLVMBuildTrunc(cg->b, value, type, ""), 32);
      location = find(cg, instr, c * bytes + 4, 4);
      LLVMValueRef high = LLVMBuildLShr(cg->b, value, cg_const_like(LLVMTypeOf(value), 32), "");
      store_part(cg, &location, LLVMBuildTrunc(cg->b, high, type, ""), 32);
   }
}
