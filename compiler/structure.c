/* SPDX-License-Identifier: MIT
 * A walk that reads a function as a structured program is read: a region is a sequence of blocks and constructs, and a construct is a header, the regions in
 * it, and its merge block, where the region around it goes on. Each block is walked once, so that all paths into it but those of the construct that
 * declares it lead through the one before: therefore a header dominates what is walked in its construct, and what leaves a region is looked at where
 * it leaves. What the walk does not know, such as loops of one block, is not called structured. */
#include "compiler/structure.h"

#include "util/alloc.h"
#include "util/macros.h"

#include <spirv/unified1/spirv.h>

enum { HEADER_WORDS = 5, MAX_BOUND = 0x3fffff /* SPIRV-Tools' */, MAX_DEPTH = 1000 /* of constructs; SPIRV-Tools' is 1,023 */, NONE = 0 };

/* Blocks are named by their number from 1 on. */
struct block {
   const uint32_t *terminator; /* NULL: none was seen */
   uint32_t num_words, op;     /* of it */
   uint32_t merge, next;       /* ids: merge block and continue target; 0: none */
   uint32_t function;
   bool has_merge, is_loop;
   bool is_walked;
   bool is_claimed;            /* a header declares it its merge block, continue target or case */
   bool is_fallen_to;          /* a case falls through to it */
   uint32_t named_by, first_case, last_case, num_cases; /* of a case: by which switch, where first and last, how often beside the default */
};

enum region_class { SELECTION, CASE, LOOP_BODY, CONTINUE };

struct region {
   const struct region *outer; /* NULL: the function */
   enum region_class class;
   uint32_t header, merge, next; /* blocks; next: of LOOP_BODY the continue target, of CASE what it may fall through to, or NONE */
   bool has_back_edge;           /* of CONTINUE */
};

struct walk {
   struct block *blocks;    /* [num_blocks + 1] */
   uint32_t *block_of;      /* [bound], by label; NONE: no label */
   uint32_t num_blocks, bound, depth;
   uint32_t num_continues;  /* regions of continue targets that are walked */
   bool has_wide_integers;  /* so that a switch's literals may have two words */
};

/* ---- reading ---- */

static bool is_end(uint32_t op)
{
   switch (op) {
   case SpvOpReturn: case SpvOpReturnValue: case SpvOpKill: case SpvOpUnreachable: case SpvOpTerminateInvocation: case SpvOpIgnoreIntersectionKHR:
   case SpvOpTerminateRayKHR: case SpvOpEmitMeshTasksEXT: return true;
   default: return false;
   }
}

/* Which terminators and other instructions there are besides need not be known: a block without one that is known is not structured. */
static bool read_inst(struct walk *walk, const uint32_t *words, uint32_t count, uint32_t *function, uint32_t *block)
{
   const uint32_t op = words[0] & SpvOpCodeMask;
   struct block *at = &walk->blocks[*block];
   switch (op) {
   case SpvOpTypeInt:
      walk->has_wide_integers |= count > 2 && words[2] > 32;
      return true;
   case SpvOpFunction:
      ++*function;
      return *block == NONE;
   case SpvOpLabel:
      if (count != 2 || words[1] >= walk->bound || walk->block_of[words[1]] || *block)
         return false;
      *block = ++walk->num_blocks;
      walk->block_of[words[1]] = *block;
      walk->blocks[*block].function = *function;
      return true;
   case SpvOpSelectionMerge:
   case SpvOpLoopMerge:
      if (!*block || at->has_merge || count < (op == SpvOpLoopMerge ? 4 : 3))
         return false;
      at->has_merge = true;
      at->is_loop = op == SpvOpLoopMerge;
      at->merge = words[1];
      at->next = at->is_loop ? words[2] : 0;
      return true;
   case SpvOpBranch:
   case SpvOpBranchConditional:
   case SpvOpSwitch:
      if (!*block || (op == SpvOpBranch ? count != 2 : op == SpvOpSwitch ? count < 3 : count != 4 && count != 6))
         return false;
      break;
   default:
      if (!is_end(op))
         return !at->has_merge || *block == NONE; /* only the terminator stands behind a merge instruction */
      if (!*block)
         return false;
      break;
   }
   at->terminator = words;
   at->num_words = count;
   at->op = op;
   *block = NONE;
   return true;
}

static bool read_module(struct walk *walk, const uint32_t *words, size_t num_words)
{
   uint32_t function = 0, block = NONE;
   for (size_t at = HEADER_WORDS; at < num_words;) {
      const uint32_t count = words[at] >> SpvWordCountShift;
      if (!count || count > num_words - at || !read_inst(walk, words + at, count, &function, &block))
         return false;
      at += count;
   }
   return block == NONE;
}

/* ---- walking ---- */

/* The block of a label in the same function, or NONE. */
static uint32_t find(const struct walk *walk, uint32_t from, uint32_t id)
{
   const uint32_t to = id < walk->bound ? walk->block_of[id] : NONE;
   return to && walk->blocks[to].function == walk->blocks[from].function ? to : NONE;
}

/* Takes the block for the construct that declares it. */
static bool claim(struct walk *walk, uint32_t block)
{
   struct block *at = &walk->blocks[block];
   if (!block || at->is_walked || at->is_claimed)
      return false;
   at->is_claimed = true;
   return true;
}

/* Whether a branch may leave the region to a block: to the merge block of the selection that it is the region of, to the next case, to the merge block of the
 * innermost switch, to the merge block or continue target of the innermost loop. Continue constructs are left at their back edge only. */
static bool is_exit(struct walk *walk, const struct region *region, uint32_t to)
{
   bool is_own = true, is_in_switch = false;
   for (const struct region *at = region; at; at = at->outer, is_own = false) {
      switch (at->class) {
      case SELECTION:
         if (is_own && to == at->merge)
            return true;
         break;
      case CASE:
         if (!is_in_switch && to == at->merge)
            return true;
         if (is_own && at->next && to == at->next) {
            walk->blocks[to].is_fallen_to = true;
            return true;
         }
         is_in_switch = true;
         break;
      case LOOP_BODY: return to == at->merge || to == at->next;
      case CONTINUE: return false;
      }
   }
   return false;
}

static bool walk_region(struct walk *walk, struct region *region, uint32_t block);

/* A branch of a header into its construct. */
static bool enter(struct walk *walk, struct region *region, uint32_t block)
{
   return block && (is_exit(walk, region, block) || (!walk->blocks[block].is_claimed && walk_region(walk, region, block)));
}

/* Where a block goes on of whose targets the others are exits; NONE: nowhere. False: it has two such, or one that is none. */
static bool choose(struct walk *walk, struct region *region, const uint32_t to[2], uint32_t *next)
{
   *next = NONE;
   for (uint32_t i = 0; i < (to[0] == to[1] ? 1u : 2u); i++) {
      if (is_exit(walk, region, to[i]))
         continue;
      if (!to[i] || *next || walk->blocks[to[i]].is_claimed)
         return false;
      *next = to[i];
   }
   return true;
}

static void targets(const struct walk *walk, uint32_t block, uint32_t to[2])
{
   const struct block *at = &walk->blocks[block];
   const bool is_branch = at->op == SpvOpBranch;
   to[0] = find(walk, block, at->terminator[is_branch ? 1 : 2]);
   to[1] = find(walk, block, at->terminator[is_branch ? 1 : 3]);
}

static bool walk_loop(struct walk *walk, const struct region *outer, uint32_t block, uint32_t merge)
{
   const struct block *at = &walk->blocks[block];
   const uint32_t next = find(walk, block, at->next);
   struct region body = {outer, LOOP_BODY, block, merge, next, false}, end = {outer, CONTINUE, block, merge, NONE, false};
   uint32_t to[2], first;
   if (!claim(walk, next) || walk->blocks[next].is_loop || (at->op != SpvOpBranch && at->op != SpvOpBranchConditional))
      return false;
   targets(walk, block, to);
   if (!choose(walk, &body, to, &first) || (first && !walk_region(walk, &body, first)))
      return false;
   walk->num_continues++;
   const bool is_right = walk_region(walk, &end, next) && end.has_back_edge;
   walk->num_continues--;
   return is_right;
}

/* What the case that begins at a block may fall through to: the target after it in the list, if neither is the default nor the merge block and all that
 * name it stand together. */
static uint32_t fall_through(const struct walk *walk, uint32_t block, uint32_t merge, uint32_t other, uint32_t target)
{
   const struct block *at = &walk->blocks[block], *to = &walk->blocks[target];
   const uint32_t after = to->last_case + 2;
   if (target == other || to->last_case - to->first_case != 2 * (to->num_cases - 1) || after >= at->num_words)
      return NONE;
   const uint32_t next = find(walk, block, at->terminator[after]);
   return next == other || next == merge || walk->blocks[next].is_fallen_to ? NONE : next;
}

static bool walk_switch(struct walk *walk, const struct region *outer, uint32_t block, uint32_t merge)
{
   const struct block *at = &walk->blocks[block];
   const uint32_t other = find(walk, block, at->terminator[2]); /* the default */
   if (walk->has_wide_integers || at->num_words % 2 == 0)
      return false;
   for (uint32_t i = 2; i < at->num_words; i += 2) {
      const uint32_t to = find(walk, block, at->terminator[i]);
      if (to == merge || (to && walk->blocks[to].named_by == block))
         continue;
      if (!claim(walk, to))
         return false;
      walk->blocks[to].named_by = block;
   }
   for (uint32_t i = 4; i < at->num_words; i += 2) {
      struct block *to = &walk->blocks[find(walk, block, at->terminator[i])]; /* the merge block's numbers are not asked for */
      to->first_case = to->num_cases ? to->first_case : i;
      to->last_case = i;
      to->num_cases++;
   }
   for (uint32_t i = 2; i < at->num_words; i += 2) {
      const uint32_t to = find(walk, block, at->terminator[i]);
      const bool is_again = to == other ? i != 2 : i != walk->blocks[to].first_case;
      if (to == merge || is_again)
         continue;
      struct region region = {outer, CASE, block, merge, i == 2 ? NONE : fall_through(walk, block, merge, other, to), false};
      if (!walk_region(walk, &region, to))
         return false;
   }
   return true;
}

/* All of a construct but its merge block. */
static bool walk_construct(struct walk *walk, const struct region *outer, uint32_t block, uint32_t merge)
{
   const struct block *at = &walk->blocks[block];
   if (at->is_loop)
      return walk_loop(walk, outer, block, merge);
   if (at->op == SpvOpSwitch)
      return walk_switch(walk, outer, block, merge);
   struct region region = {outer, SELECTION, block, merge, NONE, false};
   uint32_t to[2];
   if (at->op != SpvOpBranchConditional)
      return false;
   targets(walk, block, to);
   return enter(walk, &region, to[0]) && (to[0] == to[1] || enter(walk, &region, to[1]));
}

/* The block with the back edge ends a continue construct: it goes to the header, and perhaps to the merge block. */
static bool has_back_edge(const struct region *region, const uint32_t to[2])
{
   return region && region->class == CONTINUE && (to[0] == region->header || to[1] == region->header) &&
          (to[0] == region->header || to[0] == region->merge) && (to[1] == region->header || to[1] == region->merge);
}

/* From a block on, to where the region ends. */
static bool walk_blocks(struct walk *walk, struct region *region, uint32_t block)
{
   uint32_t to[2];
   for (;;) {
      struct block *at = &walk->blocks[block];
      if (at->is_walked || !at->terminator)
         return false;
      at->is_walked = true;
      if (at->has_merge) {
         const uint32_t merge = find(walk, block, at->merge);
         if (!claim(walk, merge) || !walk_construct(walk, region, block, merge))
            return false;
         block = merge;
         continue;
      }
      if (is_end(at->op))
         return !walk->num_continues; /* the back-edge block would not post-dominate */
      if (at->op == SpvOpSwitch)
         return false;
      targets(walk, block, to);
      if (has_back_edge(region, to))
         return region->has_back_edge = true;
      if (!choose(walk, region, to, &block))
         return false;
      if (!block)
         return true;
   }
}

static bool walk_region(struct walk *walk, struct region *region, uint32_t block)
{
   if (walk->depth == MAX_DEPTH)
      return false;
   walk->depth++;
   const bool is_right = walk_blocks(walk, region, block);
   walk->depth--;
   return is_right;
}

bool comp_is_structured(const uint32_t *words, size_t num_words)
{
   if (num_words < HEADER_WORDS || words[0] != SpvMagicNumber || words[3] > MAX_BOUND)
      return false;
   struct walk walk = {.bound = words[3]};
   size_t num_labels = 0;
   for (size_t at = HEADER_WORDS; at < num_words; at += UTIL_MAX(words[at] >> SpvWordCountShift, 1u))
      num_labels += (words[at] & SpvOpCodeMask) == SpvOpLabel;
   walk.blocks = util_calloc(num_labels + 1, sizeof(*walk.blocks));
   walk.block_of = util_calloc((size_t)walk.bound + 1, sizeof(*walk.block_of));
   bool is_right = walk.blocks && walk.block_of && read_module(&walk, words, num_words);
   for (uint32_t i = 1; is_right && i <= walk.num_blocks; i++) {
      if (walk.blocks[i].function != walk.blocks[i - 1].function) /* its first */
         is_right = walk_region(&walk, NULL, i);
   }
   for (uint32_t i = 1; is_right && i <= walk.num_blocks; i++) /* blocks that nothing leads to may branch into constructs */
      is_right = walk.blocks[i].is_walked;
   util_mfree(walk.blocks);
   util_mfree(walk.block_of);
   return is_right;
}

/* ---- what the validator sees ---- */

#define CONSTRUCTS "_ZN8spvtools3val8Function10constructsB5cxx11Ev"

/* The list of a function's constructs. Weak: a version without such a function does not ask for it either. */
__attribute__((weak)) extern const void *constructs(void *function) __asm__("__real_" CONSTRUCTS);
const void *comp_constructs(void *function) __asm__("__wrap_" CONSTRUCTS);

static __thread bool is_seen_empty;

void comp_structure_begin(const uint32_t *words, size_t num_words)
{
   is_seen_empty = comp_is_structured(words, num_words);
}

void comp_structure_end(void)
{
   is_seen_empty = false;
}

/* Those who ask (validate_cfg.cpp) do so to look at each construct. */
const void *comp_constructs(void *function)
{
   /* A std::list: the node before its first, and how many there are. */
   static __thread struct list {
      const void *next, *previous;
      size_t size;
   } empty;
   if (!is_seen_empty)
      return constructs(function);
   empty = (struct list){&empty, &empty, 0};
   return &empty;
}
