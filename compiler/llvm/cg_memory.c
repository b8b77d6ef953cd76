/* SPDX-License-Identifier: MIT
 * Loads and stores of buffers, shared memory, push constants and raw addresses; every access through a size is checked (D11).
 *
 * The form follows from how the lanes' addresses lie: all equal: one scalar access; side by side, all or in runs: contiguous vectors
 * (shuffled apart where a lane has several components), one a run; else gathers and scatters, or what stands for them below AVX-512. Where they are
 * expected side by side (analyze/likely), each vector looks, and has both forms.
 * Offsets are 32 bits and wrap, as the lanes' own arithmetic would: offset < size - (bytes - 1), saturated, is the whole check. No size
 * is more than ABI_MAX_BUFFER_BYTES, so an offset in bounds is positive as a signed number. */
#include "compiler/llvm/cg_memory.h"
#include "compiler/llvm/cg_record.h"
#include "compiler/llvm/cg_target.h"

#include <stddef.h>

/* ---- what an instruction accesses ---- */

static void set_base(struct cg *cg, struct cg_mem *mem, struct ir_instr *addr)
{
   if (cg_is_uniform(cg, addr, 0))
      mem->base = LLVMBuildIntToPtr(cg->b, cg_as_int(cg, cg_scalar(cg, addr, 0)), cg->ptr, "");
   else
      mem->addresses = cg_as_int(cg, cg_vector(cg, addr, 0));
}

void cg_mem_describe(struct cg *cg, struct ir_instr *instr, struct cg_mem *mem)
{
   mem->is_hoisted = cg_is_hoisted(cg, instr);
   switch (instr->op) {
   case IR_load_buffer: case IR_store_buffer: case IR_atomic_buffer:
      set_base(cg, mem, instr->srcs[0]);
      mem->offset = instr->srcs[2];
      if (mem->base && cg_is_uniform(cg, instr->srcs[1], 0)) {
         mem->size = cg_as_int(cg, cg_scalar(cg, instr->srcs[1], 0));
      } else {
         mem->sizes = cg_as_int(cg, cg_vector(cg, instr->srcs[1], 0));
         if (mem->base) { /* a size for each lane asks for addresses for each lane */
            mem->addresses = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
            mem->base = NULL;
         }
      }
      break;
   case IR_load_shared: case IR_store_shared: case IR_atomic_shared:
      mem->base = cg->shared;
      mem->offset = instr->srcs[0];
      mem->size = cg_i32(cg, cg->ir->info.shared_bytes);
      break;
   case IR_load_push:
      mem->base = cg->push;
      mem->offset = instr->srcs[0];
      mem->size = cg_i32(cg, ABI_MAX_PUSH_BYTES);
      break;
   default:
      set_base(cg, mem, instr->srcs[0]);
      mem->raw = instr->srcs[0];
      break;
   }
}

struct cg_limit {
   struct cg_limit *next;
   LLVMValueRef size, limit;
   uint32_t bytes;
};

static LLVMValueRef compute_limit(struct cg *cg, LLVMValueRef size, uint32_t bytes)
{
   LLVMTypeRef type = LLVMTypeOf(size);
   LLVMValueRef args[2] = {size, cg_const_like(type, bytes - 1)};
   return bytes == 1 ? size : cg_intrinsic(cg, "llvm.usub.sat", &type, 1, args, 2);
}

/* i32: offsets below it are in bounds for an access of `bytes`. Computed once, where the size is. */
LLVMValueRef cg_mem_limit(struct cg *cg, LLVMValueRef size, uint32_t bytes)
{
   if (LLVMIsAConstantInt(size)) {
      const uint32_t value = (uint32_t)LLVMConstIntGetZExtValue(size);
      return cg_i32(cg, value >= bytes ? value - bytes + 1 : 0);
   }
   if (LLVMIsConstant(size))
      return compute_limit(cg, size, bytes);
   for (struct cg_limit *l = cg->limits; l; l = l->next) {
      if (l->size == size && l->bytes == bytes)
         return l->limit;
   }
   struct cg_limit *l = UTIL_ARENA_NEW(cg->arena, struct cg_limit);
   LLVMBasicBlockRef here = cg_go_below(cg, size);
   *l = (struct cg_limit){.next = cg->limits, .size = size, .bytes = bytes, .limit = compute_limit(cg, size, bytes)};
   cg_enter(cg, here);
   cg->limits = l;
   return l->limit;
}

/* True if every lane that is on is known to be in bounds with an access of `bytes`. */
static bool always_fits(const struct cg_mem *mem, uint32_t bytes)
{
   const uint64_t max = mem->offset ? mem->offset->below - 1 : UINT64_MAX;
   return !mem->is_hoisted && mem->size && LLVMIsAConstantInt(mem->size) && max < UINT32_MAX && max + bytes <= LLVMConstIntGetZExtValue(mem->size);
}

/* Lanes whose access of `bytes` bytes is in bounds; NULL: all that are on. */
static LLVMValueRef lanes_in_bounds(struct cg *cg, const struct cg_mem *mem, uint32_t bytes)
{
   if (mem->raw) {
      LLVMValueRef address = cg_as_int(cg, cg_vector(cg, mem->raw, 0));
      return LLVMBuildICmp(cg->b, LLVMIntUGE, address, cg_const_like(LLVMTypeOf(address), CG_LEAST_ADDRESS), "");
   }
   if ((!mem->size && !mem->sizes) || always_fits(mem, bytes))
      return NULL;
   LLVMValueRef limit = mem->size ? cg_splat(cg, cg_mem_limit(cg, mem->size, bytes)) : cg_mem_limit(cg, mem->sizes, bytes);
   return LLVMBuildICmp(cg->b, LLVMIntULT, cg_as_int(cg, cg_vector(cg, mem->offset, 0)), limit, "");
}

LLVMValueRef cg_mem_lane_mask(struct cg *cg, const struct cg_mem *mem, uint32_t bytes, LLVMValueRef exec)
{
   return cg_mask_and(cg, exec, lanes_in_bounds(cg, mem, bytes));
}

/* i1 for a uniform offset: in bounds; NULL: known to be. */
static LLVMValueRef scalar_in_bounds(struct cg *cg, const struct cg_mem *mem, uint32_t bytes)
{
   if (mem->raw)
      return LLVMBuildICmp(cg->b, LLVMIntUGE, cg_as_int(cg, cg_scalar(cg, mem->raw, 0)), cg_i64(cg, CG_LEAST_ADDRESS), "");
   if (!mem->size || always_fits(mem, bytes))
      return NULL;
   LLVMValueRef offset = cg_as_int(cg, cg_scalar(cg, mem->offset, 0)), limit = cg_mem_limit(cg, mem->size, bytes);
   if (LLVMIsAConstantInt(offset) && LLVMIsAConstantInt(limit))
      return LLVMConstIntGetZExtValue(offset) < LLVMConstIntGetZExtValue(limit) ? NULL : LLVMConstInt(cg->i1, 0, false);
   return LLVMBuildICmp(cg->b, LLVMIntULT, offset, limit, "");
}

LLVMValueRef cg_mem_scalar_ptr(struct cg *cg, const struct cg_mem *mem)
{
   if (!mem->offset)
      return mem->base;
   LLVMValueRef offset = cg_as_int(cg, cg_scalar(cg, mem->offset, 0));
   return cg_gep(cg, mem->base, LLVMBuildZExt(cg->b, offset, cg->i64, ""));
}

LLVMValueRef cg_mem_lane_addresses(struct cg *cg, const struct cg_mem *mem)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i64);
   LLVMValueRef base = mem->addresses;
   if (!base)
      base = cg_splat(cg, LLVMBuildPtrToInt(cg->b, mem->base, cg->i64, ""));
   if (!mem->offset)
      return base;
   LLVMValueRef offset = LLVMBuildZExt(cg->b, cg_as_int(cg, cg_vector(cg, mem->offset, 0)), type, "");
   return LLVMBuildAdd(cg->b, base, offset, "");
}

bool cg_mem_is_uniform(struct cg *cg, const struct cg_mem *mem)
{
   return mem->base && (!mem->offset || cg_is_uniform(cg, mem->offset, 0));
}

/* Lanes whose addresses are at one distance from each other. */
struct runs {
   uint32_t lanes; /* of a run; 0: there are none */
   uint32_t step;  /* components from one lane's first to the next one's; 0: all of a run have one address */
};

/* The largest distance at which loading what is between costs less than a gather, and the components of a vector of runs that code has room for. */
enum { MAX_STEP_BYTES = 16, MAX_RUN_COMPONENTS = 128 };

static struct runs runs_at(const struct cg *cg, const struct ir_instr *value, int64_t stride, uint32_t run)
{
   const uint32_t bytes = value->bit_size / 8, comps = value->num_components;
   if (stride < 0 || stride > MAX_RUN_COMPONENTS || stride % bytes)
      return (struct runs){0};
   const uint32_t step = (uint32_t)stride / bytes;
   const bool is_dense = step == comps || (step > comps && stride <= MAX_STEP_BYTES);
   return step == 0 || (is_dense && step * cg->lanes <= MAX_RUN_COMPONENTS) ? (struct runs){run, step} : (struct runs){0};
}

/* Where `value` is loaded or stored. */
static struct runs runs_of(struct cg *cg, const struct cg_mem *mem, const struct ir_instr *value)
{
   int64_t stride;
   if (!mem->base || !mem->size || !mem->offset)
      return (struct runs){0};
   if (cg_is_strided(cg, mem->offset, 0, &stride))
      return runs_at(cg, value, stride, cg->lanes);
   return mem->offset->divergence == IR_VARYING ? runs_at(cg, value, mem->offset->stride, mem->offset->run) : (struct runs){0};
}

/* The same of lanes of which that is only expected: analyze/likely. */
static struct runs likely_runs_of(struct cg *cg, const struct cg_mem *mem, const struct ir_instr *value)
{
   enum { MAX_LIKELY_RUNS = 64 }; /* each is two forms of an access: a shader has no more than so many */
   const bool is_open = mem->base && mem->size && mem->offset && !mem->raw && !mem->is_hoisted;
   if (!is_open || !mem->offset->likely_run || cg_is_uniform(cg, mem->offset, 0))
      return (struct runs){0};
   const struct runs runs = runs_at(cg, value, mem->offset->stride, UTIL_MIN(mem->offset->likely_run, cg->lanes));
   return runs.lanes && runs.step && cg->num_likely_runs++ < MAX_LIKELY_RUNS ? runs : (struct runs){0};
}

/* The offset of the first lane of a run. */
static LLVMValueRef first_offset(struct cg *cg, const struct cg_mem *mem, uint32_t run, uint32_t index)
{
   int64_t stride;
   if (cg_is_strided(cg, mem->offset, 0, &stride))
      return cg_as_int(cg, cg_scalar(cg, mem->offset, 0));
   return LLVMBuildExtractElement(cg->b, cg_as_int(cg, cg_vector(cg, mem->offset, 0)), cg_i32(cg, index * run), "");
}

/* ---- LLVM's masked intrinsics ---- */

static LLVMValueRef masked_call(struct cg *cg, const char *name, LLVMTypeRef *types, LLVMValueRef *args, uint32_t ptr_index,
                                uint32_t num_args, uint32_t align)
{
#if LLVM_VERSION_MAJOR >= 22
   LLVMValueRef call = cg_intrinsic(cg, name, types, 2, args, num_args);
   const unsigned attribute_id = LLVMGetEnumAttributeKindForName("align", 5);
   LLVMAddCallSiteAttribute(call, ptr_index + 1, LLVMCreateEnumAttribute(cg->context, attribute_id, align));
   return call;
#else
   LLVMValueRef with_align[4];
   uint32_t n = 0;
   for (uint32_t i = 0; i < num_args; i++) {
      with_align[n++] = args[i];
      if (i == ptr_index)
         with_align[n++] = cg_i32(cg, align);
   }
   return cg_intrinsic(cg, name, types, 2, with_align, n);
#endif
}

static LLVMValueRef masked_load(struct cg *cg, LLVMTypeRef type, LLVMValueRef ptr, LLVMValueRef mask, uint32_t align)
{
   LLVMTypeRef types[2] = {type, cg->ptr};
   LLVMValueRef args[3] = {ptr, mask, LLVMConstNull(type)};
   if (!mask)
      return cg_load(cg, type, ptr, align);
   return masked_call(cg, "llvm.masked.load", types, args, 0, 3, align);
}

static void masked_store(struct cg *cg, LLVMValueRef value, LLVMValueRef ptr, LLVMValueRef mask, uint32_t align)
{
   LLVMTypeRef types[2] = {LLVMTypeOf(value), cg->ptr};
   LLVMValueRef args[3] = {value, ptr, mask};
   if (mask)
      masked_call(cg, "llvm.masked.store", types, args, 1, 3, align);
   else
      cg_store(cg, value, ptr, align);
}

/* Below AVX-512 an instruction has a mask of words, and is slower than loads on many processors. */
bool cg_can_gather(const struct cg *cg)
{
   return cg->target.level >= UTIL_CPU_V4 || (cg->target.level == UTIL_CPU_V3 && cg->target.has_gathers);
}

LLVMValueRef cg_gather(struct cg *cg, LLVMTypeRef element, LLVMValueRef ptrs, LLVMValueRef mask, uint32_t align)
{
   LLVMTypeRef types[2] = {cg_vec_type(cg, element), LLVMTypeOf(ptrs)};
   LLVMValueRef args[3] = {ptrs, cg_mask_or_full(cg, mask), LLVMConstNull(types[0])};
   return masked_call(cg, "llvm.masked.gather", types, args, 0, 3, align);
}

void cg_scatter(struct cg *cg, LLVMValueRef value, LLVMValueRef ptrs, LLVMValueRef mask, uint32_t align)
{
   LLVMTypeRef types[2] = {LLVMTypeOf(value), LLVMTypeOf(ptrs)};
   LLVMValueRef args[3] = {value, ptrs, cg_mask_or_full(cg, mask)};
   masked_call(cg, "llvm.masked.scatter", types, args, 1, 3, align);
}

/* Pointers of all lanes for a gather or scatter. The machine sign-extends a 32-bit index: right for all offsets in bounds. */
static LLVMValueRef lane_ptrs(struct cg *cg, const struct cg_mem *mem)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->ptr);
   if (!mem->base || !mem->offset)
      return LLVMBuildIntToPtr(cg->b, cg_mem_lane_addresses(cg, mem), type, "");
   return cg_gep(cg, mem->base, cg_as_int(cg, cg_vector(cg, mem->offset, 0)));
}

static LLVMValueRef ptrs_plus(struct cg *cg, LLVMValueRef ptrs, uint32_t bytes)
{
   return bytes == 0 ? ptrs : cg_gep(cg, ptrs, cg_i64(cg, bytes));
}

/* ---- shuffles between one vector a component and lanes side by side ---- */

static LLVMValueRef pick_component(struct cg *cg, LLVMValueRef all, uint32_t comp, uint32_t step)
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
   uint32_t indices[MAX_RUN_COMPONENTS];
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

static LLVMValueRef join_components(struct cg *cg, LLVMValueRef *values, uint32_t comps)
{
   uint32_t indices[MAX_RUN_COMPONENTS];
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

/* Each lane's bit once for each component. */
static LLVMValueRef spread_mask(struct cg *cg, LLVMValueRef mask, uint32_t comps)
{
   uint32_t indices[MAX_RUN_COMPONENTS];
   if (comps == 1)
      return mask;
   for (uint32_t i = 0; i < cg->lanes * comps; i++)
      indices[i] = i / comps;
   return cg_shuffle(cg, mask, NULL, indices, cg->lanes * comps);
}

/* ---- contiguous accesses ---- */

static LLVMValueRef splat_n(struct cg *cg, LLVMValueRef scalar, uint32_t count)
{
   LLVMValueRef zeros[MAX_RUN_COMPONENTS];
   LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), count);
   for (uint32_t i = 0; i < count; i++)
      zeros[i] = LLVMIsConstant(scalar) ? scalar : cg_i32(cg, 0);
   if (LLVMIsConstant(scalar))
      return LLVMConstVector(zeros, count);
   LLVMValueRef one = LLVMBuildInsertElement(cg->b, LLVMGetPoison(type), scalar, cg_i32(cg, 0), "");
   return LLVMBuildShuffleVector(cg->b, one, LLVMGetPoison(type), LLVMConstVector(zeros, count), "");
}

/* Pointer to the first lane, below `base` where the lanes in bounds come after some that have not wrapped around to zero. */
static LLVMValueRef contiguous_ptr(struct cg *cg, const struct cg_mem *mem, LLVMValueRef first)
{
   return cg_gep(cg, mem->base, LLVMBuildSExt(cg->b, first, cg->i64, ""));
}

/* One bit an element of `bytes`, of those of a run: in bounds. NULL: all of the lanes that are on. */
static LLVMValueRef elements_in_bounds(struct cg *cg, const struct cg_mem *mem, LLVMValueRef first, struct runs runs, uint32_t bytes)
{
   const uint32_t count = runs.lanes * runs.step;
   if (always_fits(mem, bytes * runs.step))
      return NULL;
   LLVMValueRef offsets = LLVMBuildAdd(cg->b, splat_n(cg, first, count), cg_iota_n(cg, count, 32, bytes), "");
   LLVMValueRef limit = splat_n(cg, cg_mem_limit(cg, mem->size, bytes), count);
   return LLVMBuildICmp(cg->b, LLVMIntULT, offsets, limit, "");
}

/* i1: every run of `bytes` is in bounds and none wraps. */
static LLVMValueRef all_in_bounds(struct cg *cg, const struct cg_mem *mem, uint32_t run, uint32_t bytes)
{
   LLVMValueRef size = LLVMBuildZExt(cg->b, mem->size, cg->i64, ""), all = NULL;
   for (uint32_t r = 0; r < cg->lanes / run; r++) {
      LLVMValueRef first = LLVMBuildZExt(cg->b, first_offset(cg, mem, run, r), cg->i64, "");
      LLVMValueRef end = LLVMBuildAdd(cg->b, first, cg_i64(cg, bytes), "");
      LLVMValueRef fits = LLVMBuildICmp(cg->b, LLVMIntULE, end, size, "");
      all = all ? LLVMBuildAnd(cg->b, all, fits, "") : fits;
   }
   return all;
}

/* i1: the lanes that are on are in such runs, all of which are in bounds. */
static LLVMValueRef all_in_runs(struct cg *cg, const struct cg_mem *mem, struct runs runs, uint32_t bits)
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
   return LLVMBuildAnd(cg->b, LLVMBuildNot(cg->b, cg_mask_any(cg, others), ""), all_in_bounds(cg, mem, run, run * bytes), "");
}

LLVMValueRef cg_join_parts(struct cg *cg, LLVMValueRef *parts, uint32_t count)
{
   for (; count > 1; count /= 2) {
      for (uint32_t i = 0; i < count / 2; i++)
         parts[i] = concatenate(cg, parts[2 * i], parts[2 * i + 1]);
   }
   return parts[0];
}

/* ---- loads ---- */

static void load_uniform(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem)
{
   const uint32_t bytes = instr->bit_size / 8;
   LLVMTypeRef type = cg_int_type(cg, instr->bit_size);
   LLVMValueRef ptr = cg_mem_scalar_ptr(cg, mem);
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef at = cg_gep_const(cg, ptr, c * bytes);
      LLVMValueRef fits = scalar_in_bounds(cg, mem, (c + 1) * bytes);
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
   LLVMValueRef ptrs = lane_ptrs(cg, mem);
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef mask = cg_mem_lane_mask(cg, mem, (c + 1) * bytes, cg->exec);
      results[c] = cg_gather(cg, type, ptrs_plus(cg, ptrs, c * bytes), mask, mem->align);
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
         LLVMValueRef offset = first_offset(cg, mem, run, r);
         LLVMValueRef fits = LLVMBuildICmp(cg->b, LLVMIntULT, offset, cg_mem_limit(cg, mem->size, (c + 1) * bytes), "");
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
   cg_branch_if(cg, is_first, first, forms.second);
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

static void pick_components(struct cg *cg, const struct ir_instr *instr, LLVMValueRef *parts, struct runs runs, LLVMValueRef *results)
{
   LLVMValueRef all = cg_join_parts(cg, parts, cg->lanes / runs.lanes);
   for (uint32_t c = 0; c < instr->num_components; c++)
      results[c] = pick_component(cg, all, c, runs.step);
}

static LLVMTypeRef run_type(struct cg *cg, const struct ir_instr *value, struct runs runs)
{
   return LLVMVectorType(cg_int_type(cg, value->bit_size), runs.lanes * runs.step);
}

static uint32_t run_bytes(const struct ir_instr *value, struct runs runs)
{
   return runs.lanes * runs.step * value->bit_size / 8;
}

/* Runs all of which are in bounds. */
static void load_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, struct runs runs, LLVMValueRef *results)
{
   LLVMTypeRef type = run_type(cg, instr, runs);
   LLVMValueRef parts[ABI_MAX_LANES];
   for (uint32_t r = 0; r < cg->lanes / runs.lanes; r++) {
      LLVMValueRef at = LLVMBuildZExt(cg->b, first_offset(cg, mem, runs.lanes, r), cg->i64, "");
      parts[r] = cg_load(cg, type, cg_gep(cg, mem->base, at), mem->align);
   }
   pick_components(cg, instr, parts, runs, results);
}

static void load_masked_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, struct runs runs, LLVMValueRef *results)
{
   LLVMTypeRef type = run_type(cg, instr, runs);
   LLVMValueRef parts[ABI_MAX_LANES];
   for (uint32_t r = 0; r < cg->lanes / runs.lanes; r++) {
      LLVMValueRef first = first_offset(cg, mem, runs.lanes, r), ptr = contiguous_ptr(cg, mem, first);
      LLVMValueRef mask = elements_in_bounds(cg, mem, first, runs, instr->bit_size / 8);
      if (!mask && cg->exec)
         mask = cg_part_of(cg, spread_mask(cg, cg->exec, runs.step), runs.lanes * runs.step, r);
      if (instr->op == IR_load_buffer)
         announce(cg, ptr, run_bytes(instr, runs));
      parts[r] = masked_load(cg, type, ptr, mask, mem->align);
   }
   pick_components(cg, instr, parts, runs, results);
}

static void load_certain_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, struct runs runs, LLVMValueRef *results)
{
   LLVMValueRef slow[4];
   if (cg->target.level >= UTIL_CPU_V4) {
      load_masked_runs(cg, instr, mem, runs, results);
      return;
   }
   cg_vector(cg, mem->offset, 0); /* where both paths can see it */
   struct forms forms = begin_forms(cg, all_in_bounds(cg, mem, runs.lanes, run_bytes(instr, runs)));
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
   if (always_fits(mem, bytes)) {
      cg_load_records(cg, mem, bytes, cg->exec, results);
      return;
   }
   LLVMValueRef some = cg_mem_lane_mask(cg, mem, instr->bit_size / 8, cg->exec), whole = cg_mem_lane_mask(cg, mem, bytes, cg->exec);
   struct forms forms = begin_forms(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, cg_mask_bits(cg, some), cg_mask_bits(cg, whole), ""));
   cg_load_records(cg, mem, bytes, whole, results);
   begin_second(cg, &forms);
   if (cg_can_gather(cg))
      load_gather(cg, instr, mem, slow);
   else
      load_in_loop(cg, instr, mem, slow);
   end_forms(cg, &forms, instr->num_components, results, slow);
}

/* In the order of the program, seen from other threads: vectors of loads and stores are not atomic to LLVM, but to the processor, which may keep
 * loads in order, and stores: then this costs no instruction. */
static void keep_order(struct cg *cg, uint32_t access)
{
   if (access & (IR_ACCESS_ATOMIC | IR_ACCESS_VOLATILE))
      LLVMBuildFence(cg->b, LLVMAtomicOrderingSequentiallyConsistent, cg_target.keeps_order, "");
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

static void load_likely_runs(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, uint32_t access, struct runs runs, LLVMValueRef *results)
{
   LLVMValueRef apart[CG_RECORD_COMPONENTS];
   struct forms forms = begin_forms(cg, all_in_runs(cg, mem, runs, instr->bit_size));
   load_runs(cg, instr, mem, runs, results);
   begin_second(cg, &forms);
   load_apart(cg, instr, mem, access, apart);
   end_forms(cg, &forms, instr->num_components, results, apart);
}

static void load_vectors(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, uint32_t access, LLVMValueRef *results)
{
   struct runs runs = runs_of(cg, mem, instr);
   if (runs.lanes && runs.step)
      load_certain_runs(cg, instr, mem, runs, results);
   else if (runs.lanes && !(access & IR_ACCESS_ATOMIC))
      load_uniform_runs(cg, instr, mem, runs.lanes, results);
   else if ((runs = likely_runs_of(cg, mem, instr)).lanes)
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
   keep_order(cg, access);
   if (cg_mem_is_uniform(cg, &mem)) {
      load_uniform(cg, instr, &mem);
   } else {
      load_vectors(cg, instr, &mem, access, results);
      for (uint32_t c = 0; c < instr->num_components; c++)
         cg_set_vector(cg, instr, c, results[c]);
   }
   keep_order(cg, access);
}

/* ---- stores ---- */

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
      LLVMValueRef at = cg_gep_const(cg, ptr, c * bytes), fits = scalar_in_bounds(cg, mem, (c + 1) * bytes);
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
   LLVMValueRef ptrs = lane_ptrs(cg, mem), exec = cg_effect_mask(cg);
   for (uint32_t c = 0; c < value->num_components; c++) {
      if (instr->imm.u[2] >> c & 1)
         cg_scatter(cg, cg_as_int(cg, cg_vector(cg, value, c)), ptrs_plus(cg, ptrs, c * bytes),
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

/* Component by component. */
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
   return join_components(cg, values, value->num_components);
}

/* Each run's elements that are in bounds, of components that the instruction writes. */
static void store_masked_runs(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem, struct runs runs)
{
   const uint32_t comps = value->num_components, count = runs.lanes * comps;
   LLVMValueRef exec = cg_effect_mask(cg), all = all_components(cg, value);
   for (uint32_t r = 0; r < cg->lanes / runs.lanes; r++) {
      LLVMValueRef first = first_offset(cg, mem, runs.lanes, r), mask = elements_in_bounds(cg, mem, first, runs, value->bit_size / 8);
      if (exec)
         mask = cg_mask_and(cg, mask, cg_part_of(cg, spread_mask(cg, exec, comps), count, r));
      if (instr->imm.u[2] != (1u << comps) - 1) {
         LLVMValueRef written[MAX_RUN_COMPONENTS];
         for (uint32_t i = 0; i < count; i++)
            written[i] = LLVMConstInt(cg->i1, instr->imm.u[2] >> (i % comps) & 1, false);
         mask = cg_mask_and(cg, mask, LLVMConstVector(written, count));
      }
      masked_store(cg, cg_part_of(cg, all, count, r), contiguous_ptr(cg, mem, first), mask, mem->align);
   }
}

/* Blocks of code for `is_whole` and all lanes on, where code goes on, and else; then where both end. */
static void begin_whole(struct cg *cg, LLVMValueRef is_whole, LLVMBasicBlockRef rest_and_end[2])
{
   LLVMValueRef exec = cg_effect_mask(cg);
   if (exec) {
      LLVMValueRef full = LLVMBuildICmp(cg->b, LLVMIntEQ, cg_mask_bits(cg, exec), cg_mask_bits(cg, NULL), "");
      is_whole = is_whole ? LLVMBuildAnd(cg->b, is_whole, full, "") : full;
   }
   LLVMBasicBlockRef whole = cg_new_block(cg, "store_all");
   rest_and_end[0] = cg_new_block(cg, "store_some");
   rest_and_end[1] = cg_new_block(cg, "store_end");
   cg_branch_if(cg, is_whole ? is_whole : LLVMConstInt(cg->i1, 1, false), whole, rest_and_end[0]);
   cg_enter(cg, whole);
}

static void end_whole(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem, const LLVMBasicBlockRef rest_and_end[2])
{
   cg_branch(cg, rest_and_end[1]);
   cg_enter(cg, rest_and_end[0]);
   store_components(cg, instr, value, mem);
   cg_branch(cg, rest_and_end[1]);
   cg_enter(cg, rest_and_end[1]);
}

/* Lanes that are anywhere. Where all are on and in bounds, all components of a lane at once. */
static void store_apart(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem)
{
   const uint32_t comps = value->num_components, bytes = comps * value->bit_size / 8;
   if (instr->imm.u[2] != (1u << comps) - 1 || !cg_can_be_record(cg, value, mem, instr->imm.u[0])) {
      store_components(cg, instr, value, mem);
      return;
   }
   cg->num_records++;
   for (uint32_t c = 0; c < comps; c++) /* where both paths can see them */
      cg_vector(cg, value, c);
   LLVMValueRef in_bounds = lanes_in_bounds(cg, mem, bytes);
   LLVMBasicBlockRef rest_and_end[2];
   begin_whole(cg, in_bounds ? LLVMBuildICmp(cg->b, LLVMIntEQ, cg_mask_bits(cg, in_bounds), cg_mask_bits(cg, NULL), "") : NULL, rest_and_end);
   cg_store_records(cg, mem, value);
   end_whole(cg, instr, value, mem, rest_and_end);
}

/* Runs where `is_whole` and all lanes are on, else lane by lane. */
static void store_runs_or_apart(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem, uint32_t run, LLVMValueRef is_whole)
{
   LLVMValueRef all = all_components(cg, value);
   LLVMBasicBlockRef rest_and_end[2];
   begin_whole(cg, is_whole, rest_and_end);
   for (uint32_t r = 0; r < cg->lanes / run; r++) {
      LLVMValueRef at = LLVMBuildZExt(cg->b, first_offset(cg, mem, run, r), cg->i64, "");
      cg_store(cg, cg_part_of(cg, all, run * value->num_components, r), cg_gep(cg, mem->base, at), mem->align);
   }
   end_whole(cg, instr, value, mem, rest_and_end);
}

static void store_certain_runs(struct cg *cg, struct ir_instr *instr, struct ir_instr *value, const struct cg_mem *mem, struct runs runs)
{
   cg_vector(cg, mem->offset, 0); /* where both paths can see it */
   if (cg->target.level >= UTIL_CPU_V4)
      store_masked_runs(cg, instr, value, mem, runs);
   else
      store_runs_or_apart(cg, instr, value, mem, runs.lanes, all_in_bounds(cg, mem, runs.lanes, run_bytes(value, runs)));
}

void cg_emit_store(struct cg *cg, struct ir_instr *instr)
{
   struct ir_instr *value = instr->srcs[instr->num_srcs - 1];
   const uint32_t bytes = value->bit_size / 8, comps = value->num_components, align = instr->imm.u[1];
   struct cg_mem mem = {.align = align ? UTIL_MIN(align, bytes) : bytes};
   cg_mem_describe(cg, instr, &mem);
   const bool writes_all = instr->imm.u[2] == (1u << comps) - 1;
   struct runs runs;
   keep_order(cg, instr->imm.u[0]);
   if (cg_mem_is_uniform(cg, &mem))
      store_uniform(cg, instr, value, &mem);
   else if ((cg->target.level >= UTIL_CPU_V4 || writes_all) && (runs = runs_of(cg, &mem, value)).lanes && runs.step == comps)
      store_certain_runs(cg, instr, value, &mem, runs);
   else if (writes_all && (runs = likely_runs_of(cg, &mem, value)).lanes && runs.step == comps)
      store_runs_or_apart(cg, instr, value, &mem, runs.lanes, all_in_runs(cg, &mem, runs, value->bit_size));
   else
      store_apart(cg, instr, value, &mem);
   keep_order(cg, instr->imm.u[0]);
}
