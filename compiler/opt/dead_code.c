/* SPDX-License-Identifier: MIT
 * Removes what nobody needs.
 *
 * Requires: nothing. Does: starts from the instructions with effects outside the invocation and marks what they need:
 * sources; the constructs around them with their conditions and the jumps that steer them; for a result or param only
 * its own operands. A store to a variable is needed when a load of the variable is. Colours that no attachment takes
 * (ir_shader.ignored_outputs) are not written. So that what the rasterizer has holds, a
 * depth, stencil reference or sample mask that no statement gave a value is not written. The rest goes, whole constructs
 * included. A loop without effects and without results that are read goes too if it is known to end, by analyze/range:
 * one that hangs is to be seen, as the interpreter sees it. Preserves: everything else. */
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/passes.h"

#include <string.h>

enum { LIVE = 1 };

struct marking {
   struct ir_shader *shader;
   struct ir_instr **todo;
   uint32_t num_todo, capacity;
   struct ir_jump_list *stores; /* by ir_var.index */
   bool *is_var_live;
   bool has_removed;
};

static void mark(struct marking *m, struct ir_instr *instr)
{
   if (instr->pass_flags & LIVE)
      return;
   instr->pass_flags |= LIVE;
   if (m->num_todo == m->capacity) {
      m->capacity = m->capacity ? m->capacity * 2 : 256;
      struct ir_instr **larger = util_arena_alloc(m->shader->arena, m->capacity * sizeof(*larger));
      if (m->num_todo)
         memcpy(larger, m->todo, m->num_todo * sizeof(*larger));
      m->todo = larger;
   }
   m->todo[m->num_todo++] = instr;
}

static void prepare(struct ir_instr *instr, void *data)
{
   instr->pass_flags = 0;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      const struct ir_region *region = instr->imm.cf.regions[r];
      for (uint32_t i = 0; i < region->num_params; i++)
         region->params[i]->pass_flags = 0;
   }
}

/* No attachment takes it; or the fragment has such a value without the shader, and one that is undefined must not replace it. */
static bool gives_nothing(const struct ir_shader *shader, const struct ir_instr *instr)
{
   if (shader->info.stage != ABI_STAGE_FRAGMENT || instr->op != IR_store_output)
      return false;
   const uint32_t slot = instr->imm.u[0];
   if (slot < ABI_FRAG_DEPTH)
      return shader->ignored_outputs >> slot & 1;
   return slot <= ABI_FRAG_SAMPLE_MASK && instr->srcs[0]->op == IR_undef;
}

static void mark_roots(struct ir_instr *instr, void *data)
{
   struct marking *m = data;
   const struct ir_var *written = ir_written_var(instr);
   if (written && written->class == IR_VAR_PLAIN) {
      struct ir_jump_list *list = &m->stores[written->index];
      if (list->count == list->capacity) {
         list->capacity = list->capacity ? list->capacity * 2 : 4;
         struct ir_instr **larger = util_arena_alloc(m->shader->arena, list->capacity * sizeof(*larger));
         if (list->count)
            memcpy(larger, list->jumps, list->count * sizeof(*larger));
         list->jumps = larger;
      }
      list->jumps[list->count++] = instr;
   } else if (ir_info(instr)->flags & IR_EFFECT && !ir_is_construct(instr) && !ir_is_jump(instr) &&
              !gives_nothing(m->shader, instr)) {
      mark(m, instr);
   }
}

static void find_dead_loop(struct ir_instr *instr, void *data)
{
   if (instr->op == IR_loop && !(instr->pass_flags & LIVE))
      *(bool *)data = true;
}

static void mark_endless(struct ir_instr *instr, void *data)
{
   if (instr->op == IR_loop && !instr->imm.cf.max_rounds)
      mark(data, instr);
}

static void mark_operand(struct marking *m, const struct ir_jump_list *list, uint32_t index)
{
   for (uint32_t i = 0; i < list->count; i++)
      mark(m, list->jumps[i]->srcs[index]);
}

static void mark_join(struct marking *m, const struct ir_instr *value)
{
   const uint32_t index = value->imm.u[0];
   struct ir_instr *owner = value->op == IR_result ? value->imm.cf.target : value->region->owner;
   mark(m, owner);
   if (value->op == IR_result) {
      mark_operand(m, &ir_jumps_of(owner)->exits, index);
   } else if (value->region == owner->imm.cf.regions[1]) {
      mark_operand(m, &ir_jumps_of(owner)->continues, index);
   } else {
      mark(m, owner->srcs[index]);
      const struct ir_instr *back = ir_loop_back_edge(owner);
      if (back)
         mark(m, back->srcs[index]);
   }
}

/* Jumps out of a construct that stays decide what runs: they stay, with all constructs around them. */
static void mark_construct(struct marking *m, const struct ir_instr *construct)
{
   const struct ir_construct_jumps *jumps = ir_jumps_of(construct);
   if (construct->op == IR_if) {
      mark(m, construct->srcs[0]);
      return;
   }
   for (uint32_t i = 0; i < jumps->exits.count; i++) {
      if (jumps->exits.jumps[i]->op == IR_break)
         mark(m, jumps->exits.jumps[i]);
   }
   for (uint32_t i = 0; i < jumps->continues.count; i++)
      mark(m, jumps->continues.jumps[i]);
}

/* NULL: there is none. */
static void mark_var(struct marking *m, const struct ir_var *var)
{
   if (!var || m->is_var_live[var->index])
      return;
   m->is_var_live[var->index] = true;
   const struct ir_jump_list *stores = &m->stores[var->index];
   for (uint32_t i = 0; i < stores->count; i++)
      mark(m, stores->jumps[i]);
}

static void mark_needs(struct marking *m, struct ir_instr *instr)
{
   if (instr->op == IR_param || instr->op == IR_result) {
      mark_join(m, instr);
   } else if (ir_is_construct(instr)) {
      mark_construct(m, instr);
   } else if (!ir_is_jump(instr)) {
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         mark(m, instr->srcs[i]);
   }
   if (instr->region->owner)
      mark(m, instr->region->owner);
   if (ir_names_var(instr))
      mark_var(m, instr->imm.var.var);
   for (uint32_t s = 0; instr->op == IR_copy && s < 2; s++) {
      mark_var(m, instr->imm.copy.vars[s]);
      mark_var(m, instr->imm.copy.form->sides[s].offsets);
   }
}

static void mark_all_needs(struct marking *m)
{
   while (m->num_todo)
      mark_needs(m, m->todo[--m->num_todo]);
}

/* Marks unneeded results and params for ir_drop_marked(). */
static void mark_drops(struct ir_instr *instr, void *data)
{
   struct marking *m = data;
   if (instr->op == IR_result && !(instr->pass_flags & LIVE)) {
      instr->pass_flags |= IR_DROP;
      m->has_removed = true;
   }
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      const struct ir_region *region = instr->imm.cf.regions[r];
      for (uint32_t i = 0; i < region->num_params; i++) {
         if (!(region->params[i]->pass_flags & LIVE)) {
            region->params[i]->pass_flags |= IR_DROP;
            m->has_removed = true;
         }
      }
   }
}

static void remove_dead(struct ir_instr *instr, void *data)
{
   struct marking *m = data;
   if (instr->pass_flags & LIVE || ir_is_jump(instr))
      return;
   ir_remove(instr);
   m->has_removed = true;
}

bool ir_opt_dead_code(struct ir_shader *shader)
{
   struct marking m = {.shader = shader};
   m.stores = UTIL_ARENA_ARRAY(shader->arena, struct ir_jump_list, shader->num_vars);
   m.is_var_live = UTIL_ARENA_ARRAY(shader->arena, bool, shader->num_vars);

   ir_for_each(shader, prepare, NULL);
   ir_collect_jumps(shader);
   ir_for_each(shader, mark_roots, &m);
   mark_all_needs(&m);
   bool has_dead_loop = false;
   ir_for_each(shader, find_dead_loop, &has_dead_loop);
   if (has_dead_loop) {
      ir_analyze_ranges(shader);
      ir_for_each(shader, mark_endless, &m);
      mark_all_needs(&m);
   }

   ir_for_each(shader, mark_drops, &m);
   if (m.has_removed)
      ir_drop_marked(shader);
   ir_for_each(shader, remove_dead, &m);
   UTIL_LIST_FOR_EACH (struct ir_var, var, &shader->vars, link) {
      if (!m.is_var_live[var->index]) {
         util_list_remove(&var->link);
         m.has_removed = true;
      }
   }
   return m.has_removed;
}
