/* SPDX-License-Identifier: MIT
 * Probes of the instrument: where the condition holds in a lane, the site and all lanes' operands go to the runtime (abi/probe.h). What does not
 * hold costs the test alone: operands are put into memory behind the branch. */
#include "abi/probe.h"
#include "compiler/llvm/cg.h"

#include <stddef.h>

enum { S_RESULT = 32 }; /* in cg->scratch; operands stand from 0 on */

/* The site as bytes without a pointer; like the places of cg_flow.c it is kept out of sections of strings. */
static LLVMValueRef site_of(struct cg *cg, uint32_t number)
{
   if (number >= cg->ir->num_sites)
      cg_fail(cg, "probe of a site that is not there");
   const struct abi_site *site = cg->ir->sites[number];
   LLVMValueRef global = ir_map_find(&cg->tables, (uintptr_t)site);
   if (global)
      return global;
   LLVMValueRef bytes = LLVMConstStringInContext2(cg->context, (const char *)site, site->total_bytes, true);
   global = LLVMAddGlobal(cg->module, LLVMTypeOf(bytes), "site");
   LLVMSetInitializer(global, bytes);
   LLVMSetGlobalConstant(global, true);
   LLVMSetLinkage(global, LLVMPrivateLinkage);
   LLVMSetAlignment(global, 8);
   ir_map_add(&cg->tables, (uintptr_t)site, global);
   return global;
}

static uint32_t probe_of(const struct cg *cg, const struct ir_instr *instr)
{
   return instr->imm.u[0] < cg->ir->num_sites ? cg->ir->sites[instr->imm.u[0]]->probe : ABI_NUM_PROBES;
}

bool cg_is_of_workgroup(const struct cg *cg, const struct ir_instr *instr)
{
   return instr->op == IR_probe && probe_of(cg, instr) == ABI_PROBE_BARRIER_PASSED;
}

static void store_field(struct cg *cg, size_t field, LLVMValueRef value, uint32_t align)
{
   cg_store(cg, value, cg_gep_const(cg, cg->probe_call, field), align);
}

/* At the entry: what is the same for all calls. */
static void make_call(struct cg *cg)
{
   if (cg->probe_call)
      return;
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   cg->probe_call = cg_alloca(cg, LLVMArrayType2(cg->i64, UTIL_DIV_ROUND_UP(sizeof(struct abi_probe_call), 8)), 16, "probe");
   for (uint32_t i = 0; i < ABI_MAX_PROBE_OPERANDS; i++)
      cg_scratch(cg, i);
   cg_scratch(cg, S_RESULT);
   LLVMPositionBuilderAtEnd(cg->b, cg->entry);
   store_field(cg, offsetof(struct abi_probe_call, worker), cg->worker, 8);
   store_field(cg, offsetof(struct abi_probe_call, lanes), cg_i32(cg, cg->lanes), 4);
   store_field(cg, offsetof(struct abi_probe_call, result), cg_scratch(cg, S_RESULT), 8);
   for (uint32_t i = 0; i < ABI_MAX_PROBE_OPERANDS; i++)
      store_field(cg, offsetof(struct abi_probe_call, operands) + i * sizeof(void *), cg_scratch(cg, i), 8);
   LLVMPositionBuilderAtEnd(cg->b, here);
}

static void put_operand(struct cg *cg, uint32_t index, struct ir_instr *value)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i64);
   LLVMValueRef vector = cg_as_int(cg, cg_vector(cg, value, 0));
   if (value->bit_size != 64)
      vector = LLVMBuildZExt(cg->b, vector, type, "");
   cg_spill(cg, index, vector);
}

static void call(struct cg *cg, struct ir_instr *instr, LLVMValueRef mask)
{
   for (uint32_t i = 1; i < instr->num_srcs; i++)
      put_operand(cg, i - 1, instr->srcs[i]);
   store_field(cg, offsetof(struct abi_probe_call, site), site_of(cg, instr->imm.u[0]), 8);
   store_field(cg, offsetof(struct abi_probe_call, mask), cg_mask_bits(cg, mask), 4);
   LLVMTypeRef type = LLVMFunctionType(cg->void_type, &cg->ptr, 1, false);
   LLVMBuildCall2(cg->b, type, cg_load_at(cg, cg->ptr, cg->helpers, offsetof(struct abi_helpers, probe)), &cg->probe_call, 1, "");
}

/* ---- races and barriers of compute shaders ---- */

static void call_helper(struct cg *cg, size_t helper, uint32_t num_args, LLVMValueRef *args)
{
   LLVMTypeRef types[8];
   for (uint32_t i = 0; i < num_args; i++)
      types[i] = LLVMTypeOf(args[i]);
   LLVMBuildCall2(cg->b, LLVMFunctionType(cg->void_type, types, num_args, false), cg_load_at(cg, cg->ptr, cg->helpers, helper), args, num_args, "");
}

bool cg_follows(const struct cg *cg)
{
   return cg->ir->info.stage == ABI_STAGE_COMPUTE && cg->ir->checks & (ABI_CHECK_RACE | ABI_CHECK_BARRIER);
}

void cg_follow_workgroup(struct cg *cg, LLVMValueRef id[3])
{
   LLVMValueRef memory = cg_alloca(cg, LLVMArrayType2(cg->i32, 3), 4, "workgroup"), args[2] = {cg->worker, memory};
   for (uint32_t c = 0; c < 3; c++)
      cg_store(cg, id[c], cg_gep_const(cg, memory, 4 * c), 4);
   call_helper(cg, offsetof(struct abi_helpers, follow_workgroup), 2, args);
}

/* The vector's lanes have reached the barrier. */
static void reach_barrier(struct cg *cg)
{
   LLVMValueRef reached = cg_load_at(cg, cg->ptr, cg->worker, offsetof(struct abi_worker, reached));
   LLVMValueRef index = cg->num_vectors == 1 ? cg_i32(cg, 0) : cg->vector_index;
   LLVMValueRef offset = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, index, cg->i64, ""), cg_i64(cg, 4), "");
   cg_store(cg, cg_mask_bits(cg, cg_effect_mask(cg)), cg_gep(cg, reached, offset), 4);
}

static void pass_barrier(struct cg *cg, struct ir_instr *instr)
{
   cg->ir->sites[instr->imm.u[0]]->limit = cg->lanes;
   LLVMValueRef args[2] = {cg->worker, site_of(cg, instr->imm.u[0])};
   call_helper(cg, offsetof(struct abi_helpers, follow_barrier), 2, args);
}

static void follow_access(struct cg *cg, struct ir_instr *instr, LLVMValueRef mask)
{
   put_operand(cg, 0, instr->srcs[2]);
   LLVMValueRef local = cg_scalar(cg, instr->srcs[1], 0);
   LLVMValueRef args[5] = {cg->worker, site_of(cg, instr->imm.u[0]), cg_mask_bits(cg, mask), local, cg_scratch(cg, 0)};
   call_helper(cg, offsetof(struct abi_helpers, follow_access), 5, args);
}

/* ---- probes ---- */

static void take_result(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef value = cg_load(cg, cg_vec_type(cg, cg->i64), cg_scratch(cg, S_RESULT), 64);
   if (instr->bit_size != 64)
      value = LLVMBuildTrunc(cg->b, value, cg_vec_type(cg, cg_int_type(cg, instr->bit_size)), "");
   cg_set_vector(cg, instr, 0, value);
}

void cg_emit_probe(struct cg *cg, struct ir_instr *instr)
{
   struct ir_instr *condition = instr->srcs[0];
   const uint32_t probe = probe_of(cg, instr);
   if (probe == ABI_PROBE_BARRIER || probe == ABI_PROBE_BARRIER_PASSED) {
      if (probe == ABI_PROBE_BARRIER)
         reach_barrier(cg);
      else
         pass_barrier(cg, instr);
      return;
   }
   LLVMValueRef mask = cg_effect_mask(cg), any;
   if (instr->num_srcs - 1 > ABI_MAX_PROBE_OPERANDS)
      cg_fail(cg, "a probe of %u operands", instr->num_srcs - 1);
   const bool is_access = probe == ABI_PROBE_ACCESS || probe == ABI_PROBE_ACCESS_SHARED;
   if (!is_access)
      make_call(cg);
   if (cg_is_uniform(cg, condition, 0)) {
      any = cg_scalar(cg, condition, 0);
   } else {
      mask = cg_mask_and(cg, mask, cg_vector(cg, condition, 0));
      any = cg_mask_any(cg, mask);
   }
   if (instr->num_components) { /* whoever does not ask is told 0 */
      cg_spill(cg, S_RESULT, LLVMConstNull(cg_vec_type(cg, cg->i64)));
   }
   LLVMBasicBlockRef told = cg_new_block(cg, "told"), end = cg_new_block(cg, "probed");
   for (uint32_t i = 1; i < instr->num_srcs; i++)
      cg_vector(cg, instr->srcs[i], 0); /* where all can see it */
   cg_branch_if(cg, any, told, end);
   cg_enter(cg, told);
   if (is_access)
      follow_access(cg, instr, mask);
   else
      call(cg, instr, mask);
   cg_branch(cg, end);
   cg_enter(cg, end);
   if (instr->num_components)
      take_result(cg, instr);
}
