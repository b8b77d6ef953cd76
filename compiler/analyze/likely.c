/* SPDX-License-Identifier: MIT
 * How the lanes' values lie side by side in most vectors, where nothing says that they always do: an index that is clamped to an image, wrapped by a
 * mask, or split into row and column by a division differs from its neighbour's as before, but at an edge. Code asks in each vector whether it is so.
 *
 * Requires: info.lanes, ir_analyze_divergence(). Does: fills likely_run and stride of varying values that are in no runs. Preserves: everything.
 *
 * One walk, as an expectation that is wrong costs a test and nothing else: of a loop's parameter it is that of the first round, where edges meet that of
 * the first. A mask and a shift are taken as if the first lane's value were zero.
 *
 *    %2 = imin 1x32 %0, %1      %0 strided 1: runs of 16 likely, strided 1 */
#include "compiler/analyze/stride.h"
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/passes.h"

enum { MIN_RUN = 4, MAX_SHIFT = 31 };

struct run {
   int64_t stride;
   uint32_t lanes; /* 0: nothing is expected */
};

static const struct run none = {0, 0};

static struct run run_of(const struct ir_shader *shader, const struct ir_instr *value)
{
   if (value->num_components != 1)
      return none;
   if (value->divergence <= IR_SUBGROUP_UNIFORM)
      return (struct run){0, shader->info.lanes};
   if (value->divergence == IR_STRIDED)
      return (struct run){value->stride, shader->info.lanes};
   const uint32_t run = value->run ? value->run : value->likely_run;
   return (struct run){run ? value->stride : 0, run};
}

static struct run in_runs(int64_t stride, uint64_t lanes)
{
   return lanes >= MIN_RUN ? (struct run){stride, (uint32_t)lanes} : none;
}

/* The longest run, a power of two, of values from 0 on that stay below `end`. */
static uint64_t run_below(struct run x, uint64_t end)
{
   uint64_t run = 1;
   while (run < x.lanes && x.stride > 0 && (uint64_t)x.stride * (2 * run - 1) < end)
      run *= 2;
   return x.stride ? run : x.lanes;
}

/* x >> n. */
static struct run shifted(struct run x, uint32_t n)
{
   if (n >= MAX_SHIFT)
      return none;
   const int64_t step = INT64_C(1) << n;
   return x.stride % step == 0 ? in_runs(x.stride / step, x.lanes) : in_runs(0, run_below(x, (uint64_t)step));
}

/* x & mask, whose ones are side by side, from bit `low` up to below bit `high`. */
static struct run masked(struct run x, uint64_t mask)
{
   if (!mask)
      return none;
   const uint32_t low = (uint32_t)__builtin_ctzll(mask), high = 64 - (uint32_t)__builtin_clzll(mask);
   if (low >= MAX_SHIFT || mask >> low & ((mask >> low) + 1))
      return none;
   const uint64_t lanes = high < 64 ? run_below(x, UINT64_C(1) << high) : x.lanes;
   const struct run in_mask = {x.stride, (uint32_t)lanes};
   return x.stride % (INT64_C(1) << low) == 0 ? in_runs(x.stride, lanes) : in_runs(0, run_below(in_mask, UINT64_C(1) << low));
}

/* One that the lanes share leaves the other as it is, but at an edge. */
static struct run beside(struct run x, struct run y)
{
   const uint32_t lanes = UTIL_MIN(x.lanes, y.lanes);
   return !x.stride || !y.stride || x.stride == y.stride ? in_runs(x.stride ? x.stride : y.stride, lanes) : none;
}

static struct run arithmetic_run(const struct ir_shader *shader, const struct ir_instr *instr)
{
   const struct ir_instr *second = instr->num_srcs > 1 ? instr->srcs[1] : NULL;
   const bool by_const = second && ir_is_const(second);
   const uint64_t number = by_const ? second->imm.c[0] : 0;
   const struct run x = run_of(shader, instr->srcs[0]), y = second ? run_of(shader, second) : (struct run){0, shader->info.lanes};
   const uint32_t lanes = UTIL_MIN(x.lanes, y.lanes), bits = instr->bit_size;
   int64_t stride;
   if (!lanes || bits < 32)
      return none;
   if (ir_linear_stride(instr, x.stride, y.stride, &stride))
      return in_runs(stride, lanes);
   switch ((enum ir_op)instr->op) {
   case IR_ushr: case IR_ishr: return by_const ? shifted(x, (uint32_t)number & (bits - 1)) : none;
   case IR_iand: return by_const ? masked(x, (uint64_t)ir_sign_extend(number, bits)) : none;
   case IR_ior: return y.stride ? none : in_runs(x.stride, lanes);
   case IR_umin: case IR_umax: case IR_imin: case IR_imax: return beside(x, y);
   case IR_umod: case IR_irem: case IR_imod: return y.stride ? none : in_runs(x.stride, by_const ? run_below(x, number) : lanes);
   case IR_udiv: case IR_idiv: return y.stride ? none : in_runs(0, by_const ? run_below(x, number) : lanes);
   case IR_select: return beside(y, run_of(shader, instr->srcs[2]));
   case IR_u2u: case IR_i2i: return x;
   default: return none;
   }
}

/* What control flow makes of it; one value for all before is nothing of it behind. */
static struct run carried(const struct ir_shader *shader, const struct ir_instr *value)
{
   const struct run run = run_of(shader, value);
   return run.stride ? run : none;
}

static struct run first_run(const struct ir_shader *shader, const struct ir_jump_list *jumps, uint32_t index)
{
   return jumps->count ? carried(shader, jumps->jumps[0]->srcs[index]) : none;
}

static void fill(struct ir_instr *value, struct run run)
{
   if (value->divergence != IR_VARYING || value->run)
      return;
   value->likely_run = run.lanes;
   value->stride = run.stride;
}

static void walk_region(const struct ir_shader *shader, struct ir_region *region);

static void walk_construct(const struct ir_shader *shader, struct ir_instr *instr)
{
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      struct ir_region *region = instr->imm.cf.regions[r];
      for (uint32_t i = 0; i < region->num_params; i++)
         fill(region->params[i], r == 0 ? carried(shader, instr->srcs[i]) : first_run(shader, &ir_jumps_of(instr)->continues, i));
      walk_region(shader, region);
   }
   for (uint32_t i = 0; i < instr->imm.cf.num_results; i++)
      fill(instr->imm.cf.results[i], first_run(shader, &ir_jumps_of(instr)->exits, i));
}

static void walk_region(const struct ir_shader *shader, struct ir_region *region)
{
   IR_FOR_EACH (it, region) {
      if (ir_is_construct(it)) {
         walk_construct(shader, it);
      } else if (it->op == IR_extract && it->srcs[0]->op == IR_vec) {
         fill(it, run_of(shader, it->srcs[0]->srcs[it->imm.u[0]]));
      } else if (it->num_components == 1 && it->num_srcs && (ir_info(it)->flags & (IR_PURE | IR_SCALAR)) == (IR_PURE | IR_SCALAR)) {
         fill(it, arithmetic_run(shader, it));
      }
   }
}

void ir_analyze_likely_runs(struct ir_shader *shader)
{
   if (shader->info.lanes < MIN_RUN)
      return;
   ir_collect_jumps(shader);
   walk_region(shader, shader->body);
}
