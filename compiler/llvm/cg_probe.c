/* SPDX-License-Identifier: MIT
 * Probes of the instrument: where the condition holds in a lane, the site and all lanes' operands go to the runtime (abi/probe.h). What does not
 * hold costs the test alone: operands are put into memory behind the branch. */
#include "abi/probe.h"
#include "compiler/llvm/cg.h"

#include <stddef.h>

enum { S_RESULT = 32 }; /* in cg->scratch; operands stand from 0 on */

/* The site as bytes without a pointer; like the locations of cg_flow.c it is kept out of sections of strings. */
static LLVMValueRef site_of(struct cg *cg, uint32_t number)
{
   if (number >= cg->ir->num_sites)
      cg_fail(cg, "probe of a site that is not there");
   const struct abi_site *site = cg->ir->sites[number];
   LLVMValueRef global = ir_map_find(&cg->tables, (uintptr_t)site);
   if (global)
      return global;
   LLVMValueRef bytes = LLVMConstStringInContext2(cg->context, (const char *)site, site->total_bytes, true);
   global = cg_const_global(cg, bytes, 8, "site");
   ir_map_add(&cg->tables, (uintptr_t)site, global);
   return global;
}

static uint32_t probe_of(const struct cg *cg, const struct ir_instr *instr)
{
   return instr->imm.u[0] < cg->ir->num_sites ? cg->ir->sites[instr->imm.u[0]]->probe : ABI_NUM_PROBES;
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

/* ---- races and barriers of workgroups ---- */

static void call_helper(struct cg *cg, size_t helper, uint32_t num_args, LLVMValueRef *args)
{
   LLVMTypeRef types[8];
   for (uint32_t i = 0; i < num_args; i++)
      types[i] = LLVMTypeOf(args[i]);
   LLVMBuildCall2(cg->b, LLVMFunctionType(cg->void_type, types, num_args, false), cg_load_at(cg, cg->ptr, cg->helpers, helper), args, num_args, "");
}

bool cg_follows(const struct cg *cg)
{
   return abi_has_workgroups(cg->ir->info.stage) && cg->ir->checks & (ABI_CHECK_RACE | ABI_CHECK_BARRIER);
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

/* Of an access: the offset, of the base where it has one. What lies below the base is off: offsets are signed. */
static struct ir_instr *base_of(const struct ir_instr *instr)
{
   return instr->num_srcs > 3 ? instr->srcs[2] : NULL;
}

static struct ir_instr *offset_of(const struct ir_instr *instr)
{
   return instr->srcs[instr->num_srcs - 1];
}

static LLVMValueRef address_vector(struct cg *cg, const struct ir_instr *instr)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i64);
   LLVMValueRef offset = cg_as_int(cg, cg_vector(cg, offset_of(instr), 0));
   if (!base_of(instr))
      return LLVMBuildZExt(cg->b, offset, type, "");
   return LLVMBuildAdd(cg->b, cg_as_int(cg, cg_vector(cg, base_of(instr), 0)), LLVMBuildSExt(cg->b, offset, type, ""), "");
}

static LLVMValueRef first_address(struct cg *cg, const struct ir_instr *instr)
{
   LLVMValueRef offset = cg_scalar(cg, offset_of(instr), 0);
   if (!base_of(instr))
      return offset;
   return LLVMBuildAdd(cg->b, cg_scalar(cg, base_of(instr), 0), LLVMBuildSExt(cg->b, offset, cg->i64, ""), "");
}

/* The addresses are one of the first lane and steps from there: of the vector, or of runs of `run` lanes. */
static bool is_stepped(struct cg *cg, const struct ir_instr *instr, int64_t *step, uint32_t *run)
{
   struct ir_instr *base = base_of(instr), *offset = offset_of(instr);
   int64_t steps[2] = {0};
   const bool has_step = cg_is_strided(cg, offset, 0, &steps[0]), base_has_step = !base || cg_is_strided(cg, base, 0, &steps[1]);
   *run = cg->lanes;
   *step = steps[0] + steps[1];
   if (has_step && base_has_step)
      return true;
   const struct ir_instr *varying = base_has_step && !steps[1] ? offset : has_step && !steps[0] ? base : NULL;
   if (!varying || varying->divergence != IR_VARYING || varying->run >= cg->lanes)
      return false;
   *run = varying->run;
   *step = varying->stride;
   return true;
}

static void follow_lanes(struct cg *cg, struct ir_instr *instr, LLVMValueRef mask)
{
   cg_spill(cg, 0, address_vector(cg, instr));
   LLVMValueRef local = cg_scalar(cg, instr->srcs[1], 0);
   LLVMValueRef args[5] = {cg->worker, site_of(cg, instr->imm.u[0]), cg_mask_bits(cg, mask), local, cg_scratch(cg, 0)};
   call_helper(cg, offsetof(struct abi_helpers, follow_access), 5, args);
}

/* Lanes side by side that touch the same bytes, or each those behind its neighbour's: the whole vector, or a run of it. */
struct stride {
   const struct abi_site *site;
   uint32_t lanes;
   bool is_uniform;
   LLVMValueRef bits, local, address; /* of the first lane */
};

static uint32_t all_of(const struct stride *stride)
{
   return stride->lanes == 32 ? UINT32_MAX : (1u << stride->lanes) - 1;
}

static LLVMValueRef race_log(struct cg *cg)
{
   return cg_load_at(cg, cg->ptr, cg->worker, offsetof(struct abi_worker, race_log));
}

static void widen(struct cg *cg, LLVMValueRef slot, size_t field, LLVMIntPredicate predicate, LLVMValueRef local)
{
   LLVMValueRef before = cg_load_at(cg, cg->i32, slot, field);
   LLVMValueRef is_beyond = LLVMBuildICmp(cg->b, predicate, local, before, "");
   cg_store(cg, LLVMBuildSelect(cg->b, is_beyond, local, before, ""), cg_gep_const(cg, slot, field), 4);
}

/* An empty slot becomes one of these lanes alone. */
static void fill(struct cg *cg, const struct stride *stride, LLVMValueRef log, LLVMValueRef index, LLVMValueRef slot, LLVMValueRef key, LLVMValueRef used)
{
   LLVMValueRef used_offset = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, used, cg->i64, ""), cg_i64(cg, sizeof(uint16_t)), "");
   LLVMValueRef site_slot = cg_gep_const(cg, cg_load_at(cg, cg->ptr, log, offsetof(struct abi_race_log, sites)), stride->site->number * sizeof(void *));
   LLVMSetOrdering(cg_store(cg, site_of(cg, stride->site->number), site_slot, 8), LLVMAtomicOrderingMonotonic); /* other workers read it */
   cg_store(cg, LLVMBuildTrunc(cg->b, index, cg->i16, ""), cg_gep(cg, cg_gep_const(cg, log, offsetof(struct abi_race_log, used)), used_offset), 2);
   cg_store(cg, LLVMBuildAdd(cg->b, used, cg_i32(cg, 1), ""), cg_gep_const(cg, log, offsetof(struct abi_race_log, num_used)), 4);
   cg_store(cg, key, cg_gep_const(cg, slot, offsetof(struct abi_race_slot, key)), 8);
   cg_store(cg, stride->local, cg_gep_const(cg, slot, offsetof(struct abi_race_slot, least)), 4);
   cg_store(cg, stride->local, cg_gep_const(cg, slot, offsetof(struct abi_race_slot, greatest)), 4);
}

/* Where all lanes are on, in the slot of what this site does at the offset; else, or if it holds something else, goes on to `other`. */
static void note_in_slot(struct cg *cg, const struct stride *stride, LLVMBasicBlockRef other, LLVMBasicBlockRef end)
{
   LLVMBasicBlockRef full = cg_new_block(cg, "full"), same = cg_new_block(cg, "same"), differs = cg_new_block(cg, "differs"), empty = cg_new_block(cg, "empty");
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, stride->bits, cg_i32(cg, all_of(stride)), ""), full, other);

   cg_enter(cg, full);
   LLVMValueRef index =
      LLVMBuildAdd(cg->b, LLVMBuildLShr(cg->b, stride->address, cg_i32(cg, 2), ""), cg_i32(cg, stride->site->number * ABI_RACE_SITE_STEP), "");
   index = LLVMBuildZExt(cg->b, LLVMBuildAnd(cg->b, index, cg_i32(cg, ABI_RACE_SLOTS - 1), ""), cg->i64, "");
   LLVMValueRef log = race_log(cg), slot = cg_gep(cg, log, LLVMBuildMul(cg->b, index, cg_i64(cg, sizeof(struct abi_race_slot)), ""));
   LLVMValueRef key = cg_i64(cg, abi_race_key(stride->site->number, stride->is_uniform, stride->lanes));
   key = LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, stride->address, cg->i64, ""), key, "");
   LLVMValueRef found = cg_load_at(cg, cg->i64, slot, offsetof(struct abi_race_slot, key));
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, found, key, ""), same, differs);

   cg_enter(cg, same);
   widen(cg, slot, offsetof(struct abi_race_slot, least), LLVMIntULT, stride->local);
   widen(cg, slot, offsetof(struct abi_race_slot, greatest), LLVMIntUGT, stride->local);
   cg_branch(cg, end);

   cg_enter(cg, differs);
   LLVMValueRef used = cg_load_at(cg, cg->i32, log, offsetof(struct abi_race_log, num_used));
   LLVMValueRef has_room = LLVMBuildICmp(cg->b, LLVMIntULT, used, cg_load_at(cg, cg->i32, log, offsetof(struct abi_race_log, max_used)), "");
   cg_branch_if(cg, LLVMBuildAnd(cg->b, has_room, LLVMBuildICmp(cg->b, LLVMIntEQ, found, cg_i64(cg, 0), ""), ""), empty, other);
   cg_enter(cg, empty);
   fill(cg, stride, log, index, slot, key, used);
   cg_branch(cg, end);
}

/* The vector goes on with what the last one at this site did; else goes on to `other`. */
static void extend_run(struct cg *cg, const struct stride *stride, LLVMValueRef address, LLVMBasicBlockRef other, LLVMBasicBlockRef end)
{
   const uint32_t number = stride->site->number;
   const uint64_t key = (uint64_t)abi_race_run_key(number, stride->is_uniform) << 32;
   const size_t offset = offsetof(struct abi_race_log, runs) + number % ABI_RACE_RUNS * sizeof(struct abi_race_run);
   LLVMValueRef run = cg_gep_const(cg, race_log(cg), offset);
   LLVMValueRef next = LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, stride->local, cg->i64, ""), cg_i64(cg, key), "");
   LLVMValueRef differs = LLVMBuildXor(cg->b, cg_load_at(cg, cg->i64, run, offsetof(struct abi_race_run, address)), address, "");
   differs = LLVMBuildOr(cg->b, differs, LLVMBuildXor(cg->b, cg_load_at(cg, cg->i64, run, offsetof(struct abi_race_run, local)), next, ""), "");
   LLVMValueRef is_off = LLVMBuildXor(cg->b, stride->bits, cg_i32(cg, all_of(stride)), "");
   differs = LLVMBuildOr(cg->b, differs, LLVMBuildZExt(cg->b, is_off, cg->i64, ""), "");
   LLVMBasicBlockRef same = cg_new_block(cg, "goes_on");
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, differs, cg_i64(cg, 0), ""), same, other);
   cg_enter(cg, same);
   if (!stride->is_uniform) {
      LLVMValueRef behind = LLVMBuildAdd(cg->b, address, cg_i64(cg, (uint64_t)stride->lanes * stride->site->bytes), "");
      cg_store(cg, behind, cg_gep_const(cg, run, offsetof(struct abi_race_run, address)), 8);
   }
   LLVMValueRef local = LLVMBuildAdd(cg->b, stride->local, cg_i32(cg, stride->lanes), "");
   cg_store(cg, local, cg_gep_const(cg, run, offsetof(struct abi_race_run, local)), 4);
   cg_branch(cg, end);
}

/* What a slot can hold: a lane's granules are a power of two, and neither clocks nor barriers of subgroups order lanes by themselves. */
static bool fits_slot(const struct abi_site *site)
{
   const uint32_t granules = UTIL_MAX(site->bytes / site->limit, 1u);
   const bool passes_flags = site->has_flags && site->access == ABI_PROBE_ATOMIC;
   return site->probe == ABI_PROBE_ACCESS_SHARED && !(granules & (granules - 1)) && !passes_flags && !site->has_subgroup_barriers;
}

static void follow_stride(struct cg *cg, const struct stride *stride)
{
   LLVMBasicBlockRef other = cg_new_block(cg, "other"), end = cg_new_block(cg, "followed");
   LLVMValueRef address = LLVMTypeOf(stride->address) == cg->i64 ? stride->address : LLVMBuildZExt(cg->b, stride->address, cg->i64, "");
   if (fits_slot(stride->site))
      note_in_slot(cg, stride, other, end);
   else
      extend_run(cg, stride, address, other, end);
   cg_enter(cg, other);
   LLVMValueRef shape = cg_i32(cg, stride->lanes << 1 | stride->is_uniform);
   LLVMValueRef args[6] = {cg->worker, site_of(cg, stride->site->number), stride->bits, stride->local, address, shape};
   call_helper(cg, offsetof(struct abi_helpers, follow_stride), 6, args);
   cg_branch(cg, end);
   cg_enter(cg, end);
}

static void follow_run(struct cg *cg, const struct stride *whole, LLVMValueRef addresses, uint32_t first, uint32_t lanes)
{
   struct stride run = *whole;
   LLVMValueRef bits = LLVMBuildLShr(cg->b, whole->bits, cg_i32(cg, first), "");
   LLVMValueRef address = LLVMBuildExtractElement(cg->b, addresses, cg_i32(cg, first), "");
   const bool is_shared = whole->site->probe == ABI_PROBE_ACCESS_SHARED;
   run.lanes = lanes;
   run.bits = LLVMBuildAnd(cg->b, bits, cg_i32(cg, (1u << lanes) - 1), "");
   run.local = LLVMBuildAdd(cg->b, whole->local, cg_i32(cg, first), "");
   run.address = is_shared ? LLVMBuildTrunc(cg->b, address, cg->i32, "") : address;
   follow_stride(cg, &run);
}

static void follow_access(struct cg *cg, struct ir_instr *instr, LLVMValueRef mask)
{
   enum { MIN_RUN = 8 }; /* shorter ones are as well found at run time */
   struct stride whole = {.site = cg->ir->sites[instr->imm.u[0]], .lanes = cg->lanes};
   int64_t step;
   uint32_t run;
   if (!is_stepped(cg, instr, &step, &run) || (run < cg->lanes && run < MIN_RUN) || (step != 0 && step != (int64_t)whole.site->bytes)) {
      follow_lanes(cg, instr, mask);
      return;
   }
   whole.is_uniform = step == 0;
   whole.bits = cg_mask_bits(cg, mask);
   whole.local = cg_scalar(cg, instr->srcs[1], 0);
   if (run == cg->lanes) {
      whole.address = first_address(cg, instr);
      follow_stride(cg, &whole);
      return;
   }
   LLVMValueRef addresses = address_vector(cg, instr);
   for (uint32_t first = 0; first < cg->lanes; first += run)
      follow_run(cg, &whole, addresses, first, run);
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
   if (instr->num_components) { /* whoever does not ask gets 0 */
      cg_spill(cg, S_RESULT, LLVMConstNull(cg_vec_type(cg, cg->i64)));
   }
   LLVMBasicBlockRef reported = cg_new_block(cg, "reported"), end = cg_new_block(cg, "probed");
   for (uint32_t i = 1; i < instr->num_srcs; i++)
      cg_vector(cg, instr->srcs[i], 0); /* where all can see it */
   cg_branch_if(cg, any, reported, end);
   cg_enter(cg, reported);
   if (is_access)
      follow_access(cg, instr, mask);
   else
      call(cg, instr, mask);
   cg_branch(cg, end);
   cg_enter(cg, end);
   if (instr->num_components)
      take_result(cg, instr);
}
