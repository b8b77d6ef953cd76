/* SPDX-License-Identifier: MIT
 * Tables of constants, which stand beside the code. A few registers full of words are looked up by the processor's permutations; more of them come from
 * memory. Elements of 64 bits are two tables of words. */
#include "compiler/llvm/cg_memory.h"
#include "compiler/llvm/cg_runs.h"
#include "compiler/llvm/cg_target.h"

enum { MAX_REGISTERS = 8, PADDING = 16 };

/* 32 bits of each element, from bit `shift` on, made up to whole registers by zeros. */
static LLVMValueRef words_of(struct cg *cg, const struct ir_table *table, uint32_t shift)
{
   const uint32_t count = (uint32_t)util_align(table->count, PADDING);
   const uintptr_t key = (uintptr_t)table + (shift != 0);
   LLVMValueRef known = ir_map_find(&cg->tables, key);
   if (known)
      return known;
   LLVMValueRef *values = UTIL_ARENA_ARRAY(cg->arena, LLVMValueRef, count);
   for (uint32_t i = 0; i < count; i++)
      values[i] = cg_i32(cg, i < table->count ? (uint32_t)(table->elements[i] >> shift) : 0);
   LLVMValueRef global = cg_const_memory(cg, LLVMConstArray2(cg->i32, values, count));
   ir_map_add(&cg->tables, key, global);
   return global;
}

/* What of the index may be beyond the last element is held there. Of lanes that are off nothing is known; nor is anything that follows from conditions around
 * the load where it is made before they are asked. */
static LLVMValueRef clamp(struct cg *cg, const struct ir_instr *instr, LLVMValueRef index, bool spares_lanes)
{
   const struct ir_table *table = instr->imm.var.var->table;
   const uint64_t below = instr->srcs[0]->below;
   if (below && below <= table->count && (spares_lanes || !cg->exec) && !cg_is_hoisted(cg, instr))
      return index;
   LLVMValueRef last = cg_const_like(LLVMTypeOf(index), table->count - 1);
   return cg_intrinsic1(cg, "llvm.umin", 2, index, last, NULL);
}

/* Of one register of indices. */
static LLVMValueRef permute(struct cg *cg, LLVMValueRef words, LLVMValueRef index, uint32_t count, uint32_t width)
{
   LLVMTypeRef type = LLVMTypeOf(index);
   LLVMValueRef result = NULL;
   for (uint32_t first = 0; first < count; first += width) {
      LLVMValueRef found = cg_permute_words(cg, cg_load(cg, type, cg_gep_const(cg, words, first * 4), 64), index);
      LLVMValueRef is_before = first ? LLVMBuildICmp(cg->b, LLVMIntULT, index, cg_const_like(type, first), "") : NULL;
      result = first ? cg_select(cg, is_before, result, found) : found;
   }
   return result;
}

static LLVMValueRef look_up(struct cg *cg, const struct ir_instr *instr, LLVMValueRef index, uint32_t shift)
{
   const struct ir_table *table = instr->imm.var.var->table;
   const uint32_t width = cg_target.permuted_words(cg->target.level, cg->lanes);
   LLVMValueRef words = words_of(cg, table, shift), parts[ABI_MAX_LANES];
   if (table->count <= MAX_REGISTERS * width) {
      index = clamp(cg, instr, index, true);
      for (uint32_t i = 0; i < cg->lanes / width; i++)
         parts[i] = permute(cg, words, cg_part_of(cg, index, width, i), table->count, width);
      return cg_join_parts(cg, parts, cg->lanes / width);
   }
   if (cg_can_gather(cg)) {
      index = clamp(cg, instr, index, true);
      return cg_gather(cg, cg->i32, LLVMBuildGEP2(cg->b, cg->i32, words, &index, 1, ""), cg->exec, 4);
   }
   index = clamp(cg, instr, index, false);
   return cg_load_apart(cg, cg->i32, cg->i32, words, index, 4);
}

static LLVMValueRef look_up_one(struct cg *cg, const struct ir_instr *instr, LLVMValueRef index, uint32_t shift)
{
   LLVMValueRef words = words_of(cg, instr->imm.var.var->table, shift), at = LLVMBuildZExt(cg->b, clamp(cg, instr, index, true), cg->i64, "");
   return cg_load(cg, cg->i32, cg_gep(cg, words, LLVMBuildShl(cg->b, at, cg_i64(cg, 2), "")), 4);
}

void cg_emit_load_table(struct cg *cg, struct ir_instr *instr)
{
   struct ir_instr *src = instr->srcs[0];
   const bool is_uniform = cg_is_uniform(cg, src, 0);
   LLVMValueRef index = cg_as_int(cg, is_uniform ? cg_scalar(cg, src, 0) : cg_vector(cg, src, 0));
   LLVMTypeRef type = cg_type(cg, cg_int_type(cg, instr->bit_size), !is_uniform);
   LLVMValueRef (*find)(struct cg *, const struct ir_instr *, LLVMValueRef, uint32_t) = is_uniform ? look_up_one : look_up;
   LLVMValueRef value = find(cg, instr, index, 0);
   if (instr->bit_size == 64) {
      LLVMValueRef high = LLVMBuildZExt(cg->b, find(cg, instr, index, 32), type, "");
      value = LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, value, type, ""), LLVMBuildShl(cg->b, high, cg_const_like(type, 32), ""), "");
   } else if (instr->bit_size < 32) {
      value = LLVMBuildTrunc(cg->b, value, type, "");
   }
   if (is_uniform)
      cg_set_scalar(cg, instr, 0, value, 0);
   else
      cg_set_vector(cg, instr, 0, value);
}
