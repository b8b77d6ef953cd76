/* SPDX-License-Identifier: MIT
 * Atomic operations on buffers, raw addresses and shared memory: lane after lane, in lane order. Shared memory is only seen by the one
 * thread that runs the workgroup, so plain loads and stores do (D3). Lanes that go to one location are
 * reduced first, and read what the lanes before them leave; where nobody reads the results, lanes that go to addresses of their own in shared memory
 * need no loop. */
#include "compiler/llvm/cg_memory.h"

enum { SCRATCH_RESULT, SCRATCH_DATA, SCRATCH_COMPARE, SCRATCH_ADDRESS = 4 };

/* What memory holds after the operation. */
static LLVMValueRef stored(struct cg *cg, enum abi_atomic atomic, LLVMValueRef old, LLVMValueRef data)
{
   LLVMValueRef value = cg_as_int(cg, cg_atomic_combine(cg, atomic, old, data));
   return cg_is_float_atomic(atomic) ? cg_as_int(cg, cg_one_nan(cg, value)) : value;
}

static LLVMValueRef compare_exchange(struct cg *cg, LLVMValueRef ptr, LLVMValueRef expected, LLVMValueRef value)
{
   LLVMValueRef both = LLVMBuildAtomicCmpXchg(cg->b, ptr, expected, value, LLVMAtomicOrderingSequentiallyConsistent,
                                              LLVMAtomicOrderingSequentiallyConsistent, false);
   return LLVMBuildExtractValue(cg->b, both, 0, "");
}

/* Floats have no instruction: try until nobody came between. */
static LLVMValueRef float_atomic(struct cg *cg, enum abi_atomic atomic, LLVMValueRef ptr, LLVMValueRef data)
{
   LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->b), loop = cg_new_block(cg, "retry"), end = cg_new_block(cg, "done");
   LLVMValueRef start = cg_load(cg, LLVMTypeOf(data), ptr, cg_bits(data) / 8);
   LLVMSetOrdering(start, LLVMAtomicOrderingMonotonic);
   cg_branch(cg, loop);
   cg_enter(cg, loop);
   LLVMValueRef old = LLVMBuildPhi(cg->b, LLVMTypeOf(data), "");
   LLVMValueRef wanted = stored(cg, atomic, old, data);
   LLVMValueRef seen = compare_exchange(cg, ptr, old, wanted);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, seen, old, ""), end, loop);
   LLVMValueRef values[2] = {start, seen};
   LLVMBasicBlockRef from[2] = {before, loop};
   LLVMAddIncoming(old, values, from, 2);
   cg_enter(cg, end);
   return old;
}

LLVMValueRef cg_atomic_apply(struct cg *cg, enum abi_atomic atomic, bool is_shared, LLVMValueRef ptr, LLVMValueRef data, LLVMValueRef compare)
{
   static const LLVMAtomicRMWBinOp ops[] = {
      [ABI_ATOMIC_IADD] = LLVMAtomicRMWBinOpAdd, [ABI_ATOMIC_IMIN] = LLVMAtomicRMWBinOpMin, [ABI_ATOMIC_UMIN] = LLVMAtomicRMWBinOpUMin,
      [ABI_ATOMIC_IMAX] = LLVMAtomicRMWBinOpMax, [ABI_ATOMIC_UMAX] = LLVMAtomicRMWBinOpUMax, [ABI_ATOMIC_AND] = LLVMAtomicRMWBinOpAnd,
      [ABI_ATOMIC_OR] = LLVMAtomicRMWBinOpOr, [ABI_ATOMIC_XOR] = LLVMAtomicRMWBinOpXor, [ABI_ATOMIC_XCHG] = LLVMAtomicRMWBinOpXchg};
   if (is_shared) {
      const uint32_t align = cg_bits(data) / 8;
      LLVMValueRef old = cg_load(cg, LLVMTypeOf(data), ptr, align), value;
      if (atomic == ABI_ATOMIC_CMPXCHG)
         value = cg_select(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, old, compare, ""), data, old);
      else
         value = stored(cg, atomic, old, data);
      cg_store(cg, value, ptr, align);
      return old;
   }
   if (atomic == ABI_ATOMIC_CMPXCHG)
      return compare_exchange(cg, ptr, compare, data);
   if (cg_is_float_atomic(atomic))
      return float_atomic(cg, atomic, ptr, data);
   return LLVMBuildAtomicRMW(cg->b, ops[atomic], ptr, data, LLVMAtomicOrderingSequentiallyConsistent, false);
}

static bool is_reducible(enum abi_atomic atomic)
{
   return atomic <= ABI_ATOMIC_XOR;
}

/* What changes nothing, in all lanes. */
static LLVMValueRef neutral(enum abi_atomic atomic, LLVMValueRef data)
{
   const uint64_t top = UINT64_C(1) << (cg_bits(data) - 1);
   LLVMTypeRef type = LLVMTypeOf(data);
   switch (atomic) {
   case ABI_ATOMIC_UMIN: case ABI_ATOMIC_AND: return LLVMConstAllOnes(type);
   case ABI_ATOMIC_IMIN: return cg_const_like(type, top - 1);
   case ABI_ATOMIC_IMAX: return cg_const_like(type, top);
   default: return LLVMConstNull(type);
   }
}

/* `data` with what changes nothing in the lanes that are off. */
static LLVMValueRef neutral_where_off(struct cg *cg, enum abi_atomic atomic, LLVMValueRef data, LLVMValueRef mask)
{
   return mask ? cg_select(cg, mask, data, neutral(atomic, data)) : data;
}

static LLVMValueRef reduce(struct cg *cg, enum abi_atomic atomic, LLVMValueRef data)
{
   static const char *const names[] = {
      [ABI_ATOMIC_IADD] = "llvm.vector.reduce.add", [ABI_ATOMIC_IMIN] = "llvm.vector.reduce.smin", [ABI_ATOMIC_UMIN] = "llvm.vector.reduce.umin",
      [ABI_ATOMIC_IMAX] = "llvm.vector.reduce.smax", [ABI_ATOMIC_UMAX] = "llvm.vector.reduce.umax", [ABI_ATOMIC_AND] = "llvm.vector.reduce.and",
      [ABI_ATOMIC_OR] = "llvm.vector.reduce.or", [ABI_ATOMIC_XOR] = "llvm.vector.reduce.xor"};
   LLVMTypeRef type = LLVMTypeOf(data);
   return cg_intrinsic(cg, names[atomic], &type, 1, &data, 1);
}

/* All lanes to one location: one operation. What a lane reads is what was there, combined with the lanes before it. */
static void emit_reduced(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, struct ir_instr *data_src, LLVMValueRef mask, bool is_read)
{
   const enum abi_atomic atomic = (enum abi_atomic)instr->imm.u[0];
   LLVMValueRef data = neutral_where_off(cg, atomic, cg_as_int(cg, cg_vector(cg, data_src, 0)), mask), before = NULL, all;
   if (is_read) {
      LLVMValueRef last = cg_i32(cg, cg->lanes - 1);
      before = cg_scan_before(cg, atomic, data, neutral(atomic, data));
      all = cg_atomic_combine(cg, atomic, LLVMBuildExtractElement(cg->b, before, last, ""), LLVMBuildExtractElement(cg->b, data, last, ""));
   } else {
      all = reduce(cg, atomic, data);
   }
   LLVMBasicBlockRef yes = cg_new_block(cg, "atomic"), end = cg_new_block(cg, "atomic_end");
   LLVMValueRef any = cg_mask_any(cg, mask);
   LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(cg->b)};
   cg_branch_if(cg, any, yes, end);
   cg_enter(cg, yes);
   LLVMValueRef old = cg_atomic_apply(cg, atomic, instr->op == IR_atomic_shared, cg_mem_scalar_ptr(cg, mem), all, NULL);
   from[1] = LLVMGetInsertBlock(cg->b);
   cg_branch(cg, end);
   cg_enter(cg, end);
   if (!is_read)
      return;
   LLVMValueRef values[2] = {LLVMConstNull(LLVMTypeOf(old)), old}, first = LLVMBuildPhi(cg->b, LLVMTypeOf(old), "");
   LLVMAddIncoming(first, values, from, 2);
   LLVMValueRef result = cg_atomic_combine(cg, atomic, cg_splat(cg, first), before);
   cg_set_vector(cg, instr, 0, mask ? cg_select(cg, mask, result, LLVMConstNull(LLVMTypeOf(result))) : result);
}

/* From memory, where LLVM would take it out of a vector's register: processors that rename memory by the registers of its address (Zen 4) do not see that
 * such an instruction changes one, guess the store of the lane before for the load of this one, and start again. */
static LLVMValueRef load_offset(struct cg *cg, LLVMValueRef offsets, LLVMValueRef lane)
{
   LLVMValueRef offset = cg_load(cg, cg->i32, cg_lane_ptr(cg, offsets, 32, lane), 4);
   LLVMSetVolatile(offset, true);
   return offset;
}

/* Shared memory, result unused: lane after lane without a branch. Lanes that are off do what changes nothing at offset 0. */
static void emit_unrolled(struct cg *cg, struct ir_instr *instr, const struct cg_mem *mem, struct ir_instr *data_src, LLVMValueRef mask)
{
   const enum abi_atomic atomic = (enum abi_atomic)instr->imm.u[0];
   const uint32_t bits = instr->bit_size;
   LLVMValueRef offset = cg_as_int(cg, cg_vector(cg, mem->offset, 0));
   if (mask)
      offset = cg_select(cg, mask, offset, LLVMConstNull(LLVMTypeOf(offset)));
   LLVMValueRef offsets = cg_spill(cg, SCRATCH_ADDRESS, offset);
   const bool is_one = !mask && cg_is_uniform(cg, data_src, 0); /* for all lanes */
   LLVMValueRef data = is_one ? cg_as_int(cg, cg_scalar(cg, data_src, 0))
                              : cg_spill(cg, SCRATCH_DATA, neutral_where_off(cg, atomic, cg_as_int(cg, cg_vector(cg, data_src, 0)), mask));
   for (uint32_t i = 0; i < cg->lanes; i++) {
      LLVMValueRef lane = cg_i32(cg, i);
      LLVMValueRef at = LLVMBuildZExt(cg->b, load_offset(cg, offsets, lane), cg->i64, "");
      LLVMValueRef value = is_one ? data : cg_load(cg, cg_int_type(cg, bits), cg_lane_ptr(cg, data, bits, lane), bits / 8);
      cg_atomic_apply(cg, atomic, true, cg_gep(cg, mem->base, at), value, NULL);
   }
}

void cg_emit_atomic(struct cg *cg, struct ir_instr *instr)
{
   const enum abi_atomic atomic = (enum abi_atomic)instr->imm.u[0];
   const uint32_t bits = instr->bit_size, bytes = bits / 8;
   const uint32_t first = instr->op == IR_atomic_buffer ? 3 : 1;
   struct ir_instr *data_src = instr->srcs[first], *compare_src = atomic == ABI_ATOMIC_CMPXCHG ? instr->srcs[first + 1] : NULL;
   struct cg_mem mem = {.align = bytes};
   cg_mem_describe(cg, instr, &mem);
   LLVMTypeRef type = cg_int_type(cg, bits);
   LLVMValueRef mask = cg_mem_lane_mask(cg, &mem, bytes, cg_effect_mask(cg));
   const bool is_read = cg_value(cg, instr)->is_read, is_shared = instr->op == IR_atomic_shared;
   if (!is_read)
      cg_set_scalar(cg, instr, 0, LLVMConstNull(type), 0);
   if (is_reducible(atomic) && cg_mem_is_uniform(cg, &mem)) {
      emit_reduced(cg, instr, &mem, data_src, mask, is_read);
      return;
   }
   if (!is_read && is_reducible(atomic) && is_shared) {
      emit_unrolled(cg, instr, &mem, data_src, mask);
      return;
   }
   LLVMValueRef addresses = cg_spill(cg, SCRATCH_ADDRESS, cg_mem_lane_addresses(cg, &mem));
   LLVMValueRef data = cg_spill(cg, SCRATCH_DATA, cg_as_int(cg, cg_vector(cg, data_src, 0))), compare = NULL;
   if (compare_src)
      compare = cg_spill(cg, SCRATCH_COMPARE, cg_as_int(cg, cg_vector(cg, compare_src, 0)));
   LLVMValueRef result = is_read ? cg_spill(cg, SCRATCH_RESULT, LLVMConstNull(cg_vec_type(cg, type))) : NULL;
   struct cg_lane_loop loop;
   cg_lane_loop_begin(cg, mask, &loop);
   LLVMValueRef address = cg_load(cg, cg->i64, cg_lane_ptr(cg, addresses, 64, loop.lane), 8);
   LLVMValueRef value = cg_load(cg, type, cg_lane_ptr(cg, data, bits, loop.lane), bytes);
   LLVMValueRef expected = compare ? cg_load(cg, type, cg_lane_ptr(cg, compare, bits, loop.lane), bytes) : NULL;
   LLVMValueRef old = cg_atomic_apply(cg, atomic, is_shared, LLVMBuildIntToPtr(cg->b, address, cg->ptr, ""), value, expected);
   if (is_read)
      cg_store(cg, old, cg_lane_ptr(cg, result, bits, loop.lane), bytes);
   cg_lane_loop_end(cg, &loop);
   if (is_read)
      cg_set_vector(cg, instr, 0, cg_load(cg, cg_vec_type(cg, type), result, 64));
}
