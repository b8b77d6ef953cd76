/* SPDX-License-Identifier: MIT
 * How large values can get, and how often loops go round: what spares accesses their checks and loops their polls.
 *
 * Requires: constant sources folded; info.local_size and subgroup_size for what follows from them. Does: fills `below` of every value
 * (for invocations that execute it, at the point where it stands) and max_rounds of loops. Preserves: everything.
 *
 * One walk in the order of execution. Conditions count: within `if (x < 8)`, and after an `if` that leaves when x is 8 or more, x is at most 7.
 * A loop's parameter is bounded if such a test comes before every continue, or if one round never makes it larger. */
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/passes.h"

enum { MAX_DEPTH = 6, MAX_CONTINUES = 16 };

#define UNKNOWN UINT64_MAX

struct analysis {
   struct ir_shader *shader;
   bool is_valid; /* what is dispatched keeps to the limits of the device */
   const struct ir_instr *ahead; /* a loop whose inside has not been walked: values there are found from their sources */
};

/* What a condition implies of a value where it is known to hold. */
struct fact {
   struct ir_instr *value; /* NULL: nothing */
   uint64_t max;
   bool is_signed;  /* only of values that are positive as signed numbers */
   bool is_not_zero;
   bool is_strict; /* less than some value of its type */
};

static uint64_t type_max(uint32_t bit_size)
{
   return ir_mask_bits(UINT64_MAX, bit_size);
}

static uint64_t signed_max(uint32_t bit_size)
{
   return type_max(bit_size) >> 1;
}

static uint64_t max_of(const struct ir_instr *value)
{
   return UTIL_MIN(value->below - 1, type_max(value->bit_size)); /* below 0: wraps to UNKNOWN */
}

static void set_max(struct ir_instr *value, uint64_t max)
{
   value->below = max + 1;
}

/* ---- values made from others ---- */

static uint64_t evaluate(const struct analysis *a, const struct ir_instr *value, uint32_t depth);

static uint64_t source_max(const struct analysis *a, const struct ir_instr *src, uint32_t depth)
{
   return a->ahead && ir_is_inside(src->region, a->ahead) ? evaluate(a, src, depth) : max_of(src);
}

static uint64_t param_max(const struct analysis *a, const struct ir_instr *param, uint32_t depth)
{
   if (!a->ahead || param->region != a->ahead->imm.cf.regions[1])
      return max_of(param);
   const struct ir_jump_list *continues = &ir_jumps_of(a->ahead)->continues;
   uint64_t max = continues->count > MAX_CONTINUES ? UNKNOWN : 0;
   for (uint32_t i = 0; i < continues->count && max != UNKNOWN; i++)
      max = UTIL_MAX(max, source_max(a, continues->jumps[i]->srcs[param->imm.u[0]], depth));
   return max;
}

static uint64_t local_id_max(const struct abi_shader_info *info, uint32_t component)
{
   return info->local_size[component] ? info->local_size[component] - 1 : UNKNOWN;
}

static uint64_t sysval_max(const struct analysis *a, const struct ir_instr *instr, uint32_t component)
{
   const struct ir_shader *shader = a->shader;
   const struct abi_shader_info *info = &shader->info;
   const uint64_t invocations = (uint64_t)info->local_size[0] * info->local_size[1] * info->local_size[2];
   switch ((enum ir_sysval)instr->imm.u[0]) {
   case IR_SYSVAL_LOCAL_ID:
      return local_id_max(info, component);
   case IR_SYSVAL_LOCAL_INDEX:
      return invocations - 1;
   case IR_SYSVAL_SUBGROUP_ID:
      return shader->subgroup_size && invocations ? (invocations - 1) / shader->subgroup_size : UNKNOWN;
   case IR_SYSVAL_SUBGROUP_LANE:
      return shader->subgroup_size ? shader->subgroup_size - 1 : UNKNOWN;
   case IR_SYSVAL_WORKGROUP_ID:
      return a->is_valid && info->stage == ABI_STAGE_COMPUTE ? ABI_MAX_WORKGROUPS - 1 : UNKNOWN;
   default:
      return UNKNOWN;
   }
}

static uint64_t extract_max(const struct analysis *a, const struct ir_instr *instr, uint32_t depth)
{
   const struct ir_instr *x = instr->srcs[0];
   if (x->op == IR_vec)
      return source_max(a, x->srcs[instr->imm.u[0]], depth);
   return x->op == IR_sysval ? sysval_max(a, x, instr->imm.u[0]) : UNKNOWN;
}

static uint64_t sum(uint64_t x, uint64_t y, uint64_t limit)
{
   return x <= limit && y <= limit - x ? x + y : UNKNOWN;
}

static uint64_t product(uint64_t x, uint64_t y, uint64_t limit)
{
   return !x || y <= limit / x ? x * y : UNKNOWN;
}

/* All bits up to the highest of either. */
static uint64_t bits_of(uint64_t x, uint64_t y)
{
   const uint64_t both = x | y;
   return both ? UINT64_MAX >> __builtin_clzll(both) : 0;
}

/* A comparison with a constant that the other side is too small for; x, y: the largest of both. */
static bool is_never(const struct ir_instr *comparison, uint64_t x, uint64_t y)
{
   const struct ir_instr *const *srcs = (const struct ir_instr *const *)comparison->srcs;
   const bool is_signed = comparison->op == IR_ilt || comparison->op == IR_ige;
   if (is_signed && UTIL_MAX(x, y) > signed_max(srcs[0]->bit_size))
      return false;
   return comparison->op == IR_ult || comparison->op == IR_ilt ? ir_is_const(srcs[0]) && y <= x : ir_is_const(srcs[1]) && x < y;
}

static uint64_t arithmetic_max(const struct analysis *a, const struct ir_instr *instr, uint32_t depth)
{
   const uint32_t bits = instr->bit_size;
   const uint64_t limit = type_max(bits), positive = signed_max(bits);
   const struct ir_instr *second = instr->num_srcs > 1 ? instr->srcs[1] : NULL;
   const bool by_const = second && ir_is_const(second);
   const uint64_t factor = by_const ? second->imm.c[0] : 0, amount = factor & (bits - 1);
   const uint64_t x = source_max(a, instr->srcs[0], depth), y = second ? source_max(a, second, depth) : 0;

   switch ((enum ir_op)instr->op) {
   case IR_iadd:
      return sum(x, y, limit);
   case IR_isub: /* from a constant that is no less */
      return ir_is_const(instr->srcs[0]) && y <= x ? x : UNKNOWN;
   case IR_imul:
      return product(x, y, limit);
   case IR_ishl:
      return by_const ? product(x, UINT64_C(1) << amount, limit) : UNKNOWN;
   case IR_ushr:
      return by_const ? x >> amount : x;
   case IR_ishr:
      return x > positive ? UNKNOWN : by_const ? x >> amount : x;
   case IR_udiv:
      return by_const && factor ? x / factor : UNKNOWN;
   case IR_idiv:
      return by_const && factor && factor <= positive && x <= positive ? x / factor : UNKNOWN;
   case IR_umod:
      return by_const && factor ? UTIL_MIN(x, factor - 1) : UNKNOWN;
   case IR_irem: case IR_imod:
      return by_const && factor && factor <= positive && x <= positive ? UTIL_MIN(x, factor - 1) : UNKNOWN;
   case IR_iand:
   case IR_umin:
      return UTIL_MIN(x, y);
   case IR_umax:
      return UTIL_MAX(x, y);
   case IR_imin:
      return UTIL_MAX(x, y) <= positive ? UTIL_MIN(x, y) : UNKNOWN;
   case IR_imax: /* with one that is positive, so is the larger */
      return UTIL_MAX(x, y) <= positive ? UTIL_MAX(x, y) : UTIL_MIN(x, y) <= positive ? positive : UNKNOWN;
   case IR_ior: case IR_ixor:
      return bits_of(x, y);
   case IR_ucarry: case IR_uborrow:
      return 1;
   case IR_bitcount:
      return bits;
   case IR_u2u:
      return x;
   case IR_i2i:
      return x <= signed_max(instr->srcs[0]->bit_size) ? x : UNKNOWN;
   case IR_select:
      return UTIL_MAX(y, source_max(a, instr->srcs[2], depth));
   case IR_ult: case IR_ilt: case IR_uge: case IR_ige: case IR_ieq:
      return is_never(instr, x, y) ? 0 : 1;
   case IR_ubfe:
      return ir_is_const(instr->srcs[2]) && instr->srcs[2]->imm.c[0] < bits ? type_max((uint32_t)instr->srcs[2]->imm.c[0]) : UNKNOWN;
   default:
      return UNKNOWN;
   }
}

/* The largest that `value` may be; what its bits can hold if nothing better is known. */
static uint64_t evaluate(const struct analysis *a, const struct ir_instr *value, uint32_t depth)
{
   uint64_t max = UNKNOWN;
   if (value->num_components != 1 || !depth)
      return UNKNOWN;
   if (value->op == IR_const)
      max = value->imm.c[0];
   else if (value->op == IR_param)
      max = param_max(a, value, depth - 1);
   else if (value->op == IR_result)
      max = a->ahead && ir_is_inside(value->region, a->ahead) ? UNKNOWN : max_of(value);
   else if (value->op == IR_sysval)
      max = sysval_max(a, value, 0);
   else if (value->op == IR_extract)
      max = extract_max(a, value, depth - 1);
   else if (value->op == IR_load_table)
      max = value->imm.var.var->table->max;
   else if (value->num_srcs && ir_info(value)->flags & IR_PURE)
      max = arithmetic_max(a, value, depth - 1);
   return UTIL_MIN(max, type_max(value->bit_size));
}

/* ---- conditions ---- */

static bool is_zero(const struct ir_instr *value)
{
   return ir_is_const(value) && value->imm.c[0] == 0;
}

/* x < y, or x <= y. */
static struct fact in_order(struct ir_instr *x, struct ir_instr *y, bool is_less, bool is_signed)
{
   if (is_less && is_zero(x))
      return (struct fact){.value = y, .max = is_signed ? signed_max(y->bit_size) : UNKNOWN, .is_not_zero = true};
   if (is_signed && !is_less && is_zero(x))
      return (struct fact){.value = y, .max = signed_max(y->bit_size)};
   if (ir_is_const(x) || (is_less && !max_of(y)))
      return (struct fact){0};
   return (struct fact){.value = x, .max = max_of(y) - is_less, .is_signed = is_signed, .is_strict = is_less};
}

/* What follows where a comparison is `holds`. */
static struct fact learn(const struct ir_instr *condition, bool holds)
{
   if (condition->num_srcs != 2)
      return (struct fact){0};
   struct ir_instr *x = condition->srcs[0], *y = condition->srcs[1];
   const bool is_signed = condition->op == IR_ilt || condition->op == IR_ige;
   switch ((enum ir_op)condition->op) {
   case IR_ult: case IR_ilt:
      return holds ? in_order(x, y, true, is_signed) : in_order(y, x, false, is_signed);
   case IR_uge: case IR_ige:
      return holds ? in_order(y, x, false, is_signed) : in_order(x, y, true, is_signed);
   case IR_ine: case IR_ieq:
      return is_zero(y) && holds == (condition->op == IR_ine) ? (struct fact){.value = x, .max = UNKNOWN, .is_not_zero = true}
                                                              : (struct fact){0};
   default:
      return (struct fact){0};
   }
}

/* The parts of a condition all of which are `*holds` if it is; 1 for one that is no combination. */
static uint32_t split(const struct ir_instr **condition, bool *holds)
{
   while ((*condition)->op == IR_inot) {
      *condition = (*condition)->srcs[0];
      *holds = !*holds;
   }
   return (*condition)->op == (*holds ? IR_iand : IR_ior) ? 2 : 1;
}

struct undo {
   struct undo *next;
   struct ir_instr *value;
   uint64_t below;
};

static void undo_all(struct undo *undo)
{
   for (; undo; undo = undo->next)
      undo->value->below = undo->below;
}

/* Until undo_all(): what the condition implies holds. */
static struct undo *assume(struct analysis *a, const struct ir_instr *condition, bool holds, uint32_t depth, struct undo *undo)
{
   if (split(&condition, &holds) == 2) {
      for (uint32_t i = 0; depth && i < 3; i++) /* the first again: the second may show that its signs do not matter */
         undo = assume(a, condition->srcs[i % 2], holds, depth - 1, undo);
      return undo;
   }
   const struct fact fact = learn(condition, holds);
   if (!fact.value || fact.max >= max_of(fact.value) || (fact.is_signed && max_of(fact.value) > signed_max(fact.value->bit_size)))
      return undo;
   struct undo *last = UTIL_ARENA_NEW(a->shader->arena, struct undo);
   *last = (struct undo){undo, fact.value, fact.value->below};
   set_max(fact.value, fact.max);
   return last;
}

/* The side of an `if` behind which the rest of its region is only reached by the other side; -1: neither, or both. */
static int leaving_side(const struct ir_instr *instr)
{
   const bool leaves[2] = {ir_terminator(instr->imm.cf.regions[0])->op != IR_yield, ir_terminator(instr->imm.cf.regions[1])->op != IR_yield};
   return leaves[0] == leaves[1] ? -1 : leaves[0] ? 0 : 1;
}

/* ---- loops ---- */

/* Of a parameter of the region. */
static struct fact learn_of_param(const struct ir_instr *condition, bool holds, const struct ir_region *region, uint32_t depth)
{
   struct fact fact = {0};
   if (split(&condition, &holds) == 2) {
      for (uint32_t i = 0; depth && i < 2 && !fact.value; i++)
         fact = learn_of_param(condition->srcs[i], holds, region, depth - 1);
      return fact;
   }
   fact = learn(condition, holds);
   return fact.value && fact.value->op == IR_param && fact.value->region == region ? fact : (struct fact){0};
}

/* What holds in every round from some point on that all paths to the next round pass: of a parameter of the body. */
static struct fact find_guard(const struct ir_instr *loop)
{
   const struct ir_region *body = loop->imm.cf.regions[0];
   IR_FOR_EACH (it, body) {
      if (!ir_is_construct(it))
         continue;
      if (it->op == IR_if && leaving_side(it) >= 0 && !ir_contains_continue(it->imm.cf.regions[leaving_side(it)], loop)) {
         const struct fact fact = learn_of_param(it->srcs[0], leaving_side(it) == 1, body, MAX_DEPTH);
         if (fact.value)
            return fact;
      }
      for (uint32_t r = 0; r < ir_num_regions(it); r++) {
         if (ir_contains_continue(it->imm.cf.regions[r], loop))
            return (struct fact){0};
      }
   }
   return (struct fact){0};
}

/* The value that a parameter of the continue region always is, else itself. */
static const struct ir_instr *through_continue(const struct ir_instr *loop, const struct ir_instr *value)
{
   const struct ir_jump_list *continues = &ir_jumps_of(loop)->continues;
   if (value->op != IR_param || value->region != loop->imm.cf.regions[1] || !continues->count)
      return value;
   const struct ir_instr *first = continues->jumps[0]->srcs[value->imm.u[0]];
   for (uint32_t i = 1; i < continues->count; i++) {
      if (continues->jumps[i]->srcs[value->imm.u[0]] != first)
         return value;
   }
   return first;
}

/* How many rounds a loop with this guard makes at most, 0: unknown. Its parameter is at most `most` at the start of any. */
static uint64_t count_rounds(const struct ir_instr *loop, const struct fact *guard, const struct ir_instr *next, uint64_t max)
{
   const struct ir_instr *param = guard->value, *init = loop->srcs[param->imm.u[0]];
   const uint32_t bits = param->bit_size;
   next = through_continue(loop, next);
   if (next->num_srcs != 2 || !ir_is_const(next->srcs[1]) || through_continue(loop, next->srcs[0]) != param)
      return 0;
   const uint64_t step = next->srcs[1]->imm.c[0];
   const bool is_exact = max < type_max(bits); /* the step never wraps */
   switch ((enum ir_op)next->op) {
   case IR_iadd:
      if (!is_exact && step == 1 && guard->is_strict) /* up to something unknown: never past it, so it never wraps */
         return type_max(bits);
      return is_exact && step && guard->max < UNKNOWN ? sum(guard->max / step, 2, UNKNOWN - 1) : 0;
   case IR_ishl:
      return is_exact && step && step < bits && ir_is_const(init) && init->imm.c[0] ? bits + 1 : 0;
   case IR_ushr:
      return guard->is_not_zero && step && step < bits ? bits + 1 : 0;
   case IR_ishr:
      return guard->is_not_zero && step && step < bits && max <= signed_max(bits) ? bits + 1 : 0;
   default:
      return 0;
   }
}

/* What the parameter is at most in the next round, if it is `most` at the most when this one ends. */
static uint64_t next_max(const struct analysis *a, const struct ir_instr *loop, uint32_t index, uint64_t max)
{
   const struct analysis ahead = {.shader = a->shader, .is_valid = a->is_valid, .ahead = loop};
   struct ir_instr *param = loop->imm.cf.regions[0]->params[index];
   set_max(param, max);
   const uint64_t next = evaluate(&ahead, ir_loop_back_edge(loop)->srcs[index], MAX_DEPTH);
   set_max(param, UNKNOWN);
   return next;
}

/* Of all that it was at the start of a round; false if unknown. */
static bool bound_guarded_param(const struct analysis *a, const struct ir_instr *loop, const struct fact *guard)
{
   const uint32_t index = guard->value->imm.u[0];
   if (guard->max == UNKNOWN)
      return false;
   const uint64_t max = UTIL_MAX(max_of(loop->srcs[index]), next_max(a, loop, index, guard->max));
   if (guard->is_signed && max > signed_max(guard->value->bit_size))
      return false;
   set_max(guard->value, max);
   return true;
}

/* Without a guard: a bound that no round exceeds. The second try is for values that are exchanged, as the numbers of two buffers do. */
static void bound_param(const struct analysis *a, const struct ir_instr *loop, uint32_t index)
{
   uint64_t max = max_of(loop->srcs[index]);
   for (uint32_t i = 0; i < 2; i++) {
      const uint64_t next = next_max(a, loop, index, max);
      if (next <= max) {
         set_max(loop->imm.cf.regions[0]->params[index], max);
         return;
      }
      max = next;
   }
}

/* Bounds of the body's parameters; returns the number of rounds at most, 0: unknown. */
static uint64_t enter_loop(struct analysis *a, struct ir_instr *loop)
{
   const struct ir_region *body = loop->imm.cf.regions[0];
   const struct ir_instr *back = ir_loop_back_edge(loop);
   if (!back) {
      for (uint32_t i = 0; i < body->num_params; i++)
         set_max(body->params[i], max_of(loop->srcs[i]));
      return 1;
   }
   const struct fact guard = find_guard(loop);
   uint64_t num_rounds = 0;
   for (uint32_t i = 0; i < body->num_params; i++)
      set_max(body->params[i], UNKNOWN);
   for (uint32_t i = 0; i < body->num_params; i++) {
      const bool is_guarded = body->params[i] == guard.value;
      if (!is_guarded || !bound_guarded_param(a, loop, &guard))
         bound_param(a, loop, i);
      if (is_guarded)
         num_rounds = count_rounds(loop, &guard, back->srcs[i], max_of(body->params[i]));
   }
   return num_rounds;
}

/* ---- the walk ---- */

static void walk_region(struct analysis *a, struct ir_region *region);

static void join(struct ir_instr *const *joins, const struct ir_instr *jump, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      set_max(joins[i], UTIL_MAX(max_of(joins[i]), max_of(jump->srcs[i])));
}

static void walk_jump(struct ir_instr *jump)
{
   const struct ir_instr *owner = jump->region->owner;
   if (jump->op == IR_break)
      join(jump->imm.cf.target->imm.cf.results, jump, jump->num_srcs);
   else if (jump->op == IR_continue)
      join(jump->imm.cf.target->imm.cf.regions[1]->params, jump, jump->num_srcs);
   else if (owner && owner->op != IR_loop)
      join(owner->imm.cf.results, jump, jump->num_srcs);
}

static void walk_construct(struct analysis *a, struct ir_instr *instr)
{
   for (uint32_t i = 0; i < instr->imm.cf.num_results; i++)
      set_max(instr->imm.cf.results[i], 0);
   if (instr->op == IR_loop) {
      for (uint32_t i = 0; i < instr->imm.cf.regions[1]->num_params; i++)
         set_max(instr->imm.cf.regions[1]->params[i], 0);
      const uint64_t num_rounds = enter_loop(a, instr);
      instr->imm.cf.max_rounds = (uint32_t)UTIL_MIN(num_rounds, UINT32_MAX);
   }
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      struct undo *undo = instr->op == IR_if ? assume(a, instr->srcs[0], r == 0, MAX_DEPTH, NULL) : NULL;
      walk_region(a, instr->imm.cf.regions[r]);
      undo_all(undo);
   }
}

static void walk_region(struct analysis *a, struct ir_region *region)
{
   struct undo *undo = NULL;
   IR_FOR_EACH (it, region) {
      if (ir_is_jump(it)) {
         walk_jump(it);
      } else if (ir_is_construct(it)) {
         walk_construct(a, it);
         if (it->op == IR_if && leaving_side(it) >= 0)
            undo = assume(a, it->srcs[0], leaving_side(it) == 1, MAX_DEPTH, undo);
      } else if (it->op != IR_result) {
         set_max(it, evaluate(a, it, MAX_DEPTH));
      }
   }
   undo_all(undo);
}

static void forget(struct ir_instr *instr, void *data)
{
   instr->below = 0;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      for (uint32_t i = 0; i < instr->imm.cf.regions[r]->num_params; i++)
         instr->imm.cf.regions[r]->params[i]->below = 0;
   }
}

void ir_forget_ranges(struct ir_shader *shader)
{
   ir_for_each(shader, forget, NULL);
}

static void analyze(struct ir_shader *shader, bool is_valid)
{
   struct analysis a = {.shader = shader, .is_valid = is_valid};
   ir_forget_ranges(shader);
   ir_collect_jumps(shader);
   walk_region(&a, shader->body);
}

void ir_analyze_ranges(struct ir_shader *shader)
{
   analyze(shader, false);
}

void ir_analyze_ranges_of_valid(struct ir_shader *shader)
{
   analyze(shader, true);
}
