/* SPDX-License-Identifier: MIT
 * Whether a shader runs in vectors of two registers: where it mostly computes, what waits for results of one register can work for the other.
 *
 * Requires: analyze/lanes, analyze/divergence, analyze/range (max_rounds), dense indices; info.local_size. Does: doubles info.lanes, if that is
 * allowed and promises to pay; divergence and what follows from it are then stale. Preserves: everything else.
 *
 * It pays where arithmetic is the most of the work, also where the values that live at a time leave no registers for as many again. It does
 * not in shaders that are short, since a vector may have fragments or invocations in its first half alone; nor where memory or barriers take the time.
 * It pays too where textures are sampled often: a call costs as much for one register as for two, and what one waits for the other fills. Of registers of
 * eight lanes, with few samples too, as fragments come sixteen at a time, and where texels are fetched; and in compute shaders that are short or repeat
 * themselves, barriers and memory or not, as there is less of what is done once a vector. */
#include "compiler/ir/passes.h"

enum {
   MIN_WORK = 96,             /* operations of an invocation */
   MIN_ROUNDS = 4,            /* that the whole code runs, as it were: twice the code takes longer to make */
   MIN_FRAGMENT_WORK = 160,   /* of small triangles the second block of a pair is often empty; */
   MIN_FRAGMENT_WORK_HALVES = 96, /* of eight lanes both are of one block of sixteen */
   FREE_FRAGMENT_CODE = 640,  /* pictures run the code so often that this much may be made twice as long; */
   FREE_FRAGMENT_CODE_HALVES = 1280, /* where registers are of half the size, which gains more */
   MIN_WORK_PER_ACCESS = 12,  /* twice that where rows of a workgroup are shorter than a vector, so that it reads more runs */
   MIN_FRAGMENT_WORK_PER_ACCESS = 3, /* of textures, whose calls are half as many */
   MAX_LIVE = 22,             /* values that a loop has and reads at a time, of 32 registers: more are stored and loaded */
   CROWDED_PART = 4,          /* a quarter of the operations may run where more are wanted */
   HALF_REGISTER = 8,         /* lanes of machines with registers of half the size */
   MAX_LIVE_HALVES = 80,      /* of theirs, which are 16: half of the values are in memory anyhow, and waiting for results costs more */
   MAX_LIVE_SWIFT_HALVES = 12, /* where most results take one cycle, so that nothing waits */
   SLOW_PART = 4,             /* a quarter of the operations take several cycles, or the shader is swift */
   MAX_KERNEL_CODE_HALVES = 192, /* of compute shaders with two of those though most of what they do is memory or barriers, */
   MAX_LOOP_CODE_HALVES = 512,   /* and of those that repeat it MIN_ROUNDS times */
   MIN_CALLS_HALVES = 2,      /* that sample or fetch, with those */
   MIN_CALLS = 8,             /* of registers of sixteen lanes: filters of many taps, which cover pictures */
   MAX_WORK_PER_CALL = 32,
   MAX_CODE_OF_CALLS = 8192,  /* values of a shader that mostly calls: twice the code of more would take too long to make */
   UNKNOWN_ROUNDS = 8,
   MAX_ROUNDS = 64,           /* that count */
   CALL_COST = 4, DIVIDE_COST = 4,
};

struct width {
   struct ir_shader *shader;
   uint32_t *last_use;   /* by value: the last instruction that reads it, but for rounds of loops around that */
   uint32_t *last_loop;  /* by value: the last loop that began below it and reads it in every round; 0: none */
   uint32_t *loop_end;   /* by loop: the last index in it */
   uint32_t *loop_at;    /* by value or instruction: the innermost loop around it; 0: none */
   uint32_t *asked_in;   /* by value: the last loop that began behind it and reads it */
   uint32_t *outer;      /* by loop: registers of values from outside that it reads itself, not a loop in it; what it does not read may be anywhere */
   uint32_t *loops;      /* around what is looked at, outermost first */
   uint64_t *work_at;    /* by instruction: its part of `work` */
   uint32_t depth, at;   /* of loops; the last index that was looked at */
   uint64_t work, slow_work; /* operations; those whose results take several cycles */
   uint64_t accesses, calls;
   bool has_barrier, has_shared_atomics;
};

/* The outermost of the loops around that begin below `value`; 0: none. */
static uint32_t outermost_below(const struct width *w, uint32_t value)
{
   uint32_t low = 0, high = w->depth;
   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (w->loops[middle] > value)
         high = middle;
      else
         low = middle + 1;
   }
   return low < w->depth ? w->loops[low] : 0;
}

/* Of as many lanes as now. */
static uint32_t num_registers(const struct ir_instr *value)
{
   const bool is_vector = value->num_components && value->bit_size != 1 && value->divergence == IR_VARYING;
   return is_vector ? value->num_components * UTIL_MAX(value->bit_size / 32u, 1u) : 0;
}

static uint32_t innermost(const struct width *w)
{
   return w->depth ? w->loops[w->depth - 1] : 0;
}

static void use(struct width *w, const struct ir_instr *value, uint32_t at)
{
   const uint32_t i = value->index, loop = innermost(w);
   w->last_use[i] = UTIL_MAX(w->last_use[i], at);
   w->last_loop[i] = UTIL_MAX(w->last_loop[i], outermost_below(w, i));
   if (loop > i && w->asked_in[i] != loop) {
      w->asked_in[i] = loop;
      w->outer[loop] += num_registers(value);
   }
}

static bool has_half_registers(const struct width *w)
{
   return w->shader->info.lanes == HALF_REGISTER;
}

static bool is_arithmetic(const struct ir_instr *instr)
{
   return instr->op >= IR_iadd && instr->op <= IR_f2f;
}

static bool is_slow(const struct ir_instr *instr)
{
   const bool is_float = instr->op >= IR_fadd && instr->op <= IR_fma;
   return is_float || instr->op == IR_fsqrt || (instr->op >= IR_imul && instr->op <= IR_dot_bytes);
}

static void count(struct width *w, const struct ir_instr *instr, uint64_t times)
{
   w->has_shared_atomics |= instr->op == IR_atomic_shared;
   if (instr->op == IR_barrier) {
      w->has_barrier = true;
   } else if (instr->op == IR_tex || instr->op == IR_image_load || instr->op == IR_image_store) {
      w->accesses += CALL_COST * times;
      w->calls += instr->op == IR_tex && (has_half_registers(w) || instr->imm.u[0] != ABI_TEX_OP_FETCH) ? times : 0;
   } else if (is_arithmetic(instr) && instr->divergence >= IR_STRIDED) {
      w->work_at[instr->index] = times * (instr->op == IR_fdiv || instr->op == IR_fsqrt ? DIVIDE_COST : 1);
      w->work += w->work_at[instr->index];
      w->slow_work += is_slow(instr) ? w->work_at[instr->index] : 0;
   } else if (!ir_is_construct(instr) && !ir_is_jump(instr) && ir_info(instr)->flags & (IR_READS | IR_EFFECT)) {
      w->accesses += times * UTIL_MAX(instr->num_components, 1u);
   }
}

static void walk_region(struct width *w, const struct ir_region *region, uint64_t times);

static void walk_construct(struct width *w, const struct ir_instr *instr, uint64_t times)
{
   const bool is_loop = instr->op == IR_loop;
   const uint32_t rounds = !is_loop ? 1 : instr->imm.cf.max_rounds ? UTIL_MIN(instr->imm.cf.max_rounds, MAX_ROUNDS) : UNKNOWN_ROUNDS;
   if (is_loop)
      w->loops[w->depth++] = instr->index;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++)
      walk_region(w, instr->imm.cf.regions[r], UTIL_MIN(times * rounds, UINT64_C(1) << 32));
   if (is_loop)
      w->depth--;
   w->loop_end[instr->index] = w->at;
}

static void walk_region(struct width *w, const struct ir_region *region, uint64_t times)
{
   for (uint32_t i = 0; i < region->num_params; i++)
      w->loop_at[region->params[i]->index] = innermost(w);
   IR_FOR_EACH (it, region) {
      w->loop_at[it->index] = innermost(w);
      for (uint32_t i = 0; i < it->num_srcs; i++)
         use(w, it->srcs[i], it->index);
      w->at = it->index;
      count(w, it, times);
      if (ir_is_construct(it))
         walk_construct(w, it, times);
   }
}

/* Registers that are wanted at a time: in a loop, by what it reads from outside and by its own values that live. */
struct crowd {
   const struct width *w;
   const struct ir_instr **last;   /* by index: a value that is read there for the last time; NULL: none */
   const struct ir_instr **before; /* by value: the next one that ends where it does */
   uint32_t *own;                  /* by loop: its own values' */
};

static void note_life(struct crowd *c, const struct ir_instr *value)
{
   const uint32_t i = value->index, loop = c->w->last_loop[i], last = UTIL_MAX(c->w->last_use[i], loop ? c->w->loop_end[loop] : 0);
   if (!num_registers(value) || last <= i)
      return;
   c->before[i] = c->last[last];
   c->last[last] = value;
}

static void note_lives(struct crowd *c, const struct ir_region *region)
{
   for (uint32_t i = 0; i < region->num_params; i++)
      note_life(c, region->params[i]);
   IR_FOR_EACH (it, region) {
      note_life(c, it);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         note_lives(c, it->imm.cf.regions[r]);
   }
}

static uint64_t crowded_in(struct crowd *c, const struct ir_region *region, uint32_t limit);

/* The operations of an instruction and what is in it that run while more than `limit` registers are wanted. */
static uint64_t crowded_at(struct crowd *c, const struct ir_instr *it, uint32_t limit)
{
   const struct width *w = c->w;
   const uint32_t loop = w->loop_at[it->index];
   uint64_t work = w->outer[loop] + c->own[loop] > limit ? w->work_at[it->index] : 0;
   for (uint32_t r = 0; r < ir_num_regions(it); r++)
      work += crowded_in(c, it->imm.cf.regions[r], limit);
   return work;
}

static uint64_t crowded_in(struct crowd *c, const struct ir_region *region, uint32_t limit)
{
   uint64_t work = 0;
   for (uint32_t i = 0; i < region->num_params; i++)
      c->own[c->w->loop_at[region->params[i]->index]] += c->w->last_use[region->params[i]->index] ? num_registers(region->params[i]) : 0;
   IR_FOR_EACH (it, region) {
      work += crowded_at(c, it, limit);
      for (const struct ir_instr *ended = c->last[it->index]; ended; ended = c->before[ended->index])
         c->own[c->w->loop_at[ended->index]] -= num_registers(ended);
      c->own[c->w->loop_at[it->index]] += c->w->last_use[it->index] ? num_registers(it) : 0;
   }
   return work;
}

static uint64_t crowded_work(const struct width *w, uint32_t limit)
{
   struct crowd c = {.w = w, .last = UTIL_ARENA_ARRAY(w->shader->arena, const struct ir_instr *, w->shader->num_values)};
   c.before = UTIL_ARENA_ARRAY(w->shader->arena, const struct ir_instr *, w->shader->num_values);
   c.own = UTIL_ARENA_ARRAY(w->shader->arena, uint32_t, w->shader->num_values);
   note_lives(&c, w->shader->body);
   return crowded_in(&c, w->shader->body, limit);
}

/* Vectors twice as long have a lane for every invocation and stay within what a subgroup or a pair of blocks is. */
static bool can_double(const struct ir_shader *shader, uint32_t max_lanes)
{
   const struct abi_shader_info *info = &shader->info;
   const uint64_t num = (uint64_t)info->local_size[0] * info->local_size[1] * info->local_size[2];
   if (shader->info.lanes * 2 > max_lanes || shader->sees_subgroups)
      return false;
   return info->stage == ABI_STAGE_FRAGMENT || (info->stage == ABI_STAGE_COMPUTE && num && num % (info->lanes * 2) == 0);
}

/* Operations on values that promise more than an access takes. */
static uint64_t min_work(const struct width *w)
{
   const struct abi_shader_info *info = &w->shader->info;
   const bool is_fragment = info->stage == ABI_STAGE_FRAGMENT;
   const bool is_half = has_half_registers(w);
   const uint32_t free_code = is_half ? FREE_FRAGMENT_CODE_HALVES : FREE_FRAGMENT_CODE, least = is_half ? MIN_FRAGMENT_WORK_HALVES : MIN_FRAGMENT_WORK;
   const uint32_t size = w->shader->num_values, free_size = is_fragment ? UTIL_MIN(size, free_code) : 0;
   const uint64_t of_code = (uint64_t)MIN_ROUNDS * (size - free_size);
   if (is_fragment)
      return UTIL_MAX(of_code, UTIL_MAX(least, MIN_FRAGMENT_WORK_PER_ACCESS * w->accesses));
   const bool has_short_rows = info->local_size[0] % (info->lanes * 2) && info->local_size[1] * info->local_size[2] > 1;
   return UTIL_MAX(of_code, UTIL_MAX(MIN_WORK, (has_short_rows ? 2 : 1) * MIN_WORK_PER_ACCESS * w->accesses));
}

static bool is_mostly_calls(const struct width *w)
{
   const uint32_t min_calls = has_half_registers(w) ? MIN_CALLS_HALVES : MIN_CALLS;
   return w->calls >= min_calls && w->work <= MAX_WORK_PER_CALL * w->calls && w->shader->num_values <= MAX_CODE_OF_CALLS;
}

static bool is_swift(const struct width *w)
{
   return w->slow_work * SLOW_PART < w->work;
}

static bool is_mostly_arithmetic(struct width *w)
{
   const uint32_t limit = !has_half_registers(w) ? MAX_LIVE : is_swift(w) ? MAX_LIVE_SWIFT_HALVES : MAX_LIVE_HALVES;
   return w->work >= min_work(w) && crowded_work(w, limit) <= w->work / CROWDED_PART;
}

/* Computes on few values between accesses, or waits in loops for results: twice the lanes cost little and halve what is done once a vector. */
static bool is_small_kernel(struct width *w)
{
   const uint32_t size = w->shader->num_values;
   if (!has_half_registers(w) || w->shader->info.stage != ABI_STAGE_COMPUTE || w->has_shared_atomics || is_swift(w))
      return false;
   if (size <= MAX_LOOP_CODE_HALVES && w->work >= (uint64_t)MIN_ROUNDS * size)
      return crowded_work(w, MAX_LIVE_HALVES) <= w->work / CROWDED_PART;
   return size <= MAX_KERNEL_CODE_HALVES && crowded_work(w, MAX_LIVE_SWIFT_HALVES) <= w->work / 2;
}

bool ir_double_lanes(struct ir_shader *shader, uint32_t max_lanes)
{
   if (!can_double(shader, max_lanes))
      return false;
   uint32_t *numbers = UTIL_ARENA_ARRAY(shader->arena, uint32_t, 7 * (size_t)shader->num_values);
   struct width w = {.shader = shader, .last_use = numbers};
   w.last_loop = w.last_use + shader->num_values;
   w.loop_end = w.last_loop + shader->num_values;
   w.loops = w.loop_end + shader->num_values;
   w.loop_at = w.loops + shader->num_values;
   w.asked_in = w.loop_at + shader->num_values;
   w.outer = w.asked_in + shader->num_values;
   w.work_at = UTIL_ARENA_ARRAY(shader->arena, uint64_t, shader->num_values);
   walk_region(&w, shader->body, 1);
   const bool pays = !w.has_barrier && (is_mostly_calls(&w) || is_mostly_arithmetic(&w));
   if (!pays && !is_small_kernel(&w))
      return false;
   shader->info.lanes *= 2;
   return true;
}
