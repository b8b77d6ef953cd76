/* SPDX-License-Identifier: MIT
 * Large functions in parts, so that their code is made by several threads. A part is a function of blocks that stand one behind another; the first ones stay in
 * the function itself. A branch to a block of another part returns to the function with that block's number, and the function calls the part that has
 * it, until a block of its own is next. Values that are used after their part was left stand in memory, in cells of the function's frame. */
#include "compiler/llvm/cg.h"

enum {
   MAX_PARTS = 8, /* of a function */
   CELL_ALIGN = 64, /* of the largest: more than that no vector needs */
   PART_SHIFT = 24, /* a number's high bits: the part; the others: the block, from 1 on */
   RETURNED = 0,
};

struct part {
   LLVMValueRef fn;
   LLVMValueRef cells; /* ptr */
   struct cg_dominators *dominators;
   LLVMValueRef which; /* a switch by numbers: to blocks that other parts branch to */
};

/* A block that other parts branch to. */
struct target {
   LLVMBasicBlockRef enter; /* in front of it: where its part goes on for others */
   uint32_t number;
};

/* Where a value stands for blocks that do not have it at hand. */
struct cell {
   uint64_t offset;
   uint32_t align;
   LLVMBasicBlockRef loaded_in; /* the last block that needed it ... */
   LLVMValueRef loaded;         /* ... and what is loaded there */
   LLVMBasicBlockRef loaded_at_end_of; /* the same for phis */
   LLVMValueRef loaded_there;
};

struct cut {
   struct cg *cg;
   LLVMValueRef fn;
   LLVMTargetDataRef layout;
   LLVMBasicBlockRef *blocks; /* as they stand in the function */
   uint32_t num_blocks, num_parts, num_targets;
   struct part parts[MAX_PARTS];
   struct ir_map part_of; /* blocks to struct part, until they have moved */
   struct ir_map index;   /* blocks to their index, from 1 on */
   struct ir_map targets; /* blocks to struct target */
   struct ir_map stubs;   /* indices of two blocks to the one that leads from the first to the second, in the first one's part */
   struct ir_map cells;   /* values to struct cell */
   struct cell *result;   /* what the function returns; NULL: nothing, or all returns are in the first part */
   uint64_t cell_bytes;
   LLVMBasicBlockRef next;   /* of the function: goes on in the part that is next */
   LLVMValueRef next_number; /* its phi */
   LLVMValueRef dispatch;    /* its switch by parts */
};

static uint32_t index_of(const struct cut *cut, LLVMBasicBlockRef block)
{
   return (uint32_t)(uintptr_t)ir_map_find(&cut->index, (uintptr_t)block) - 1;
}

static struct part *part_of(const struct cut *cut, LLVMBasicBlockRef block)
{
   return ir_map_find(&cut->part_of, (uintptr_t)block);
}

/* ---- where to cut ---- */

/* For each border between blocks, the number of branches that pass it. */
static uint32_t *count_passing(const struct cut *cut)
{
   uint32_t *changes = UTIL_ARENA_ARRAY(cut->cg->arena, uint32_t, cut->num_blocks + 1);
   for (uint32_t i = 0; i < cut->num_blocks; i++) {
      LLVMValueRef terminator = LLVMGetBasicBlockTerminator(cut->blocks[i]);
      for (uint32_t s = 0; s < LLVMGetNumSuccessors(terminator); s++) {
         const uint32_t to = index_of(cut, LLVMGetSuccessor(terminator, s));
         changes[UTIL_MIN(i, to) + 1]++;
         changes[UTIL_MAX(i, to) + 1]--;
      }
   }
   for (uint32_t i = 1; i <= cut->num_blocks; i++)
      changes[i] += changes[i - 1];
   return changes;
}

/* The first block of the next part: of those within `slack` of instruction `end` the one that the fewest branches lead past, which is outside of loops if
 * one is. */
static uint32_t choose_border(const struct cut *cut, const uint64_t *before, const uint32_t *passing, uint32_t first, uint64_t end, uint64_t slack)
{
   uint32_t i = first + 1;
   while (i < cut->num_blocks && before[i] + slack < end)
      i++;
   uint32_t border = i;
   for (; i < cut->num_blocks && before[i] <= end + slack; i++) {
      if (passing[i] < passing[border])
         border = i;
   }
   return border;
}

/* Up to `num_parts` of about equal size. */
static void choose_parts(struct cut *cut, uint64_t total_instrs, uint32_t num_parts)
{
   const uint32_t *const passing = count_passing(cut);
   uint64_t *const before = UTIL_ARENA_ARRAY(cut->cg->arena, uint64_t, cut->num_blocks + 1); /* each block: instructions */
   for (uint32_t i = 0; i < cut->num_blocks; i++)
      before[i + 1] = before[i] + cg_count_instrs(cut->cg, cut->blocks[i]);
   for (uint32_t i = 0; i < cut->num_blocks;) {
      struct part *part = &cut->parts[cut->num_parts++];
      const uint64_t end = total_instrs * cut->num_parts / num_parts;
      uint32_t border = cut->num_blocks;
      if (cut->num_parts < num_parts)
         border = choose_border(cut, before, passing, i, end, total_instrs / num_parts / 4);
      while (i < border)
         ir_map_add(&cut->part_of, (uintptr_t)cut->blocks[i++], part);
   }
}

/* ---- parts and what leads from one to another ---- */

static uint32_t part_number(const struct cut *cut, const struct part *part)
{
   return (uint32_t)(part - cut->parts);
}

/* In block `start`, where the part goes on. */
static void make_which(struct cut *cut, struct part *part, LLVMBasicBlockRef start, LLVMValueRef number)
{
   struct cg *cg = cut->cg;
   LLVMBasicBlockRef nowhere = LLVMAppendBasicBlockInContext(cg->context, part->fn, "nowhere");
   cg_enter(cg, nowhere);
   LLVMBuildUnreachable(cg->b);
   cg_enter(cg, start);
   part->which = LLVMBuildSwitch(cg->b, number, nowhere, 16);
}

/* Of the function: calls the part that has the next block, unless it is one of its own. */
static void make_dispatch(struct cut *cut)
{
   struct cg *cg = cut->cg;
   struct part *first = cut->parts;
   first->fn = cut->fn;
   LLVMPositionBuilderBefore(cg->b, LLVMGetFirstInstruction(cut->blocks[0]));
   first->cells = LLVMBuildAlloca(cg->b, cg->i8, "cells"); /* its size is known at the end */
   cut->next = LLVMAppendBasicBlockInContext(cg->context, cut->fn, "next");
   LLVMBasicBlockRef own = LLVMAppendBasicBlockInContext(cg->context, cut->fn, "which");
   cg_enter(cg, cut->next);
   cut->next_number = LLVMBuildPhi(cg->b, cg->i32, "next");
   cut->dispatch = LLVMBuildSwitch(cg->b, LLVMBuildLShr(cg->b, cut->next_number, cg_i32(cg, PART_SHIFT), ""), own, MAX_PARTS);
   make_which(cut, first, own, cut->next_number);
}

static void make_part(struct cut *cut, struct part *part)
{
   struct cg *cg = cut->cg;
   LLVMTypeRef params[2] = {cg->ptr, cg->i32};
   LLVMTypeRef type = LLVMFunctionType(cg->i32, params, 2, false);
   part->fn = cg_add_own_function(cg, "part", type);
   part->cells = LLVMGetParam(part->fn, 0);
   make_which(cut, part, LLVMAppendBasicBlockInContext(cg->context, part->fn, "which"), LLVMGetParam(part->fn, 1));

   LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(cg->context, cut->fn, "call");
   cg_enter(cg, call);
   LLVMValueRef args[2] = {cut->parts[0].cells, cut->next_number};
   LLVMValueRef number = LLVMBuildCall2(cg->b, type, part->fn, args, 2, "");
   cg_branch(cg, cut->next);
   LLVMAddIncoming(cut->next_number, &number, &call, 1);
   LLVMAddCase(cut->dispatch, cg_i32(cg, part_number(cut, part)), call);
}

static void make_parts(struct cut *cut)
{
   make_dispatch(cut);
   for (uint32_t p = 1; p < cut->num_parts; p++)
      make_part(cut, &cut->parts[p]);
   for (uint32_t p = 0; p < cut->num_parts; p++)
      cg_limit_stack(cut->cg, cut->parts[p].fn, 2); /* the function's frame and that of one part */
   for (uint32_t i = 0; i < cut->num_blocks; i++) {
      const struct part *part = part_of(cut, cut->blocks[i]);
      if (part != cut->parts) {
         LLVMRemoveBasicBlockFromParent(cut->blocks[i]);
         LLVMAppendExistingBasicBlock(part->fn, cut->blocks[i]);
      }
   }
}

static struct target *target_of(struct cut *cut, LLVMBasicBlockRef block)
{
   struct cg *cg = cut->cg;
   struct target *target = ir_map_find(&cut->targets, (uintptr_t)block);
   if (target)
      return target;
   const struct part *part = part_of(cut, block);
   target = UTIL_ARENA_NEW(cg->arena, struct target);
   target->number = part_number(cut, part) << PART_SHIFT | ++cut->num_targets;
   target->enter = LLVMAppendBasicBlockInContext(cg->context, part->fn, "enter");
   cg_enter(cg, target->enter);
   cg_branch(cg, block);
   LLVMAddCase(part->which, cg_i32(cg, target->number), target->enter);
   ir_map_add(&cut->targets, (uintptr_t)block, target);
   return target;
}

static void leave_for(struct cut *cut, const struct part *part, uint32_t number)
{
   struct cg *cg = cut->cg;
   LLVMValueRef value = cg_i32(cg, number);
   if (part != cut->parts) {
      LLVMBuildRet(cg->b, value);
   } else {
      LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
      cg_branch(cg, cut->next);
      LLVMAddIncoming(cut->next_number, &value, &here, 1);
   }
}

/* The block that leads from one to one of another part. */
static LLVMBasicBlockRef stub_of(struct cut *cut, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
   const uint64_t key = (uint64_t)index_of(cut, from) << 32 | index_of(cut, to);
   LLVMBasicBlockRef stub = ir_map_find(&cut->stubs, key);
   if (stub)
      return stub;
   const struct part *part = part_of(cut, from);
   const uint32_t number = target_of(cut, to)->number;
   stub = LLVMAppendBasicBlockInContext(cut->cg->context, part->fn, "leave");
   cg_enter(cut->cg, stub);
   leave_for(cut, part, number);
   ir_map_add(&cut->stubs, key, stub);
   return stub;
}

static void cut_branches(struct cut *cut)
{
   for (uint32_t i = 0; i < cut->num_blocks; i++) {
      LLVMValueRef terminator = LLVMGetBasicBlockTerminator(cut->blocks[i]);
      for (uint32_t s = 0; s < LLVMGetNumSuccessors(terminator); s++) {
         LLVMBasicBlockRef to = LLVMGetSuccessor(terminator, s);
         if (part_of(cut, to) != part_of(cut, cut->blocks[i]))
            LLVMSetSuccessor(terminator, s, stub_of(cut, cut->blocks[i], to));
      }
   }
}

/* ---- cells ---- */

static struct cell *new_cell(struct cut *cut, LLVMTypeRef type)
{
   struct cell *cell = UTIL_ARENA_NEW(cut->cg->arena, struct cell);
   const uint64_t bytes = LLVMABISizeOfType(cut->layout, type);
   cell->align = 1;
   while (cell->align < bytes && cell->align < CELL_ALIGN)
      cell->align *= 2;
   cell->offset = util_align(cut->cell_bytes, cell->align);
   cut->cell_bytes = cell->offset + bytes;
   return cell;
}

static void store_cell(struct cut *cut, const struct part *part, const struct cell *cell, LLVMValueRef value)
{
   cg_store(cut->cg, value, cg_gep_const(cut->cg, part->cells, cell->offset), cell->align);
}

static LLVMValueRef load_cell(struct cut *cut, const struct part *part, const struct cell *cell, LLVMTypeRef type)
{
   return cg_load(cut->cg, type, cg_gep_const(cut->cg, part->cells, cell->offset), cell->align);
}

/* What other parts return is stored, and the function returns it. */
static void cut_returns(struct cut *cut)
{
   struct cg *cg = cut->cg;
   LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(cut->fn));
   const bool is_void = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
   LLVMBasicBlockRef returned = NULL;
   for (uint32_t i = 0; i < cut->num_blocks; i++) {
      const struct part *part = part_of(cut, cut->blocks[i]);
      LLVMValueRef terminator = LLVMGetBasicBlockTerminator(cut->blocks[i]);
      if (part == cut->parts || LLVMGetInstructionOpcode(terminator) != LLVMRet)
         continue;
      cg_enter(cg, cut->blocks[i]);
      if (!is_void) {
         cut->result = cut->result ? cut->result : new_cell(cut, type);
         store_cell(cut, part, cut->result, LLVMGetOperand(terminator, 0));
      }
      LLVMInstructionEraseFromParent(terminator);
      cg_enter(cg, cut->blocks[i]);
      LLVMBuildRet(cg->b, cg_i32(cg, RETURNED));
      if (returned)
         continue;
      returned = LLVMAppendBasicBlockInContext(cg->context, cut->fn, "returned");
      LLVMAddCase(cut->parts[0].which, cg_i32(cg, RETURNED), returned);
      cg_enter(cg, returned);
      if (is_void)
         LLVMBuildRetVoid(cg->b);
      else
         LLVMBuildRet(cg->b, load_cell(cut, cut->parts, cut->result, type));
   }
}

/* What a phi takes from other parts comes from one block, by a cell. */
static void cut_phi(struct cut *cut, LLVMValueRef phi, LLVMBasicBlockRef block, const struct target *target)
{
   struct cg *cg = cut->cg;
   const struct part *part = part_of(cut, block);
   LLVMTypeRef type = LLVMTypeOf(phi);
   const struct cell *cell = new_cell(cut, type);
   LLVMPositionBuilderBefore(cg->b, phi);
   LLVMValueRef joined = LLVMBuildPhi(cg->b, type, "");
   for (uint32_t i = 0; i < LLVMCountIncoming(phi); i++) {
      LLVMValueRef value = LLVMGetIncomingValue(phi, i);
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
      if (part_of(cut, from) == part) {
         LLVMAddIncoming(joined, &value, &from, 1);
      } else {
         LLVMPositionBuilderBefore(cg->b, LLVMGetBasicBlockTerminator(stub_of(cut, from, block)));
         store_cell(cut, part_of(cut, from), cell, value);
      }
   }
   LLVMPositionBuilderBefore(cg->b, LLVMGetBasicBlockTerminator(target->enter));
   LLVMValueRef loaded = load_cell(cut, part, cell, type);
   LLVMBasicBlockRef enter = target->enter;
   LLVMAddIncoming(joined, &loaded, &enter, 1);
   LLVMReplaceAllUsesWith(phi, joined);
   LLVMInstructionEraseFromParent(phi);
}

static void cut_phis(struct cut *cut)
{
   for (uint32_t i = 0; i < cut->num_blocks; i++) {
      const struct target *target = ir_map_find(&cut->targets, (uintptr_t)cut->blocks[i]);
      if (!target)
         continue;
      for (LLVMValueRef phi = LLVMGetFirstInstruction(cut->blocks[i]), next; LLVMIsAPHINode(phi); phi = next) {
         next = LLVMGetNextInstruction(phi);
         cut_phi(cut, phi, cut->blocks[i], target);
      }
   }
}

/* Whether a block of `part` has the value at hand: it is made on every path from where the part was called. */
static bool is_at_hand(const struct part *part, LLVMBasicBlockRef block, LLVMValueRef value)
{
   if (LLVMIsAArgument(value))
      return LLVMGetParamParent(value) == part->fn;
   LLVMBasicBlockRef from = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : block;
   return from == block || (LLVMGetBasicBlockParent(from) == part->fn && cg_dominates(part->dominators, from, block));
}

/* The value's cell, which it is stored to right where it is made. */
static struct cell *cell_of(struct cut *cut, LLVMValueRef value)
{
   struct cg *cg = cut->cg;
   const struct part *part = cut->parts;
   struct cell *cell = ir_map_find(&cut->cells, (uintptr_t)value);
   if (cell)
      return cell;
   cell = new_cell(cut, LLVMTypeOf(value));
   ir_map_add(&cut->cells, (uintptr_t)value, cell);
   LLVMValueRef below = part->cells;
   if (LLVMIsAInstruction(value)) {
      below = value;
      while (part->fn != LLVMGetBasicBlockParent(LLVMGetInstructionParent(value)))
         part++;
   }
   do
      below = LLVMGetNextInstruction(below);
   while (LLVMIsAPHINode(below));
   LLVMPositionBuilderBefore(cg->b, below);
   store_cell(cut, part, cell, value);
   return cell;
}

static void cut_operands(struct cut *cut, const struct part *part, LLVMBasicBlockRef block, LLVMValueRef instr)
{
   for (uint32_t i = 0; i < (uint32_t)LLVMGetNumOperands(instr); i++) {
      LLVMValueRef value = LLVMGetOperand(instr, i);
      if (is_at_hand(part, block, value))
         continue;
      struct cell *cell = cell_of(cut, value);
      if (cell->loaded_in != block) {
         LLVMPositionBuilderBefore(cut->cg->b, instr);
         cell->loaded = load_cell(cut, part, cell, LLVMTypeOf(value));
         cell->loaded_in = block;
      }
      LLVMSetOperand(instr, i, cell->loaded);
   }
}

/* A phi's values are needed at the ends of the blocks that they come from; one block may be named several times. */
static void cut_phi_operands(struct cut *cut, const struct part *part, LLVMValueRef phi)
{
   for (uint32_t i = 0; i < LLVMCountIncoming(phi); i++) {
      LLVMValueRef value = LLVMGetIncomingValue(phi, i);
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
      if (is_at_hand(part, from, value))
         continue;
      struct cell *cell = cell_of(cut, value);
      if (cell->loaded_at_end_of != from) {
         LLVMPositionBuilderBefore(cut->cg->b, LLVMGetBasicBlockTerminator(from));
         cell->loaded_there = load_cell(cut, part, cell, LLVMTypeOf(value));
         cell->loaded_at_end_of = from;
      }
      LLVMSetOperand(phi, i, cell->loaded_there); /* its operands are its values, in their order */
   }
}

static void cut_values(struct cut *cut, const struct part *part)
{
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(part->fn); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef it = LLVMGetFirstInstruction(block); it; it = LLVMGetNextInstruction(it)) {
         if (LLVMIsAPHINode(it))
            cut_phi_operands(cut, part, it);
         else
            cut_operands(cut, part, block, it);
      }
   }
}

static void allocate_cells(struct cut *cut)
{
   struct cg *cg = cut->cg;
   LLVMValueRef placeholder = cut->parts[0].cells;
   if (cut->cell_bytes > INT32_MAX)
      cg_fail(cg, "its values need more than 2 GiB of a thread's stack");
   LLVMPositionBuilderBefore(cg->b, placeholder);
   LLVMValueRef cells = LLVMBuildAlloca(cg->b, LLVMArrayType2(cg->i8, UTIL_MAX(cut->cell_bytes, 1)), "cells");
   LLVMSetAlignment(cells, CELL_ALIGN);
   LLVMReplaceAllUsesWith(placeholder, cells);
   LLVMInstructionEraseFromParent(placeholder);
}

static void cut_function(struct cg *cg, LLVMValueRef fn, uint64_t instrs, uint32_t num_parts)
{
   struct util_arena *arena = cg->arena;
   struct cut cut = {.cg = cg, .fn = fn, .layout = LLVMGetModuleDataLayout(cg->module), .num_blocks = LLVMCountBasicBlocks(fn),
                     .part_of.arena = arena, .index.arena = arena, .targets.arena = arena, .stubs.arena = arena, .cells.arena = arena};
   cut.blocks = UTIL_ARENA_ARRAY(arena, LLVMBasicBlockRef, cut.num_blocks);
   LLVMGetBasicBlocks(fn, cut.blocks);
   for (uint32_t i = 0; i < cut.num_blocks; i++)
      ir_map_add(&cut.index, (uintptr_t)cut.blocks[i], (void *)(uintptr_t)(i + 1));
   choose_parts(&cut, instrs, UTIL_MIN(num_parts, (uint32_t)MAX_PARTS));
   if (cut.num_parts == 1)
      return; /* of blocks that are too large */
   make_parts(&cut);
   cut_returns(&cut);
   cut_branches(&cut);
   cut_phis(&cut);
   for (uint32_t p = 0; p < cut.num_parts; p++)
      cut.parts[p].dominators = cg_find_dominators(cg, cut.parts[p].fn);
   for (uint32_t p = 0; p < cut.num_parts; p++)
      cut_values(&cut, &cut.parts[p]);
   allocate_cells(&cut);
}

void cg_cut_functions(struct cg *cg, uint64_t part_instrs)
{
   LLVMValueRef last = LLVMGetLastFunction(cg->module); /* parts come behind it */
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = fn == last ? NULL : LLVMGetNextFunction(fn)) {
      const uint64_t instrs = cg_function_instrs(cg, fn);
      const uint64_t num_parts = (instrs + part_instrs / 2) / part_instrs;
      if (num_parts > 1)
         cut_function(cg, fn, instrs, (uint32_t)UTIL_MIN(num_parts, (uint64_t)MAX_PARTS));
   }
}
