/* SPDX-License-Identifier: MIT
 * Variables become SSA values.
 *
 * Requires: constant offsets are `const` instructions (run simplify before).
 * Does: a variable whose accesses all have constant offsets, and whose accesses overlap either wholly or not at all,
 * disappears. It is cut into cells, one a scalar component. Loads become the value that reaches them; where paths meet,
 * results of constructs and params of loops are made, only for what is read. Reads of what nobody wrote become undef.
 * Preserves: everything else.
 *
 *    store_var v0 %0, %1 mask=1                  %4 1x32 = if %2 {
 *    if %2 {                                        yield %3
 *       store_var v0 %0, %3 mask=1               } else {
 *       yield                                       yield %1
 *    } else {                                    }
 *       yield
 *    }
 *    %4 = load_var 1x32 v0 %0
 *
 * How: the first walk records, for each region, where each cell gets a new value: by a store, or by a construct that
 * writes the cell inside. The second walk looks each load up: the last record before it, else the value at the
 * region's start. Asking for a construct's value makes a result, and queues the jumps that must give its operand; each
 * of them is such a look-up again. So the work is in proportion to the accesses and to the operands that are made.
 *
 * Operands may be as many as variables times jumps, which is not in proportion to the shader. So where that product is large both walks are made
 * once before, which only counts; variables beyond MAX_OPERANDS stay in memory. */
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/ir_map.h"
#include "compiler/ir/passes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
   MAX_OPERANDS = 1 << 13, /* of all jumps: each may become a merge of lanes */
   FEW_OPERANDS = 64,      /* of one variable: it becomes values in any case */
   MAX_COUNTED = 1 << 18,
};

struct cell {
   uint32_t index;
   uint32_t offset_bytes, bit_size;
   struct ir_var *var;
   struct cell *next;
};

/* A point where a cell gets a new value. */
struct def {
   uint32_t position;      /* index of the store or construct */
   struct ir_instr *value; /* a construct: its result is not made yet */
};

/* What happens to one cell in one region, in program order. */
struct history {
   struct ir_instr *at_start; /* the value at the region's start, if somebody asked */
   struct def *defs;
   uint32_t count, capacity;
};

/* A result or param whose operands are to be appended to the jumps that lead to it. */
struct join {
   struct ir_instr *value, *owner;
   struct cell *cell;
   bool is_result;
   uint32_t region; /* of a param */
   struct join *next;
};

struct var_state {
   struct cell *cells;
   bool is_refused, is_accessed;
   bool has_joins;
   uint32_t num_operands; /* that it would need */
};

struct promotion {
   struct ir_shader *shader;
   struct var_state *vars;  /* by ir_var.index */
   struct ir_map cells;     /* by var and offset */
   struct ir_map histories; /* by region and cell */
   uint32_t num_cells, num_regions;
   struct join *joins, *last_join; /* in the order in which they were made */
   uint32_t num_jumps, num_operands;
   bool only_counts;
   struct ir_instr counted; /* stands for all values then */
};

static uint32_t cell_bytes(uint32_t bit_size)
{
   return bit_size == 1 ? 4 : bit_size / 8;
}

static bool is_access(const struct ir_instr *instr)
{
   return instr->op == IR_load_var || instr->op == IR_store_var;
}

/* The bits and components that an access touches. */
static const struct ir_instr *accessed_value(const struct ir_instr *access)
{
   return access->op == IR_load_var ? access : access->srcs[1];
}

static bool touches(const struct ir_instr *access, uint32_t component)
{
   return access->op == IR_load_var || access->imm.var.mask >> component & 1;
}

static uint32_t component_offset(const struct ir_instr *access, uint32_t component)
{
   return (uint32_t)access->srcs[0]->imm.c[0] + component * cell_bytes(accessed_value(access)->bit_size);
}

static struct cell *find_cell(const struct promotion *p, const struct ir_var *var, uint32_t offset)
{
   return ir_map_find(&p->cells, (uint64_t)var->index << 32 | offset);
}

/* ---- which variables, which cells ---- */

/* What is copied stays memory. */
static void refuse_copied(struct promotion *p, const struct ir_instr *copy)
{
   for (uint32_t s = 0; s < 2; s++) {
      if (copy->imm.copy.vars[s])
         p->vars[copy->imm.copy.vars[s]->index].is_refused = p->vars[copy->imm.copy.vars[s]->index].is_accessed = true;
   }
}

static void note_access(struct ir_instr *access, void *data)
{
   struct promotion *p = data;
   if (ir_is_jump(access)) {
      p->num_jumps++;
      p->num_operands += access->num_srcs;
   }
   if (access->op == IR_copy)
      refuse_copied(p, access);
   if (!is_access(access))
      return;
   struct ir_var *var = access->imm.var.var;
   struct var_state *state = &p->vars[var->index];
   const struct ir_instr *value = accessed_value(access);
   state->is_accessed = true;
   if (!ir_is_const(access->srcs[0])) {
      state->is_refused = true;
      return;
   }
   for (uint32_t i = 0; i < value->num_components && !state->is_refused; i++) {
      if (!touches(access, i))
         continue;
      const uint32_t offset = component_offset(access, i);
      struct cell *cell = find_cell(p, var, offset);
      if (cell) {
         state->is_refused = cell->bit_size != value->bit_size;
         continue;
      }
      cell = UTIL_ARENA_NEW(p->shader->arena, struct cell);
      *cell = (struct cell){.index = p->num_cells++,
                            .offset_bytes = offset,
                            .bit_size = value->bit_size,
                            .var = var,
                            .next = state->cells};
      state->cells = cell;
      ir_map_add(&p->cells, (uint64_t)var->index << 32 | offset, cell);
   }
}

/* Cells that overlap in part: looks for a cell's start inside another one. */
static bool has_overlap(const struct promotion *p, const struct var_state *state)
{
   for (const struct cell *cell = state->cells; cell; cell = cell->next) {
      for (uint32_t i = 1; i < cell_bytes(cell->bit_size); i++) {
         if (find_cell(p, cell->var, cell->offset_bytes + i))
            return true;
      }
   }
   return false;
}

static bool choose_vars(struct promotion *p)
{
   bool any = false;
   ir_for_each(p->shader, note_access, p);
   UTIL_LIST_FOR_EACH (struct ir_var, var, &p->shader->vars, link) {
      struct var_state *state = &p->vars[var->index];
      if (var->class != IR_VAR_PLAIN || (!state->is_refused && has_overlap(p, state)))
         state->is_refused = true;
      any |= !state->is_refused;
   }
   return any;
}

/* ---- first walk: where cells change ---- */

static uint64_t history_key(const struct ir_region *region, const struct cell *cell)
{
   return (uint64_t)region->pass_index << 32 | cell->index;
}

static struct history *get_history(struct promotion *p, const struct ir_region *region, const struct cell *cell)
{
   const uint64_t key = history_key(region, cell);
   struct history *history = ir_map_find(&p->histories, key);
   if (!history) {
      history = UTIL_ARENA_NEW(p->shader->arena, struct history);
      ir_map_add(&p->histories, key, history);
   }
   return history;
}

static void add_def(struct promotion *p, struct history *history, uint32_t position, struct ir_instr *value)
{
   if (history->count == history->capacity) {
      history->capacity = history->capacity ? history->capacity * 2 : 2;
      struct def *larger = util_arena_alloc(p->shader->arena, history->capacity * sizeof(*larger));
      if (history->count)
         memcpy(larger, history->defs, history->count * sizeof(*larger));
      history->defs = larger;
   }
   history->defs[history->count++] = (struct def){position, value};
}

/* Records that the store gives `value` to the cell, in its region and in all around it. */
static void record(struct promotion *p, const struct ir_instr *store, const struct cell *cell, struct ir_instr *value)
{
   add_def(p, get_history(p, store->region, cell), store->index, value);
   for (struct ir_instr *owner = store->region->owner; owner; owner = owner->region->owner) {
      struct history *history = get_history(p, owner->region, cell);
      if (history->count && history->defs[history->count - 1].position == owner->index)
         break; /* known to write it, and so are those around */
      add_def(p, history, owner->index, owner);
   }
}

static void record_instr(struct ir_instr *instr, void *data)
{
   struct promotion *p = data;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++)
      instr->imm.cf.regions[r]->pass_index = p->num_regions++;
   if (instr->op != IR_store_var || p->vars[instr->imm.var.var->index].is_refused)
      return;
   struct ir_builder b = ir_builder_before(p->shader, instr);
   for (uint32_t i = 0; i < instr->srcs[1]->num_components; i++) {
      if (touches(instr, i)) {
         const struct cell *cell = find_cell(p, instr->imm.var.var, component_offset(instr, i));
         record(p, instr, cell, p->only_counts ? &p->counted : ir_extract(&b, instr->srcs[1], i));
      }
   }
}

/* ---- second walk: what loads read ---- */

static struct ir_instr *queue_join(struct promotion *p, struct ir_instr *value, struct ir_instr *owner, bool is_result, uint32_t region,
                                   struct cell *cell)
{
   struct join *join = UTIL_ARENA_NEW(p->shader->arena, struct join);
   p->vars[cell->var->index].has_joins = true;
   *join = (struct join){.value = value, .owner = owner, .is_result = is_result, .region = region, .cell = cell};
   if (p->last_join)
      p->last_join->next = join;
   else
      p->joins = join;
   p->last_join = join;
   return value;
}

/* The last def before `position`, or NULL. */
static struct def *last_def(const struct history *history, uint32_t position)
{
   uint32_t low = 0, high = history->count;
   while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (history->defs[middle].position < position)
         low = middle + 1;
      else
         high = middle;
   }
   return low ? &history->defs[low - 1] : NULL;
}

static bool is_written_in(const struct promotion *p, const struct ir_instr *construct, const struct cell *cell)
{
   const struct history *history = ir_map_find(&p->histories, history_key(construct->region, cell));
   const struct def *def = history ? last_def(history, construct->index + 1) : NULL;
   return def && def->position == construct->index;
}

static struct ir_instr *def_value(struct promotion *p, struct def *def, struct cell *cell)
{
   if (ir_is_construct(def->value)) {
      struct ir_instr *result = p->only_counts ? &p->counted : ir_add_result(p->shader, def->value, 1, cell->bit_size);
      def->value = queue_join(p, result, def->value, true, 0, cell);
   }
   return def->value;
}

static struct ir_instr *value_at_start(struct promotion *p, struct ir_region *region, struct cell *cell)
{
   if (!region->owner && p->only_counts)
      return &p->counted;
   if (!region->owner) {
      struct ir_builder b = ir_builder_at_end(p->shader, region);
      b.before = region->instrs.next;
      return ir_undef(&b, 1, cell->bit_size);
   }
   if (region->owner->op == IR_loop && is_written_in(p, region->owner, cell)) {
      const uint32_t which = region == region->owner->imm.cf.regions[1];
      struct ir_instr *param = p->only_counts ? &p->counted : ir_add_param(p->shader, region, 1, cell->bit_size);
      return queue_join(p, param, region->owner, false, which, cell);
   }
   return NULL; /* what it is around the construct */
}

/* The value of the cell before the instruction `position` of `region`. */
static struct ir_instr *read_cell(struct promotion *p, struct ir_region *region, uint32_t position, struct cell *cell)
{
   struct ir_region *const first_region = region;
   struct ir_instr *value = NULL;
   bool is_from_start = true; /* of first_region: then remembered there */

   while (!value) {
      struct history *history = ir_map_find(&p->histories, history_key(region, cell));
      struct def *def = history ? last_def(history, position) : NULL;
      if (def) {
         is_from_start = region != first_region;
         value = def_value(p, def, cell);
      } else if (history && history->at_start) {
         value = history->at_start;
      } else {
         value = value_at_start(p, region, cell);
         if (value)
            get_history(p, region, cell)->at_start = value;
      }
      if (!value) {
         position = region->owner->index;
         region = region->owner->region;
      }
   }
   if (is_from_start && region != first_region)
      get_history(p, first_region, cell)->at_start = value;
   return value;
}

static void replace_load(struct ir_instr *load, void *data)
{
   struct promotion *p = data;
   if (load->op != IR_load_var || p->vars[load->imm.var.var->index].is_refused)
      return;
   struct ir_instr *components[4];
   for (uint32_t i = 0; i < load->num_components; i++) {
      struct cell *cell = find_cell(p, load->imm.var.var, component_offset(load, i));
      components[i] = read_cell(p, load->region, load->index, cell);
   }
   if (p->only_counts)
      return;
   struct ir_builder b = ir_builder_before(p->shader, load);
   load->forward = ir_vec(&b, load->num_components, components);
}

static void give_operand(struct promotion *p, struct ir_instr *jump, const struct join *join)
{
   struct ir_instr *value = read_cell(p, jump->region, jump->index, join->cell);
   if (p->only_counts)
      p->vars[join->cell->var->index].num_operands++;
   else
      ir_append_src(p->shader, jump, value);
   p->num_operands++;
}

static void append_operands(struct promotion *p, const struct ir_jump_list *list, const struct join *join)
{
   for (uint32_t i = 0; i < list->count; i++)
      give_operand(p, list->jumps[i], join);
}

/* New joins come to the queue's end while it is worked off, so operands stand in the order of results and params. */
static void give_operands(struct promotion *p)
{
   for (const struct join *join = p->joins; join && !(p->only_counts && p->num_operands > MAX_COUNTED); join = join->next) {
      struct ir_instr *owner = join->owner;
      if (join->is_result) {
         append_operands(p, &ir_jumps_of(owner)->exits, join);
      } else if (join->region == 1) {
         append_operands(p, &ir_jumps_of(owner)->continues, join);
      } else {
         give_operand(p, owner, join);
         struct ir_instr *back = ir_loop_back_edge(owner);
         if (back)
            give_operand(p, back, join);
      }
   }
}

/* ---- joins of one value ---- */

static bool simplify_join(const struct join *join)
{
   join->value->forward = ir_join_value(join->value);
   if (!join->value->forward)
      return false;
   join->value->pass_flags |= IR_DROP;
   return true;
}

static void simplify_joins(struct promotion *p)
{
   bool any = false, again = true;
   for (uint32_t round = 0; again && round < 8; round++) {
      again = false;
      for (const struct join *join = p->joins; join; join = join->next)
         again |= !join->value->forward && simplify_join(join);
      any |= again;
   }
   if (any)
      ir_drop_marked(p->shader);
}

/* ---- the pass ---- */

static void clean_instr(struct ir_instr *instr, void *data)
{
   const struct promotion *p = data;
   if (is_access(instr) && !p->vars[instr->imm.var.var->index].is_refused)
      ir_remove(instr);
}

static void clear_flags(struct ir_instr *instr, void *data)
{
   instr->pass_flags = 0;
   instr->forward = NULL;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      for (uint32_t i = 0; i < instr->imm.cf.regions[r]->num_params; i++)
         instr->imm.cf.regions[r]->params[i]->pass_flags = 0;
   }
}

static void walk(struct promotion *p)
{
   p->shader->body->pass_index = p->num_regions++;
   ir_for_each(p->shader, record_instr, p);
   ir_for_each(p->shader, replace_load, p);
   give_operands(p);
}

/* Refuses variables that would need too many operands together, in the order in which they were declared. */
static void bound_operands(struct promotion *p)
{
   struct promotion counting = *p;
   counting.only_counts = true;
   walk(&counting);
   if (counting.num_operands <= MAX_OPERANDS)
      return;
   const bool has_counted_all = counting.num_operands <= MAX_COUNTED;
   uint64_t total = p->num_operands;
   UTIL_LIST_FOR_EACH (struct ir_var, var, &p->shader->vars, link) {
      struct var_state *state = &p->vars[var->index];
      const bool is_many = has_counted_all ? state->num_operands > FEW_OPERANDS && total + state->num_operands > MAX_OPERANDS : state->has_joins;
      if (is_many)
         state->is_refused = true;
      else if (!state->is_refused)
         total += state->num_operands;
   }
}

bool ir_opt_promote_vars(struct ir_shader *shader)
{
   if (util_list_is_empty(&shader->vars))
      return false;
   struct promotion p = {.shader = shader, .cells.arena = shader->arena, .histories.arena = shader->arena};
   p.vars = UTIL_ARENA_ARRAY(shader->arena, struct var_state, shader->num_vars);
   if (!choose_vars(&p))
      return false;

   ir_shader_renumber(shader);
   ir_for_each(shader, clear_flags, NULL);
   ir_collect_jumps(shader);
   if ((uint64_t)p.num_cells * p.num_jumps > MAX_OPERANDS)
      bound_operands(&p);
   walk(&p);
   ir_for_each(shader, clean_instr, &p);
   ir_resolve_all(shader);
   simplify_joins(&p);
   ir_resolve_all(shader);
   UTIL_LIST_FOR_EACH (struct ir_var, var, &shader->vars, link) {
      if (!p.vars[var->index].is_refused)
         util_list_remove(&var->link);
   }
   return true;
}
