/* SPDX-License-Identifier: MIT
 * Control flow within a segment. Uniform conditions are branches. Under a divergent one the lanes that are on are a mask, `cg->exec`;
 * code is only entered with at least one lane on.
 *
 * A loop or block is "masked" if its lanes leave at different times: a jump to it takes the lanes that are on out of the masks of
 * all constructs up to it and goes on, without any lane, at `cg->skip`. Jumps to all other loops and blocks are branches.
 *
 * Where that would be very many masks, each lane has a number instead, cg->reconverge_at: twice the depth of the construct that it left by a
 * break, one more if it left the turn of a loop, ALWAYS_ON if it has not left. Of the lanes that entered a construct of depth d those of at least 2 d are on
 * behind it, and in a loop those of at least 2 d + 1. */
#include "compiler/llvm/cg.h"

#include <string.h>

/* "file:line"; NULL if the module has no debug information: compiling its loops is not to cost more. The text is
 * aligned and has an address that counts, so that it does not become part of a section of strings, which the loader of objects does not
 * know. */
static LLVMValueRef location_of(struct cg *cg, const struct ir_instr *construct)
{
   if (!construct->line || construct->line >= cg->ir->num_lines)
      return NULL;
   const struct ir_line *at = &cg->ir->lines[construct->line];
   const char *text = util_arena_printf(cg->arena, "%.400s:%u", at->file ? at->file : "line", at->line);
   LLVMValueRef bytes = LLVMConstStringInContext2(cg->context, text, strlen(text), false);
   return cg_const_global(cg, bytes, 4, "location");
}

/* The block through which constructs with a location leave. */
static void make_give_up(struct cg *cg)
{
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   cg->give_up = cg_new_block(cg, "give_up");
   cg_enter(cg, cg->give_up);
   cg->gave_up_at = LLVMBuildPhi(cg->b, cg->ptr, "gave_up_at");
   LLVMValueRef where = cg_gep_const(cg, cg->worker, offsetof(struct abi_worker, gave_up_at)), before = cg_load(cg, cg->ptr, where, 8);
   LLVMValueRef is_first = LLVMBuildIsNull(cg->b, before, "");
   cg_store(cg, cg_select(cg, is_first, cg->gave_up_at, before), where, 8);
   cg_branch(cg, cg->leave);
   cg_enter(cg, here);
}

LLVMValueRef cg_is_cancelled(struct cg *cg)
{
   LLVMValueRef flag = cg_load(cg, cg->i32, cg->cancel, 4);
   LLVMSetVolatile(flag, true);
   return LLVMBuildICmp(cg->b, LLVMIntNE, flag, cg_i32(cg, 0), "");
}

void cg_poll_cancel(struct cg *cg, const struct ir_instr *construct)
{
   LLVMValueRef location = construct ? location_of(cg, construct) : NULL;
   if (location && !cg->give_up)
      make_give_up(cg);
   if (location) {
      LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
      LLVMAddIncoming(cg->gave_up_at, &location, &here, 1);
   }
   LLVMBasicBlockRef go_on = cg_new_block(cg, "go_on");
   cg_branch_if(cg, cg_is_cancelled(cg), location ? cg->give_up : cg->leave, go_on);
   cg_enter(cg, go_on);
   cg->exec = cg_mask_here(cg, cg->exec);
}

/* ---- values that jumps carry ---- */

void cg_init_variables(struct cg *cg, struct ir_instr *const *values, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      cg_variable_init(cg, values[i]);
}

void cg_read_variables(struct cg *cg, struct ir_instr *const *values, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      cg_variable_read(cg, values[i]);
}

/* Nobody reads or writes them any more. */
static void finish_variables(struct cg *cg, struct ir_instr *const *values, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      cg_variable_finish(cg, values[i]);
}

/* Of a construct at workgroup level, segments write what is in the frame and the workgroup the scalar variables; a jump that
 * stands deeper in a segment writes both. */
void cg_write_operands(struct cg *cg, struct ir_instr *const *destinations, struct ir_instr *const *srcs, uint32_t count,
                       LLVMValueRef mask)
{
   for (uint32_t i = 0; i < count; i++) {
      const struct cg_value *v = cg_value(cg, destinations[i]);
      if (v->is_placed && v->level == CG_LEVEL_SEGMENT && cg->segment == 0)
         continue;
      if (v->is_placed && v->level == CG_LEVEL_WORKGROUP && cg->segment != 0 && (!cg->scope || cg->scope->is_workgroup))
         continue;
      cg_variable_write(cg, destinations[i], srcs[i], mask);
   }
}

/* ---- masks of the constructs around ---- */

static void remove_lanes(struct cg *cg, LLVMValueRef var, LLVMValueRef lanes)
{
   if (var)
      cg_mask_store(cg, var, cg_mask_and_not(cg, lanes ? cg_mask_load(cg, var) : NULL, lanes));
}

enum { ALWAYS_ON = INT32_MAX }; /* of reconverge_at */

/* Of `exec` those that are on again at `number`, at the latest. */
static LLVMValueRef lanes_at(struct cg *cg, LLVMValueRef exec, uint32_t number)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   LLVMValueRef at = cg_load(cg, type, cg->reconverge_at, 64);
   return cg_mask_and(cg, cg_mask_here(cg, exec), LLVMBuildICmp(cg->b, LLVMIntSGE, at, cg_const_like(type, number), ""));
}

static void reconverge_at(struct cg *cg, LLVMValueRef lanes, uint32_t number)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   LLVMValueRef value = cg_const_like(type, number);
   if (lanes)
      value = cg_select(cg, lanes, value, cg_load(cg, type, cg->reconverge_at, 64));
   cg_store(cg, value, cg->reconverge_at, 64);
}

/* `bits` of them stay. */
static void keep_lanes_in_frame(struct cg *cg, uint32_t slot, LLVMValueRef bits)
{
   if (slot == CG_NO_SLOT)
      return;
   LLVMValueRef mask = cg_frame_ptr(cg, slot);
   cg_store(cg, LLVMBuildAnd(cg->b, cg_load(cg, cg->i32, mask, 4), bits, ""), mask, 4);
}

/* Out of the lanes that are still in a masked loop. */
static void remove_live(struct cg *cg, struct cg_scope *scope, LLVMValueRef before, LLVMValueRef staying)
{
   if (staying && scope->live_is && cg_is_same_mask(cg, scope->live_is, before)) {
      cg_mask_store(cg, scope->live, staying);
      scope->live_is = staying;
   } else {
      remove_lanes(cg, scope->live, cg->exec);
      scope->live_is = NULL;
   }
}

static struct cg_scope *find_scope(struct cg *cg, const struct ir_instr *instr)
{
   struct cg_scope *scope = cg->scope;
   while (scope->instr != instr)
      scope = scope->parent;
   return scope;
}

void cg_leave_constructs(struct cg *cg, const struct ir_instr *jump, LLVMValueRef before, LLVMValueRef staying)
{
   if (cg->reconverge_at && !cg->scope->is_workgroup) {
      const uint32_t depth = find_scope(cg, jump->imm.cf.target)->depth; /* 0 at workgroup level: behind the segment */
      reconverge_at(cg, cg->exec, depth ? 2 * depth + (jump->op == IR_continue) : 0);
   }
   LLVMValueRef bits = NULL; /* those that stay */
   for (struct cg_scope *scope = cg->scope; scope; scope = scope->parent) {
      const struct cg_value *v = cg_value(cg, scope->instr);
      const bool is_target = scope->instr == jump->imm.cf.target;
      const bool stays = is_target && jump->op == IR_continue; /* only out of this turn */
      if (scope->is_workgroup) {
         bits = bits ? bits : LLVMBuildNot(cg->b, cg_mask_bits(cg, cg->exec), "");
         keep_lanes_in_frame(cg, v->mask_slot[0], bits);
         if (!stays)
            keep_lanes_in_frame(cg, v->mask_slot[1], bits);
      } else if (!cg->reconverge_at) {
         if (!is_target)
            remove_lanes(cg, scope->saved, cg->exec);
         if (!stays && scope->live)
            remove_live(cg, scope, before, staying);
      }
      if (is_target)
         return;
   }
}

/* ---- jumps ---- */

static struct ir_instr *sole_instr(const struct ir_region *region)
{
   struct ir_instr *last = ir_terminator(region);
   return last->link.prev == &region->instrs ? last : NULL;
}

/* The yield of a region that only hands over values; NULL for others. */
static struct ir_instr *sole_yield(const struct ir_region *region)
{
   struct ir_instr *jump = sole_instr(region);
   return jump && jump->op == IR_yield ? jump : NULL;
}

/* The yield of a side of a divergent `if` when the other one has written the results of its lanes. */
static bool joins_other_side(const struct ir_instr *jump)
{
   const struct ir_instr *owner = jump->region->owner;
   const bool is_else = jump->region == owner->imm.cf.regions[1];
   if (owner->srcs[0]->divergence <= IR_SUBGROUP_UNIFORM)
      return false;
   return sole_yield(owner->imm.cf.regions[!is_else]) || (is_else && ir_terminator(owner->imm.cf.regions[0])->op == IR_yield);
}

/* The continue at a body's end, when there is no other that lanes wait at. */
bool cg_is_sole_continue(struct cg *cg, const struct ir_instr *jump)
{
   return jump->op == IR_continue && jump->region->owner == jump->imm.cf.target && !cg_value(cg, jump->imm.cf.target)->has_masked_continue;
}

/* Gives the target's results or parameters their values, in the lanes that are on. */
static void write_jump_operands(struct cg *cg, const struct ir_instr *jump)
{
   const struct ir_instr *target = jump->imm.cf.target;
   const bool merges = cg_jump_is_masked(cg, jump) && !cg_is_sole_continue(cg, jump);
   cg_write_operands(cg, jump->op == IR_break ? target->imm.cf.results : target->imm.cf.regions[1]->params, jump->srcs, jump->num_srcs,
                     merges ? cg->exec : NULL);
}

void cg_emit_jump(struct cg *cg, struct ir_instr *jump)
{
   struct ir_instr *owner = jump->region->owner;
   if (jump->op == IR_yield) {
      if (!owner)
         return;
      if (owner->op == IR_loop) {
         cg_write_operands(cg, owner->imm.cf.regions[0]->params, jump->srcs, jump->num_srcs, NULL);
      } else {
         const bool merges = owner->op == IR_block ? cg_value(cg, owner)->is_masked : joins_other_side(jump);
         cg_write_operands(cg, owner->imm.cf.results, jump->srcs, jump->num_srcs, merges ? cg_mask_or_full(cg, cg->exec) : NULL);
      }
      return; /* the construct branches */
   }
   struct ir_instr *target = jump->imm.cf.target;
   const bool masked = cg_jump_is_masked(cg, jump);
   const bool is_break = jump->op == IR_break;
   write_jump_operands(cg, jump);
   struct cg_scope *scope = find_scope(cg, target);
   if (!masked) {
      cg_branch(cg, is_break ? scope->end : scope->cont);
   } else if (!is_break && owner == target && !scope->is_workgroup) {
      cg_branch(cg, scope->cont); /* the end of the body: all that are on meet the others in `cont` */
   } else {
      cg_leave_constructs(cg, jump, NULL, NULL);
      cg_branch(cg, cg->skip);
   }
}

/* Emits a region; its yield only writes the operands. False if it ended in a branch outwards. */
static bool emit_inner(struct cg *cg, struct ir_region *region)
{
   cg_emit_region(cg, region);
   return ir_terminator(region)->op == IR_yield;
}

void cg_emit_region(struct cg *cg, struct ir_region *region)
{
   IR_FOR_EACH(it, region)
      cg_emit_instr(cg, it);
}

/* ---- constructs ---- */

static void branch_if_any(struct cg *cg, LLVMBasicBlockRef none)
{
   LLVMBasicBlockRef some = cg_new_block(cg, "some");
   cg_branch_if(cg, cg_mask_any(cg, cg->exec), some, none);
   cg_enter(cg, some);
   cg->exec = cg_mask_here(cg, cg->exec);
}

static void enter_scope(struct cg *cg, struct cg_scope *scope, struct ir_instr *instr)
{
   scope->parent = cg->scope;
   scope->instr = instr;
   cg->scope = scope;
   cg->num_scopes++;
   scope->depth = scope->parent ? scope->parent->depth + 1 : 1;
   if (cg->reconverge_at) {
      if (scope->depth == 1)
         reconverge_at(cg, NULL, ALWAYS_ON);
   } else if (cg_value(cg, instr)->has_beyond) {
      scope->saved = cg_mask_var(cg, "saved");
      cg_mask_store(cg, scope->saved, cg->exec);
   }
}

/* At the construct's end block: which lanes are on; goes on at the outer `skip` if all of them left for further out. */
static void leave_scope(struct cg *cg, struct cg_scope *scope, LLVMValueRef exec, LLVMBasicBlockRef outer_skip)
{
   cg->scope = scope->parent;
   cg->num_scopes--;
   cg->skip = outer_skip;
   cg->exec = cg_mask_here(cg, exec);
   const struct cg_value *v = cg_value(cg, scope->instr);
   if (scope->saved) {
      cg->exec = cg_mask_load(cg, scope->saved);
      cg_give_var(cg, cg->mask_var_type, scope->saved);
   }
   if (cg->reconverge_at && v->has_beyond)
      cg->exec = lanes_at(cg, exec, 2 * scope->depth);
   if (cg->reconverge_at && v->is_masked)
      reconverge_at(cg, cg->exec, ALWAYS_ON);
   if (v->has_beyond)
      branch_if_any(cg, outer_skip);
}

static void emit_uniform_if(struct cg *cg, struct ir_instr *instr)
{
   struct cg_scope scope = {0};
   LLVMValueRef condition = cg_scalar(cg, instr->srcs[0], 0), exec = cg->exec;
   LLVMBasicBlockRef arms[2] = {cg_new_block(cg, "then"), cg_new_block(cg, "else")}, end = cg_new_block(cg, "endif");
   LLVMBasicBlockRef skip = cg->skip;
   enter_scope(cg, &scope, instr);
   cg_branch_if(cg, condition, arms[0], arms[1]);
   for (uint32_t i = 0; i < 2; i++) {
      cg_enter(cg, arms[i]);
      cg->exec = cg_mask_here(cg, exec);
      if (emit_inner(cg, instr->imm.cf.regions[i]))
         cg_branch(cg, end);
   }
   cg_enter(cg, end);
   leave_scope(cg, &scope, exec, skip);
}

/* `if` that some lanes leave by `jump`, on side `side`, while nothing happens on the other: its masks need no branch but the one for
 * when none is left. */
static void emit_leaving_if(struct cg *cg, struct ir_instr *instr, uint32_t side, struct ir_instr *jump)
{
   LLVMValueRef condition = cg_vector(cg, instr->srcs[0], 0), exec = cg->exec;
   LLVMValueRef on = cg_mask_and(cg, exec, condition), off = cg_mask_and_not(cg, exec, condition);
   LLVMValueRef staying = side == 0 ? off : on;
   cg->exec = side == 0 ? on : off;
   write_jump_operands(cg, jump);
   cg_leave_constructs(cg, jump, exec, staying);
   cg->exec = staying;
   cg_emit_region(cg, instr->imm.cf.regions[!side]);
   branch_if_any(cg, cg->skip);
}

/* `if` that does something on one side only. The values of the other are there first, so that nothing is merged where no lane goes to that
 * side. */
static void emit_one_side(struct cg *cg, struct ir_instr *instr, uint32_t side, const struct ir_instr *other_yield)
{
   struct cg_scope scope = {0};
   LLVMValueRef condition = cg_vector(cg, instr->srcs[0], 0), exec = cg->exec;
   LLVMValueRef on = side == 0 ? cg_mask_and(cg, exec, condition) : cg_mask_and_not(cg, exec, condition);
   LLVMBasicBlockRef block = cg_new_block(cg, side == 0 ? "then" : "else"), end = cg_new_block(cg, "endif"), skip = cg->skip;
   cg_write_operands(cg, instr->imm.cf.results, other_yield->srcs, other_yield->num_srcs, NULL);
   enter_scope(cg, &scope, instr);
   cg_branch_if(cg, cg_mask_any(cg, on), block, end);
   cg_enter(cg, block);
   cg->exec = cg_mask_here(cg, on);
   cg->skip = end;
   if (emit_inner(cg, instr->imm.cf.regions[side]))
      cg_branch(cg, end);
   cg_enter(cg, end);
   leave_scope(cg, &scope, exec, skip);
}

static void emit_divergent_if(struct cg *cg, struct ir_instr *instr)
{
   for (uint32_t side = 0; side < 2; side++) {
      struct ir_instr *jump = sole_instr(instr->imm.cf.regions[side]), *other = sole_instr(instr->imm.cf.regions[!side]);
      if (jump && jump->op != IR_yield && other && other->op == IR_yield && cg_jump_is_masked(cg, jump)) {
         emit_leaving_if(cg, instr, side, jump);
         return;
      }
   }
   for (uint32_t side = 0; side < 2; side++) {
      struct ir_instr *other = sole_yield(instr->imm.cf.regions[!side]);
      if (other) {
         emit_one_side(cg, instr, side, other);
         return;
      }
   }
   struct cg_scope scope = {0};
   LLVMValueRef condition = cg_vector(cg, instr->srcs[0], 0), exec = cg->exec;
   LLVMBasicBlockRef then_block = cg_new_block(cg, "then"), try_else = cg_new_block(cg, "try_else"), else_block = cg_new_block(cg, "else");
   LLVMBasicBlockRef end = cg_new_block(cg, "endif"), skip = cg->skip;
   enter_scope(cg, &scope, instr);

   LLVMValueRef on = cg_mask_and(cg, exec, condition), off = cg_mask_and_not(cg, exec, condition);
   cg_branch_if(cg, cg_mask_any(cg, on), then_block, try_else);
   cg_enter(cg, then_block);
   cg->exec = cg_mask_here(cg, on);
   cg->skip = try_else;
   if (emit_inner(cg, instr->imm.cf.regions[0]))
      cg_branch(cg, try_else);

   cg_enter(cg, try_else);
   cg->exec = cg_mask_here(cg, off);
   cg_branch_if(cg, cg_mask_any(cg, cg->exec), else_block, end);
   cg_enter(cg, else_block);
   cg->exec = cg_mask_here(cg, off);
   cg->skip = end;
   if (emit_inner(cg, instr->imm.cf.regions[1]))
      cg_branch(cg, end);
   cg_enter(cg, end);
   leave_scope(cg, &scope, exec, skip);
}

static void emit_block(struct cg *cg, struct ir_instr *instr)
{
   struct cg_scope scope = {.end = cg_new_block(cg, "endblock")};
   LLVMValueRef exec = cg->exec;
   LLVMBasicBlockRef skip = cg->skip;
   enter_scope(cg, &scope, instr);
   if (cg_value(cg, instr)->is_masked || cg_value(cg, instr)->has_beyond)
      cg->skip = scope.end;
   if (emit_inner(cg, instr->imm.cf.regions[0]))
      cg_branch(cg, scope.end);
   cg_enter(cg, scope.end);
   leave_scope(cg, &scope, exec, skip);
}

/* Lanes that take part in the next part of a loop. */
static void set_loop_exec(struct cg *cg, struct cg_scope *scope, LLVMValueRef exec)
{
   const struct cg_value *v = cg_value(cg, scope->instr);
   LLVMValueRef var = scope->live ? scope->live : scope->saved;
   if (cg->reconverge_at && (v->is_masked || v->has_beyond))
      cg->exec = lanes_at(cg, exec, 2 * scope->depth + 1);
   else
      cg->exec = var ? cg_mask_load(cg, var) : cg_mask_here(cg, exec);
   scope->live_is = scope->live ? cg->exec : NULL;
}

static void emit_loop(struct cg *cg, struct ir_instr *instr)
{
   const struct cg_value *v = cg_value(cg, instr);
   struct cg_scope scope = {.end = cg_new_block(cg, "endloop"), .cont = cg_new_block(cg, "cont")};
   LLVMBasicBlockRef header = cg_new_block(cg, "loop"), skip = cg->skip;
   LLVMValueRef exec = cg->exec;
   struct ir_region *body = instr->imm.cf.regions[0], *cont = instr->imm.cf.regions[1];
   cg_init_variables(cg, body->params, body->num_params);
   cg_write_operands(cg, body->params, instr->srcs, instr->num_srcs, NULL);
   enter_scope(cg, &scope, instr);
   if (v->is_masked && !cg->reconverge_at) {
      scope.live = cg_mask_var(cg, "live");
      cg_mask_store(cg, scope.live, exec);
   }
   cg_branch(cg, header);

   cg_enter(cg, header);
   set_loop_exec(cg, &scope, exec);
   cg_read_variables(cg, body->params, body->num_params);
   cg_init_variables(cg, cont->params, cont->num_params);
   cg->skip = v->has_masked_continue ? scope.cont : scope.end;
   cg_emit_region(cg, body); /* ends in a jump */

   cg_enter(cg, scope.cont);
   set_loop_exec(cg, &scope, exec);
   cg->skip = scope.end;
   if (v->has_masked_continue && cg->reconverge_at)
      reconverge_at(cg, cg->exec, ALWAYS_ON);
   if (v->has_masked_continue)
      branch_if_any(cg, scope.end);
   cg_read_variables(cg, cont->params, cont->num_params);
   if (emit_inner(cg, cont)) {
      if (instr->imm.cf.polls)
         cg_poll_cancel(cg, instr);
      cg_branch(cg, header);
   }
   cg_enter(cg, scope.end);
   leave_scope(cg, &scope, exec, skip);
   if (scope.live)
      cg_give_var(cg, cg->mask_var_type, scope.live);
   finish_variables(cg, body->params, body->num_params);
   finish_variables(cg, cont->params, cont->num_params);
}

void cg_emit_construct(struct cg *cg, struct ir_instr *instr)
{
   if (instr->imm.cf.polls_first)
      cg_poll_cancel(cg, instr);
   cg_init_variables(cg, instr->imm.cf.results, instr->imm.cf.num_results);
   if (instr->op == IR_loop)
      emit_loop(cg, instr);
   else if (instr->op == IR_block)
      emit_block(cg, instr);
   else if (instr->srcs[0]->divergence > IR_SUBGROUP_UNIFORM && !cg_is_uniform(cg, instr->srcs[0], 0))
      emit_divergent_if(cg, instr);
   else
      emit_uniform_if(cg, instr);
   cg_read_variables(cg, instr->imm.cf.results, instr->imm.cf.num_results);
   finish_variables(cg, instr->imm.cf.results, instr->imm.cf.num_results);
}
