/* SPDX-License-Identifier: MIT
 * Stores to buffers, shared memory and raw addresses, in the forms that loads have (cg_load.c): one scalar, contiguous vectors, vectors of components lane by
 * lane (cg_record.h), else scatters or a loop over lanes. */
#include "compiler/llvm/cg_record.h"
#include "compiler/llvm/cg_runs.h"

/* The value that stays when all lanes of `mask` write one location: the last one's. */
static LLVMValueRef last_value(struct cg *cg, struct ir_instr *value, uint32_t comp, LLVMValueRef mask)
{
   if (cg_is_uniform(cg, value, comp))
      return cg_as_int(cg, cg_scalar(cg, value, comp));
   LLVMValueRef vector = cg_as_int(cg, cg_vector(cg, value, comp)), lane = cg_i32(cg, cg->lanes - 1);
   if (mask) {
      LLVMValueRef args[2] = {LLVMBuildOr(cg->b, cg_mask_bits(cg, mask), cg_i32(cg, 1), ""), LLVMConstInt(cg->i1, 1, false)};
      lane = LLVMBuildSub(cg->b, cg_i32(cg, 31), cg_intrinsic(cg, "llvm.ctlz", &cg->i32, 1, args, 2), "");
   }
   return LLVMBuildExtractElement(cg->b, vector, lane, "");
}

static void store_uniform(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem)
{
   const uint32_t bytes = value->bit_size / 8;
   LLVMValueRef mask = cg_effect_mask(cg), ptr = cg_mem_scalar_ptr(cg, mem);
   for (uint32_t c = 0; c < value->num_components; c++) {
      if (!(instr->imm.u[2] >> c & 1))
         continue;
      LLVMValueRef at = cg_gep_const(cg, ptr, c * bytes), fits = cg_mem_scalar_fits(cg, mem, (c + 1) * bytes);
      if (mask && mask != cg->exec) { /* helpers: perhaps no lane at all */
         LLVMValueRef any = cg_mask_any(cg, mask);
         fits = fits ? LLVMBuildAnd(cg->b, fits, any, "") : any;
      }
      if (fits)
         at = cg_select(cg, fits, at, cg_scratch(cg, 5));
      LLVMValueRef store = cg_store(cg, last_value(cg, value, c, mask), at, mem->align);
      if (instr->imm.u[0] & IR_ACCESS_ATOMIC && mem->align == bytes)
         LLVMSetOrdering(store, LLVMAtomicOrderingMonotonic);
   }
}

static void store_scatter(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem)
{
   const uint32_t bytes = value->bit_size / 8;
   LLVMValueRef ptrs = cg_mem_lane_ptrs(cg, mem), exec = cg_effect_mask(cg);
   for (uint32_t c = 0; c < value->num_components; c++) {
      if (instr->imm.u[2] >> c & 1)
         cg_scatter(cg, cg_as_int(cg, cg_vector(cg, value, c)), cg_ptrs_plus(cg, ptrs, c * bytes),
                    cg_mem_lane_mask(cg, mem, (c + 1) * bytes, exec), mem->align);
   }
}

static void store_in_loop(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem)
{
   const uint32_t bytes = value->bit_size / 8;
   LLVMValueRef exec = cg_effect_mask(cg), addresses = cg_mem_lane_addresses(cg, mem), in_memory = NULL;
   for (uint32_t c = 0; c < value->num_components; c++) {
      if (!(instr->imm.u[2] >> c & 1))
         continue;
      LLVMValueRef vector = cg_as_int(cg, cg_vector(cg, value, c)), mask = cg_mem_lane_mask(cg, mem, (c + 1) * bytes, exec);
      LLVMValueRef at = c == 0 ? addresses : LLVMBuildAdd(cg->b, addresses, cg_const_like(LLVMTypeOf(addresses), c * bytes), "");
      if (cg_store_lanes(cg, at, mask, vector))
         continue;
      if (!in_memory)
         in_memory = cg_spill(cg, 4, addresses);
      LLVMValueRef values = cg_spill(cg, c, vector);
      struct cg_lane_loop loop;
      cg_lane_loop_begin(cg, mask, &loop);
      LLVMValueRef address = cg_load(cg, cg->i64, cg_lane_ptr(cg, in_memory, 64, loop.lane), 8);
      LLVMValueRef ptr = cg_gep_const(cg, LLVMBuildIntToPtr(cg->b, address, cg->ptr, ""), c * bytes);
      LLVMValueRef element = cg_load(cg, cg_int_type(cg, value->bit_size), cg_lane_ptr(cg, values, value->bit_size, loop.lane), bytes);
      cg_store(cg, element, ptr, mem->align);
      cg_lane_loop_end(cg, &loop);
   }
}

/* Lanes that are anywhere, component by component. */
static void store_components(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem)
{
   if (cg->target.level >= UTIL_CPU_V4 && value->bit_size >= 32)
      store_scatter(cg, instr, value, mem);
   else
      store_in_loop(cg, instr, value, mem);
}

static LLVMValueRef all_components(struct cg *cg, struct ir_instr *value)
{
   LLVMValueRef values[4] = {0};
   for (uint32_t c = 0; c < value->num_components; c++)
      values[c] = cg_as_int(cg, cg_vector(cg, value, c));
   return cg_join_components(cg, values, value->num_components);
}

/* Each run's elements that are in bounds, of components that the instruction writes. */
static void store_masked_runs(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem, struct cg_runs runs)
{
   const uint32_t comps = value->num_components, bytes = value->bit_size / 8;
   LLVMValueRef exec = cg_effect_mask(cg), all = all_components(cg, value);
   for (uint32_t p = 0; p < cg->lanes * comps / cg_piece_elements(runs); p++) {
      const struct cg_piece piece = cg_piece_at(cg, mem, runs, p, bytes);
      LLVMValueRef mask = cg_elements_in_bounds(cg, mem, &piece, runs, bytes);
      if (exec)
         mask = cg_mask_and(cg, mask, cg_spread_mask(cg, exec, &piece, comps));
      if (!ir_writes_all(instr)) {
         LLVMValueRef written[CG_MAX_RUN_COMPONENTS];
         for (uint32_t i = 0; i < piece.count; i++)
            written[i] = LLVMConstInt(cg->i1, instr->imm.u[2] >> ((piece.first + i) % comps) & 1, false);
         mask = cg_mask_and(cg, mask, LLVMConstVector(written, piece.count));
      }
      cg_masked_store(cg, cg_part_of(cg, all, piece.count, p), cg_contiguous_ptr(cg, mem, piece.offset), mask, mem->align);
   }
}

/* Two forms of a store, the first where `is_whole`; the second is component by component. */
struct forms {
   LLVMBasicBlockRef second, end;
};

static struct forms begin_whole(struct cg *cg, LLVMValueRef is_whole)
{
   LLVMBasicBlockRef whole = cg_new_block(cg, "store_all");
   const struct forms forms = {cg_new_block(cg, "store_some"), cg_new_block(cg, "store_end")};
   cg_branch_expected(cg, is_whole, whole, forms.second);
   cg_enter(cg, whole);
   return forms;
}

static void end_whole(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem, const struct forms *forms)
{
   cg_branch(cg, forms->end);
   cg_enter(cg, forms->second);
   store_components(cg, instr, value, mem);
   cg_branch(cg, forms->end);
   cg_enter(cg, forms->end);
}

/* Where all lanes are on and in bounds, all components of a lane at once. */
static void store_records(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem)
{
   const uint32_t comps = value->num_components;
   cg->num_records++;
   for (uint32_t c = 0; c < comps; c++) /* where both forms can see them */
      cg_vector(cg, value, c);
   LLVMValueRef stored = cg_mem_lane_mask(cg, mem, comps * value->bit_size / 8, cg_effect_mask(cg));
   if (!stored) {
      cg_store_records(cg, mem, value);
      return;
   }
   const struct forms forms = begin_whole(cg, cg_mask_all(cg, stored));
   cg_store_records(cg, mem, value);
   end_whole(cg, instr, value, mem, &forms);
}

/* Runs where `is_whole` and all lanes are on, else lane by lane. */
static void store_runs(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem, uint32_t run, LLVMValueRef is_whole)
{
   LLVMValueRef all = all_components(cg, value), exec = cg_effect_mask(cg);
   const struct forms forms = begin_whole(cg, exec ? LLVMBuildAnd(cg->b, is_whole, cg_mask_all(cg, exec), "") : is_whole);
   for (uint32_t r = 0; r < cg->lanes / run; r++) {
      LLVMValueRef at = LLVMBuildZExt(cg->b, cg_first_offset(cg, mem, run, r), cg->i64, "");
      cg_store(cg, cg_part_of(cg, all, run * value->num_components, r), cg_gep(cg, mem->base, at), mem->align);
   }
   end_whole(cg, instr, value, mem, &forms);
}

static void store_certain_runs(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem, struct cg_runs runs)
{
   cg_vector(cg, mem->offset, 0); /* where both paths can see it */
   if (cg->target.level >= UTIL_CPU_V4)
      store_masked_runs(cg, instr, value, mem, runs);
   else
      store_runs(cg, instr, value, mem, runs.lanes, cg_all_in_bounds(cg, mem, runs.lanes, cg_run_bytes(value, runs)));
}

void cg_emit_store(struct cg *cg, struct ir_instr *instr)
{
   struct ir_instr *value = instr->srcs[instr->num_srcs - 1];
   const uint32_t bytes = value->bit_size / 8, comps = value->num_components, align = instr->imm.u[1];
   struct cg_mem mem = {.align = align ? UTIL_MIN(align, bytes) : bytes};
   cg_mem_describe(cg, instr, &mem);
   const bool writes_all = ir_writes_all(instr);
   struct cg_runs runs;
   cg_keep_order(cg, instr->imm.u[0]);
   if (cg_mem_is_uniform(cg, &mem))
      store_uniform(cg, instr, value, &mem);
   else if ((cg->target.level >= UTIL_CPU_V4 || writes_all) && (runs = cg_runs_of(cg, &mem, value)).lanes && runs.step == comps)
      store_certain_runs(cg, instr, value, &mem, runs);
   else if (writes_all && (runs = cg_likely_runs_of(cg, &mem, value)).lanes && runs.step == comps)
      store_runs(cg, instr, value, &mem, runs.lanes, cg_all_in_runs(cg, &mem, runs, value->bit_size));
   else if (writes_all && cg_can_be_record(cg, value, &mem, instr->imm.u[0]))
      store_records(cg, instr, value, &mem);
   else
      store_components(cg, instr, value, &mem);
   cg_keep_order(cg, instr->imm.u[0]);
}
