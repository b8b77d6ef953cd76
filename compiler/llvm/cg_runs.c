/* SPDX-License-Identifier: MIT
 * Lanes whose addresses lie at one distance from each other, all or in runs: how they are found, where they are in bounds, and the shuffles between what stands
 * in memory and a vector a component. */
#include "compiler/llvm/cg_runs.h"

/* ---- which accesses have runs ---- */

/* The largest distance at which loading what is between costs less than a gather. */
enum { MAX_STEP_BYTES = 16 };

static struct cg_runs runs_at(const struct cg *cg, const struct ir_instr *value, int64_t stride, uint32_t run)
{
   const uint32_t bytes = value->bit_size / 8, comps = value->num_components;
   if (stride < 0 || stride > CG_MAX_RUN_COMPONENTS || stride % bytes)
      return (struct cg_runs){0};
   const uint32_t step = (uint32_t)stride / bytes;
   const bool is_dense = step == comps || (step > comps && stride <= MAX_STEP_BYTES);
   return step == 0 || (is_dense && step * cg->lanes <= CG_MAX_RUN_COMPONENTS) ? (struct cg_runs){run, step} : (struct cg_runs){0};
}

struct cg_runs cg_runs_of(struct cg *cg, const struct cg_mem *mem, const struct ir_instr *value)
{
   int64_t stride;
   if (!mem->base || !mem->size || !mem->offset)
      return (struct cg_runs){0};
   if (cg_is_strided(cg, mem->offset, 0, &stride))
      return runs_at(cg, value, stride, cg->lanes);
   return mem->offset->divergence == IR_VARYING ? runs_at(cg, value, mem->offset->stride, mem->offset->run) : (struct cg_runs){0};
}

struct cg_runs cg_likely_runs_of(struct cg *cg, const struct cg_mem *mem, const struct ir_instr *value)
{
   enum { MAX_LIKELY_RUNS = 64 }; /* each is two forms of an access: a shader has no more than so many */
   const bool is_open = mem->base && mem->size && mem->offset && !mem->raw && !mem->is_hoisted;
   if (!is_open || !mem->offset->likely_run || cg_is_uniform(cg, mem->offset, 0))
      return (struct cg_runs){0};
   const struct cg_runs runs = runs_at(cg, value, mem->offset->stride, UTIL_MIN(mem->offset->likely_run, cg->lanes));
   return runs.lanes && runs.step && cg->num_likely_runs++ < MAX_LIKELY_RUNS ? runs : (struct cg_runs){0};
}

/* The offset of the first lane of a run. */
LLVMValueRef cg_first_offset(struct cg *cg, const struct cg_mem *mem, uint32_t run, uint32_t index)
{
   int64_t stride;
   if (cg_is_strided(cg, mem->offset, 0, &stride))
      return cg_as_int(cg, cg_scalar(cg, mem->offset, 0));
   return LLVMBuildExtractElement(cg->b, cg_as_int(cg, cg_vector(cg, mem->offset, 0)), cg_i32(cg, index * run), "");
}

LLVMTypeRef cg_run_type(struct cg *cg, const struct ir_instr *value, struct cg_runs runs)
{
   return LLVMVectorType(cg_int_type(cg, value->bit_size), runs.lanes * runs.step);
}

uint32_t cg_run_bytes(const struct ir_instr *value, struct cg_runs runs)
{
   return runs.lanes * runs.step * value->bit_size / 8;
}

/* ---- shuffles between one vector a component and lanes side by side ---- */

LLVMValueRef cg_pick_component(struct cg *cg, LLVMValueRef all, uint32_t comp, uint32_t step)
{
   uint32_t indices[ABI_MAX_LANES];
   if (step == 1)
      return all;
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      indices[lane] = lane * step + comp;
   return cg_shuffle(cg, all, NULL, indices, cg->lanes);
}

static LLVMValueRef concatenate(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
   uint32_t indices[CG_MAX_RUN_COMPONENTS];
   const uint32_t num_a = LLVMGetVectorSize(LLVMTypeOf(a)), num_b = LLVMGetVectorSize(LLVMTypeOf(b));
   if (num_a != num_b) { /* shufflevector takes equal types: widen b */
      for (uint32_t i = 0; i < num_a; i++)
         indices[i] = UTIL_MIN(i, num_b);
      b = cg_shuffle(cg, b, NULL, indices, num_a);
   }
   for (uint32_t i = 0; i < num_a + num_b; i++)
      indices[i] = i;
   return cg_shuffle(cg, a, b, indices, num_a + num_b);
}

LLVMValueRef cg_join_components(struct cg *cg, LLVMValueRef *values, uint32_t comps)
{
   uint32_t indices[CG_MAX_RUN_COMPONENTS];
   if (comps == 1)
      return values[0];
   LLVMValueRef all = concatenate(cg, values[0], values[1]);
   if (comps == 4)
      all = concatenate(cg, all, concatenate(cg, values[2], values[3]));
   else if (comps == 3)
      all = concatenate(cg, all, values[2]);
   for (uint32_t i = 0; i < cg->lanes * comps; i++)
      indices[i] = i % comps * cg->lanes + i / comps;
   return cg_shuffle(cg, all, NULL, indices, cg->lanes * comps);
}

LLVMValueRef cg_spread_mask(struct cg *cg, LLVMValueRef mask, const struct cg_piece *piece, uint32_t step)
{
   uint32_t indices[CG_MAX_RUN_COMPONENTS];
   if (step == 1 && piece->count == cg->lanes)
      return mask;
   for (uint32_t i = 0; i < piece->count; i++)
      indices[i] = (piece->first + i) / step;
   return cg_shuffle(cg, mask, NULL, indices, piece->count);
}

/* ---- contiguous accesses ---- */

static LLVMValueRef splat_n(struct cg *cg, LLVMValueRef scalar, uint32_t count)
{
   LLVMValueRef zeros[CG_MAX_RUN_COMPONENTS];
   LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), count);
   for (uint32_t i = 0; i < count; i++)
      zeros[i] = LLVMIsConstant(scalar) ? scalar : cg_i32(cg, 0);
   if (LLVMIsConstant(scalar))
      return LLVMConstVector(zeros, count);
   LLVMValueRef one = LLVMBuildInsertElement(cg->b, LLVMGetPoison(type), scalar, cg_i32(cg, 0), "");
   return LLVMBuildShuffleVector(cg->b, one, LLVMGetPoison(type), LLVMConstVector(zeros, count), "");
}

LLVMValueRef cg_contiguous_ptr(struct cg *cg, const struct cg_mem *mem, LLVMValueRef first)
{
   return cg_gep(cg, mem->base, LLVMBuildSExt(cg->b, first, cg->i64, ""));
}

uint32_t cg_piece_elements(struct cg_runs runs)
{
   const uint32_t count = runs.lanes * runs.step;
   return count & (count - 1) ? runs.lanes : count;
}

struct cg_piece cg_piece_at(struct cg *cg, const struct cg_mem *mem, struct cg_runs runs, uint32_t index, uint32_t bytes)
{
   const uint32_t run = runs.lanes * runs.step, count = cg_piece_elements(runs), first = index * count;
   LLVMValueRef offset = cg_first_offset(cg, mem, runs.lanes, first / run);
   return (struct cg_piece){first, count, first % run ? LLVMBuildAdd(cg->b, offset, cg_i32(cg, first % run * bytes), "") : offset};
}

LLVMValueRef cg_elements_in_bounds(struct cg *cg, const struct cg_mem *mem, const struct cg_piece *piece, struct cg_runs runs, uint32_t bytes)
{
   if (cg_mem_always_fits(mem, bytes * runs.step))
      return NULL;
   LLVMValueRef offsets = LLVMBuildAdd(cg->b, splat_n(cg, piece->offset, piece->count), cg_iota_n(cg, piece->count, 32, bytes), "");
   LLVMValueRef limit = splat_n(cg, cg_mem_limit(cg, mem->size, bytes), piece->count);
   LLVMValueRef fits = LLVMBuildICmp(cg->b, LLVMIntULT, offsets, limit, "");
   return mem->guard ? LLVMBuildAnd(cg->b, fits, cg_spread_mask(cg, mem->guard, piece, runs.step), "") : fits;
}

LLVMValueRef cg_all_in_bounds(struct cg *cg, const struct cg_mem *mem, uint32_t run, uint32_t bytes)
{
   LLVMValueRef size = LLVMBuildZExt(cg->b, mem->size, cg->i64, ""), all = mem->guard ? cg_mask_all(cg, mem->guard) : NULL;
   for (uint32_t r = 0; r < cg->lanes / run; r++) {
      LLVMValueRef first = LLVMBuildZExt(cg->b, cg_first_offset(cg, mem, run, r), cg->i64, "");
      LLVMValueRef end = LLVMBuildAdd(cg->b, first, cg_i64(cg, bytes), "");
      LLVMValueRef fits = LLVMBuildICmp(cg->b, LLVMIntULE, end, size, "");
      all = all ? LLVMBuildAnd(cg->b, all, fits, "") : fits;
   }
   return all;
}

LLVMValueRef cg_all_in_runs(struct cg *cg, const struct cg_mem *mem, struct cg_runs runs, uint32_t bits)
{
   const uint32_t run = runs.lanes, bytes = runs.step * bits / 8;
   LLVMValueRef offsets = cg_as_int(cg, cg_vector(cg, mem->offset, 0)), steps[ABI_MAX_LANES];
   uint32_t firsts[ABI_MAX_LANES];
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      firsts[lane] = lane / run * run;
      steps[lane] = cg_i32(cg, lane % run * bytes);
   }
   LLVMValueRef in_runs = LLVMBuildAdd(cg->b, cg_shuffle(cg, offsets, NULL, firsts, cg->lanes), LLVMConstVector(steps, cg->lanes), "");
   LLVMValueRef others = cg_mask_and(cg, LLVMBuildICmp(cg->b, LLVMIntNE, offsets, in_runs, ""), cg->exec);
   return LLVMBuildAnd(cg->b, LLVMBuildNot(cg->b, cg_mask_any(cg, others), ""), cg_all_in_bounds(cg, mem, run, run * bytes), "");
}

LLVMValueRef cg_join_parts(struct cg *cg, LLVMValueRef *parts, uint32_t count)
{
   for (; count > 1 && count != 3; count /= 2) {
      for (uint32_t i = 0; i < count / 2; i++)
         parts[i] = concatenate(cg, parts[2 * i], parts[2 * i + 1]);
   }
   return count == 3 ? concatenate(cg, concatenate(cg, parts[0], parts[1]), parts[2]) : parts[0];
}
