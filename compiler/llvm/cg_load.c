/* SPDX-License-Identifier: MIT
 * Loads of buffers, shared memory, push constants and raw addresses.
 *
 * The form follows from how the lanes' addresses lie: all equal: one scalar access; side by side, all or in runs: contiguous vectors
 * (shuffled apart where a lane has several components), one a run; else gathers, or what stands for them below AVX-512. Where they are
 * expected side by side (analyze/likely), each vector looks, and has both forms. */
#include "compiler/llvm/cg_record.h"
#include "compiler/llvm/cg_runs.h"

static void load_uniform(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem)
{
   const uint32_t bytes = instr->bit_size / 8;
   LLVMTypeRef type = cg_int_type(cg, instr->bit_size);
   LLVMValueRef ptr = cg_mem_scalar_ptr(cg, mem);
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef at = cg_gep_const(cg, ptr, c * bytes);
      LLVMValueRef fits = cg_mem_scalar_fits(cg, mem, (c + 1) * bytes);
      if (fits)
         at = cg_select(cg, fits, at, cg->zeros);
      LLVMValueRef value = cg_load(cg, type, at, mem->align);
      if (instr->op != IR_load_push && instr->imm.u[0] & IR_ACCESS_ATOMIC && mem->align == bytes)
         LLVMSetOrdering(value, LLVMAtomicOrderingMonotonic);
      cg_set_scalar(cg, instr, c, value, 0);
   }
}

static void load_gather(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, LLVMValueRef *results)
{
   const uint32_t bytes = instr->bit_size / 8;
   LLVMTypeRef type = cg_int_type(cg, instr->bit_size);
   LLVMValueRef ptrs = cg_mem_lane_ptrs(cg, mem);
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef mask = cg_mem_lane_mask(cg, mem, (c + 1) * bytes, cg->exec);
      results[c] = cg_gather(cg, type, cg_ptrs_plus(cg, ptrs, c * bytes), mask, mem->align);
   }
}

/* One component by a scalar load a lane: of the first element where it is off or out of bounds, and then zero. */
static void load_lane_offsets(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, LLVMValueRef *results)
{
   const uint32_t bytes = instr->bit_size / 8;
   LLVMTypeRef type = cg_int_type(cg, instr->bit_size);
   LLVMValueRef offsets = cg_as_int(cg, cg_vector(cg, mem->offset, 0)), mask = cg_mem_lane_mask(cg, mem, bytes, cg->exec), base = mem->base;
   if (mask) {
      base = cg_record_base(cg, mem, bytes);
      offsets = cg_select(cg, mask, offsets, LLVMConstNull(LLVMTypeOf(offsets)));
   }
   LLVMValueRef loaded = cg_load_apart(cg, type, cg->i8, base, offsets, mem->align);
   results[0] = mask ? cg_select(cg, mask, loaded, LLVMConstNull(LLVMTypeOf(loaded))) : loaded;
}

/* By addresses where there are no gathers: from zeros where the lane is off or out of bounds. */
static void load_lane_addresses(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, LLVMValueRef *results)
{
   const uint32_t bytes = instr->bit_size / 8;
   LLVMTypeRef type = cg_int_type(cg, instr->bit_size);
   LLVMValueRef addresses = cg_mem_lane_addresses(cg, mem);
   LLVMValueRef zeros = cg_splat(cg, LLVMBuildPtrToInt(cg->b, cg->zeros, cg->i64, ""));
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef mask = cg_mem_lane_mask(cg, mem, (c + 1) * bytes, cg->exec);
      LLVMValueRef at = c == 0 ? addresses : LLVMBuildAdd(cg->b, addresses, cg_const_like(LLVMTypeOf(addresses), c * bytes), "");
      if (mask)
         at = cg_select(cg, mask, at, zeros);
      results[c] = cg_load_lanes(cg, type, at, mem->align);
   }
}

/* All components of all lanes that are in bounds, by a loop: the rare case beside a contiguous load. */
static void load_in_loop(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, LLVMValueRef *results)
{
   const uint32_t bytes = instr->bit_size / 8;
   LLVMTypeRef type = cg_int_type(cg, instr->bit_size), vector = cg_vec_type(cg, type);
   LLVMValueRef addresses = cg_spill(cg, 4, cg_mem_lane_addresses(cg, mem)), memory[4];
   for (uint32_t c = 0; c < instr->num_components; c++) {
      memory[c] = cg_spill(cg, c, LLVMConstNull(vector));
      struct cg_lane_loop loop;
      cg_lane_loop_begin(cg, cg_mem_lane_mask(cg, mem, (c + 1) * bytes, cg->exec), &loop);
      LLVMValueRef address = cg_load(cg, cg->i64, cg_lane_ptr(cg, addresses, 64, loop.lane), 8);
      LLVMValueRef ptr = cg_gep_const(cg, LLVMBuildIntToPtr(cg->b, address, cg->ptr, ""), c * bytes);
      cg_store(cg, cg_load(cg, type, ptr, mem->align), cg_lane_ptr(cg, memory[c], instr->bit_size, loop.lane), bytes);
      cg_lane_loop_end(cg, &loop);
      results[c] = cg_load(cg, vector, memory[c], 64);
   }
}

/* Masked loads teach a processor (Zen 5) nothing of where a stream goes on; a prefetch of what is loaded does, and never faults. */
static void announce(struct cg *cg, LLVMValueRef ptr, uint32_t bytes)
{
   for (uint32_t at = 0; at < bytes; at += 64) {
      LLVMValueRef args[4] = {cg_gep_const(cg, ptr, at), cg_i32(cg, 0), cg_i32(cg, 3), cg_i32(cg, 1)};
      cg_intrinsic(cg, "llvm.prefetch", &cg->ptr, 1, args, 4);
   }
}

/* The value of the first lane of a run is that of all. */
static void load_uniform_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, uint32_t run, LLVMValueRef *results)
{
   const uint32_t bytes = instr->bit_size / 8;
   LLVMTypeRef type = cg_int_type(cg, instr->bit_size);
   uint32_t firsts[ABI_MAX_LANES];
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      firsts[lane] = lane / run * run;
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef values = LLVMGetPoison(cg_vec_type(cg, type));
      for (uint32_t r = 0; r < cg->lanes / run; r++) {
         LLVMValueRef offset = cg_first_offset(cg, mem, run, r);
         LLVMValueRef fits = LLVMBuildICmp(cg->b, LLVMIntULT, offset, cg_mem_limit(cg, mem->size, (c + 1) * bytes), "");
         if (mem->guard)
            fits = LLVMBuildAnd(cg->b, fits, LLVMBuildExtractElement(cg->b, mem->guard, cg_i32(cg, r * run), ""), "");
         LLVMValueRef at = cg_gep_const(cg, cg_gep(cg, mem->base, LLVMBuildZExt(cg->b, offset, cg->i64, "")), c * bytes);
         LLVMValueRef value = cg_load(cg, type, cg_select(cg, fits, at, cg->zeros), mem->align);
         values = LLVMBuildInsertElement(cg->b, values, value, cg_i32(cg, r * run), "");
      }
      results[c] = cg_shuffle(cg, values, NULL, firsts, cg->lanes);
   }
}

/* Two forms of a load, the first where `is_first`. */
struct forms {
   LLVMBasicBlockRef second, end, from[2];
};

static struct forms begin_forms(struct cg *cg, LLVMValueRef is_first)
{
   struct forms forms = {.second = cg_new_block(cg, "load_second"), .end = cg_new_block(cg, "load_end")};
   LLVMBasicBlockRef first = cg_new_block(cg, "load_first");
   cg_branch_expected(cg, is_first, first, forms.second);
   cg_enter(cg, first);
   return forms;
}

static void begin_second(struct cg *cg, struct forms *forms)
{
   forms->from[0] = LLVMGetInsertBlock(cg->b);
   cg_branch(cg, forms->end);
   cg_enter(cg, forms->second);
}

/* The values of the one that was gone; into `first`. */
static void end_forms(struct cg *cg, struct forms *forms, uint32_t count, LLVMValueRef *first, LLVMValueRef *second)
{
   forms->from[1] = LLVMGetInsertBlock(cg->b);
   cg_branch(cg, forms->end);
   cg_enter(cg, forms->end);
   for (uint32_t c = 0; c < count; c++) {
      LLVMValueRef values[2] = {first[c], second[c]};
      first[c] = LLVMBuildPhi(cg->b, LLVMTypeOf(values[0]), "");
      LLVMAddIncoming(first[c], values, forms->from, 2);
   }
}

static void pick_components(struct cg *cg, const struct ir_instr *instr, LLVMValueRef *parts, uint32_t num_parts, uint32_t step, LLVMValueRef *results)
{
   LLVMValueRef all = cg_join_parts(cg, parts, num_parts);
   for (uint32_t c = 0; c < instr->num_components; c++)
      results[c] = cg_pick_component(cg, all, c, step);
}

/* Runs all of which are in bounds. */
static void load_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, struct cg_runs runs, LLVMValueRef *results)
{
   LLVMTypeRef type = cg_run_type(cg, instr, runs);
   LLVMValueRef parts[ABI_MAX_LANES];
   for (uint32_t r = 0; r < cg->lanes / runs.lanes; r++) {
      LLVMValueRef at = LLVMBuildZExt(cg->b, cg_first_offset(cg, mem, runs.lanes, r), cg->i64, "");
      parts[r] = cg_load(cg, type, cg_gep(cg, mem->base, at), mem->align);
   }
   pick_components(cg, instr, parts, cg->lanes / runs.lanes, runs.step, results);
}

static void load_masked_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, struct cg_runs runs, LLVMValueRef *results)
{
   const uint32_t bytes = instr->bit_size / 8, count = cg->lanes * runs.step / cg_piece_elements(runs);
   LLVMTypeRef type = LLVMVectorType(cg_int_type(cg, instr->bit_size), cg_piece_elements(runs));
   LLVMValueRef parts[CG_MAX_RUN_COMPONENTS];
   for (uint32_t p = 0; p < count; p++) {
      const struct cg_piece piece = cg_piece_at(cg, mem, runs, p, bytes);
      LLVMValueRef ptr = cg_contiguous_ptr(cg, mem, piece.offset), mask = cg_elements_in_bounds(cg, mem, &piece, runs, bytes);
      if (!mask && cg->exec)
         mask = cg_spread_mask(cg, cg->exec, &piece, runs.step);
      if (instr->op == IR_load_buffer)
         announce(cg, ptr, piece.count * bytes);
      parts[p] = cg_masked_load(cg, type, ptr, mask, mem->align);
   }
   pick_components(cg, instr, parts, count, runs.step, results);
}

static void load_certain_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, struct cg_runs runs, LLVMValueRef *results)
{
   LLVMValueRef slow[4];
   if (cg->target.level >= UTIL_CPU_V4) {
      load_masked_runs(cg, instr, mem, runs, results);
      return;
   }
   cg_vector(cg, mem->offset, 0); /* where both paths can see it */
   struct forms forms = begin_forms(cg, cg_all_in_bounds(cg, mem, runs.lanes, cg_run_bytes(instr, runs)));
   load_runs(cg, instr, mem, runs, results);
   begin_second(cg, &forms);
   load_in_loop(cg, instr, mem, slow);
   end_forms(cg, &forms, instr->num_components, results, slow);
}

/* A record a lane; component by component where the memory's end is in the middle of a lane's. */
static void load_records(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, LLVMValueRef *results)
{
   LLVMValueRef slow[CG_RECORD_COMPONENTS];
   const uint32_t bytes = cg_record_bytes(instr);
   if (cg_mem_always_fits(mem, bytes)) {
      cg_load_records(cg, instr, mem, cg->exec, results);
      return;
   }
   LLVMValueRef some = cg_mem_lane_mask(cg, mem, instr->bit_size / 8, cg->exec), whole = cg_mem_lane_mask(cg, mem, bytes, cg->exec);
   struct forms forms = begin_forms(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, cg_mask_bits(cg, some), cg_mask_bits(cg, whole), ""));
   cg_load_records(cg, instr, mem, whole, results);
   begin_second(cg, &forms);
   if (cg_can_gather(cg) && instr->bit_size >= 32)
      load_gather(cg, instr, mem, slow);
   else
      load_in_loop(cg, instr, mem, slow);
   end_forms(cg, &forms, instr->num_components, results, slow);
}

/* Where a gather takes longer than loads of its lanes; they are some fifty instructions, so that a shader has no more than so many. */
static bool prefers_lane_loads(struct cg *cg, const struct ir_instr *instr, const struct cg_mem *mem)
{
   enum { MAX_LANE_LOADS = 64 };
   const bool has_offsets = mem->base && mem->size && mem->offset && !mem->raw && !mem->is_hoisted;
   return cg->target.level >= UTIL_CPU_V4 && !cg->target.has_gathers && has_offsets && instr->num_components == 1 && instr->bit_size >= 32 &&
          cg->num_lane_loads++ < MAX_LANE_LOADS;
}

/* Lanes that are anywhere. */
static void load_apart(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, uint32_t access, LLVMValueRef *results)
{
   if (cg_is_record(cg, instr, mem, access))
      load_records(cg, instr, mem, results);
   else if (prefers_lane_loads(cg, instr, mem))
      load_lane_offsets(cg, instr, mem, results);
   else if (cg_can_gather(cg) && instr->bit_size >= 32)
      load_gather(cg, instr, mem, results);
   else
      load_lane_addresses(cg, instr, mem, results);
}

static void load_likely_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, uint32_t access, struct cg_runs runs, LLVMValueRef *results)
{
   LLVMValueRef apart[CG_RECORD_COMPONENTS];
   struct forms forms = begin_forms(cg, cg_all_in_runs(cg, mem, runs, instr->bit_size));
   load_runs(cg, instr, mem, runs, results);
   begin_second(cg, &forms);
   load_apart(cg, instr, mem, access, apart);
   end_forms(cg, &forms, instr->num_components, results, apart);
}

static void load_vectors(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, uint32_t access, LLVMValueRef *results)
{
   struct cg_runs runs = cg_runs_of(cg, mem, instr);
   if (runs.lanes && runs.step)
      load_certain_runs(cg, instr, mem, runs, results);
   else if (runs.lanes && !(access & IR_ACCESS_ATOMIC))
      load_uniform_runs(cg, instr, mem, runs.lanes, results);
   else if ((runs = cg_likely_runs_of(cg, mem, instr)).lanes)
      load_likely_runs(cg, instr, mem, access, runs, results);
   else
      load_apart(cg, instr, mem, access, results);
}

void cg_emit_load(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t bytes = instr->bit_size / 8;
   const uint32_t align = instr->op == IR_load_push ? instr->imm.u[0] : instr->imm.u[1];
   const uint32_t access = instr->op == IR_load_push ? 0 : instr->imm.u[0];
   struct cg_mem mem = {.align = align ? UTIL_MIN(align, bytes) : bytes};
   LLVMValueRef results[CG_RECORD_COMPONENTS];
   cg_mem_describe(cg, instr, &mem);
   cg_keep_order(cg, access);
   if (cg_mem_is_uniform(cg, &mem)) {
      load_uniform(cg, instr, &mem);
   } else {
      load_vectors(cg, instr, &mem, access, results);
      for (uint32_t c = 0; c < instr->num_components; c++)
         cg_set_vector(cg, instr, c, results[c]);
   }
   cg_keep_order(cg, access);
}
