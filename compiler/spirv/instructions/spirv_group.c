/* SPDX-License-Identifier: MIT
 * What looks at other invocations: barriers, votes, ballots, shuffles, reductions, quads.
 * Spec: SPIR-V, "Group and Subgroup Instructions", "Non-Uniform Instructions"; Vulkan, "Scope", "Barriers". */
#include "compiler/spirv/instructions/spirv_instructions.h"

#include "util/spirv_numbers.h"

/* Scope operands of subgroup operations; anything wider is not defined by Vulkan. */
static void check_subgroup_scope(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t id)
{
   if (spirv_constant_u32(t, id) != SpvScopeSubgroup)
      spirv_fail(t, "%s of a scope other than Subgroup", spirv_op_name(in->op));
}

static struct ir_instr *lane(struct spirv_ctx *t)
{
   return ir_sysval(&t->b, IR_SYSVAL_SUBGROUP_LANE, 1, 32);
}

static struct ir_instr *u2(struct spirv_ctx *t, enum ir_op op, struct ir_instr *x, uint32_t y)
{
   return ir_alu2(&t->b, op, x, spirv_u32(t, y));
}

/* Operations that move or combine values want at least 8 bits: booleans travel as 0 and 1. */
static struct ir_instr *widen_bool(struct spirv_ctx *t, struct ir_instr *x)
{
   return x->bit_size == 1 ? spirv_bool_to_u32(t, x) : x;
}

static struct ir_instr *narrow_bool(struct spirv_ctx *t, struct ir_instr *x, bool is_bool)
{
   return is_bool ? spirv_u32_to_bool(t, x) : x;
}

static void set_bool(struct spirv_ctx *t, const struct spirv_instr *in, struct ir_instr *result)
{
   spirv_set_result(t, in, 1, &result);
}

/* ---- barriers ---- */

void spirv_emit_barrier(struct spirv_ctx *t, uint32_t exec, uint32_t memory, uint32_t semantics)
{
   if (exec && exec != SpvScopeWorkgroup && exec != SpvScopeSubgroup)
      spirv_fail(t, "OpControlBarrier of execution scope %u", exec);
   struct ir_instr *barrier = ir_emit(&t->b, IR_barrier, 0, 0, 0, NULL);
   barrier->imm.u[0] = exec;
   barrier->imm.u[1] = memory;
   barrier->imm.u[2] = semantics;
}

/* ---- votes and ballots ---- */

static struct ir_instr *ballot(struct spirv_ctx *t, struct ir_instr *x)
{
   return ir_emit(&t->b, IR_ballot, 4, 32, 1, &x);
}

static struct ir_instr *vote_eq(struct spirv_ctx *t, struct spirv_val *val)
{
   struct ir_instr **x = spirv_comps(t, val), *result = NULL;
   const uint32_t count = spirv_leaf_count(t, val->type);
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *wide = widen_bool(t, x[i]);
      struct ir_instr *vote = ir_emit(&t->b, IR_vote_eq, 0, 0, 1, &wide);
      vote->imm.u[0] = spirv_is_float(val->type);
      result = result ? ir_alu2(&t->b, IR_iand, result, vote) : vote;
   }
   return result;
}

/* Bit `index` (up to 127) of a ballot. */
static struct ir_instr *ballot_bit(struct spirv_ctx *t, struct ir_instr *const *words, struct ir_instr *index)
{
   struct ir_instr *which = u2(t, IR_ushr, index, 5), *word = words[0];
   for (uint32_t i = 1; i < 4; i++)
      word = ir_select(&t->b, u2(t, IR_ieq, which, i), words[i], word);
   struct ir_instr *bit = ir_alu2(&t->b, IR_ushr, word, u2(t, IR_iand, index, 31));
   return u2(t, IR_ine, u2(t, IR_iand, bit, 1), 0);
}

/* Word `w` of a mask of the lanes below `end` (0 to 128). */
static struct ir_instr *lanes_below(struct spirv_ctx *t, struct ir_instr *end, uint32_t w)
{
   struct ir_instr *in_word = ir_alu2(&t->b, IR_imax, u2(t, IR_isub, end, w * 32), spirv_u32(t, 0));
   struct ir_instr *bits = u2(t, IR_isub, ir_alu2(&t->b, IR_ishl, spirv_u32(t, 1), u2(t, IR_umin, in_word, 31)), 1);
   return ir_select(&t->b, u2(t, IR_uge, in_word, 32), spirv_u32(t, UINT32_MAX), bits);
}

static void ballot_count(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t operation, struct spirv_val *val)
{
   struct ir_instr **words = spirv_comps(t, val), *sum = NULL;
   if (spirv_leaf_count(t, val->type) != 4)
      spirv_fail(t, "%s of something that is no ballot", spirv_op_name(in->op));
   for (uint32_t w = 0; w < 4; w++) {
      struct ir_instr *end = spirv_u32(t, t->shader->subgroup_size);
      if (operation == SpvGroupOperationInclusiveScan)
         end = u2(t, IR_iadd, lane(t), 1);
      else if (operation == SpvGroupOperationExclusiveScan)
         end = lane(t);
      else if (operation != SpvGroupOperationReduce)
         spirv_fail(t, "%s: group operation %u", spirv_op_name(in->op), operation);
      struct ir_instr *count = ir_alu1(&t->b, IR_bitcount, ir_alu2(&t->b, IR_iand, words[w], lanes_below(t, end, w)));
      sum = sum ? ir_alu2(&t->b, IR_iadd, sum, count) : count;
   }
   spirv_set_result(t, in, 1, &sum);
}

/* Index of the lowest or highest bit. */
static void ballot_find(struct spirv_ctx *t, const struct spirv_instr *in, struct spirv_val *val, bool is_lowest)
{
   struct ir_instr **words = spirv_comps(t, val), *result = spirv_u32(t, UINT32_MAX);
   struct ir_instr *size = spirv_u32(t, t->shader->subgroup_size); /* higher bits are nobody's */
   if (spirv_leaf_count(t, val->type) != 4)
      spirv_fail(t, "%s of something that is no ballot", spirv_op_name(in->op));
   for (uint32_t i = 0; i < 4; i++) { /* the word that decides comes last */
      const uint32_t w = is_lowest ? 3 - i : i;
      struct ir_instr *word = ir_alu2(&t->b, IR_iand, words[w], lanes_below(t, size, w));
      struct ir_instr *found = u2(t, IR_iadd, ir_alu1(&t->b, is_lowest ? IR_find_lsb : IR_find_umsb, word), w * 32);
      result = ir_select(&t->b, u2(t, IR_ine, word, 0), found, result);
   }
   spirv_set_result(t, in, 1, &result);
}

/* ---- moving values ---- */

/* What is read of an invocation of the quad that does not come here is undefined: `barrier` reports it where it is read. */
static void check_quad(struct spirv_ctx *t, struct ir_instr *from)
{
   struct abi_site *site = ir_site_create_at(t->shader, ABI_PROBE_QUAD, t->b.line, "quad operation", NULL);
   if (!site)
      return;
   site->limit = 1;
   struct ir_instr *lanes = ir_emit(&t->b, IR_quad_lanes, 1, 32, 0, NULL);
   struct ir_instr *bit = u2(t, IR_iand, ir_alu2(&t->b, IR_ushr, lanes, u2(t, IR_iand, from, 3)), 1);
   ir_probe(&t->instrument, &t->b, site, u2(t, IR_ieq, bit, 0), 1, &lanes);
}

/* What is read of an invocation of the subgroup that does not come here, or is not there, is undefined, but harmless where nobody uses it, as at the ends
 * of a scan: `uninit` follows it. 1 bit. */
static struct ir_instr *is_absent(struct spirv_ctx *t, struct ir_instr *from)
{
   struct ir_instr *active = ir_extract(&t->b, ballot(t, ir_const(&t->b, 1, 1)), 0);
   struct ir_instr *bit = u2(t, IR_iand, ir_alu2(&t->b, IR_ushr, active, u2(t, IR_iand, from, 31)), 1);
   return ir_alu2(&t->b, IR_ior, u2(t, IR_uge, from, 32), u2(t, IR_ieq, bit, 0));
}

static void shuffle(struct spirv_ctx *t, const struct spirv_instr *in, struct spirv_val *val, struct ir_instr *from)
{
   const uint32_t count = spirv_leaf_count(t, val->type);
   struct ir_instr **x = spirv_comps(t, val), **comps = spirv_new_comps(t, count);
   const bool is_of_quad = in->op == SpvOpGroupNonUniformQuadBroadcast || in->op == SpvOpGroupNonUniformQuadSwap;
   const bool is_reported = is_of_quad && t->shader->checks & ABI_CHECK_BARRIER;
   if (is_reported)
      check_quad(t, from);
   struct ir_instr *absent = !is_reported && t->shader->checks & ABI_CHECK_UNINIT ? is_absent(t, from) : NULL;
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *moved = ir_alu2(&t->b, IR_shuffle, widen_bool(t, x[i]), from);
      if (absent)
         moved = ir_alu2(&t->b, IR_undefined_where, moved, absent);
      comps[i] = narrow_bool(t, moved, x[i]->bit_size == 1);
   }
   spirv_set_result(t, in, count, comps);
}

static void read_first(struct spirv_ctx *t, const struct spirv_instr *in, struct spirv_val *val)
{
   const uint32_t count = spirv_leaf_count(t, val->type);
   struct ir_instr **x = spirv_comps(t, val), **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++)
      comps[i] = narrow_bool(t, ir_alu1(&t->b, IR_read_first, widen_bool(t, x[i])), x[i]->bit_size == 1);
   spirv_set_result(t, in, count, comps);
}

/* Lane within its cluster turned by `delta`. */
static struct ir_instr *rotated_lane(struct spirv_ctx *t, struct ir_instr *delta, struct ir_instr *cluster)
{
   struct ir_instr *mask = u2(t, IR_isub, cluster, 1);
   struct ir_instr *inside = ir_alu2(&t->b, IR_iand, ir_alu2(&t->b, IR_iadd, lane(t), delta), mask);
   return ir_alu2(&t->b, IR_ior, inside, ir_alu2(&t->b, IR_iand, lane(t), ir_alu1(&t->b, IR_inot, mask)));
}

/* The lane that the instruction reads, given its operand. */
static struct ir_instr *source_lane(struct spirv_ctx *t, const struct spirv_instr *in, struct ir_instr *operand)
{
   operand = spirv_resize(t, operand, 32, false);
   switch (in->op) {
   case SpvOpGroupNonUniformShuffleXor: return ir_alu2(&t->b, IR_ixor, lane(t), operand);
   case SpvOpGroupNonUniformShuffleUp: return ir_alu2(&t->b, IR_isub, lane(t), operand);
   case SpvOpGroupNonUniformShuffleDown: return ir_alu2(&t->b, IR_iadd, lane(t), operand);
   case SpvOpGroupNonUniformQuadBroadcast:
      return ir_alu2(&t->b, IR_ior, u2(t, IR_iand, lane(t), ~3u), u2(t, IR_iand, operand, 3));
   case SpvOpGroupNonUniformQuadSwap: /* 0 horizontal, 1 vertical, 2 diagonal */
      return ir_alu2(&t->b, IR_ixor, lane(t), u2(t, IR_iadd, operand, 1));
   case SpvOpGroupNonUniformRotateKHR: {
      struct ir_instr *cluster = in->count > 6 ? spirv_resize(t, spirv_scalar(t, in->words[6]), 32, false)
                                               : spirv_u32(t, t->shader->subgroup_size);
      return rotated_lane(t, operand, cluster);
   }
   default: return operand;
   }
}

/* True where it is for any (all) of the four lanes of the quad. */
static void quad_vote(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *bits = ir_extract(&t->b, ballot(t, spirv_scalar(t, spirv_word(t, in, 3))), 0);
   struct ir_instr *active = ir_extract(&t->b, ballot(t, ir_const(&t->b, 1, 1)), 0);
   struct ir_instr *first = u2(t, IR_iand, lane(t), ~3u & 31);
   bits = u2(t, IR_iand, ir_alu2(&t->b, IR_ushr, bits, first), 15);
   active = u2(t, IR_iand, ir_alu2(&t->b, IR_ushr, active, first), 15);
   set_bool(t, in,
            in->op == SpvOpGroupNonUniformQuadAnyKHR ? u2(t, IR_ine, bits, 0) : ir_alu2(&t->b, IR_ieq, bits, active));
}

/* ---- reductions ---- */

static const struct {
   uint16_t op;
   uint8_t atomic;
} reductions[] = {
   {SpvOpGroupNonUniformIAdd, ABI_ATOMIC_IADD},     {SpvOpGroupNonUniformFAdd, ABI_ATOMIC_FADD},
   {SpvOpGroupNonUniformIMul, ABI_ATOMIC_IMUL},     {SpvOpGroupNonUniformFMul, ABI_ATOMIC_FMUL},
   {SpvOpGroupNonUniformSMin, ABI_ATOMIC_IMIN},     {SpvOpGroupNonUniformUMin, ABI_ATOMIC_UMIN},
   {SpvOpGroupNonUniformFMin, ABI_ATOMIC_FMIN},     {SpvOpGroupNonUniformSMax, ABI_ATOMIC_IMAX},
   {SpvOpGroupNonUniformUMax, ABI_ATOMIC_UMAX},     {SpvOpGroupNonUniformFMax, ABI_ATOMIC_FMAX},
   {SpvOpGroupNonUniformBitwiseAnd, ABI_ATOMIC_AND}, {SpvOpGroupNonUniformBitwiseOr, ABI_ATOMIC_OR},
   {SpvOpGroupNonUniformBitwiseXor, ABI_ATOMIC_XOR}, {SpvOpGroupNonUniformLogicalAnd, ABI_ATOMIC_AND},
   {SpvOpGroupNonUniformLogicalOr, ABI_ATOMIC_OR},  {SpvOpGroupNonUniformLogicalXor, ABI_ATOMIC_XOR},
};

static bool reduce(struct spirv_ctx *t, const struct spirv_instr *in)
{
   uint32_t row = 0;
   while (row < UTIL_ARRAY_SIZE(reductions) && reductions[row].op != in->op)
      row++;
   if (row == UTIL_ARRAY_SIZE(reductions))
      return false;
   check_subgroup_scope(t, in, spirv_word(t, in, 3));
   const uint32_t operation = spirv_word(t, in, 4);
   uint32_t scan = 0, cluster = 0;
   struct ir_instr *part = NULL;
   switch (operation) {
   case SpvGroupOperationReduce: break;
   case SpvGroupOperationInclusiveScan: scan = 1; break;
   case SpvGroupOperationExclusiveScan: scan = 2; break;
   case SpvGroupOperationClusteredReduce: cluster = spirv_constant_u32(t, spirv_word(t, in, 6)); break;
   case SpvGroupOperationPartitionedReduceNV:
   case SpvGroupOperationPartitionedInclusiveScanNV:
   case SpvGroupOperationPartitionedExclusiveScanNV:
      scan = operation - SpvGroupOperationPartitionedReduceNV;
      part = spirv_comps_of(t, spirv_word(t, in, 6), 4)[0];
      break;
   default: spirv_fail(t, "%s: group operation %u is not supported", spirv_op_name(in->op), operation);
   }
   if (cluster & (cluster - 1))
      spirv_fail(t, "cluster size %u is not a power of two", cluster);

   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 5), count), **comps = spirv_new_comps(t, count);
   const uint32_t atomic = reductions[row].atomic;
   const bool is_float = atomic == ABI_ATOMIC_FADD || atomic == ABI_ATOMIC_FMUL || atomic == ABI_ATOMIC_FMIN || atomic == ABI_ATOMIC_FMAX;
   for (uint32_t i = 0; i < count; i++) {
      /* halves are combined as 32-bit floats, and rounded once */
      const bool is_half = is_float && x[i]->bit_size == 16;
      struct ir_instr *wide = is_half ? ir_convert(&t->b, IR_f2f, 32, x[i]) : widen_bool(t, x[i]);
      struct ir_instr *instr = part ? ir_alu2(&t->b, IR_reduce_part, wide, part) : ir_alu1(&t->b, IR_reduce, wide);
      instr->imm.u[0] = reductions[row].atomic;
      instr->imm.u[1] = scan;
      if (!part)
         instr->imm.u[2] = cluster;
      /* the identity of a boolean "and" in 32 bits has all bits set, which is true as well */
      comps[i] = is_half ? ir_convert(&t->b, IR_f2f, 16, instr) : narrow_bool(t, instr, x[i]->bit_size == 1);
   }
   spirv_set_result(t, in, count, comps);
   return true;
}

/* The lanes whose values are the same in all components. */
static void partition(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 3));
   const uint32_t count = spirv_leaf_count(t, val->type);
   struct ir_instr **x = spirv_comps(t, val), *zero = spirv_u32(t, 0), *same = NULL;
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *wide = widen_bool(t, x[i]), *match = ir_emit(&t->b, IR_match, 1, 32, 1, &wide);
      same = same ? ir_alu2(&t->b, IR_iand, same, match) : match;
   }
   spirv_set_result(t, in, 4, (struct ir_instr *[]){same, zero, zero, zero});
}

/* ---- dispatch ---- */

static bool ballots(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *words[4];
   switch (in->op) {
   case SpvOpSubgroupBallotKHR:
   case SpvOpGroupNonUniformBallot:
      spirv_split(t, ballot(t, spirv_scalar(t, spirv_word(t, in, in->op == SpvOpSubgroupBallotKHR ? 3 : 4))), 4, words);
      spirv_set_result(t, in, 4, words);
      return true;
   case SpvOpGroupNonUniformInverseBallot:
      set_bool(t, in, ballot_bit(t, spirv_comps_of(t, spirv_word(t, in, 4), 4), lane(t)));
      return true;
   case SpvOpGroupNonUniformBallotBitExtract:
      set_bool(t, in,
               ballot_bit(t, spirv_comps_of(t, spirv_word(t, in, 4), 4),
                          spirv_resize(t, spirv_scalar(t, spirv_word(t, in, 5)), 32, false)));
      return true;
   case SpvOpGroupNonUniformBallotBitCount:
      ballot_count(t, in, spirv_word(t, in, 4), spirv_value(t, spirv_word(t, in, 5)));
      return true;
   case SpvOpGroupNonUniformBallotFindLSB:
   case SpvOpGroupNonUniformBallotFindMSB:
      ballot_find(t, in, spirv_value(t, spirv_word(t, in, 4)), in->op == SpvOpGroupNonUniformBallotFindLSB);
      return true;
   default:
      return false;
   }
}

static bool votes(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *x;
   switch (in->op) {
   case SpvOpGroupNonUniformElect:
      set_bool(t, in, ir_emit(&t->b, IR_elect, 1, 1, 0, NULL));
      return true;
   case SpvOpGroupNonUniformAll:
   case SpvOpGroupNonUniformAny:
      x = spirv_scalar(t, spirv_word(t, in, 4));
      set_bool(t, in, ir_emit(&t->b, in->op == SpvOpGroupNonUniformAll ? IR_vote_all : IR_vote_any, 0, 0, 1, &x));
      return true;
   case SpvOpSubgroupAllKHR:
   case SpvOpSubgroupAnyKHR:
      x = spirv_scalar(t, spirv_word(t, in, 3));
      set_bool(t, in, ir_emit(&t->b, in->op == SpvOpSubgroupAllKHR ? IR_vote_all : IR_vote_any, 0, 0, 1, &x));
      return true;
   case SpvOpGroupNonUniformAllEqual:
      set_bool(t, in, vote_eq(t, spirv_value(t, spirv_word(t, in, 4))));
      return true;
   case SpvOpSubgroupAllEqualKHR:
      set_bool(t, in, vote_eq(t, spirv_value(t, spirv_word(t, in, 3))));
      return true;
   case SpvOpGroupNonUniformQuadAllKHR:
   case SpvOpGroupNonUniformQuadAnyKHR:
      quad_vote(t, in);
      return true;
   default:
      return false;
   }
}

static bool moves(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpGroupNonUniformBroadcast:
   case SpvOpGroupNonUniformShuffle:
   case SpvOpGroupNonUniformShuffleXor:
   case SpvOpGroupNonUniformShuffleUp:
   case SpvOpGroupNonUniformShuffleDown:
   case SpvOpGroupNonUniformQuadBroadcast:
   case SpvOpGroupNonUniformQuadSwap:
   case SpvOpGroupNonUniformRotateKHR:
      check_subgroup_scope(t, in, spirv_word(t, in, 3));
      shuffle(t, in, spirv_value(t, spirv_word(t, in, 4)), source_lane(t, in, spirv_scalar(t, spirv_word(t, in, 5))));
      return true;
   case SpvOpSubgroupReadInvocationKHR:
      shuffle(t, in, spirv_value(t, spirv_word(t, in, 3)), source_lane(t, in, spirv_scalar(t, spirv_word(t, in, 4))));
      return true;
   case SpvOpGroupNonUniformBroadcastFirst:
      read_first(t, in, spirv_value(t, spirv_word(t, in, 4)));
      return true;
   case SpvOpSubgroupFirstInvocationKHR:
      read_first(t, in, spirv_value(t, spirv_word(t, in, 3)));
      return true;
   default:
      return false;
   }
}

static void read_clock(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *clock = ir_emit(&t->b, IR_clock, 1, 64, 0, NULL), *halves[2];
   if (spirv_leaf_count(t, spirv_result_type(t, in)) == 1) {
      spirv_set_result(t, in, 1, &clock);
      return;
   }
   for (uint32_t i = 0; i < 2; i++) {
      halves[i] = ir_emit(&t->b, IR_unpack, 1, 32, 1, &clock);
      halves[i]->imm.u[0] = i;
   }
   spirv_set_result(t, in, 2, halves);
}

bool spirv_group(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpControlBarrier:
   case UTIL_SPV_OP_BARRIER_WAIT:
      spirv_emit_barrier(t, spirv_constant_u32(t, spirv_word(t, in, 1)), spirv_constant_u32(t, spirv_word(t, in, 2)),
                   spirv_constant_u32(t, spirv_word(t, in, 3)));
      return true;
   case UTIL_SPV_OP_BARRIER_ARRIVE: /* nobody gains from waiting later: a workgroup's invocations are one thread's */
      spirv_emit_barrier(t, 0, spirv_constant_u32(t, spirv_word(t, in, 2)), spirv_constant_u32(t, spirv_word(t, in, 3)));
      return true;
   case SpvOpMemoryBarrier:
      spirv_emit_barrier(t, 0, spirv_constant_u32(t, spirv_word(t, in, 1)), spirv_constant_u32(t, spirv_word(t, in, 2)));
      return true;
   case SpvOpBeginInvocationInterlockEXT: /* a tile is one worker's, which runs primitives in order: memory is ordered too */
   case SpvOpEndInvocationInterlockEXT:
      spirv_require_fragment(t);
      spirv_emit_barrier(t, 0, SpvScopeDevice, SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsUniformMemoryMask |
                                            SpvMemorySemanticsImageMemoryMask |
                                            (in->op == SpvOpBeginInvocationInterlockEXT ? IR_INTERLOCK_BEGIN : IR_INTERLOCK_END));
      return true;
   case SpvOpGroupNonUniformPartitionNV:
      partition(t, in);
      return true;
   case SpvOpReadClockKHR:
      read_clock(t, in);
      return true;
   case SpvOpIsHelperInvocationEXT:
      set_bool(t, in, ir_emit(&t->b, IR_is_helper, 1, 1, 0, NULL));
      return true;
   case SpvOpDemoteToHelperInvocation: {
      spirv_require_fragment(t);
      struct ir_instr *always = ir_const(&t->b, 1, 1);
      ir_emit(&t->b, IR_demote, 0, 0, 1, &always);
      return true;
   }
   default:
      return ballots(t, in) || votes(t, in) || moves(t, in) || reduce(t, in);
   }
}
