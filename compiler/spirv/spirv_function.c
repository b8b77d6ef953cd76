/* SPDX-License-Identifier: MIT
 * Translates a function's body: its dominator tree becomes nested if, loop and block; calls are inlined.
 *
 * Each block's code stands once. A block with one edge in stands in the arm of the if that leads there. A block that
 * several edges lead to, or that a merge instruction names, stands behind an IR block that encloses its dominator's
 * code; every branch to it is a break out of that IR block, or just the end of the code in it. A loop's merge block
 * stands behind the loop, its continue target in the loop's continue region. The cases of a large switch stand one after the other: no lane enters
 * two of them, so none has to break out. Where some fall through each stands behind a test of what a lane enters next. Source of the scheme: Ramsey, "Beyond
 * Relooper: Recursive Translation of Unstructured Control Flow to Structured Control Flow". */
#include "compiler/ir/ir_eval.h"
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/spirv_cfg.h"

enum {
   MAX_IF_CHAIN = 8,    /* cases of a switch that nest as else-ifs; more stand one after the other */
   MAX_KNOWN_DEPTH = 4, /* of arithmetic on constants that decides a branch */
};

/* The target of a return. */
static const struct spirv_block function_end;

static void emit_tree(struct spirv_ctx *t, struct spirv_block *block);

static void enter(struct spirv_ctx *t)
{
   if (++t->depth > SPIRV_MAX_DEPTH)
      spirv_fail(t, "control flow and calls are nested too deeply");
}

/* ---- regions and frames ---- */

static void set_region(struct spirv_ctx *t, struct ir_region *region)
{
   t->b.region = region;
   t->b.before = &region->instrs;
}

static void push_frame(struct spirv_ctx *t, struct spirv_frame *frame)
{
   if (++t->num_frames > SPIRV_MAX_FRAMES)
      spirv_fail(t, "control flow is nested too deeply");
   frame->parent = t->frames;
   frame->outer = t->b.region;
   t->frames = frame;
}

static void pop_frame(struct spirv_ctx *t, const struct spirv_frame *frame)
{
   t->num_frames--;
   t->frames = frame->parent;
   set_region(t, frame->outer);
}

static bool is_open(const struct spirv_ctx *t)
{
   return !ir_terminator(t->b.region);
}

static void end_region(struct spirv_ctx *t)
{
   if (is_open(t))
      ir_jump(&t->b, IR_yield, NULL, 0, NULL);
}

/* Puts a block's code in its arm where nothing breaks out of it. */
static void dissolve_block(struct ir_instr *block)
{
   struct ir_region *body = block->imm.cf.regions[0], *outer = block->region;
   ir_remove(ir_terminator(body));
   IR_FOR_EACH(it, body)
      it->region = outer;
   util_list_splice_before(&body->instrs, &block->link);
   ir_remove(block);
}

static void open_block(struct spirv_ctx *t, struct spirv_frame *frame, const struct spirv_block *follow)
{
   *frame = (struct spirv_frame){.class = SPIRV_FRAME_BLOCK, .follow = follow};
   push_frame(t, frame);
   frame->instr = ir_block(&t->b);
   set_region(t, frame->instr->imm.cf.regions[0]);
}

static void close_block(struct spirv_ctx *t, struct spirv_frame *frame)
{
   end_region(t);
   pop_frame(t, frame);
   const struct ir_instr *end = ir_terminator(frame->instr->imm.cf.regions[0]);
   if (!frame->num_breaks && end->op == IR_yield)
      dissolve_block(frame->instr);
}

/* ---- phis ---- */

static void make_phis(struct spirv_ctx *t, struct spirv_block *block)
{
   uint32_t count = 0;
   size_t offset = block->first;
   struct spirv_instr in;
   block->num_phis = 0;
   while ((in = spirv_instr_at(t, offset)).op == SpvOpPhi || in.op == SpvOpLine || in.op == SpvOpNoLine) {
      count += in.op == SpvOpPhi;
      offset += in.count;
   }
   if (!count)
      return;
   block->phis = UTIL_ARENA_ARRAY(t->arena, struct spirv_pointer *, count);
   for (offset = block->first; block->num_phis < count; offset += in.count) {
      in = spirv_instr_at(t, offset);
      if (in.op != SpvOpPhi)
         continue;
      const struct spirv_pointer pointer = spirv_temp_pointer(t, spirv_result_type(t, &in), "phi");
      block->phis[block->num_phis++] = util_arena_dup(t->arena, &pointer, sizeof(pointer));
   }
}

/* Loads all phis before anything else, so that stores for the next time round do not disturb them. */
static void load_phis(struct spirv_ctx *t, struct spirv_block *block)
{
   uint32_t index = 0;
   struct spirv_instr in;
   for (size_t offset = block->first; index < block->num_phis; offset += in.count) {
      in = spirv_instr_at(t, offset);
      if (in.op == SpvOpPhi)
         spirv_set_value(t, spirv_word(t, &in, 2), spirv_load(t, block->phis[index++]));
   }
}

static void store_phis(struct spirv_ctx *t, const struct spirv_block *from, const struct spirv_block *to)
{
   uint32_t index = 0;
   struct spirv_instr in;
   for (size_t offset = to->first; index < to->num_phis; offset += in.count) {
      in = spirv_instr_at(t, offset);
      if (in.op != SpvOpPhi)
         continue;
      uint32_t i = 3;
      while (i + 1 < in.count && in.words[i + 1] != from->id)
         i += 2;
      if (i + 1 >= in.count)
         spirv_fail(t, "OpPhi %u has no value from block %u", in.words[2], from->id);
      spirv_store(t, to->phis[index++], spirv_value(t, in.words[i]));
   }
}

/* ---- jumps ---- */

static void break_to(struct spirv_ctx *t, struct spirv_frame *frame)
{
   frame->num_breaks++;
   ir_jump(&t->b, IR_break, frame->instr, 0, NULL);
}

/* Leaves the current position for `target`. Nothing is emitted where it is what comes next anyway. */
static void jump(struct spirv_ctx *t, const struct spirv_block *target)
{
   bool is_next = true; /* the position after this frame is reached by running on */
   for (struct spirv_frame *frame = t->frames; frame; frame = frame->parent) {
      switch (frame->class) {
      case SPIRV_FRAME_IF:
         break;
      case SPIRV_FRAME_IF_ALONE:
         is_next = false;
         break;
      case SPIRV_FRAME_BLOCK:
         if (frame->follow == target) {
            if (!is_next)
               break_to(t, frame);
            return;
         }
         is_next = false;
         break;
      case SPIRV_FRAME_STEP:
         if (target->step_of == frame->header) {
            ir_store_var(&t->b, frame->header->step, spirv_u32(t, 0), spirv_u32(t, target->order), 1);
            if (!is_next)
               break_to(t, frame);
            return;
         }
         is_next = false;
         break;
      case SPIRV_FRAME_LOOP:
         if (target == frame->cont) {
            if (!is_next)
               ir_jump(&t->b, IR_continue, frame->instr, 0, NULL);
            return;
         }
         if (target == frame->follow) {
            break_to(t, frame);
            return;
         }
         is_next = false;
         break;
      case SPIRV_FRAME_CONT:
         if (target == frame->follow) {
            break_to(t, frame);
            return;
         }
         is_next = false;
         break;
      case SPIRV_FRAME_FUNCTION:
         if (target != &function_end)
            spirv_fail(t, "block %u is not where control flow may go from here", target->id);
         if (!is_next)
            break_to(t, frame);
         return;
      }
   }
   spirv_fail(t, "branch outside of a function");
}

/* Follows an edge: the successor's code right here, or a jump. */
static void follow_edge(struct spirv_ctx *t, struct spirv_block *from, struct spirv_block *to)
{
   store_phis(t, from, to);
   if (to->idom == from && !to->is_target && to->order > from->order)
      emit_tree(t, to);
   else
      jump(t, to);
}

static struct spirv_frame *function_frame(struct spirv_ctx *t)
{
   struct spirv_frame *frame = t->frames;
   while (frame->class != SPIRV_FRAME_FUNCTION)
      frame = frame->parent;
   return frame;
}

/* ---- terminators ---- */

static void emit_arm(struct spirv_ctx *t, struct ir_instr *instr, uint32_t arm, enum spirv_frame_class class,
                     struct spirv_block *from, struct spirv_block *to)
{
   struct spirv_frame frame = {.class = class, .instr = instr};
   push_frame(t, &frame);
   set_region(t, instr->imm.cf.regions[arm]);
   follow_edge(t, from, to);
   end_region(t);
   pop_frame(t, &frame);
}

static struct spirv_block *target_block(struct spirv_ctx *t, uint32_t id)
{
   struct spirv_id *record = spirv_id(t, id);
   if (record->class != SPIRV_ID_BLOCK)
      spirv_fail(t, "id %u is not a block", id);
   return record->block;
}

/* Whether the value is a constant, or arithmetic on some: as what a call gives whose function returns by a constant. */
static bool is_known(const struct ir_instr *value, uint32_t max_depth, uint64_t *bits)
{
   uint64_t srcs[3];
   if (ir_is_const(value)) {
      *bits = value->imm.c[0];
      return true;
   }
   if (!max_depth || !value->num_srcs || value->num_srcs > UTIL_ARRAY_SIZE(srcs) || value->num_components != 1)
      return false;
   for (uint32_t i = 0; i < value->num_srcs; i++) {
      if (value->srcs[i]->num_components != 1 || !is_known(value->srcs[i], max_depth - 1, &srcs[i]))
         return false;
   }
   return ir_eval(value, srcs, bits);
}

/* Goes on in the one block that a known condition or selector leads to. The others are not written. */
static bool follow_known(struct spirv_ctx *t, struct spirv_block *block, const struct ir_instr *value)
{
   uint64_t bits;
   if (!is_known(value, MAX_KNOWN_DEPTH, &bits))
      return false;
   follow_edge(t, block, target_block(t, spirv_branch_target(t, &block->terminator, bits)));
   return true;
}

static void emit_conditional(struct spirv_ctx *t, struct spirv_block *block)
{
   const struct spirv_instr *in = &block->terminator;
   struct spirv_block *if_true = target_block(t, spirv_word(t, in, 2)),
                      *if_false = target_block(t, spirv_word(t, in, 3));
   if (if_true == if_false) {
      follow_edge(t, block, if_true);
      return;
   }
   struct ir_instr *condition = spirv_scalar(t, spirv_word(t, in, 1));
   if (condition->bit_size != 1)
      spirv_fail(t, "the condition of a branch is not a boolean");
   if (follow_known(t, block, condition))
      return;
   struct ir_instr *instr = ir_if(&t->b, condition);
   emit_arm(t, instr, 0, SPIRV_FRAME_IF, block, if_true);
   emit_arm(t, instr, 1, SPIRV_FRAME_IF, block, if_false);
}

static struct ir_instr *is_literal(struct spirv_ctx *t, const uint32_t *words, struct ir_instr *selector)
{
   const uint64_t literal = spirv_switch_literal(words, selector->bit_size == 64 ? 2 : 1);
   return ir_alu2(&t->b, IR_ieq, selector, ir_const(&t->b, selector->bit_size, literal));
}

/* True for the lanes whose selector is one of the literals that lead to `to`. */
static struct ir_instr *case_condition(struct spirv_ctx *t, const struct spirv_instr *in, struct ir_instr *selector,
                                       const struct spirv_block *to)
{
   struct ir_instr *condition = NULL;
   const uint32_t literal_words = selector->bit_size == 64 ? 2 : 1;
   for (uint32_t i = 3; i + literal_words < in->count; i += literal_words + 1) {
      if (in->words[i + literal_words] != to->id)
         continue;
      struct ir_instr *equal = is_literal(t, &in->words[i], selector);
      condition = condition ? ir_alu2(&t->b, IR_ior, condition, equal) : equal;
   }
   return condition;
}

static void leave_empty(struct spirv_ctx *t, struct ir_region *region)
{
   const struct ir_builder saved = t->b;
   set_region(t, region);
   end_region(t);
   t->b = saved;
}

/* The lanes whose step this is. Jumps to later steps set theirs and go on behind the block. */
static void emit_step(struct spirv_ctx *t, struct spirv_block *block, struct spirv_block *to)
{
   struct spirv_frame frame = {.class = SPIRV_FRAME_STEP, .header = block}, arm = {.class = SPIRV_FRAME_IF};
   push_frame(t, &frame);
   frame.instr = ir_block(&t->b);
   set_region(t, frame.instr->imm.cf.regions[0]);
   struct ir_instr *step = ir_load_var(&t->b, block->step, spirv_u32(t, 0), 1, 32);
   arm.instr = ir_if(&t->b, ir_alu2(&t->b, IR_ieq, step, spirv_u32(t, to->order)));
   push_frame(t, &arm);
   set_region(t, arm.instr->imm.cf.regions[0]);
   emit_tree(t, to);
   end_region(t);
   pop_frame(t, &arm);
   leave_empty(t, arm.instr->imm.cf.regions[1]);
   close_block(t, &frame);
}

/* A switch with steps: each lane has the order of the case that it enters next, and passes by those before. */
static void emit_steps(struct spirv_ctx *t, struct spirv_block *block, struct ir_instr *selector, struct spirv_block *otherwise)
{
   const struct spirv_instr *in = &block->terminator;
   const uint32_t literal_words = selector->bit_size == 64 ? 2 : 1;
   struct ir_instr *step = spirv_u32(t, otherwise->order);
   for (uint32_t i = 3; i + literal_words < in->count; i += literal_words + 1) {
      const uint32_t order = target_block(t, in->words[i + literal_words])->order;
      step = ir_select(&t->b, is_literal(t, &in->words[i], selector), spirv_u32(t, order), step);
   }
   for (uint32_t s = 0; s < block->num_succs; s++) {
      if (block->succs[s]->step_of == block)
         store_phis(t, block, block->succs[s]);
   }
   block->step = ir_var_create(t->shader, 4, "step");
   ir_store_var(&t->b, block->step, spirv_u32(t, 0), step, 1);
   for (uint32_t s = 0; s < block->num_succs; s++) {
      struct spirv_block *to = block->succs[s];
      if (to->step_of == block)
         continue;
      struct ir_instr *instr = ir_if(&t->b, ir_alu2(&t->b, IR_ieq, step, spirv_u32(t, to->order)));
      emit_arm(t, instr, 0, SPIRV_FRAME_IF_ALONE, block, to);
      leave_empty(t, instr->imm.cf.regions[1]);
   }
   for (uint32_t i = 0; i < block->num_children; i++) {
      if (block->children[i]->step_of == block)
         emit_step(t, block, block->children[i]);
   }
}

/* Cases side by side, which all other lanes pass by at once. Returns which lanes enter one of them or are among `others` (may be NULL). */
static struct ir_instr *emit_group(struct spirv_ctx *t, struct spirv_block *block, struct spirv_block *const *cases, struct ir_instr *const *conditions,
                                   uint32_t count, struct ir_instr *others)
{
   struct ir_instr *any = conditions[0];
   for (uint32_t i = 1; i < count; i++)
      any = ir_alu2(&t->b, IR_ior, any, conditions[i]);
   struct ir_instr *all = others ? ir_alu2(&t->b, IR_ior, others, any) : any, *group = ir_if(&t->b, any);
   struct spirv_frame frame = {.class = SPIRV_FRAME_IF, .instr = group};
   push_frame(t, &frame);
   set_region(t, group->imm.cf.regions[0]);
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *instr = ir_if(&t->b, conditions[i]);
      emit_arm(t, instr, 0, SPIRV_FRAME_IF, block, cases[i]);
      leave_empty(t, instr->imm.cf.regions[1]);
   }
   end_region(t);
   pop_frame(t, &frame);
   leave_empty(t, group->imm.cf.regions[1]);
   return all;
}

/* Not nested as else-ifs would be, and without breaks: the time that both take to compile would grow with the square of the cases. */
static void emit_large_switch(struct spirv_ctx *t, struct spirv_block *block, struct ir_instr *selector, struct spirv_block *otherwise)
{
   struct ir_instr *any = NULL;
   for (uint32_t s = 0; s < block->num_succs;) {
      struct spirv_block *cases[MAX_IF_CHAIN];
      struct ir_instr *conditions[MAX_IF_CHAIN];
      uint32_t count = 0;
      for (; s < block->num_succs && count < MAX_IF_CHAIN; s++) {
         if (block->succs[s] == otherwise)
            continue;
         cases[count] = block->succs[s];
         conditions[count++] = case_condition(t, &block->terminator, selector, block->succs[s]);
      }
      any = count ? emit_group(t, block, cases, conditions, count, any) : any;
   }
   struct ir_instr *instr = ir_if(&t->b, any);
   leave_empty(t, instr->imm.cf.regions[0]);
   emit_arm(t, instr, 1, SPIRV_FRAME_IF, block, otherwise);
}

static void emit_switch(struct spirv_ctx *t, struct spirv_block *block)
{
   const struct spirv_instr *in = &block->terminator;
   struct ir_instr *selector = spirv_scalar(t, spirv_word(t, in, 1));
   struct spirv_block *otherwise = target_block(t, spirv_word(t, in, 2));
   const uint32_t literal_words = spirv_switch_literal_words(t, in);
   if (literal_words != (selector->bit_size == 64 ? 2u : 1u))
      spirv_fail(t, "OpSwitch: the selector's width changed");
   if (block->has_steps) {
      emit_steps(t, block, selector, otherwise);
      return;
   }
   if (follow_known(t, block, selector))
      return;
   if (block->num_succs > MAX_IF_CHAIN) {
      emit_large_switch(t, block, selector, otherwise);
      return;
   }

   struct spirv_frame frames[MAX_IF_CHAIN]; /* what is left goes on in the else arm */
   uint32_t num_frames = 0;
   for (uint32_t s = 0; s < block->num_succs; s++) {
      struct spirv_block *to = block->succs[s];
      if (to == otherwise)
         continue;
      struct ir_instr *instr = ir_if(&t->b, case_condition(t, in, selector, to));
      emit_arm(t, instr, 0, SPIRV_FRAME_IF, block, to);
      struct spirv_frame *frame = &frames[num_frames++];
      *frame = (struct spirv_frame){.class = SPIRV_FRAME_IF, .instr = instr};
      push_frame(t, frame);
      set_region(t, instr->imm.cf.regions[1]);
   }
   follow_edge(t, block, otherwise);
   while (num_frames) {
      end_region(t);
      pop_frame(t, &frames[--num_frames]);
   }
}

static void emit_return(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op == SpvOpReturnValue) {
      struct spirv_frame *frame = function_frame(t);
      struct spirv_val *val = spirv_value(t, spirv_word(t, in, 1));
      if (frame->return_value)
         spirv_store(t, frame->return_value, val);
      else
         frame->returned = val;
   }
   jump(t, &function_end);
}

/* The invocation is over: it lives on as a helper outside of everything. */
static void emit_kill(struct spirv_ctx *t)
{
   spirv_require_fragment(t);
   struct ir_instr *always = ir_const(&t->b, 1, 1);
   ir_emit(&t->b, IR_demote, 0, 0, 1, &always);
   t->entry_breaks++;
   ir_jump(&t->b, IR_break, t->entry, 0, NULL);
}

/* The message is handed over, and the invocation is over. */
static void emit_abort(struct spirv_ctx *t, const struct spirv_instr *in)
{
   spirv_abort(t, in);
   if (t->desc->stage == ABI_STAGE_FRAGMENT) {
      emit_kill(t);
      return;
   }
   t->entry_breaks++;
   ir_jump(&t->b, IR_break, t->entry, 0, NULL);
}

static void emit_verdict(struct spirv_ctx *t, const struct spirv_instr *in)
{
   spirv_store_verdict(t, in);
   t->entry_breaks++;
   ir_jump(&t->b, IR_break, t->entry, 0, NULL);
}

static void emit_terminator(struct spirv_ctx *t, struct spirv_block *block)
{
   const struct spirv_instr *in = &block->terminator;
   if (block->is_decided) {
      follow_edge(t, block, block->succs[0]);
      return;
   }
   switch (in->op) {
   case SpvOpBranch: follow_edge(t, block, target_block(t, spirv_word(t, in, 1))); break;
   case SpvOpBranchConditional: emit_conditional(t, block); break;
   case SpvOpSwitch: emit_switch(t, block); break;
   case SpvOpKill:
   case SpvOpTerminateInvocation: emit_kill(t); break;
   case SpvOpEmitMeshTasksEXT:
      spirv_emit_mesh_tasks(t, in);
      t->entry_breaks++;
      ir_jump(&t->b, IR_break, t->entry, 0, NULL);
      break;
   case SpvOpIgnoreIntersectionKHR:
   case SpvOpTerminateRayKHR: emit_verdict(t, in); break;
   case UTIL_SPV_OP_ABORT: emit_abort(t, in); break;
   case SpvOpUnreachable: /* any end will do; this one cannot loop for ever */
   case SpvOpReturn:
   case SpvOpReturnValue: emit_return(t, in); break;
   default: spirv_fail(t, "%s is not supported", spirv_op_name(in->op));
   }
}

/* ---- blocks ---- */

/* Reports of hangs name the loop by the line of its OpLoopMerge. */
static void locate_loop(struct spirv_ctx *t, const struct spirv_block *header)
{
   for (struct spirv_frame *frame = t->frames; frame; frame = frame->parent) {
      if (frame->class == SPIRV_FRAME_LOOP && frame->header == header) {
         frame->instr->line = t->b.line;
         return;
      }
   }
}

static void emit_instructions(struct spirv_ctx *t, struct spirv_block *block)
{
   load_phis(t, block);
   size_t offset = block->first;
   for (;;) {
      const struct spirv_instr in = spirv_instr_at(t, offset);
      if (in.words == block->terminator.words)
         return;
      switch (in.op) {
      case SpvOpPhi:
      case SpvOpSelectionMerge:
         break;
      case SpvOpLoopMerge:
         locate_loop(t, block);
         break;
      case SpvOpFunctionCall:
         spirv_call(t, &in);
         break;
      default:
         spirv_instruction(t, &in);
      }
      offset += in.count;
   }
}

/* The children that stand behind the block's code, without those that a loop puts itself. */
static uint32_t children_behind(struct spirv_ctx *t, const struct spirv_block *block, const struct spirv_block *except1,
                                const struct spirv_block *except2, struct spirv_block ***list)
{
   uint32_t count = 0;
   *list = UTIL_ARENA_ARRAY(t->arena, struct spirv_block *, block->num_children + 1);
   for (uint32_t i = 0; i < block->num_children; i++) {
      struct spirv_block *child = block->children[i];
      if (child->is_target && !child->step_of && child != except1 && child != except2)
         (*list)[count++] = child;
   }
   return count;
}

/* True if the block ends in a plain branch to a block that stands right behind it. */
static struct spirv_block *straight_successor(struct spirv_ctx *t, struct spirv_block *block)
{
   if (block->terminator.op != SpvOpBranch && !block->is_decided)
      return NULL;
   struct spirv_block *to = block->succs[0];
   return to->idom == block && !to->is_target && to->order > block->order ? to : NULL;
}

/* The block's own code, enclosed so that each of `behind` follows it. With `leave_last` the block that comes last is
 * not emitted but returned, so that long sequences do not nest. */
static struct spirv_block *emit_enclosed(struct spirv_ctx *t, struct spirv_block *block, struct spirv_block **behind,
                                         uint32_t count, bool leave_last)
{
   struct spirv_frame *frames = UTIL_ARENA_ARRAY(t->arena, struct spirv_frame, count + 1);
   for (uint32_t i = count; i-- > 0;)
      open_block(t, &frames[i], behind[i]);
   emit_instructions(t, block);
   struct spirv_block *next = count == 0 && leave_last ? straight_successor(t, block) : NULL;
   if (next) {
      store_phis(t, block, next);
      return next;
   }
   emit_terminator(t, block);
   for (uint32_t i = 0; i < count; i++) {
      close_block(t, &frames[i]);
      if (i + 1 == count && leave_last)
         return behind[i];
      emit_tree(t, behind[i]);
   }
   return NULL;
}

/* Returns the merge block where its code is to follow the loop. */
static struct spirv_block *emit_loop(struct spirv_ctx *t, struct spirv_block *header)
{
   struct spirv_block *merge = header->merge ? target_block(t, header->merge) : NULL;
   struct spirv_block *cont = target_block(t, header->continue_target);
   struct spirv_block **behind;
   if (merge && (!merge->is_reachable || merge->idom != header))
      merge = NULL;
   if (!cont->is_reachable || (cont != header && cont->idom != header))
      spirv_fail(t, "the continue target of the loop at block %u is not in the loop", header->id);
   const uint32_t count = children_behind(t, header, merge, cont, &behind);

   struct spirv_frame frame = {.class = SPIRV_FRAME_LOOP, .follow = merge, .header = header, .cont = cont};
   push_frame(t, &frame);
   frame.instr = ir_loop(&t->b, 0, NULL);
   set_region(t, frame.instr->imm.cf.regions[0]);
   emit_enclosed(t, header, behind, count, false);
   if (is_open(t))
      ir_jump(&t->b, IR_continue, frame.instr, 0, NULL);

   frame.class = SPIRV_FRAME_CONT;
   set_region(t, frame.instr->imm.cf.regions[1]);
   if (cont != header) {
      struct spirv_frame back_edge;
      open_block(t, &back_edge, header);
      emit_tree(t, cont);
      close_block(t, &back_edge);
   }
   end_region(t);
   pop_frame(t, &frame);
   return merge;
}

/* The block and all that it dominates. */
static void emit_tree(struct spirv_ctx *t, struct spirv_block *block)
{
   enter(t);
   while (block) {
      if (block->is_loop) {
         block = emit_loop(t, block);
      } else {
         struct spirv_block **behind;
         const uint32_t count = children_behind(t, block, NULL, NULL, &behind);
         block = emit_enclosed(t, block, behind, count, true);
      }
   }
   t->depth--;
}

/* ---- functions ---- */

/* Calls may double with each function that calls: the sums per function are found once, whoever calls it. */
static uint32_t inlined_size(struct spirv_ctx *t, struct spirv_function *function)
{
   if (function->inlined_size)
      return function->inlined_size;
   if (function->is_active)
      spirv_fail(t, "function %u calls itself", function->id);
   enter(t);
   function->is_active = true;
   const uint32_t own = UTIL_MIN(function->num_instructions + 1, SPIRV_MAX_INSTRUCTIONS + 1u);
   uint32_t inlined = own, emitted = own;
   for (const struct spirv_call_site *call = function->calls; call; call = call->next) {
      const struct spirv_id *callee = spirv_id(t, call->callee);
      if (callee->class != SPIRV_ID_FUNCTION)
         continue;
      inlined = UTIL_MIN(inlined + inlined_size(t, callee->function), SPIRV_MAX_INSTRUCTIONS + 1u);
      emitted = UTIL_MIN(emitted + (spirv_may_be_routine(t, callee->function) ? 0 : callee->function->emitted_size), SPIRV_MAX_INSTRUCTIONS + 1u);
   }
   function->is_active = false;
   t->depth--;
   function->inlined_size = inlined;
   function->emitted_size = emitted;
   return inlined;
}

static void check_emitted(struct spirv_ctx *t, uint32_t count)
{
   if (count > SPIRV_MAX_INSTRUCTIONS)
      spirv_fail(t, "the shader has more than %u instructions after inlining", SPIRV_MAX_INSTRUCTIONS);
}

void spirv_check_inlined_size(struct spirv_ctx *t, struct spirv_function *function)
{
   t->inlined_size = inlined_size(t, function);
   check_emitted(t, function->emitted_size);
}

struct spirv_val *spirv_emit_function(struct spirv_ctx *t, struct spirv_function *function)
{
   if (function->is_active)
      spirv_fail(t, "function %u calls itself", function->id);
   enter(t);
   spirv_analyze_function(t, function);
   function->is_active = true;
   for (uint32_t i = 0; i < function->num_sorted; i++)
      make_phis(t, function->sorted[i]);

   struct spirv_frame frame = {.class = SPIRV_FRAME_FUNCTION};
   struct spirv_pointer return_value;
   if (function->num_returns > 1) {
      return_value = spirv_temp_pointer(t, function->return_type, "return");
      frame.return_value = &return_value;
   }
   push_frame(t, &frame);
   frame.instr = ir_block(&t->b);
   if (!t->entry) { /* the entry point: what the prologue emits stands before it */
      t->entry = frame.instr;
      t->prologue = ir_builder_before(t->shader, frame.instr);
   }
   set_region(t, frame.instr->imm.cf.regions[0]);
   emit_tree(t, function->sorted[0]);
   end_region(t);
   pop_frame(t, &frame);
   function->is_active = false;
   t->depth--;

   struct spirv_val *returned = frame.returned;
   if (frame.return_value)
      returned = spirv_load(t, frame.return_value);
   if (t->entry == frame.instr)
      t->entry_breaks += frame.num_breaks; /* still the prologue's position */
   else if (!frame.num_breaks && ir_terminator(frame.instr->imm.cf.regions[0])->op == IR_yield)
      dissolve_block(frame.instr);
   if (!returned && function->return_type->class != SPIRV_TYPE_VOID)
      returned = spirv_new_simple(t, function->return_type, SPIRV_VAL_UNDEF);
   return returned;
}

void spirv_finish_entry(struct spirv_ctx *t)
{
   const struct ir_instr *end = ir_terminator(t->entry->imm.cf.regions[0]);
   if (!t->entry_breaks && end->op == IR_yield)
      dissolve_block(t->entry);
}

static struct spirv_function *find_function(struct spirv_ctx *t, uint32_t id)
{
   struct spirv_id *callee = spirv_id(t, id);
   if (callee->class != SPIRV_ID_FUNCTION)
      spirv_fail(t, "id %u is not a function", id);
   return callee->function;
}

void spirv_check_calls(struct spirv_ctx *t, uint32_t function_id, uint32_t times)
{
   if ((uint64_t)inlined_size(t, find_function(t, function_id)) * times > SPIRV_MAX_INSTRUCTIONS)
      spirv_fail(t, "function %u is called for too many elements", function_id);
}

struct spirv_val *spirv_call_with(struct spirv_ctx *t, uint32_t function_id, uint32_t num_args, struct spirv_val *const *args)
{
   struct spirv_function *function = find_function(t, function_id);
   if (num_args != function->num_params || function->num_param_ids != function->num_params)
      spirv_fail(t, "call of function %u with %u arguments", function->id, num_args);
   struct spirv_val *returned;
   const uint32_t line = t->b.line;
   const uint8_t fp = t->b.fp;
   if (!spirv_call_routine(t, function, args, spirv_emit_function, &returned)) {
      if (t->inlined_size > SPIRV_MAX_INSTRUCTIONS && spirv_may_be_routine(t, function)) { /* which was not expected */
         t->num_not_called = UTIL_MIN(t->num_not_called + function->emitted_size, SPIRV_MAX_INSTRUCTIONS + 1u);
         check_emitted(t, t->num_not_called);
      }
      for (uint32_t i = 0; i < function->num_params; i++)
         spirv_set_value(t, function->params[i], args[i]);
      returned = spirv_emit_function(t, function);
   }
   t->b.line = line;
   t->b.fp = fp;
   return returned;
}

bool spirv_call(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t function = spirv_word(t, in, 3), num_args = in->count - 4;
   struct spirv_val **args = UTIL_ARENA_ARRAY(t->arena, struct spirv_val *, num_args + 1);
   for (uint32_t i = 0; i < num_args; i++)
      args[i] = spirv_value(t, in->words[4 + i]);
   struct spirv_val *returned = spirv_call_with(t, function, num_args, args);
   if (returned)
      spirv_set_value(t, spirv_word(t, in, 2), returned);
   return true;
}
