/* SPDX-License-Identifier: MIT
 * Folding, algebra, merging of equal values: one walk in program order.
 *
 * Requires: nothing. Does, for each instruction with its sources already simplified:
 *  - constant sources: the constant; constants and undefs move to the start of the shader, one of each;
 *  - ir_algebra(): a simpler value; new instructions are walked over as well;
 *  - an equal value that is visible: that. Loads count as equal while nothing between may write (in text order; a loop
 *    starts anew);
 *  - within `if c`, c is a constant, and behind an `if` of which one side leaves;
 *  - results that are conditions as numbers 0 and 1 become conditions;
 *  - params and results that are always one outer value, or an `if`'s condition, become that.
 * Preserves: structure; effects and their order.
 *
 *    %2 = iadd 1x32 %0, %1                 %2 = iadd 1x32 %0, %1
 *    %3 = iadd 1x32 %1, %0           →     %5 = imul 1x32 %2, %2
 *    %5 = imul 1x32 %2, %3 */
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/ir_map.h"
#include "compiler/ir/passes.h"
#include "compiler/opt/algebra.h"

#include <string.h>

enum memory_class { MEMORY_EXTERNAL, MEMORY_SHARED, MEMORY_ROWS, MEMORY_RAYS, MEMORY_VAR, NUM_MEMORY_CLASSES };

struct entry {
   struct ir_instr *instr;
   uint64_t hash;
   uint32_t epoch;           /* of its memory, for loads */
   struct entry *next;       /* of the bucket */
   struct entry *next_added; /* added before, for undoing */
};

struct simplifier {
   struct ir_shader *shader;
   struct entry **buckets;
   uint32_t num_buckets; /* a power of two */
   struct entry *last_added;
   struct util_list *top; /* constants are inserted behind this node of the shader's body */
   uint32_t epochs[NUM_MEMORY_CLASSES], last_epoch;
   bool has_changed, has_dropped;
};

/* ---- memory ---- */

static enum memory_class memory_class(enum ir_op op)
{
   if (op == IR_load_var || op == IR_store_var || op == IR_multiply_matrices || op == IR_transpose_matrix)
      return MEMORY_VAR;
   if (op == IR_load_shared || op == IR_store_shared || op == IR_atomic_shared)
      return MEMORY_SHARED;
   if (op == IR_load_row || op == IR_store_row || op == IR_or_row)
      return MEMORY_ROWS;
   if (op >= IR_load_ray && op <= IR_ray_copy)
      return MEMORY_RAYS;
   return MEMORY_EXTERNAL;
}

static void forget_loads(struct simplifier *s, enum memory_class which)
{
   s->epochs[which] = ++s->last_epoch;
}

static void forget_all_loads(struct simplifier *s)
{
   for (uint32_t i = 0; i < NUM_MEMORY_CLASSES; i++)
      forget_loads(s, i);
}

static void note_effect(struct simplifier *s, const struct ir_instr *instr)
{
   switch ((enum ir_op)instr->op) {
   case IR_store_output:
   case IR_store_vertex:
   case IR_demote:
   case IR_clock:
   case IR_call_ordered: /* writes nothing */
      break;
   case IR_copy:
      forget_loads(s, memory_class(instr->imm.copy.form->sides[0].op));
      break;
   case IR_barrier:
      forget_loads(s, MEMORY_EXTERNAL);
      forget_loads(s, MEMORY_SHARED);
      forget_loads(s, MEMORY_ROWS);
      break;
   case IR_trace_ray: /* other shaders run */
   case IR_trace_object:
   case IR_execute_object:
   case IR_call_shader:
   case IR_report_hit:
      forget_all_loads(s);
      break;
   default:
      forget_loads(s, memory_class(instr->op));
      break;
   }
}

/* The access flags of a load, or 0 for operations without. */
static uint32_t load_access(const struct ir_instr *instr)
{
   switch ((enum ir_op)instr->op) {
   case IR_load_buffer:
   case IR_load_global:
   case IR_load_shared:
      return instr->imm.u[0];
   case IR_image_load:
      return instr->imm.u[2];
   default:
      return 0;
   }
}

static bool is_mergeable(const struct ir_instr *instr)
{
   const uint32_t flags = ir_info(instr)->flags;
   if (flags & (IR_EFFECT | IR_CROSS) || instr->op == IR_param || instr->op == IR_result)
      return false;
   return !(load_access(instr) & (IR_ACCESS_VOLATILE | IR_ACCESS_ATOMIC | IR_ACCESS_COHERENT));
}

static uint32_t epoch_of(const struct simplifier *s, const struct ir_instr *instr)
{
   if (!(ir_info(instr)->flags & IR_READS) || load_access(instr) & IR_ACCESS_READ_ONLY)
      return 0;
   return s->epochs[memory_class(instr->op)];
}

/* ---- equal values ---- */

static const void *imm_bytes(const struct ir_instr *instr, size_t *size)
{
   *size = instr->op == IR_const ? sizeof(instr->imm.c) : instr->op == IR_load_var ? sizeof(void *) : 16;
   return &instr->imm;
}

static uint64_t hash_instr(const struct ir_instr *instr)
{
   uint64_t hash = (uint64_t)instr->op << 32 | instr->num_components << 16 | instr->bit_size << 8 | instr->fp;
   const bool commutes = ir_info(instr)->flags & IR_COMM;
   size_t size;
   const uint64_t *imm = imm_bytes(instr, &size);

   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      if (commutes && i < 2)
         hash += ir_mix(instr->srcs[i]->index + 1) * 3; /* a sum: order does not count */
      else
         hash = ir_mix(hash) + instr->srcs[i]->index;
   }
   for (uint32_t i = 0; i < size / sizeof(*imm); i++)
      hash = ir_mix(hash + imm[i]);
   return ir_mix(hash);
}

static bool is_equal(const struct ir_instr *a, const struct ir_instr *b)
{
   size_t size;
   if (a->op != b->op || a->num_components != b->num_components || a->bit_size != b->bit_size || a->fp != b->fp ||
       a->num_srcs != b->num_srcs)
      return false;
   uint32_t first = 0;
   if (ir_info(a)->flags & IR_COMM && a->srcs[0] == b->srcs[1] && a->srcs[1] == b->srcs[0])
      first = 2;
   for (uint32_t i = first; i < a->num_srcs; i++) {
      if (a->srcs[i] != b->srcs[i])
         return false;
   }
   const void *imm = imm_bytes(a, &size);
   return !memcmp(imm, &b->imm, size);
}

/* An equal value that is visible here; if there is none, `instr` is remembered for those to come. */
static struct ir_instr *find_equal(struct simplifier *s, struct ir_instr *instr)
{
   const uint64_t hash = hash_instr(instr);
   const uint32_t epoch = epoch_of(s, instr);
   struct entry **bucket = &s->buckets[hash & (s->num_buckets - 1)];
   for (const struct entry *entry = *bucket; entry; entry = entry->next) {
      if (entry->hash == hash && entry->epoch == epoch && is_equal(entry->instr, instr))
         return entry->instr;
   }
   struct entry *entry = UTIL_ARENA_NEW(s->shader->arena, struct entry);
   *entry = (struct entry){instr, hash, epoch, *bucket, s->last_added};
   *bucket = s->last_added = entry;
   return NULL;
}

/* Values of a region that ends are no longer visible. */
static void forget_added_since(struct simplifier *s, struct entry *mark)
{
   for (; s->last_added != mark; s->last_added = s->last_added->next_added)
      s->buckets[s->last_added->hash & (s->num_buckets - 1)] = s->last_added->next;
}

/* ---- one instruction ---- */

static void replace(struct simplifier *s, struct ir_instr *instr, struct ir_instr *value)
{
   instr->forward = value;
   ir_remove(instr);
   s->has_changed = true;
}

/* Known values of conditions stand in pass_data of 1-bit values: 1 false, 2 true. */
static void set_known(struct ir_instr *condition, uintptr_t known)
{
   condition->pass_data = (void *)known;
   if (condition->op == IR_inot)
      condition->srcs[0]->pass_data = (void *)(known ? 3 - known : 0);
}

/* 0 if nothing is known here. */
static uintptr_t known_value(const struct ir_instr *value)
{
   if (value->bit_size != 1 || value->num_components != 1)
      return 0;
   if (!value->pass_data && value->op == IR_inot && value->srcs[0]->pass_data)
      return 3 - (uintptr_t)value->srcs[0]->pass_data;
   return (uintptr_t)value->pass_data;
}

/* Constants and undefs are kept at the start of the shader, in the table's outermost scope. */
static void move_to_top(struct simplifier *s, struct ir_instr *instr)
{
   instr->fp = 0;
   const uint64_t hash = hash_instr(instr);
   struct entry **bucket = &s->buckets[hash & (s->num_buckets - 1)];
   struct entry **last = bucket;
   for (; *last; last = &(*last)->next) {
      if ((*last)->hash == hash && is_equal((*last)->instr, instr)) {
         replace(s, instr, (*last)->instr);
         return;
      }
   }
   /* At the bucket's end and not in the list of what is undone: entries in front of it come and go. */
   *last = UTIL_ARENA_NEW(s->shader->arena, struct entry);
   **last = (struct entry){.instr = instr, .hash = hash};

   struct ir_region *body = s->shader->body;
   if (s->top->next != &instr->link) {
      util_list_remove(&instr->link);
      util_list_add_after(&instr->link, s->top);
      instr->region = body;
      s->has_changed = true;
   }
   s->top = &instr->link;
}

static struct ir_instr *top_const(struct simplifier *s, uint32_t bit_size, uint64_t value)
{
   struct ir_builder b = ir_builder_at_end(s->shader, s->shader->body);
   b.before = s->top->next;
   struct ir_instr *instr = ir_const(&b, bit_size, value);
   move_to_top(s, instr);
   return ir_resolve(instr);
}

static void simplify_sources(struct simplifier *s, struct ir_instr *instr)
{
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      struct ir_instr *src = ir_resolve(instr->srcs[i]);
      const uintptr_t known = known_value(src);
      if (known) {
         src = top_const(s, 1, known - 1);
         s->has_changed = true;
      }
      instr->srcs[i] = src;
   }
   if (ir_info(instr)->flags & IR_COMM && ir_is_const(instr->srcs[0]) && !ir_is_const(instr->srcs[1])) {
      struct ir_instr *constant = instr->srcs[0];
      instr->srcs[0] = instr->srcs[1];
      instr->srcs[1] = constant;
      s->has_changed = true;
   }
}

static struct ir_instr *fold(struct simplifier *s, struct ir_instr *instr)
{
   uint64_t values[8], result;
   if (!instr->num_srcs || instr->num_srcs > UTIL_ARRAY_SIZE(values) || !(ir_info(instr)->flags & IR_SCALAR))
      return NULL;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      if (!ir_is_const(instr->srcs[i]))
         return NULL;
      values[i] = instr->srcs[i]->imm.c[0];
   }
   return ir_eval(instr, values, &result) ? top_const(s, instr->bit_size, result) : NULL;
}

/* Where the walk goes on: at new instructions in front of a replaced one, else at the next one. */
static struct util_list *simplify_instr(struct simplifier *s, struct ir_instr *instr)
{
   struct util_list *previous = instr->link.prev, *next = instr->link.next;
   if (instr->op == IR_const || instr->op == IR_undef) {
      move_to_top(s, instr);
      return next;
   }
   struct ir_instr *value = fold(s, instr);
   if (value) {
      replace(s, instr, value);
      return next;
   }
   struct ir_builder b = ir_builder_before(s->shader, instr);
   value = ir_algebra(&b, instr);
   if (value) {
      next = previous->next;
      next = next == &instr->link ? instr->link.next : next;
      replace(s, instr, value);
      return next;
   }
   value = is_mergeable(instr) ? find_equal(s, instr) : NULL;
   if (value)
      replace(s, instr, value);
   else if (ir_info(instr)->flags & IR_EFFECT)
      note_effect(s, instr);
   return next;
}

/* ---- structure ---- */

static void drop(struct simplifier *s, struct ir_instr *join, struct ir_instr *value)
{
   join->forward = value;
   join->pass_flags |= IR_DROP;
   s->has_changed = s->has_dropped = true;
}

static void simplify_joins(struct simplifier *s, struct ir_instr *const *joins, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *value = joins[i]->forward ? NULL : ir_join_value(joins[i]);
      if (value)
         drop(s, joins[i], value);
   }
}

/* A result that is true on one side of an `if` and false on the other. */
static void simplify_choice(struct simplifier *s, struct ir_instr *construct, struct ir_instr *result)
{
   const struct ir_instr *yields[2];
   for (uint32_t r = 0; r < 2; r++) {
      yields[r] = ir_terminator(construct->imm.cf.regions[r]);
      if (yields[r]->op != IR_yield)
         return;
   }
   const struct ir_instr *x = ir_resolve(yields[0]->srcs[result->imm.u[0]]);
   const struct ir_instr *y = ir_resolve(yields[1]->srcs[result->imm.u[0]]);
   if (result->bit_size != 1 || result->num_components != 1 || !ir_is_const(x) || !ir_is_const(y) ||
       x->imm.c[0] == y->imm.c[0])
      return;
   struct ir_instr *value = construct->srcs[0];
   if (!x->imm.c[0]) {
      struct ir_builder b = ir_builder_before(s->shader, construct);
      value = ir_alu1(&b, IR_inot, value);
   }
   drop(s, result, value);
}

static bool is_condition_as_number(const struct ir_instr *value)
{
   return (value->op == IR_u2u && value->srcs[0]->bit_size == 1) || (ir_is_const(value) && value->imm.c[0] <= 1);
}

static struct ir_instr *behind_number(struct simplifier *s, const struct ir_instr *value)
{
   return value->op == IR_u2u ? value->srcs[0] : top_const(s, 1, value->imm.c[0]);
}

/* A result that is only ever a condition as a number: the condition becomes a result, and a number behind the
 * construct. (The front end keeps boolean variables as numbers.) */
static void narrow_result(struct simplifier *s, struct ir_instr *construct, struct ir_instr *result)
{
   const struct ir_jump_list *exits = &ir_jumps_of(construct)->exits;
   const uint32_t index = result->imm.u[0];
   if (result->num_components != 1 || result->bit_size == 1 || !exits->count)
      return;
   for (uint32_t i = 0; i < exits->count; i++) {
      if (!is_condition_as_number(ir_resolve(exits->jumps[i]->srcs[index])))
         return;
   }
   struct ir_instr *narrow = ir_add_result(s->shader, construct, 1, 1);
   for (uint32_t i = 0; i < exits->count; i++) {
      struct ir_instr *jump = exits->jumps[i];
      ir_append_src(s->shader, jump, behind_number(s, ir_resolve(jump->srcs[index])));
   }
   struct ir_builder b = ir_builder_after(s->shader, construct);
   drop(s, result, ir_convert(&b, IR_u2u, result->bit_size, narrow));
}

static void narrow_results(struct simplifier *s, struct ir_instr *construct)
{
   const uint32_t count = construct->imm.cf.num_results;
   for (uint32_t i = 0; i < count; i++) {
      if (!construct->imm.cf.results[i]->forward)
         narrow_result(s, construct, construct->imm.cf.results[i]);
   }
}

static void simplify_region(struct simplifier *s, struct ir_region *region);

static void simplify_if(struct simplifier *s, struct ir_instr *instr)
{
   struct ir_instr *condition = instr->srcs[0];
   const bool is_const = ir_is_const(condition);
   for (uint32_t r = 0; r < 2; r++) {
      if (!is_const)
         set_known(condition, 2 - r);
      simplify_region(s, instr->imm.cf.regions[r]);
   }
   if (!is_const)
      set_known(condition, 0);
   simplify_joins(s, instr->imm.cf.results, instr->imm.cf.num_results);
   for (uint32_t i = 0; i < instr->imm.cf.num_results; i++) {
      if (!instr->imm.cf.results[i]->forward)
         simplify_choice(s, instr, instr->imm.cf.results[i]);
   }
}

static void simplify_construct(struct simplifier *s, struct ir_instr *instr)
{
   if (instr->op == IR_if) {
      simplify_if(s, instr);
      return;
   }
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      struct ir_region *region = instr->imm.cf.regions[r];
      if (instr->op == IR_loop)
         forget_all_loads(s);
      simplify_joins(s, region->params, region->num_params);
      simplify_region(s, region);
   }
   if (instr->op == IR_loop)
      forget_all_loads(s);
   simplify_joins(s, instr->imm.cf.results, instr->imm.cf.num_results);
}

/* Behind an `if` that one side leaves, the condition is what leads to the other side. Returns it if that is news. */
static struct ir_instr *learn_from_if(struct ir_instr *instr)
{
   struct ir_instr *condition = instr->srcs[0];
   const bool then_goes_on = ir_terminator(instr->imm.cf.regions[0])->op == IR_yield;
   const bool else_goes_on = ir_terminator(instr->imm.cf.regions[1])->op == IR_yield;
   if (then_goes_on == else_goes_on || ir_is_const(condition) || condition->pass_data)
      return NULL;
   set_known(condition, then_goes_on ? 2 : 1);
   return condition;
}

struct fact {
   struct ir_instr *condition;
   struct fact *before;
};

static void simplify_region(struct simplifier *s, struct ir_region *region)
{
   struct entry *mark = s->last_added;
   struct fact *facts = NULL;
   struct util_list *node = region->instrs.next;

   while (node != &region->instrs) {
      struct ir_instr *instr = UTIL_LIST_ENTRY(node, struct ir_instr, link);
      simplify_sources(s, instr);
      if (ir_is_construct(instr)) {
         simplify_construct(s, instr);
         narrow_results(s, instr);
         node = node->next;
         struct ir_instr *condition = instr->op == IR_if ? learn_from_if(instr) : NULL;
         if (condition) {
            struct fact *fact = UTIL_ARENA_NEW(s->shader->arena, struct fact);
            *fact = (struct fact){condition, facts};
            facts = fact;
         }
      } else if (ir_is_jump(instr)) {
         node = node->next;
      } else {
         node = simplify_instr(s, instr);
      }
   }
   for (; facts; facts = facts->before)
      set_known(facts->condition, 0);
   forget_added_since(s, mark);
}

bool ir_opt_simplify(struct ir_shader *shader)
{
   ir_clear_pass_data(shader);
   ir_collect_jumps(shader);

   struct simplifier s = {.shader = shader, .top = &shader->body->instrs};
   const uint32_t num_values = ir_shader_renumber(shader);
   s.num_buckets = 64;
   while (s.num_buckets < num_values)
      s.num_buckets *= 2;
   s.buckets = UTIL_ARENA_ARRAY(shader->arena, struct entry *, s.num_buckets);

   forget_all_loads(&s);
   simplify_region(&s, shader->body);
   ir_resolve_all(shader);
   if (s.has_dropped)
      ir_drop_marked(shader);
   return s.has_changed;
}
