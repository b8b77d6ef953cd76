/* SPDX-License-Identifier: MIT
 * Decides before emission where each instruction goes: once a call, once a workgroup, or in which segment; which constructs run with
 * masks; and which values need a slot in the frame because another segment reads them.
 *
 * A segment is a maximal run of instructions between barriers, emitted as one loop over the workgroup's vectors. A shader without a
 * barrier is one segment; vertex and fragment shaders are, with the batch or the blocks of a call instead of the workgroup.
 * cg_workgroup.c walks the tree in the same order and relies on the numbers given here. */
#include "abi/probe.h"
#include "compiler/llvm/cg.h"

enum {
   MAX_CHEAP_COST = 10,
   MAX_SPECULATED = 256, /* uniform instructions of branches that are made at the call's start: of more, few are of branches that are taken */
   MAX_LEFT = 256, /* stores to masks by jumps; of more the values that LLVM makes of the masks are the square of the depth, or its third power */
};

struct walk {
   struct cg *cg;
   uint32_t open;       /* segment that grows; 0: none */
   bool run_has_effect; /* the open segment writes memory */
   bool has_effect;     /* anything before did */
   uint32_t loops;      /* loops and ifs around */
   uint32_t ifs;        /* of these */
   uint32_t num_speculated;
};

/* ---- which constructs are at workgroup level, which are masked ---- */

/* A probe that is called once for the workgroup, behind a barrier. */
static bool is_of_workgroup(const struct cg *cg, const struct ir_instr *instr)
{
   return instr->op == IR_probe && instr->imm.u[0] < cg->ir->num_sites && cg->ir->sites[instr->imm.u[0]]->probe == ABI_PROBE_BARRIER_PASSED;
}

bool cg_is_workgroup_barrier(struct cg *cg, const struct ir_instr *instr)
{
   const bool is_barrier = instr->op == IR_barrier && instr->imm.u[0] != 0 && instr->imm.u[0] <= 2;
   return cg->num_vectors > 1 && (is_barrier || is_of_workgroup(cg, instr));
}

bool cg_jump_is_masked(struct cg *cg, const struct ir_instr *jump)
{
   const struct cg_value *target = cg_value(cg, jump->imm.cf.target);
   return target->needs_workgroup ? target->is_wg_masked : target->is_masked;
}

/* A jump under `condition of the class` between it and its target makes lanes leave at different times. */
static bool jump_is_split(struct cg *cg, const struct ir_instr *jump, bool workgroup)
{
   for (const struct ir_instr *owner = jump->region->owner; owner && owner != jump->imm.cf.target; owner = owner->region->owner) {
      const struct cg_value *v = cg_value(cg, owner);
      if (owner->op == IR_if) {
         const uint8_t divergence = owner->srcs[0]->divergence;
         if (workgroup ? divergence != IR_UNIFORM : divergence > IR_SUBGROUP_UNIFORM)
            return true;
      } else if (workgroup ? v->is_wg_masked : v->is_masked) {
         return true;
      }
   }
   return false;
}

struct construct_walk {
   struct cg *cg;
   bool changed;
};

static void set_flag(struct construct_walk *walk, bool *flag, bool value)
{
   if (value && !*flag) {
      *flag = true;
      walk->changed = true;
   }
}

/* Jumps with a target: fixed point, since splits of inner constructs split outer ones. */
static void visit_jumps(struct ir_instr *instr, void *data)
{
   struct construct_walk *walk = data;
   struct cg *cg = walk->cg;
   if (cg_is_workgroup_barrier(cg, instr)) {
      for (struct ir_instr *owner = instr->region->owner; owner; owner = owner->region->owner)
         set_flag(walk, &cg_value(cg, owner)->needs_workgroup, true);
   }
   if (instr->op == IR_if && cg_value(cg, instr)->needs_workgroup)
      set_flag(walk, &cg_value(cg, instr)->is_wg_masked, instr->srcs[0]->divergence != IR_UNIFORM);
   if (instr->op != IR_break && instr->op != IR_continue)
      return;
   struct cg_value *target = cg_value(cg, instr->imm.cf.target);
   set_flag(walk, &target->is_masked, jump_is_split(cg, instr, false));
   set_flag(walk, &target->is_wg_masked, jump_is_split(cg, instr, true));
   if (target->needs_workgroup && !target->is_wg_masked) {
      for (struct ir_instr *owner = instr->region->owner; owner != instr->imm.cf.target; owner = owner->region->owner)
         set_flag(walk, &cg_value(cg, owner)->needs_workgroup, true);
   }
}

/* What follows from the masks once they are known. */
static void visit_masked_jumps(struct ir_instr *instr, void *data)
{
   struct construct_walk *walk = data;
   struct cg *cg = walk->cg;
   if ((instr->op != IR_break && instr->op != IR_continue) || !cg_jump_is_masked(cg, instr))
      return;
   struct cg_value *target = cg_value(cg, instr->imm.cf.target);
   for (struct ir_instr *owner = instr->region->owner; owner != instr->imm.cf.target; owner = owner->region->owner) {
      cg_value(cg, owner)->has_beyond = true;
      cg->num_left++;
   }
   if (instr->op == IR_continue && instr->region->owner != instr->imm.cf.target)
      target->has_masked_continue = true;
}

static void analyze_constructs(struct cg *cg)
{
   struct construct_walk walk = {.cg = cg};
   do {
      walk.changed = false;
      ir_for_each(cg->ir, visit_jumps, &walk);
   } while (walk.changed);
   ir_for_each(cg->ir, visit_masked_jumps, &walk);
}

/* ---- levels and segments ---- */

static void use(struct walk *walk, struct ir_instr *source, uint32_t segment)
{
   struct cg_value *v = cg_value(walk->cg, source);
   v->is_read = true;
   if (v->level != CG_LEVEL_SEGMENT || v->def_segment == segment)
      return;
   if (segment == 0)
      v->is_cheap = false; /* the workgroup reads it: a variable keeps it */
   v->crosses = true;
}

/* The least hoisted level of the sources. */
static enum cg_level source_level(struct cg *cg, const struct ir_instr *instr)
{
   enum cg_level level = CG_LEVEL_CALL;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      level = UTIL_MIN(level, (enum cg_level)cg_value(cg, instr->srcs[i])->level);
   return level;
}

/* Identifiers that are computed from the vector's position in the workgroup. */
static bool is_of_vector(uint32_t sysval)
{
   return sysval == IR_SYSVAL_INVOCATION_ID || sysval == IR_SYSVAL_LOCAL_ID || sysval == IR_SYSVAL_LOCAL_INDEX || sysval == IR_SYSVAL_SUBGROUP_ID ||
          sysval == IR_SYSVAL_SUBGROUP_LANE;
}

/* Level that the operation itself allows, whatever its sources. */
static enum cg_level operation_level(const struct walk *walk, const struct ir_instr *instr, bool in_place)
{
   const uint8_t flags = ir_info(instr)->flags;
   switch (instr->op) {
   case IR_param:
   case IR_result: return CG_LEVEL_SEGMENT;
   case IR_sysval:
      if (is_of_vector(instr->imm.u[0]))
         return CG_LEVEL_SEGMENT;
      return instr->imm.u[0] == IR_SYSVAL_WORKGROUP_ID ? CG_LEVEL_PRELUDE : CG_LEVEL_CALL;
   case IR_load_buffer:
   case IR_load_shared:
      if (instr->imm.u[0] & (IR_ACCESS_VOLATILE | IR_ACCESS_ATOMIC | IR_ACCESS_COHERENT))
         return CG_LEVEL_SEGMENT;
      if (instr->op == IR_load_buffer && instr->imm.u[0] & IR_ACCESS_READ_ONLY)
         return CG_LEVEL_CALL;
      if (!walk->has_effect && walk->loops == 0)
         return CG_LEVEL_PRELUDE;
      return in_place && !walk->run_has_effect ? CG_LEVEL_WORKGROUP : CG_LEVEL_SEGMENT;
   case IR_tex:
   case IR_image_load: return CG_LEVEL_SEGMENT;
   default: return flags & IR_PURE && !(flags & IR_CROSS) ? CG_LEVEL_CALL : CG_LEVEL_SEGMENT;
   }
}

/* `in_place`: the instruction stands directly at workgroup level. */
static enum cg_level choose_level(const struct walk *walk, const struct ir_instr *instr, bool in_place)
{
   struct cg *cg = walk->cg;
   if (instr->divergence != IR_UNIFORM || instr->num_components == 0)
      return CG_LEVEL_SEGMENT;
   enum cg_level level = operation_level(walk, instr, in_place);
   const enum cg_level sources = source_level(cg, instr);
   if (level == CG_LEVEL_SEGMENT)
      return level;
   if (sources != CG_LEVEL_SEGMENT)
      level = UTIL_MIN(level, sources);
   else
      level = CG_LEVEL_WORKGROUP;
   if (level > CG_LEVEL_WORKGROUP)
      return level;
   if (!in_place)
      return CG_LEVEL_SEGMENT;
   for (uint32_t i = 0; i < instr->num_srcs; i++) { /* what an earlier segment made is in variables */
      const struct cg_value *v = cg_value(cg, instr->srcs[i]);
      if (v->level == CG_LEVEL_SEGMENT && (v->def_segment == walk->open || instr->srcs[i]->divergence != IR_UNIFORM))
         return CG_LEVEL_SEGMENT;
   }
   return CG_LEVEL_WORKGROUP;
}

/* Values that cost less to compute again than to keep. `slot[0]` holds the cost until slots are given. */
static void choose_cheap(struct walk *walk, const struct ir_instr *instr)
{
   struct cg *cg = walk->cg;
   struct cg_value *v = cg_value(cg, instr);
   uint32_t cost = 1;
   switch (instr->op) {
   case IR_sysval:
      v->is_cheap = is_of_vector(instr->imm.u[0]);
      v->slot[0] = cost;
      return;
   case IR_vec: case IR_extract: case IR_iadd: case IR_isub: case IR_imul: case IR_iand: case IR_ior: case IR_ixor:
   case IR_inot: case IR_ishl: case IR_ushr: case IR_ishr: case IR_u2u: case IR_i2i: case IR_ieq: case IR_ine:
   case IR_ilt: case IR_ige: case IR_ult: case IR_uge: case IR_select: break;
   default: return;
   }
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      const struct cg_value *s = cg_value(cg, instr->srcs[i]);
      if (s->level != CG_LEVEL_SEGMENT)
         continue;
      if (!s->is_cheap)
         return;
      cost += s->slot[0];
   }
   v->slot[0] = cost;
   v->is_cheap = cost <= MAX_CHEAP_COST;
}

static void note_effect(struct walk *walk, const struct ir_instr *instr)
{
   if (ir_info(instr)->flags & IR_EFFECT && !ir_is_jump(instr) && !ir_is_construct(instr) && instr->op != IR_store_output &&
       instr->op != IR_store_vertex && instr->op != IR_demote && instr->op != IR_probe && instr->op != IR_probe_value)
      walk->run_has_effect = walk->has_effect = true;
}

static void enter_construct(struct walk *walk, const struct ir_instr *instr)
{
   walk->loops += instr->op == IR_if || instr->op == IR_loop;
   walk->ifs += instr->op == IR_if;
}

static void leave_construct(struct walk *walk, const struct ir_instr *instr)
{
   walk->loops -= instr->op == IR_if || instr->op == IR_loop;
   walk->ifs -= instr->op == IR_if;
}

/* What a branch alone needs stays there, if there is much of it. */
static enum cg_level level_inside(struct walk *walk, const struct ir_instr *instr)
{
   const enum cg_level level = choose_level(walk, instr, false);
   const bool is_speculated = walk->ifs > 0 && level != CG_LEVEL_SEGMENT && !ir_is_const(instr);
   walk->num_speculated += is_speculated;
   return is_speculated && walk->num_speculated > MAX_SPECULATED ? CG_LEVEL_SEGMENT : level;
}

/* Everything inside a construct of a segment belongs to that segment. */
static void walk_inside(struct walk *walk, struct ir_region *region)
{
   struct cg *cg = walk->cg;
   for (uint32_t i = 0; i < region->num_params; i++)
      cg_value(cg, region->params[i])->def_segment = walk->open;
   IR_FOR_EACH(it, region) {
      struct cg_value *v = cg_value(cg, it);
      v->level = level_inside(walk, it);
      v->def_segment = walk->open;
      for (uint32_t i = 0; i < it->num_srcs; i++)
         use(walk, it->srcs[i], v->level == CG_LEVEL_SEGMENT ? walk->open : 0);
      note_effect(walk, it);
      enter_construct(walk, it);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         walk_inside(walk, it->imm.cf.regions[r]);
      leave_construct(walk, it);
   }
}

static void open_segment(struct walk *walk)
{
   if (walk->open == 0) {
      walk->open = ++walk->cg->num_segments;
      walk->run_has_effect = false;
   }
}

static void close_segment(struct walk *walk)
{
   walk->open = 0;
   walk->run_has_effect = false;
}

/* A param or result of a construct at workgroup level: a scalar variable, or a slot in the frame. */
static void assign_variable(struct cg *cg, struct ir_instr *value)
{
   struct cg_value *v = cg_value(cg, value);
   v->is_placed = true;
   if (value->divergence == IR_UNIFORM) {
      v->level = CG_LEVEL_WORKGROUP;
      return;
   }
   v->level = CG_LEVEL_SEGMENT;
   v->def_segment = UINT32_MAX; /* always read from the frame */
   v->crosses = true;
}

static bool any_in_frame(struct cg *cg, struct ir_instr *const *values, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      if (cg_value(cg, values[i])->level == CG_LEVEL_SEGMENT)
         return true;
   }
   return false;
}

/* The params or results that the operands of a jump (or the initial values of a loop) go to. */
uint32_t cg_jump_destinations(const struct ir_instr *jump, struct ir_instr ***destinations)
{
   struct ir_instr *owner = jump->op == IR_yield ? jump->region->owner : jump->imm.cf.target;
   if (!owner) {
      *destinations = NULL;
      return 0;
   }
   if (jump->op == IR_continue || (jump->op == IR_yield && owner->op == IR_loop)) {
      struct ir_region *region = owner->imm.cf.regions[jump->op == IR_continue];
      *destinations = region->params;
      return region->num_params;
   }
   *destinations = owner->imm.cf.results;
   return owner->imm.cf.num_results;
}

/* Operands for the frame are written in a segment, for scalar variables at workgroup level. */
static void use_operands(struct walk *walk, struct ir_instr *const *srcs, struct ir_instr *const *destinations, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const bool in_frame = cg_value(walk->cg, destinations[i])->level == CG_LEVEL_SEGMENT;
      use(walk, srcs[i], in_frame ? walk->open : 0);
   }
}

static void walk_jump(struct walk *walk, struct ir_instr *jump)
{
   struct cg *cg = walk->cg;
   struct ir_instr **destinations;
   const uint32_t count = cg_jump_destinations(jump, &destinations);
   const bool masked = jump->op != IR_yield && cg_jump_is_masked(cg, jump);
   if (masked || any_in_frame(cg, destinations, count))
      open_segment(walk);
   cg_value(cg, jump)->def_segment = walk->open;
   cg_value(cg, jump)->has_prologue = masked || any_in_frame(cg, destinations, count);
   use_operands(walk, jump->srcs, destinations, count);
   close_segment(walk);
}

static void walk_region(struct walk *walk, struct ir_region *region);

static void walk_construct(struct walk *walk, struct ir_instr *instr)
{
   struct cg *cg = walk->cg;
   struct cg_value *v = cg_value(cg, instr);
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      for (uint32_t i = 0; i < instr->imm.cf.regions[r]->num_params; i++)
         assign_variable(cg, instr->imm.cf.regions[r]->params[i]);
   }
   for (uint32_t i = 0; i < instr->imm.cf.num_results; i++)
      assign_variable(cg, instr->imm.cf.results[i]);

   struct ir_region *first = instr->imm.cf.regions[0];
   v->has_prologue = v->is_wg_masked || any_in_frame(cg, first->params, first->num_params);
   if (v->has_prologue)
      open_segment(walk);
   v->def_segment = walk->open;
   if (instr->op == IR_if)
      use(walk, instr->srcs[0], v->is_wg_masked ? walk->open : 0);
   else if (instr->op == IR_loop)
      use_operands(walk, instr->srcs, first->params, first->num_params);
   close_segment(walk);
   if (v->is_wg_masked) {
      v->mask_slot[0] = cg_frame_alloc(cg, 4, 4);
      v->mask_slot[1] = cg_frame_alloc(cg, 4, 4);
   }
   enter_construct(walk, instr);
   walk->has_effect = true;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      walk_region(walk, instr->imm.cf.regions[r]);
      close_segment(walk);
   }
   leave_construct(walk, instr);
}

static void walk_region(struct walk *walk, struct ir_region *region)
{
   struct cg *cg = walk->cg;
   IR_FOR_EACH(it, region) {
      struct cg_value *v = cg_value(cg, it);
      if (it->op == IR_result && v->is_placed)
         continue;
      if (cg_is_workgroup_barrier(cg, it)) {
         close_segment(walk);
         walk->has_effect = true;
      } else if (ir_is_jump(it)) {
         walk_jump(walk, it);
      } else if (v->needs_workgroup) {
         walk_construct(walk, it);
      } else {
         v->level = choose_level(walk, it, true);
         if (v->level == CG_LEVEL_SEGMENT)
            open_segment(walk);
         v->def_segment = v->level == CG_LEVEL_SEGMENT ? walk->open : 0;
         for (uint32_t i = 0; i < it->num_srcs; i++)
            use(walk, it->srcs[i], v->def_segment);
         note_effect(walk, it);
         if (v->level == CG_LEVEL_SEGMENT)
            choose_cheap(walk, it);
         enter_construct(walk, it);
         for (uint32_t r = 0; r < ir_num_regions(it); r++)
            walk_inside(walk, it->imm.cf.regions[r]);
         leave_construct(walk, it);
      }
   }
}

/* ---- slots for what crosses ---- */

static void give_slots(struct ir_instr *instr, struct cg *cg)
{
   struct cg_value *v = cg_value(cg, instr);
   if (instr->num_components == 0 || v->level != CG_LEVEL_SEGMENT || !v->crosses || v->is_cheap)
      return;
   for (uint32_t c = 0; c < instr->num_components; c++) {
      if (instr->divergence == IR_UNIFORM) {
         v->cross[c] = cg_alloca(cg, cg_int_type(cg, instr->bit_size), 8, "cross");
      } else if (instr->divergence != IR_VARYING) {
         const uint32_t bytes = instr->bit_size == 1 ? 1 : instr->bit_size / 8;
         v->slot[c] = cg_frame_alloc(cg, bytes, bytes);
      } else if (instr->bit_size == 1) {
         v->slot[c] = cg_frame_alloc(cg, 4, 4);
      } else {
         const uint32_t bytes = cg->lanes * instr->bit_size / 8;
         v->slot[c] = cg_frame_alloc(cg, bytes, UTIL_MIN(bytes, 64));
      }
   }
}

static void visit_slots(struct ir_instr *instr, void *data)
{
   struct cg *cg = data;
   give_slots(instr, cg);
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      struct ir_region *region = instr->imm.cf.regions[r];
      for (uint32_t i = 0; i < region->num_params; i++)
         give_slots(region->params[i], cg);
   }
}

/* Cheap values are computed again from sources that must then be readable too: sources of a crossing one cross. */
static void visit_cheap(struct ir_instr *instr, void *data)
{
   struct cg *cg = data;
   const struct cg_value *v = cg_value(cg, instr);
   if (!v->is_cheap)
      return;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      struct cg_value *s = cg_value(cg, instr->srcs[i]);
      if (s->level == CG_LEVEL_SEGMENT)
         s->crosses = true;
   }
}

void cg_analyze_levels(struct cg *cg)
{
   struct walk walk = {.cg = cg};
   for (uint32_t i = 0; i < cg->num_values; i++) {
      cg->values[i].segment = UINT32_MAX;
      cg->values[i].mask_slot[0] = cg->values[i].mask_slot[1] = CG_NO_SLOT;
   }
   analyze_constructs(cg);
   if (cg->num_left > MAX_LEFT)
      cg->reconverge_at = cg_alloca(cg, cg_vec_type(cg, cg->i32), 64, "reconverge_at");
   walk_region(&walk, cg->ir->body);
   ir_for_each(cg->ir, visit_cheap, cg);
   ir_for_each(cg->ir, visit_slots, cg);
}
