/* SPDX-License-Identifier: MIT
 * Where a shader asks whether the device is lost: often enough that a lost device has its threads back at once, seldom enough that
 * nobody can measure it.
 *
 * Requires: analyze/divergence, analyze/range (max_rounds); info.local_size and info.lanes. Does: fills `stretch` of constructs, the
 * most that may run in them from one poll to the next, in operations on a vector, and their `polls` and `polls_first`. Preserves:
 * everything.
 *
 * Called for routines first, whose `size` is what a call of them costs: one that is of a call_ordered polls when it begins, if it has loops.
 *
 * A loop polls in every round if all its rounds together may take longer than IR_MAX_STRETCH, so a nest polls at the depth where a
 * round is long. What follows in a straight line is added up; where the sum is too large, a construct or a copy of memory polls once before it begins.
 * Code generation does the same with the loops over vectors, which the IR does not show: see cg_workgroup.c.
 *
 *    loop of 1,000 rounds {       ; polls: 1,000 x 8,000 operations
 *       loop of 1,000 rounds {    ; does not: 1,000 x 8
 */
#include "compiler/ir/passes.h"

/* A microsecond for a call into the runtime of 16 lanes; operations that machines run lane by lane. */
enum { CALL_COST = 64, LANE_COST = 1, DIVIDE_COST = 8, RAY_CALLS = 8 };

static uint32_t sum(uint32_t x, uint32_t y)
{
   uint32_t result;
   return __builtin_add_overflow(x, y, &result) ? UINT32_MAX : result;
}

static uint32_t product(uint32_t x, uint32_t y)
{
   uint32_t result;
   return __builtin_mul_overflow(x, y, &result) ? UINT32_MAX : result;
}

static uint32_t instr_cost(const struct ir_shader *shader, const struct ir_instr *instr)
{
   const uint32_t lanes = UTIL_MAX(shader->info.lanes, 1u), width = UTIL_MAX(instr->num_components, 1u);
   const uint32_t routine = ir_called_routine(instr);
   if (routine)
      return shader->routines[routine - 1].size;
   switch ((enum ir_op)instr->op) {
   case IR_const: case IR_undef: case IR_vec: case IR_extract: case IR_param: case IR_result: case IR_sysval:
      return 0;
   case IR_tex: case IR_image_load: case IR_image_store: case IR_image_atomic: case IR_node_call:
      return CALL_COST * lanes;
   case IR_ray_proceed: /* they poll within */
   case IR_trace_ray:
   case IR_trace_object:
   case IR_execute_object:
   case IR_call_shader:
   case IR_report_hit:
      return CALL_COST * RAY_CALLS * lanes;
   case IR_multiply_matrices: /* eight products an operation */
      return abi_matrix_size(instr->imm.u[2], 0) * abi_matrix_size(instr->imm.u[2], 1) / 8 * abi_matrix_size(instr->imm.u[2], 2);
   case IR_transpose_matrix:
      return instr->imm.u[2] * instr->imm.u[3];
   case IR_fdiv: case IR_fsqrt: case IR_idiv: case IR_udiv: case IR_irem: case IR_imod: case IR_umod:
      return DIVIDE_COST * UTIL_MAX(instr->bit_size / 32u, 1u);
   default:
      if (!ir_is_jump(instr) && ir_info(instr)->flags & (IR_READS | IR_EFFECT | IR_CROSS))
         return LANE_COST * lanes * width;
      return 1;
   }
}

uint32_t ir_stretch(const struct ir_shader *shader, const struct ir_instr *instr)
{
   return ir_is_construct(instr) ? instr->imm.cf.stretch : instr_cost(shader, instr);
}

static uint32_t num_vectors(const struct abi_shader_info *info)
{
   const uint64_t num = (uint64_t)info->local_size[0] * info->local_size[1] * info->local_size[2];
   return (uint32_t)UTIL_MIN(UTIL_DIV_ROUND_UP(num, UTIL_MAX(info->lanes, 1u)), UINT32_MAX);
}

/* `times`: vectors that run one after the other what stands between two barriers. */
static uint32_t walk_region(const struct ir_shader *shader, struct ir_region *region, uint32_t times);

static void walk_construct(const struct ir_shader *shader, struct ir_instr *instr, uint32_t times)
{
   uint32_t inner = 1;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++)
      inner = sum(inner, walk_region(shader, instr->imm.cf.regions[r], instr->imm.cf.has_barrier ? times : 1));
   const uint32_t all = instr->op == IR_loop ? product(inner, instr->imm.cf.max_rounds) : inner;
   instr->imm.cf.polls = instr->op == IR_loop && (!instr->imm.cf.max_rounds || all > IR_MAX_STRETCH);
   instr->imm.cf.polls_first = false;
   instr->imm.cf.stretch = instr->imm.cf.polls ? inner : all;
}

static uint32_t walk_region(const struct ir_shader *shader, struct ir_region *region, uint32_t times)
{
   uint32_t longest = 0, now = 0;
   IR_FOR_EACH (it, region) {
      if (ir_is_construct(it))
         walk_construct(shader, it, times);
      const bool is_per_vector = !ir_is_construct(it) || !it->imm.cf.has_barrier;
      const uint32_t cost = product(ir_stretch(shader, it), is_per_vector ? times : 1);
      bool *polls_first = ir_is_construct(it) ? &it->imm.cf.polls_first : it->op == IR_copy ? &it->imm.copy.polls_first : NULL;
      if (polls_first && sum(now, cost) > IR_MAX_STRETCH && now) {
         *polls_first = true;
         now = 0;
      }
      now = sum(now, cost);
      longest = UTIL_MAX(longest, now);
   }
   return longest;
}

uint32_t ir_analyze_polls(struct ir_shader *shader)
{
   return walk_region(shader, shader->body, abi_has_workgroups(shader->info.stage) ? num_vectors(&shader->info) : 1);
}
