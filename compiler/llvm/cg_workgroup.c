/* SPDX-License-Identifier: MIT
 * The body at workgroup level: runs of instructions become segments, each a loop over the workgroup's vectors; constructs that contain
 * a barrier become control flow of the whole workgroup around them (decision D3).
 *
 * Where the lanes of a workgroup disagree about such control flow, each vector's mask stands in the frame: a segment starts from it and
 * skips vectors without a lane; "any lane in any vector" decides. cg_level.c numbered the segments in the same order. */
#include "compiler/ir/passes.h"
#include "compiler/llvm/cg.h"

struct run {
   struct ir_instr **items; /* in the arena */
   uint32_t count, capacity;
};

static void add_item(struct cg *cg, struct run *run, struct ir_instr *instr)
{
   if (run->count == run->capacity) {
      const uint32_t capacity = UTIL_MAX(64, run->capacity * 2);
      struct ir_instr **items = UTIL_ARENA_ARRAY(cg->arena, struct ir_instr *, capacity);
      for (uint32_t i = 0; i < run->count; i++)
         items[i] = run->items[i];
      run->items = items;
      run->capacity = capacity;
   }
   run->items[run->count++] = instr;
}

/* ---- segments ---- */

void cg_segment_begin(struct cg *cg, struct cg_segment *segment)
{
   cg->vector_frame = NULL;
   cg->exec = NULL;
   cg->stage->segment_begin(cg, segment);
   cg->skip = segment->clears ? cg_new_block(cg, "none") : segment->next;
   if (cg->wg_exec != CG_NO_SLOT) {
      LLVMBasicBlockRef some = cg_new_block(cg, "some");
      cg->exec = cg_wg_mask_load(cg, cg->wg_exec);
      cg_branch_if(cg, cg_mask_any(cg, cg->exec), some, cg->skip);
      cg_enter(cg, some);
   }
}

void cg_segment_end(struct cg *cg, struct cg_segment *segment)
{
   if (segment->clears) { /* vectors that were skipped have no lane in the construct either */
      cg_branch(cg, segment->next);
      cg_enter(cg, cg->skip);
      for (uint32_t i = 0; i < 2; i++)
         cg_wg_mask_store(cg, cg_value(cg, segment->clears)->mask_slot[i], LLVMConstNull(cg->mask_type));
   }
   cg->stage->segment_end(cg, segment);
   cg->exec = NULL;
}

/* What a construct needs in the frame before it starts: initial values of params, masks. */
static void emit_prologue(struct cg *cg, struct ir_instr *instr)
{
   const struct cg_value *v = cg_value(cg, instr);
   if (instr->op == IR_loop)
      cg_write_operands(cg, instr->imm.cf.regions[0]->params, instr->srcs, instr->num_srcs, NULL);
   if (!v->is_wg_masked)
      return;
   if (instr->op == IR_if) {
      LLVMValueRef condition = cg_vector(cg, instr->srcs[0], 0);
      LLVMValueRef on = cg_mask_and(cg, cg->exec, condition), off = cg_mask_and_not(cg, cg->exec, condition);
      cg_wg_mask_store(cg, v->mask_slot[0], on);
      cg_wg_mask_store(cg, v->mask_slot[1], off);
   } else {
      cg_wg_mask_store(cg, v->mask_slot[0], cg->exec);
      cg_wg_mask_store(cg, v->mask_slot[1], cg->exec);
   }
}

/* The part of a jump that is done for each vector. Afterwards the segment ends. */
static void emit_jump_item(struct cg *cg, struct ir_instr *jump)
{
   struct ir_instr **destinations, *owner = jump->region->owner;
   const uint32_t count = cg_jump_destinations(jump, &destinations);
   const bool masked = jump->op != IR_yield && cg_jump_is_masked(cg, jump);
   bool merges = masked && !cg_is_sole_continue(cg, jump);
   if (jump->op == IR_yield && owner->op != IR_loop)
      merges = cg_value(cg, owner)->is_wg_masked && !(owner->op == IR_if && jump->region == owner->imm.cf.regions[0]);
   cg_write_operands(cg, destinations, jump->srcs, count, merges ? cg->exec : NULL);
   if (masked && !(jump->op == IR_continue && owner == jump->imm.cf.target))
      cg_leave_constructs(cg, jump, NULL, NULL);
}

/* That one segment of a call runs. */
static uint32_t max_vectors(const struct cg *cg)
{
   if (cg->compute || cg->control)
      return cg->num_vectors;
   return (cg->fragment ? ABI_FRAGMENT_BATCH * ABI_BLOCK_TEXELS : ABI_VERTEX_BATCH) / cg->lanes; /* no batch is larger */
}

/* Between the vectors of a segment, if they take too long together with the segments before it: as analyze/polls has it. */
static bool segment_polls(struct cg *cg, const struct run *run)
{
   uint64_t stretch = 0;
   for (uint32_t i = 0; i < run->count; i++) {
      if (!cg_value(cg, run->items[i])->needs_workgroup)
         stretch += ir_stretch(cg->ir, run->items[i]);
   }
   const uint64_t all = stretch * max_vectors(cg);
   const bool polls = cg->stretch + all > IR_MAX_STRETCH;
   cg->stretch = polls ? stretch : cg->stretch + all;
   return polls;
}

static void flush(struct cg *cg, struct run *run)
{
   if (run->count == 0)
      return;
   struct cg_segment segment = {.polls = segment_polls(cg, run)};
   struct ir_instr *last = run->items[run->count - 1];
   if (cg_value(cg, last)->needs_workgroup && cg_value(cg, last)->is_wg_masked)
      segment.clears = last;
   cg->segment = cg_value(cg, run->items[0])->def_segment;
   cg_segment_begin(cg, &segment);
   for (uint32_t i = 0; i < run->count; i++) {
      struct ir_instr *item = run->items[i];
      if (ir_is_jump(item))
         emit_jump_item(cg, item);
      else if (cg_value(cg, item)->needs_workgroup)
         emit_prologue(cg, item);
      else
         cg_emit_instr(cg, item);
   }
   cg_segment_end(cg, &segment);
   cg->segment = 0;
   run->count = 0;
}

/* ---- masks of the whole workgroup ---- */

/* Of a mask of all vectors, where the first one's is and where it goes, and their number: copies each, and gives what is on in any. */
static LLVMValueRef make_copy_masks(struct cg *cg)
{
   LLVMTypeRef params[3] = {cg->ptr, cg->ptr, cg->i32};
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, "copy_masks", LLVMFunctionType(cg->i32, params, 3, false));
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b), loop = cg_new_block(cg, "mask"), end = cg_new_block(cg, "mask_end");
   LLVMValueRef zero = cg_i32(cg, 0), index = cg_count_begin(cg, loop), before = LLVMBuildPhi(cg->b, cg->i32, "before");
   LLVMValueRef offset = LLVMBuildZExt(cg->b, LLVMBuildMul(cg->b, index, cg_i32(cg, cg->frame_bytes), ""), cg->i64, "");
   LLVMValueRef bits = cg_load(cg, cg->i32, cg_gep(cg, LLVMGetParam(fn, 0), offset), 4);
   LLVMValueRef all = LLVMBuildOr(cg->b, before, bits, "");
   cg_store(cg, bits, cg_gep(cg, LLVMGetParam(fn, 1), offset), 4);
   LLVMAddIncoming(before, (LLVMValueRef[]){zero, all}, (LLVMBasicBlockRef[]){here, loop}, 2);
   cg_count_end(cg, index, 1, LLVMGetParam(fn, 2), end);
   LLVMBuildRet(cg->b, all);
   cg_function_end(cg, &around);
   return fn;
}

/* What is on in some vector's mask in the slot `from`; `to` becomes the same masks. */
static LLVMValueRef copy_masks(struct cg *cg, uint32_t from, uint32_t to)
{
   LLVMValueRef count = cg->vectors_on ? cg->vectors_on : cg_i32(cg, cg->num_vectors);
   LLVMValueRef args[3] = {cg_gep_const(cg, cg->frame, from), cg_gep_const(cg, cg->frame, to), count};
   if (!cg->copy_masks)
      cg->copy_masks = make_copy_masks(cg);
   return cg_call_own(cg, cg->copy_masks, args, 3);
}

static LLVMValueRef is_any(struct cg *cg, LLVMValueRef bits)
{
   return LLVMBuildICmp(cg->b, LLVMIntNE, bits, cg_i32(cg, 0), "");
}

/* i1: some lane of some vector is on in `slot`. */
static LLVMValueRef any_in_frame(struct cg *cg, uint32_t slot)
{
   return is_any(cg, copy_masks(cg, slot, slot));
}

/* ---- constructs ---- */

static void emit_wg_region(struct cg *cg, struct ir_region *region);

/* The jump at a region's end, after its segment: writes scalar variables and branches; a masked one goes on at `join`. */
static void emit_wg_jump(struct cg *cg, struct ir_instr *jump, LLVMBasicBlockRef join)
{
   struct ir_instr **destinations;
   const uint32_t count = cg_jump_destinations(jump, &destinations);
   cg_write_operands(cg, destinations, jump->srcs, count, NULL);
   if (jump->op == IR_yield || cg_jump_is_masked(cg, jump)) {
      cg_branch(cg, join);
      return;
   }
   struct cg_scope *scope = cg->scope;
   while (scope->instr != jump->imm.cf.target)
      scope = scope->parent;
   cg_branch(cg, jump->op == IR_break ? scope->end : scope->cont);
}

static void emit_inner(struct cg *cg, struct ir_region *region, uint32_t exec_slot, LLVMBasicBlockRef join)
{
   const uint32_t outer = cg->wg_exec;
   cg->wg_exec = exec_slot;
   emit_wg_region(cg, region);
   cg->wg_exec = outer;
   emit_wg_jump(cg, ir_terminator(region), join);
}

static void emit_wg_if(struct cg *cg, struct ir_instr *instr, struct cg_scope *scope)
{
   const struct cg_value *v = cg_value(cg, instr);
   LLVMBasicBlockRef arms[2] = {cg_new_block(cg, "wg_then"), cg_new_block(cg, "wg_else")};
   if (!v->is_wg_masked) {
      cg_branch_if(cg, cg_scalar(cg, instr->srcs[0], 0), arms[0], arms[1]);
      for (uint32_t i = 0; i < 2; i++) {
         cg_enter(cg, arms[i]);
         emit_inner(cg, instr->imm.cf.regions[i], cg->wg_exec, scope->end);
      }
      return;
   }
   LLVMBasicBlockRef try_else = cg_new_block(cg, "wg_try_else");
   cg_branch_if(cg, any_in_frame(cg, v->mask_slot[0]), arms[0], try_else);
   cg_enter(cg, arms[0]);
   emit_inner(cg, instr->imm.cf.regions[0], v->mask_slot[0], try_else);
   cg_enter(cg, try_else);
   cg_branch_if(cg, any_in_frame(cg, v->mask_slot[1]), arms[1], scope->end);
   cg_enter(cg, arms[1]);
   emit_inner(cg, instr->imm.cf.regions[1], v->mask_slot[1], scope->end);
}

static void emit_wg_loop(struct cg *cg, struct ir_instr *instr, struct cg_scope *scope)
{
   const struct cg_value *v = cg_value(cg, instr);
   struct ir_region *body = instr->imm.cf.regions[0], *cont = instr->imm.cf.regions[1];
   LLVMBasicBlockRef header = cg_new_block(cg, "wg_loop"), latch = cg_new_block(cg, "wg_latch");
   /* at the start of each turn, and of its end, all that are still in the loop take part */
   const uint32_t live = v->is_wg_masked ? v->mask_slot[1] : cg->wg_exec, current = v->is_wg_masked ? v->mask_slot[0] : cg->wg_exec;
   scope->cont = cg_new_block(cg, "wg_cont");
   cg_init_variables(cg, body->params, body->num_params);
   cg_init_variables(cg, cont->params, cont->num_params);
   cg_write_operands(cg, body->params, instr->srcs, instr->num_srcs, NULL);
   cg_branch(cg, header);

   cg_enter(cg, header);
   cg_read_variables(cg, body->params, body->num_params);
   if (live != CG_NO_SLOT) { /* lanes may be gone: uniform values of segments that nobody enters would never end the loop */
      LLVMBasicBlockRef some = cg_new_block(cg, "wg_some");
      cg_branch_if(cg, is_any(cg, copy_masks(cg, live, current)), some, scope->end);
      cg_enter(cg, some);
   }
   emit_inner(cg, body, current, scope->cont);

   cg_enter(cg, scope->cont);
   cg_read_variables(cg, cont->params, cont->num_params);
   if (v->is_wg_masked)
      copy_masks(cg, live, current);
   emit_inner(cg, cont, current, latch);
   cg_enter(cg, latch);
   if (instr->imm.cf.polls)
      cg_poll_cancel(cg, instr);
   cg_branch(cg, header);
}

static void emit_wg_construct(struct cg *cg, struct ir_instr *instr)
{
   const struct cg_value *v = cg_value(cg, instr);
   struct cg_scope scope = {.parent = cg->scope, .instr = instr, .is_workgroup = true, .end = cg_new_block(cg, "wg_end")};
   if (instr->imm.cf.polls_first)
      cg_poll_cancel(cg, instr);
   cg_init_variables(cg, instr->imm.cf.results, instr->imm.cf.num_results);
   cg->scope = &scope;
   if (instr->op == IR_if)
      emit_wg_if(cg, instr, &scope);
   else if (instr->op == IR_loop)
      emit_wg_loop(cg, instr, &scope);
   else
      emit_inner(cg, instr->imm.cf.regions[0], v->is_wg_masked ? v->mask_slot[0] : cg->wg_exec, scope.end);
   cg->scope = scope.parent;
   cg_enter(cg, scope.end);
   cg_read_variables(cg, instr->imm.cf.results, instr->imm.cf.num_results);
}

/* Everything of a region but the branch at its end. */
static void emit_wg_region(struct cg *cg, struct ir_region *region)
{
   struct run run = {0};
   IR_FOR_EACH(it, region) {
      const struct cg_value *v = cg_value(cg, it);
      if (v->level >= CG_LEVEL_PRELUDE || v->is_placed)
         continue;
      if (v->level == CG_LEVEL_WORKGROUP) {
         cg_emit_instr(cg, it);
      } else if (cg_is_workgroup_barrier(cg, it)) {
         flush(cg, &run);
         if (it->op == IR_probe)
            cg_emit_instr(cg, it);
      } else if (v->needs_workgroup) {
         if (v->has_prologue)
            add_item(cg, &run, it);
         flush(cg, &run);
         emit_wg_construct(cg, it);
      } else if (ir_is_jump(it)) {
         if (v->has_prologue)
            add_item(cg, &run, it);
      } else {
         add_item(cg, &run, it);
      }
   }
   flush(cg, &run);
}

void cg_emit_workgroup(struct cg *cg)
{
   cg->wg_exec = CG_NO_SLOT;
   emit_wg_region(cg, cg->ir->body);
   if (cg->fragment && !cg->body_block) { /* empty as it is, it answers which fragments go on */
      struct cg_segment segment = {0};
      cg->segment = ++cg->num_segments;
      cg_segment_begin(cg, &segment);
      cg_segment_end(cg, &segment);
      cg->segment = 0;
   }
}

static void emit_hoisted_in(struct cg *cg, struct ir_region *region, enum cg_level level)
{
   IR_FOR_EACH(it, region) {
      if (cg_value(cg, it)->level == level)
         cg_emit_instr(cg, it);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         emit_hoisted_in(cg, it->imm.cf.regions[r], level);
   }
}

void cg_emit_hoisted(struct cg *cg, enum cg_level level)
{
   emit_hoisted_in(cg, cg->ir->body, level);
}

void cg_emit_body(struct cg *cg)
{
   cg_emit_hoisted(cg, CG_LEVEL_CALL);
   cg_emit_hoisted(cg, CG_LEVEL_PRELUDE);
   cg_emit_workgroup(cg);
   cg_branch(cg, cg->leave);
}
