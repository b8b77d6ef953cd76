/* SPDX-License-Identifier: MIT
 * Large functions. Several of LLVM's passes take time that grows with the square of a function or block: the combiner and the scheduler of a block's
 * instructions, the coalescer and allocator of registers. So large blocks are cut, and above a size the function goes to a quick machine, which does
 * without the last two: the time is in proportion to the function. */
#include "compiler/llvm/cg.h"

enum {
   MAX_OPTIMISED_INSTRS = 48000, /* of LLVM's, in a function */
   MAX_BLOCK_INSTRS = 1024,
   PART_INSTRS = 512,
   CALL_INSTRS = 8, /* what a call of a routine costs: no register of vectors outlives it, so that the allocator splits the life of all that do */
   LEAST_INSTRS = 2000, /* below, no lives of values can be too many */
   LIVES_PER_INSTR = 32,
   DEEP_BLOCK_INSTRS = 20, /* what a block costs more for each construct around it beyond CG_USUAL_DEPTH */
};

static uint32_t count_instrs(LLVMBasicBlockRef block)
{
   uint32_t count = 0;
   for (LLVMValueRef it = LLVMGetFirstInstruction(block); it; it = LLVMGetNextInstruction(it))
      count++;
   return count;
}

/* How many instructions the first part has: the allocas of the function's entry stay there, and so do a block's phis. */
static uint32_t first_part(LLVMBasicBlockRef block)
{
   uint32_t index = 0, part = PART_INSTRS;
   for (LLVMValueRef it = LLVMGetFirstInstruction(block); it; it = LLVMGetNextInstruction(it)) {
      index++;
      if (LLVMIsAAllocaInst(it) || LLVMIsAPHINode(it))
         part = UTIL_MAX(part, index);
   }
   return part;
}

/* Whatever branches to `from` goes to `to`. Only terminators use a block; phis name it without being its users. */
static void redirect(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
   LLVMUseRef use;
   while ((use = LLVMGetFirstUse(LLVMBasicBlockAsValue(from)))) {
      LLVMValueRef terminator = LLVMGetUser(use);
      for (uint32_t i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
         if (LLVMGetSuccessor(terminator, i) == from)
            LLVMSetSuccessor(terminator, i, to);
      }
   }
}

/* A block whose address is taken is joined with the one before it by no pass. The constant is nobody's operand. */
static void keep_apart(struct cg *cg, LLVMBasicBlockRef block)
{
   (void)LLVMBlockAddress(cg->fn, block);
}

/* Takes parts off the block's start, so that the phis of its successors still name the block that leads to them. */
static void split_block(struct cg *cg, LLVMBasicBlockRef block, uint32_t count)
{
   uint32_t part = first_part(block);
   bool is_cut = false;
   while (count > MAX_BLOCK_INSTRS && part < count) {
      LLVMBasicBlockRef before = LLVMInsertBasicBlockInContext(cg->context, block, "part");
      redirect(block, before);
      cg_enter(cg, before);
      for (uint32_t i = 0; i < part; i++) {
         LLVMValueRef instr = LLVMGetFirstInstruction(block);
         LLVMInstructionRemoveFromParent(instr);
         LLVMInsertIntoBuilder(cg->b, instr);
      }
      cg_branch(cg, block);
      if (is_cut)
         keep_apart(cg, before);
      is_cut = true;
      count -= part;
      part = PART_INSTRS;
   }
   if (is_cut)
      keep_apart(cg, block);
}

void cg_split_blocks(struct cg *cg)
{
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(cg->fn); block; block = LLVMGetNextBasicBlock(block)) {
      const uint32_t count = count_instrs(block);
      if (count > MAX_BLOCK_INSTRS)
         split_block(cg, block, count);
   }
}

/* ---- how large a function is ---- */

/* The values of a function that live beyond their block, by the order of blocks. */
struct lives {
   struct ir_map blocks; /* their indices, from 1 on */
   int32_t *changes;     /* at each block: how many begin to live there, less those that have ended */
   uint32_t num_blocks;
};

static uint32_t block_index(const struct lives *lives, LLVMBasicBlockRef block)
{
   return (uint32_t)(uintptr_t)ir_map_find(&lives->blocks, (uintptr_t)block);
}

static void add_life(struct lives *lives, LLVMValueRef value, uint32_t block)
{
   uint32_t last = block;
   for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      last = UTIL_MAX(last, block_index(lives, LLVMGetInstructionParent(LLVMGetUser(use))));
   lives->changes[block]++;
   lives->changes[last]--; /* nothing, if it lives in its block alone */
}

/* The allocator of registers looks at each block that a value lives through, and where many live at once at each for each. */
static uint64_t lives_cost(struct cg *cg)
{
   struct lives lives = {.blocks.arena = cg->arena};
   uint32_t index = 0, live = 0, max_live = 0;
   uint64_t through = 0;
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(cg->fn); block; block = LLVMGetNextBasicBlock(block))
      ir_map_add(&lives.blocks, (uintptr_t)block, (void *)(uintptr_t)++lives.num_blocks);
   lives.changes = UTIL_ARENA_ARRAY(cg->arena, int32_t, lives.num_blocks + 1);
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(cg->fn); block; block = LLVMGetNextBasicBlock(block)) {
      index++;
      for (LLVMValueRef it = LLVMGetFirstInstruction(block); it; it = LLVMGetNextInstruction(it))
         add_life(&lives, it, index);
   }
   for (uint32_t i = 1; i <= lives.num_blocks; i++) {
      live += (uint32_t)lives.changes[i];
      max_live = UTIL_MAX(max_live, live);
      through += live;
   }
   return (through + (uint64_t)max_live * max_live) / LIVES_PER_INSTR;
}

/* What phis take counts too: each is a copy, and an end of a value's life. So does the depth of constructs in constructs, and what lives beyond blocks. */
bool cg_is_large(struct cg *cg)
{
   uint64_t total = cg->deep_blocks * DEEP_BLOCK_INSTRS + (uint64_t)cg->num_calls * CALL_INSTRS;
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(cg->fn); block; block = LLVMGetNextBasicBlock(block)) {
      total += count_instrs(block);
      for (LLVMValueRef it = LLVMGetFirstInstruction(block); it && LLVMIsAPHINode(it); it = LLVMGetNextInstruction(it))
         total += LLVMCountIncoming(it);
   }
   if (total > LEAST_INSTRS)
      total += lives_cost(cg);
   return total > MAX_OPTIMISED_INSTRS;
}
