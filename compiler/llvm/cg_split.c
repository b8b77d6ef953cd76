/* SPDX-License-Identifier: MIT
 * Large functions. Several of LLVM's passes take time that grows with the square of a function or block: the combiner and the scheduler of a block's
 * instructions, the coalescer and allocator of registers. So large blocks are cut, and above a size the function goes to a quick machine, which does
 * without the last two: the time is in proportion to the function. */
#include "compiler/llvm/cg.h"

#include <string.h>

enum {
   MAX_OPTIMISED_INSTRS = 48000, /* of LLVM's, in a function */
   MAX_BLOCK_INSTRS = 1024,
   MAX_LARGE_BLOCK_INSTRS = 256, /* of a large function, whose values all stand in memory at the borders of blocks anyway */
   CALL_INSTRS = 8, /* what a call of a routine costs: no register of vectors outlives it, so that the allocator splits the life of all that do */
   MASK_INSTRS = 4, /* bits that become one a lane */
   NARROW_INSTRS = 4, /* lanes that become bytes or halves, and mostly were wider than the operation wanted */
   LEAST_INSTRS = 2000, /* below, no lives of values can be too many */
   MAX_OPTIMISED_LIVES = 3 << 20, /* blocks that values live through; takes the allocator as long as it takes LLVM for all of those instructions */
   MAX_LOOP_EDGES = 4, /* into a loop's head */
   DEEP_BLOCK_INSTRS = 20, /* what a block costs more for each construct around it beyond CG_USUAL_DEPTH */
};

/* ---- instructions ---- */

/* Of an integer, or of a vector's; 0: it is none. */
static uint32_t int_bits(LLVMTypeRef type)
{
   if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
      type = LLVMGetElementType(type);
   return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool is_of_64_bits(LLVMTypeRef type)
{
   return int_bits(type) == 64;
}

/* How many times the registers that 16 lanes of 32 bits take. */
static uint32_t relative_size(LLVMTypeRef type)
{
   const bool is_wide = is_of_64_bits(type) || LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMDoubleTypeKind;
   return UTIL_MAX(LLVMGetVectorSize(type) / 16, 1) * (is_wide ? 2 : 1);
}

/* Bits of vectors are counted by tables, or by halves of halves. */
static bool counts_bits(LLVMValueRef call)
{
   size_t length;
   const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
   return !strncmp(name, "llvm.ct", strlen("llvm.ct")) || !strncmp(name, "llvm.bitreverse", strlen("llvm.bitreverse"));
}

/* How many instructions LLVM makes of one, roughly: more than one of operations on vectors that the machine does not have. */
static uint32_t instr_weight(struct cg *cg, LLVMValueRef instr)
{
   LLVMTypeRef type = LLVMTypeOf(instr);
   if (cg->target.level >= UTIL_CPU_V4 || LLVMGetTypeKind(type) != LLVMVectorTypeKind)
      return 1;
   const uint32_t lanes = LLVMGetVectorSize(type);
   switch (LLVMGetInstructionOpcode(instr)) {
   case LLVMUIToFP: case LLVMSIToFP: return is_of_64_bits(LLVMTypeOf(LLVMGetOperand(instr, 0))) ? 8 * lanes : 1;
   case LLVMBitCast: return int_bits(type) == 1 ? MASK_INSTRS : 1;
   case LLVMTrunc: return int_bits(type) < 32 ? NARROW_INSTRS : 1;
   case LLVMFPToUI: case LLVMFPToSI: return is_of_64_bits(type) ? 8 * lanes : 1;
   case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem: return 4 * lanes;
   case LLVMMul: return is_of_64_bits(type) ? 2 * lanes : 1;
   case LLVMCall: return counts_bits(instr) ? 2 * lanes : 1;
   default: return relative_size(type);
   }
}

uint32_t cg_count_instrs(struct cg *cg, LLVMBasicBlockRef block)
{
   uint32_t count = 0;
   for (LLVMValueRef it = LLVMGetFirstInstruction(block); it; it = LLVMGetNextInstruction(it))
      count += instr_weight(cg, it);
   return count;
}

uint64_t cg_function_instrs(struct cg *cg, LLVMValueRef fn)
{
   uint64_t count = 0;
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(fn); block; block = LLVMGetNextBasicBlock(block))
      count += cg_count_instrs(cg, block);
   return count;
}

/* ---- cuts ---- */

/* How much the first part has: the allocas of the function's entry stay there, and so do a block's phis. */
static uint32_t first_part(struct cg *cg, LLVMBasicBlockRef block, uint32_t part)
{
   uint32_t count = 0;
   for (LLVMValueRef it = LLVMGetFirstInstruction(block); it; it = LLVMGetNextInstruction(it)) {
      count += instr_weight(cg, it);
      if (LLVMIsAAllocaInst(it) || LLVMIsAPHINode(it))
         part = UTIL_MAX(part, count);
   }
   return part;
}

/* A terminator that branches to the block; NULL: there is none more. Its address, once it is taken, uses it too; phis name it without being its users. */
static LLVMValueRef find_branch(LLVMBasicBlockRef to)
{
   for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(to)); use; use = LLVMGetNextUse(use)) {
      if (LLVMIsATerminatorInst(LLVMGetUser(use)))
         return LLVMGetUser(use);
   }
   return NULL;
}

/* Whatever branches to `from` goes to `to`. */
static void redirect(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
   LLVMValueRef terminator;
   while ((terminator = find_branch(from))) {
      for (uint32_t i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
         if (LLVMGetSuccessor(terminator, i) == from)
            LLVMSetSuccessor(terminator, i, to);
      }
   }
}

struct cg_cut_block {
   struct cg_cut_block *next;
   LLVMBasicBlockRef block;
};

static void note_cut(struct cg *cg, LLVMBasicBlockRef block)
{
   struct cg_cut_block *cut = UTIL_ARENA_NEW(cg->arena, struct cg_cut_block);
   *cut = (struct cg_cut_block){cg->cut_blocks, block};
   cg->cut_blocks = cut;
}

/* A block whose address is taken is joined with the one before it by no pass. The constant is nobody's operand. */
void cg_keep_blocks_apart(struct cg *cg)
{
   for (const struct cg_cut_block *cut = cg->cut_blocks; cut; cut = cut->next)
      (void)LLVMBlockAddress(LLVMGetBasicBlockParent(cut->block), cut->block);
}

/* Takes parts off the block's start, so that the phis of its successors still name the block that leads to them. */
static void split_block(struct cg *cg, LLVMBasicBlockRef block, uint32_t count, uint32_t max_instrs)
{
   uint32_t part = first_part(cg, block, max_instrs / 2);
   bool is_cut = false;
   while (count > max_instrs && part < count) {
      LLVMBasicBlockRef before = LLVMInsertBasicBlockInContext(cg->context, block, "part");
      redirect(block, before);
      LLVMPositionBuilderAtEnd(cg->b, before);
      for (uint32_t i = 0; i < part;) {
         LLVMValueRef instr = LLVMGetFirstInstruction(block);
         const uint32_t weight = instr_weight(cg, instr);
         i += weight;
         count -= weight;
         LLVMInstructionRemoveFromParent(instr);
         LLVMInsertIntoBuilder(cg->b, instr);
      }
      cg_branch(cg, block);
      if (is_cut)
         note_cut(cg, before);
      is_cut = true;
      part = max_instrs / 2;
   }
   if (is_cut)
      note_cut(cg, block);
}

void cg_split_blocks(struct cg *cg, bool is_large)
{
   const uint32_t max_instrs = is_large ? MAX_LARGE_BLOCK_INSTRS : MAX_BLOCK_INSTRS;
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = LLVMGetNextFunction(fn)) {
      for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(fn); block; block = LLVMGetNextBasicBlock(block)) {
         const uint32_t count = cg_count_instrs(cg, block);
         if (count > max_instrs)
            split_block(cg, block, count, max_instrs);
      }
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

/* Where a value is used last, as far as is known. What a phi takes of a loop's end lives until there; those of many edges are no loop's. */
static uint32_t last_use(const struct lives *lives, LLVMValueRef value, LLVMValueRef user)
{
   uint32_t last = block_index(lives, LLVMGetInstructionParent(user));
   const uint32_t count = LLVMIsAPHINode(user) ? LLVMCountIncoming(user) : 0;
   for (uint32_t i = 0; i < count && count <= MAX_LOOP_EDGES; i++) {
      if (LLVMGetIncomingValue(user, i) == value)
         last = UTIL_MAX(last, block_index(lives, LLVMGetIncomingBlock(user, i)));
   }
   return last;
}

static void add_life(struct lives *lives, LLVMValueRef value, uint32_t block)
{
   uint32_t last = block;
   for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      last = UTIL_MAX(last, last_use(lives, value, LLVMGetUser(use)));
   lives->changes[block]++;
   lives->changes[last]--; /* nothing, if it lives in its block alone */
}

/* The allocator of registers looks at each block that a value lives through, and where many live at once at each for each. */
static uint64_t lives_cost(struct cg *cg, LLVMValueRef fn)
{
   struct lives lives = {.blocks.arena = cg->arena};
   uint32_t index = 0, live = 0, max_live = 0;
   uint64_t through = 0;
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(fn); block; block = LLVMGetNextBasicBlock(block))
      ir_map_add(&lives.blocks, (uintptr_t)block, (void *)(uintptr_t)++lives.num_blocks);
   lives.changes = UTIL_ARENA_ARRAY(cg->arena, int32_t, lives.num_blocks + 1);
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(fn); block; block = LLVMGetNextBasicBlock(block)) {
      index++;
      for (LLVMValueRef it = LLVMGetFirstInstruction(block); it; it = LLVMGetNextInstruction(it))
         add_life(&lives, it, index);
   }
   for (uint32_t i = 1; i <= lives.num_blocks; i++) {
      live += (uint32_t)lives.changes[i];
      max_live = UTIL_MAX(max_live, live);
      through += live;
   }
   return through + (uint64_t)max_live * max_live;
}

/* What phis take counts too: each is a copy, and an end of a value's life. */
static uint64_t weighted_instrs(struct cg *cg, LLVMValueRef fn)
{
   uint64_t total = 0;
   for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(fn); block; block = LLVMGetNextBasicBlock(block)) {
      total += cg_count_instrs(cg, block);
      for (LLVMValueRef it = LLVMGetFirstInstruction(block); it && LLVMIsAPHINode(it); it = LLVMGetNextInstruction(it))
         total += LLVMCountIncoming(it);
   }
   return total;
}

/* By the largest function, the shader's own or one that it calls; the depth of constructs in constructs and calls of routines count too. */
bool cg_is_large(struct cg *cg)
{
   uint64_t max_instrs = 0, max_lives = 0;
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = LLVMGetNextFunction(fn)) {
      const uint64_t instrs = weighted_instrs(cg, fn);
      max_instrs = UTIL_MAX(max_instrs, instrs);
      if (instrs > LEAST_INSTRS && instrs <= MAX_OPTIMISED_INSTRS)
         max_lives = UTIL_MAX(max_lives, lives_cost(cg, fn));
   }
   return max_instrs + cg->deep_blocks * DEEP_BLOCK_INSTRS + (uint64_t)cg->num_calls * CALL_INSTRS > MAX_OPTIMISED_INSTRS ||
          max_lives > MAX_OPTIMISED_LIVES;
}
