/* SPDX-License-Identifier: MIT
 * Operations that look at other lanes: votes, ballots, shuffles, reductions, derivatives. A subgroup is one vector (analyze/lanes.c). */
#include "compiler/ir/ir_eval.h"
#include "compiler/llvm/cg_call.h"
#include "compiler/llvm/cg_runs.h"
#include "compiler/llvm/cg_target.h"

#include <stddef.h>
#include <string.h>

LLVMValueRef cg_atomic_combine(struct cg *cg, enum abi_atomic atomic, LLVMValueRef a, LLVMValueRef b)
{
   static const LLVMIntPredicate predicates[] = {
      [ABI_ATOMIC_IMIN] = LLVMIntSLT, [ABI_ATOMIC_UMIN] = LLVMIntULT, [ABI_ATOMIC_IMAX] = LLVMIntSGT, [ABI_ATOMIC_UMAX] = LLVMIntUGT};
   if (cg_is_float_atomic(atomic) && cg_bits(a) == 16) /* in 32 bits and rounded back is rounded right */
      return cg_float_to_half(cg, cg_atomic_combine(cg, atomic, cg_half_to_float(cg, a), cg_half_to_float(cg, b)));
   switch (atomic) {
   case ABI_ATOMIC_FADD: return LLVMBuildFAdd(cg->b, cg_as_float(cg, a), cg_as_float(cg, b), "");
   case ABI_ATOMIC_FMUL: return LLVMBuildFMul(cg->b, cg_as_float(cg, a), cg_as_float(cg, b), "");
   case ABI_ATOMIC_FMIN: return cg_fmin(cg, a, b);
   case ABI_ATOMIC_FMAX: return cg_fmax(cg, a, b);
   default: break;
   }
   a = cg_as_int(cg, a);
   b = cg_as_int(cg, b);
   switch (atomic) {
   case ABI_ATOMIC_IADD: return LLVMBuildAdd(cg->b, a, b, "");
   case ABI_ATOMIC_IMUL: return LLVMBuildMul(cg->b, a, b, "");
   case ABI_ATOMIC_AND: return LLVMBuildAnd(cg->b, a, b, "");
   case ABI_ATOMIC_OR: return LLVMBuildOr(cg->b, a, b, "");
   case ABI_ATOMIC_XOR: return LLVMBuildXor(cg->b, a, b, "");
   case ABI_ATOMIC_XCHG: return b;
   case ABI_ATOMIC_IMIN: case ABI_ATOMIC_UMIN: case ABI_ATOMIC_IMAX: case ABI_ATOMIC_UMAX:
      return cg_select(cg, LLVMBuildICmp(cg->b, predicates[atomic], a, b, ""), a, b);
   default: cg_fail(cg, "atomic operation %d is not supported", atomic);
   }
}

/* ---- calls ---- */

enum { MAX_CROSSING_ARGS = 2 };

/* How many of a class stand where they are made. */
static const uint32_t max_written[CG_NUM_CROSSINGS] = {[CG_CROSSING_COMBINES] = 32, [CG_CROSSING_PERMUTES] = 64, [CG_CROSSING_SHORT] = 1024};

/* Code that looks at other lanes. A shader's first ones of a class stand where they are made; beyond that each is a call, so that neither code nor LLVM's
 * searches through chains of them grow. */
struct cg_crossing {
   struct cg_crossing *next;
   LLVMValueRef (*write)(struct cg *cg, const struct cg_crossing *how, const LLVMValueRef *args);
   enum cg_crossing_class class;
   enum abi_atomic atomic; /* combinations: of which operation, and scan (as IR_reduce has it), in clusters of so many lanes */
   uint32_t scan, cluster;
   LLVMValueRef none; /* the value of lanes that do not count */
   const uint64_t *from; /* permutations that are known: which lane each takes */
   LLVMTypeRef type;      /* of the function */
   LLVMValueRef function;
};

static bool is_same(const struct cg *cg, const struct cg_crossing *a, const struct cg_crossing *b)
{
   const bool is_alike = a->write == b->write && a->atomic == b->atomic && a->scan == b->scan && a->cluster == b->cluster && a->type == b->type;
   return is_alike && (!a->from || !memcmp(a->from, b->from, cg->lanes * sizeof(*a->from)));
}

static struct cg_crossing *make_crossing(struct cg *cg, const struct cg_crossing *how)
{
   struct cg_crossing *made = UTIL_ARENA_NEW(cg->arena, struct cg_crossing);
   LLVMValueRef args[MAX_CROSSING_ARGS];
   struct cg_function around;
   *made = *how;
   if (how->from) {
      uint64_t *from = UTIL_ARENA_ARRAY(cg->arena, uint64_t, cg->lanes);
      made->from = memcpy(from, how->from, cg->lanes * sizeof(*from));
   }
   made->function = cg_function_begin(cg, &around, "crossing", how->type);
   LLVMGetParams(made->function, args);
   LLVMBuildRet(cg->b, how->write(cg, how, args));
   cg_function_end(cg, &around);
   made->next = cg->crossings;
   return cg->crossings = made;
}

static LLVMValueRef cross(struct cg *cg, struct cg_crossing *how, LLVMValueRef *args, uint32_t num_args, LLVMTypeRef result)
{
   LLVMTypeRef types[MAX_CROSSING_ARGS];
   if (cg->num_crossings[how->class]++ < max_written[how->class])
      return how->write(cg, how, args);
   for (uint32_t i = 0; i < num_args; i++)
      types[i] = LLVMTypeOf(args[i]);
   how->type = LLVMFunctionType(result, types, num_args, false);
   struct cg_crossing *known = cg->crossings;
   while (known && !is_same(cg, known, how))
      known = known->next;
   if (!known)
      known = make_crossing(cg, how);
   return cg_call_own(cg, known->function, args, num_args);
}

/* ---- votes ---- */

static LLVMValueRef all_of(struct cg *cg, LLVMValueRef mask)
{
   LLVMValueRef bits = LLVMBuildBitCast(cg->b, mask, cg_int_type(cg, cg->lanes), "");
   return LLVMBuildICmp(cg->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "");
}

static LLVMValueRef write_bits(struct cg *cg, const struct cg_crossing *how, const LLVMValueRef *args)
{
   (void)how;
   return cg_mask_bits(cg, args[0]);
}

static LLVMValueRef write_any(struct cg *cg, const struct cg_crossing *how, const LLVMValueRef *args)
{
   (void)how;
   return cg_mask_any(cg, args[0]);
}

static LLVMValueRef bits_of(struct cg *cg, LLVMValueRef mask)
{
   return cross(cg, &(struct cg_crossing){.write = write_bits, .class = CG_CROSSING_SHORT}, &mask, 1, cg->i32);
}

static LLVMValueRef is_any(struct cg *cg, LLVMValueRef mask)
{
   return cross(cg, &(struct cg_crossing){.write = write_any, .class = CG_CROSSING_SHORT}, &mask, 1, cg->i1);
}

/* Lanes that are on and for which the source holds. */
static LLVMValueRef holds(struct cg *cg, struct ir_instr *instr)
{
   return cg_mask_and(cg, cg->exec, cg_vector(cg, instr->srcs[0], 0));
}

static void emit_vote(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef result;
   if (instr->op == IR_vote_any) {
      result = is_any(cg, holds(cg, instr));
   } else if (instr->op == IR_vote_all) {
      LLVMValueRef against = cg_mask_and_not(cg, cg->exec, cg_vector(cg, instr->srcs[0], 0));
      result = LLVMBuildNot(cg->b, is_any(cg, against), "");
   } else {
      result = LLVMConstInt(cg->i1, 1, false);
      for (uint32_t c = 0; c < instr->srcs[0]->num_components; c++) {
         LLVMValueRef value = cg_vector(cg, instr->srcs[0], c), first = cg_splat(cg, cg_first_active(cg, instr->srcs[0], c)), same;
         if (instr->imm.u[0])
            same = LLVMBuildFCmp(cg->b, LLVMRealOEQ, cg_as_float(cg, value), cg_as_float(cg, first), "");
         else
            same = LLVMBuildICmp(cg->b, LLVMIntEQ, cg_as_int(cg, value), cg_as_int(cg, first), "");
         if (cg->exec)
            same = LLVMBuildOr(cg->b, same, LLVMBuildNot(cg->b, cg->exec, ""), "");
         result = LLVMBuildAnd(cg->b, result, all_of(cg, same), "");
      }
   }
   cg_set_scalar(cg, instr, 0, result, 0);
}

static void emit_elect(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef bits = cg_mask_bits(cg, cg->exec);
   LLVMValueRef lowest = LLVMBuildAnd(cg->b, bits, LLVMBuildNeg(cg->b, bits, ""), "");
   cg_set_vector(cg, instr, 0, cg_mask_from_bits(cg, lowest));
}

static void emit_ballot(struct cg *cg, struct ir_instr *instr)
{
   cg_set_scalar(cg, instr, 0, bits_of(cg, holds(cg, instr)), 0);
   for (uint32_t c = 1; c < instr->num_components; c++)
      cg_set_scalar(cg, instr, c, cg_i32(cg, 0), 0);
}

enum { MAX_KNOWN_DEPTH = 4, MAX_KNOWN_SRCS = 3 };

/* True if the value follows from the lane alone: that of each lane. Whoever shuffles runs with whole subgroups. */
static bool is_known(struct cg *cg, const struct ir_instr *value, uint32_t depth, uint64_t *values)
{
   uint64_t srcs[MAX_KNOWN_SRCS][ABI_MAX_LANES];
   if (value->op == IR_const || (value->op == IR_sysval && value->imm.u[0] == IR_SYSVAL_SUBGROUP_LANE)) {
      for (uint32_t lane = 0; lane < cg->lanes; lane++)
         values[lane] = value->op == IR_const ? value->imm.c[0] : lane;
      return true;
   }
   if (depth == MAX_KNOWN_DEPTH || !(ir_info(value)->flags & IR_SCALAR) || value->num_srcs > MAX_KNOWN_SRCS)
      return false;
   for (uint32_t i = 0; i < value->num_srcs; i++) {
      if (!is_known(cg, value->srcs[i], depth + 1, srcs[i]))
         return false;
   }
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      uint64_t of_lane[MAX_KNOWN_SRCS];
      for (uint32_t i = 0; i < value->num_srcs; i++)
         of_lane[i] = srcs[i][lane];
      if (!ir_eval(value, of_lane, &values[lane]))
         return false;
   }
   return true;
}

static LLVMValueRef write_known(struct cg *cg, const struct cg_crossing *how, const LLVMValueRef *args)
{
   LLVMValueRef indices[ABI_MAX_LANES];
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      indices[lane] = cg_i32(cg, (uint32_t)how->from[lane] & (cg->lanes - 1));
   return LLVMBuildShuffleVector(cg->b, args[0], LLVMGetPoison(LLVMTypeOf(args[0])), LLVMConstVector(indices, cg->lanes), "");
}

static LLVMValueRef permute_known(struct cg *cg, LLVMValueRef value, const uint64_t *from)
{
   struct cg_crossing how = {.write = write_known, .class = CG_CROSSING_SHORT, .from = from};
   return cross(cg, &how, &value, 1, LLVMTypeOf(value));
}

/* Of words in registers of `width`: each of the result from all of the value. */
static LLVMValueRef permute_registers(struct cg *cg, LLVMValueRef value, LLVMValueRef index, uint32_t width)
{
   LLVMValueRef parts[ABI_MAX_LANES];
   for (uint32_t i = 0; i < cg->lanes / width; i++) {
      LLVMValueRef wanted = cg_part_of(cg, index, width, i);
      for (uint32_t k = 0; k < cg->lanes / width; k++) {
         LLVMValueRef found = cg_permute_words(cg, cg_part_of(cg, value, width, k), wanted);
         LLVMValueRef is_before = k ? LLVMBuildICmp(cg->b, LLVMIntULT, wanted, cg_const_like(LLVMTypeOf(wanted), k * width), "") : NULL;
         parts[i] = k ? cg_select(cg, is_before, parts[i], found) : found;
      }
   }
   return cg_join_parts(cg, parts, cg->lanes / width);
}

/* By words. */
static LLVMValueRef permute_in_registers(struct cg *cg, LLVMValueRef value, LLVMValueRef index, uint32_t width)
{
   LLVMTypeRef words = cg_vec_type(cg, cg->i32), type = LLVMTypeOf(value);
   if (cg_bits(value) <= 32)
      return LLVMBuildTruncOrBitCast(cg->b, permute_registers(cg, LLVMBuildZExtOrBitCast(cg->b, value, words, ""), index, width), type, "");
   LLVMValueRef half = cg_const_like(type, 32), low = LLVMBuildTrunc(cg->b, value, words, "");
   LLVMValueRef high = LLVMBuildTrunc(cg->b, LLVMBuildLShr(cg->b, value, half, ""), words, "");
   low = LLVMBuildZExt(cg->b, permute_registers(cg, low, index, width), type, "");
   high = LLVMBuildZExt(cg->b, permute_registers(cg, high, index, width), type, "");
   return LLVMBuildOr(cg->b, low, LLVMBuildShl(cg->b, high, half, ""), "");
}

/* Through memory where registers have no such instruction, or the index is not of words: the reader runs in the same vector. */
static LLVMValueRef write_permutation(struct cg *cg, const struct cg_crossing *how, const LLVMValueRef *args)
{
   (void)how;
   const uint32_t bits = cg_bits(args[0]);
   LLVMValueRef index = LLVMBuildAnd(cg->b, args[1], cg_const_like(LLVMTypeOf(args[1]), cg->lanes - 1), "");
   const uint32_t width = cg_target.permuted_words(cg->target.level, cg->lanes);
   if (width && cg_bits(index) == 32)
      return permute_in_registers(cg, args[0], index, width);
   LLVMValueRef memory = cg_spill(cg, 0, args[0]), result = LLVMGetPoison(LLVMTypeOf(args[0]));
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef ptr = cg_lane_ptr(cg, memory, bits, LLVMBuildExtractElement(cg->b, index, cg_i32(cg, lane), ""));
      result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, cg_int_type(cg, bits), ptr, bits / 8), cg_i32(cg, lane), "");
   }
   return result;
}

/* value[index[lane]] for each lane; the index counts modulo the lanes. */
static LLVMValueRef permute(struct cg *cg, LLVMValueRef value, LLVMValueRef index)
{
   if (cg_bits(value) == 1) {
      LLVMValueRef wide = permute(cg, LLVMBuildSExt(cg->b, value, cg_vec_type(cg, cg->i32), ""), index);
      return LLVMBuildICmp(cg->b, LLVMIntSLT, wide, LLVMConstNull(LLVMTypeOf(wide)), "");
   }
   LLVMValueRef args[] = {cg_as_int(cg, value), cg_as_int(cg, index)};
   return cross(cg, &(struct cg_crossing){.write = write_permutation, .class = CG_CROSSING_PERMUTES}, args, 2, LLVMTypeOf(args[0]));
}

static void emit_shuffle(struct cg *cg, struct ir_instr *instr)
{
   struct ir_instr *index = instr->srcs[1];
   uint64_t from[ABI_MAX_LANES];
   const bool is_fixed = is_known(cg, index, 0, from);
   for (uint32_t c = 0; c < instr->num_components; c++) {
      if (cg_is_uniform(cg, instr->srcs[0], c)) {
         cg_set_scalar(cg, instr, c, cg_scalar(cg, instr->srcs[0], c), 0);
      } else if (cg_is_uniform(cg, index, 0)) {
         LLVMValueRef lane = LLVMBuildAnd(cg->b, cg_as_int(cg, cg_scalar(cg, index, 0)), cg_i32(cg, cg->lanes - 1), "");
         cg_set_scalar(cg, instr, c, LLVMBuildExtractElement(cg->b, cg_vector(cg, instr->srcs[0], c), lane, ""), 0);
      } else if (is_fixed) {
         cg_set_vector(cg, instr, c, permute_known(cg, cg_vector(cg, instr->srcs[0], c), from));
      } else {
         cg_set_vector(cg, instr, c, permute(cg, cg_vector(cg, instr->srcs[0], c), cg_as_int(cg, cg_vector(cg, index, 0))));
      }
   }
}

/* What leaves the other operand as it is. */
static LLVMValueRef neutral(struct cg *cg, enum abi_atomic atomic, LLVMTypeRef type, uint32_t bits)
{
   const uint64_t top = UINT64_C(1) << (bits - 1);
   switch (atomic) {
   case ABI_ATOMIC_IMUL: return cg_const_like(type, 1);
   case ABI_ATOMIC_UMIN: case ABI_ATOMIC_AND: return LLVMConstAllOnes(type);
   case ABI_ATOMIC_IMIN: return cg_const_like(type, top - 1);
   case ABI_ATOMIC_IMAX: return cg_const_like(type, top);
   case ABI_ATOMIC_FADD: return cg_const_like(type, top); /* -0 */
   case ABI_ATOMIC_FMUL: return cg_const_like(type, bits == 64 ? 0x3ff0000000000000u : bits == 32 ? 0x3f800000u : 0x3c00u);
   case ABI_ATOMIC_FMIN: return cg_const_like(type, bits == 64 ? 0x7ff0000000000000u : bits == 32 ? 0x7f800000u : 0x7c00u);
   case ABI_ATOMIC_FMAX: return cg_const_like(type, bits == 64 ? 0xfff0000000000000u : bits == 32 ? 0xff800000u : 0xfc00u);
   default: return LLVMConstNull(type);
   }
}

static LLVMValueRef shift_lanes(struct cg *cg, LLVMValueRef value, LLVMValueRef fill, uint32_t by, uint32_t cluster)
{
   LLVMValueRef indices[32];
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      indices[lane] = cg_i32(cg, lane % cluster >= by ? lane - by : cg->lanes);
   return LLVMBuildShuffleVector(cg->b, value, fill, LLVMConstVector(indices, cg->lanes), "");
}

static LLVMValueRef swap_lanes(struct cg *cg, LLVMValueRef value, uint32_t by)
{
   LLVMValueRef indices[32];
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      indices[lane] = cg_i32(cg, lane ^ by);
   return LLVMBuildShuffleVector(cg->b, value, LLVMGetPoison(LLVMTypeOf(value)), LLVMConstVector(indices, cg->lanes), "");
}

/* Reductions combine lanes at distance 1, 2, 4...: the same tree for every vector width within a cluster. */
static LLVMValueRef write_combination(struct cg *cg, const struct cg_crossing *how, const LLVMValueRef *args)
{
   LLVMValueRef value = args[0];
   if (how->scan == 2)
      value = shift_lanes(cg, value, how->none, 1, how->cluster);
   for (uint32_t by = 1; by < how->cluster; by *= 2) {
      LLVMValueRef other = how->scan ? shift_lanes(cg, value, how->none, by, how->cluster) : swap_lanes(cg, value, by);
      value = cg_as_int(cg, cg_atomic_combine(cg, how->atomic, other, value));
   }
   return value;
}

static LLVMValueRef combine_lanes(struct cg *cg, enum abi_atomic atomic, uint32_t scan, uint32_t cluster, LLVMValueRef value, LLVMValueRef none)
{
   struct cg_crossing how = {.write = write_combination, .class = CG_CROSSING_COMBINES, .atomic = atomic, .scan = scan, .cluster = cluster, .none = none};
   return cross(cg, &how, &value, 1, LLVMTypeOf(value));
}

LLVMValueRef cg_scan_before(struct cg *cg, enum abi_atomic atomic, LLVMValueRef value, LLVMValueRef none)
{
   return combine_lanes(cg, atomic, 2, cg->lanes, value, none);
}

static void emit_reduce(struct cg *cg, struct ir_instr *instr)
{
   const enum abi_atomic atomic = (enum abi_atomic)instr->imm.u[0];
   const uint32_t scan = instr->imm.u[1];
   uint32_t cluster = instr->imm.u[2];
   if (cluster == 0 || cluster > cg->lanes)
      cluster = cg->lanes;
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef value = cg_as_int(cg, cg_vector(cg, instr->srcs[0], c));
      LLVMTypeRef type = LLVMTypeOf(value);
      if (instr->bit_size == 1) {
         type = cg_vec_type(cg, cg->i8);
         value = LLVMBuildSExt(cg->b, value, type, "");
      }
      LLVMValueRef none = neutral(cg, atomic, type, cg_bits(value));
      if (cg->exec)
         value = cg_select(cg, cg->exec, value, none);
      value = combine_lanes(cg, atomic, scan, cluster, value, none);
      if (instr->bit_size == 1)
         value = LLVMBuildICmp(cg->b, LLVMIntNE, value, LLVMConstNull(type), "");
      if (!scan && cluster == cg->lanes)
         cg_set_scalar(cg, instr, c, LLVMBuildExtractElement(cg->b, value, cg_i32(cg, 0), ""), 0);
      else
         cg_set_vector(cg, instr, c, value);
   }
}

/* ---- partitions: a round of a loop for each set of lanes ---- */

struct parts {
   LLVMBasicBlockRef loop;
   LLVMValueRef left_var, result_var; /* lanes that are in no set yet; what the sets so far gave */
   LLVMTypeRef type;
   LLVMValueRef left, lane;           /* of this round: the first lane that is left */
};

static void parts_begin(struct cg *cg, struct parts *parts, LLVMTypeRef type)
{
   *parts = (struct parts){.loop = cg_new_block(cg, "part"), .type = type};
   parts->left_var = cg_alloca(cg, cg->i32, 4, "left");
   parts->result_var = cg_alloca(cg, type, 64, "parts");
   cg_store(cg, cg_mask_bits(cg, cg->exec), parts->left_var, 4);
   cg_store(cg, LLVMConstNull(type), parts->result_var, 64);
   cg_branch(cg, parts->loop);
   cg_enter(cg, parts->loop);
   parts->left = cg_load(cg, cg->i32, parts->left_var, 4);
   LLVMValueRef args[2] = {parts->left, LLVMConstInt(cg->i1, 1, false)};
   parts->lane = cg_intrinsic(cg, "llvm.cttz", &cg->i32, 1, args, 2);
}

/* Gives the lanes of `mask` (and `bits`, the same) their result; returns the vector when all lanes have theirs. */
static LLVMValueRef parts_end(struct cg *cg, struct parts *parts, LLVMValueRef mask, LLVMValueRef bits, LLVMValueRef value)
{
   LLVMBasicBlockRef end = cg_new_block(cg, "parts_end");
   LLVMValueRef old = cg_load(cg, parts->type, parts->result_var, 64);
   cg_store(cg, cg_select(cg, mask, value, old), parts->result_var, 64);
   LLVMValueRef rest = LLVMBuildAnd(cg->b, parts->left, LLVMBuildNot(cg->b, bits, ""), "");
   cg_store(cg, rest, parts->left_var, 4);
   cg_branch_if(cg, LLVMBuildICmp(cg->b, LLVMIntNE, rest, cg_i32(cg, 0), ""), parts->loop, end);
   cg_enter(cg, end);
   return cg_load(cg, parts->type, parts->result_var, 64);
}

static void emit_match(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef value = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
   LLVMValueRef memory = cg_spill(cg, 0, value);
   const uint32_t bits = cg_bits(value);
   struct parts parts;
   parts_begin(cg, &parts, cg_vec_type(cg, cg->i32));
   LLVMValueRef first = cg_load(cg, cg_int_type(cg, bits), cg_lane_ptr(cg, memory, bits, parts.lane), bits / 8);
   LLVMValueRef same = cg_mask_and(cg, cg->exec, LLVMBuildICmp(cg->b, LLVMIntEQ, value, cg_splat(cg, first), ""));
   LLVMValueRef same_bits = cg_mask_bits(cg, same);
   cg_set_vector(cg, instr, 0, parts_end(cg, &parts, same, same_bits, cg_splat(cg, same_bits)));
}

/* Lanes whose masks overlap without being equal have no meaning; each lane gets a result all the same. */
static void emit_reduce_part(struct cg *cg, struct ir_instr *instr)
{
   const enum abi_atomic atomic = (enum abi_atomic)instr->imm.u[0];
   LLVMValueRef value = cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0));
   LLVMValueRef masks = cg_spill(cg, 0, cg_as_int(cg, cg_vector(cg, instr->srcs[1], 0)));
   LLVMValueRef none = neutral(cg, atomic, LLVMTypeOf(value), cg_bits(value));
   struct parts parts;
   parts_begin(cg, &parts, LLVMTypeOf(value));
   LLVMValueRef bits = cg_load(cg, cg->i32, cg_lane_ptr(cg, masks, 32, parts.lane), 4);
   bits = LLVMBuildOr(cg->b, bits, LLVMBuildShl(cg->b, cg_i32(cg, 1), parts.lane, ""), "");
   bits = LLVMBuildAnd(cg->b, bits, cg_mask_bits(cg, cg->exec), "");
   LLVMValueRef mask = cg_mask_from_bits(cg, bits);
   LLVMValueRef all = combine_lanes(cg, atomic, instr->imm.u[1], cg->lanes, cg_select(cg, mask, value, none), none);
   cg_set_vector(cg, instr, 0, parts_end(cg, &parts, mask, bits, all));
}

/* ---- derivatives: lanes 0 1 / 2 3 of a quad are the upper and the lower row ---- */

static LLVMValueRef quad_pick(struct cg *cg, LLVMValueRef value, const uint8_t from[4])
{
   LLVMValueRef indices[32];
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      indices[lane] = cg_i32(cg, (lane & ~3u) + from[lane & 3]);
   return LLVMBuildShuffleVector(cg->b, value, LLVMGetPoison(LLVMTypeOf(value)), LLVMConstVector(indices, cg->lanes), "");
}

static void emit_derivative(struct cg *cg, struct ir_instr *instr)
{
   static const uint8_t lanes[2][2][2][4] = {
      /* ddx coarse, fine: {minus, plus} */
      {{{0, 0, 0, 0}, {1, 1, 1, 1}}, {{0, 0, 2, 2}, {1, 1, 3, 3}}},
      {{{0, 0, 0, 0}, {2, 2, 2, 2}}, {{0, 1, 0, 1}, {2, 3, 2, 3}}},
   };
   const uint8_t(*pick)[4] = lanes[instr->op == IR_ddy][instr->imm.u[0] != 0];
   if (instr->bit_size != 32)
      cg_fail(cg, "derivatives of %u bits are not supported", instr->bit_size);
   LLVMValueRef value = cg_as_float(cg, cg_vector(cg, instr->srcs[0], 0));
   cg_set_vector(cg, instr, 0, LLVMBuildFSub(cg->b, quad_pick(cg, value, pick[1]), quad_pick(cg, value, pick[0]), ""));
}

static void emit_quad_lanes(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef firsts[32];
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      firsts[lane] = cg_i32(cg, lane & ~3u);
   LLVMValueRef bits = LLVMBuildLShr(cg->b, cg_splat(cg, cg_mask_bits(cg, cg->exec)), LLVMConstVector(firsts, cg->lanes), "");
   cg_set_vector(cg, instr, 0, LLVMBuildAnd(cg->b, bits, cg_splat(cg, cg_i32(cg, 15)), ""));
}

static void emit_is_helper(struct cg *cg, struct ir_instr *instr)
{
   if (!cg->fragment)
      cg_set_scalar(cg, instr, 0, LLVMConstInt(cg->i1, 0, false), 0);
   else
      cg_set_vector(cg, instr, 0, cg_fragment_is_helper(cg));
}

void cg_emit_matrices(struct cg *cg, struct ir_instr *instr)
{
   LLVMValueRef args[3] = {cg_var_base(cg, instr->imm.var.var), cg_i32(cg, instr->imm.u[2]), cg_i32(cg, instr->imm.u[3])};
   const size_t helper = instr->op == IR_multiply_matrices ? offsetof(struct abi_helpers, multiply_matrices) : offsetof(struct abi_helpers, transpose_matrix);
   cg_call_helper(cg, helper, cg->void_type, 3, args);
}

void cg_emit_cross(struct cg *cg, struct ir_instr *instr)
{
   switch (instr->op) {
   case IR_vote_any: case IR_vote_all: case IR_vote_eq: emit_vote(cg, instr); break;
   case IR_elect: emit_elect(cg, instr); break;
   case IR_ballot: emit_ballot(cg, instr); break;
   case IR_read_first:
      for (uint32_t c = 0; c < instr->num_components; c++)
         cg_set_scalar(cg, instr, c, cg_first_active(cg, instr->srcs[0], c), 0);
      break;
   case IR_shuffle: emit_shuffle(cg, instr); break;
   case IR_reduce: emit_reduce(cg, instr); break;
   case IR_match: emit_match(cg, instr); break;
   case IR_reduce_part: emit_reduce_part(cg, instr); break;
   case IR_is_helper: emit_is_helper(cg, instr); break;
   case IR_quad_lanes: emit_quad_lanes(cg, instr); break;
   default: emit_derivative(cg, instr); break;
   }
}
