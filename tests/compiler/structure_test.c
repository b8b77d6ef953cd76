/* SPDX-License-Identifier: MIT
 * What is found structured SPIRV-Tools takes too: random programs of constructs, and such of which some branches and merge instructions are changed at
 * random. Of those that nobody changed each is found structured. */
#include "compiler/structure.h"

#include "tests/random.h"
#include "tests/test.h"
#include "util/macros.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

enum { MAX_BLOCKS = 256, MAX_TARGETS = 5, FIRST_LABEL = 10, TRUE_ID = 6, NUMBER_ID = 7 };

struct block {
   uint32_t label, merge, next; /* ids; 0: none */
   uint32_t op, targets[MAX_TARGETS], num_targets;
   bool is_loop;
};

/* Where a branch may leave to, beside the end of the sequence; 0: there is none. */
struct around {
   uint32_t loop_merge, loop_next, switch_merge;
   bool is_in_continue;
};

static struct block blocks[MAX_BLOCKS];
static uint32_t num_blocks, num_labels;
static uint64_t state;

static uint32_t below(uint32_t count)
{
   return (uint32_t)(random_step(&state) >> 33) % count;
}

static uint32_t new_label(void)
{
   return FIRST_LABEL + num_labels++;
}

static struct block *add_block(uint32_t label)
{
   if (num_blocks == MAX_BLOCKS)
      test_fail(__FILE__, __LINE__, "too many blocks");
   struct block *block = &blocks[num_blocks++];
   *block = (struct block){.label = label};
   return block;
}

static void set_targets(struct block *block, uint32_t op, uint32_t first, uint32_t second)
{
   block->op = op;
   block->num_targets = op == SpvOpBranch ? 1 : 2;
   block->targets[0] = first;
   block->targets[1] = second;
   if (op == SpvOpBranchConditional && below(2)) {
      block->targets[0] = second;
      block->targets[1] = first;
   }
}

static uint32_t random_exit(const struct around *around)
{
   const uint32_t exits[] = {around->loop_merge, around->loop_next, around->switch_merge};
   return around->is_in_continue ? 0 : exits[below(UTIL_ARRAY_SIZE(exits))];
}

static void write_sequence(uint32_t label, uint32_t end, const struct around *around, uint32_t size);

static void write_selection(struct block *block, const struct around *around, uint32_t size)
{
   const uint32_t merge = new_label(), then = new_label(), leave = random_exit(around);
   const bool has_else = below(2);
   const uint32_t other = has_else ? new_label() : below(2) && leave ? leave : merge;
   block->merge = merge;
   set_targets(block, SpvOpBranchConditional, then, other);
   write_sequence(then, below(4) || !leave ? merge : leave, around, size / 2);
   if (has_else)
      write_sequence(other, merge, around, size / 2);
}

static void write_switch(struct block *block, const struct around *around, uint32_t size)
{
   const uint32_t merge = new_label();
   struct around inner = *around;
   inner.switch_merge = merge;
   block->merge = merge;
   block->op = SpvOpSwitch;
   block->num_targets = 2 + below(MAX_TARGETS - 1);
   for (uint32_t i = 0; i < block->num_targets; i++)
      block->targets[i] = i > 1 && below(4) == 0 ? block->targets[i - 1] : i == 0 && below(2) ? merge : new_label();
   const struct block copy = *block;
   for (uint32_t i = 0; i < copy.num_targets; i++) {
      const bool is_again = copy.targets[i] == merge || (i && copy.targets[i] == copy.targets[i - 1]);
      uint32_t next = i + 1;
      while (next < copy.num_targets && copy.targets[next] == copy.targets[i])
         next++;
      const bool falls = i && next < copy.num_targets && copy.targets[next] != merge && copy.targets[i] != copy.targets[0] && below(2);
      if (!is_again)
         write_sequence(copy.targets[i], falls ? copy.targets[next] : merge, &inner, size / 4);
   }
}

static void write_loop(struct block *block, const struct around *around, uint32_t size)
{
   const uint32_t merge = new_label(), next = new_label(), body = new_label(), header = block->label;
   const struct around inner = {merge, next, 0, false}, end = {.is_in_continue = true};
   block->merge = merge;
   block->next = next;
   block->is_loop = true;
   if (below(2))
      set_targets(block, SpvOpBranch, body, 0);
   else
      set_targets(block, SpvOpBranchConditional, body, below(2) ? merge : next);
   struct around within = inner;
   within.is_in_continue = false;
   write_sequence(body, next, &within, size / 2);
   if (below(2)) {
      set_targets(add_block(next), SpvOpBranchConditional, header, merge);
   } else if (below(2)) {
      const uint32_t last = new_label();
      struct block *first = add_block(next);
      const uint32_t number = num_blocks - 1;
      first->merge = last;
      const uint32_t then = new_label();
      set_targets(&blocks[number], SpvOpBranchConditional, then, last);
      write_sequence(then, last, &end, size / 4);
      set_targets(add_block(last), SpvOpBranch, header, 0);
   } else {
      set_targets(add_block(next), SpvOpBranch, header, 0);
   }
}

/* A block, and what follows it until a branch to `end`; 0: a return. */
static void write_sequence(uint32_t label, uint32_t end, const struct around *around, uint32_t size)
{
   for (;; size--) {
      struct block *block = add_block(label);
      const uint32_t leave = random_exit(around), choice = size ? below(6) : 0;
      switch (choice) {
      case 0:
         set_targets(block, end ? SpvOpBranch : SpvOpReturn, end, 0);
         block->num_targets = end ? 1 : 0;
         return;
      case 1: write_selection(block, around, size); break;
      case 2: write_loop(block, around, size); break;
      case 3: write_switch(block, around, size); break;
      default:
         if (leave && below(2))
            set_targets(block, SpvOpBranchConditional, label = new_label(), leave);
         else
            set_targets(block, SpvOpBranch, label = new_label(), 0);
         continue;
      }
      label = block->merge;
   }
}

/* A function; the first block is no header of a loop, which its back edge could not reach. */
static void write_function(uint32_t size)
{
   const struct around nothing = {0};
   num_blocks = num_labels = 0;
   struct block *first = add_block(new_label());
   set_targets(first, SpvOpBranch, new_label(), 0);
   write_sequence(first->targets[0], 0, &nothing, size);
}

static void change(void)
{
   struct block *block = &blocks[below(num_blocks)];
   const uint32_t label = blocks[below(num_blocks)].label, what = below(8);
   if (what == 0 && block->merge)
      block->merge = label;
   else if (what == 1 && block->is_loop)
      block->next = label;
   else if (what == 2)
      block->merge = block->is_loop ? block->merge : 0;
   else if (what == 3 && block->op == SpvOpBranch)
      set_targets(block, SpvOpBranchConditional, block->targets[0], label);
   else if (block->num_targets)
      block->targets[below(block->num_targets)] = label;
}

static size_t write_words(uint32_t words[])
{
   const uint32_t head[] = {
      SpvMagicNumber, 0x10000, 0, FIRST_LABEL + num_labels, 0,
      2 << 16 | SpvOpCapability, SpvCapabilityShader,
      3 << 16 | SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450,
      5 << 16 | SpvOpEntryPoint, SpvExecutionModelGLCompute, 1, 0x6e69616d, 0,
      6 << 16 | SpvOpExecutionMode, 1, SpvExecutionModeLocalSize, 1, 1, 1,
      2 << 16 | SpvOpTypeVoid, 2, 3 << 16 | SpvOpTypeFunction, 3, 2, 2 << 16 | SpvOpTypeBool, 4, 4 << 16 | SpvOpTypeInt, 5, 32, 0,
      3 << 16 | SpvOpConstantTrue, 4, TRUE_ID, 4 << 16 | SpvOpConstant, 5, NUMBER_ID, 0,
      5 << 16 | SpvOpFunction, 2, 1, 0, 3,
   };
   size_t count = UTIL_ARRAY_SIZE(head);
   memcpy(words, head, sizeof(head));
   for (uint32_t i = 0; i < num_blocks; i++) {
      const struct block *block = &blocks[i];
      words[count++] = 2 << 16 | SpvOpLabel;
      words[count++] = block->label;
      if (block->merge) {
         words[count++] = block->is_loop ? 4 << 16 | SpvOpLoopMerge : 3 << 16 | SpvOpSelectionMerge;
         words[count++] = block->merge;
         if (block->is_loop)
            words[count++] = block->next;
         words[count++] = 0;
      }
      const uint32_t first = (uint32_t)count++;
      if (block->op == SpvOpBranchConditional)
         words[count++] = TRUE_ID;
      else if (block->op == SpvOpSwitch)
         words[count++] = NUMBER_ID;
      for (uint32_t t = 0; t < block->num_targets; t++) {
         if (block->op == SpvOpSwitch && t)
            words[count++] = t;
         words[count++] = block->targets[t];
      }
      words[first] = (uint32_t)(count - first) << 16 | block->op;
   }
   words[count++] = 1 << 16 | SpvOpFunctionEnd;
   return count;
}

/* Whether SPIRV-Tools finds a fault, and one that is about constructs: that of other rules it looks for as ever. */
static bool is_valid(spv_context context, const uint32_t *words, size_t count, bool *is_about_constructs)
{
   static const char *const others[] = {"appears in the binary before its dominator", "First block", "already a merge block",
                                        "can only be formed between a block and a loop header", "but the standard requires exactly one"};
   spv_diagnostic diagnostic = NULL;
   const bool is_right = spvValidateBinary(context, words, count, &diagnostic) == SPV_SUCCESS;
   *is_about_constructs = !is_right;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(others); i++)
      *is_about_constructs &= !diagnostic || !strstr(diagnostic->error, others[i]);
   if (*is_about_constructs && comp_is_structured(words, count))
      printf("found structured: %s\n", diagnostic ? diagnostic->error : "?");
   spvDiagnosticDestroy(diagnostic);
   return is_right;
}

TEST(as_spirv_tools)
{
   enum { ROUNDS = 20000 };
   static uint32_t words[MAX_BLOCKS * 24];
   uint32_t counts[3][2] = {0}; /* by the number of changes, up to two: valid, and structured too */
   spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
   state = 1;
   for (uint32_t round = 0; round < ROUNDS; round++) {
      const uint32_t num_changes = round % 4 ? 1 + below(2) : 0;
      write_function(1 + below(8));
      for (uint32_t i = 0; i < num_changes; i++)
         change();
      const size_t count = write_words(words);
      bool is_about_constructs;
      const bool is_structured = comp_is_structured(words, count), is_right = is_valid(context, words, count, &is_about_constructs);
      CHECK(!is_structured || !is_about_constructs);
      if (!num_changes)
         CHECK(is_structured && is_right);
      counts[num_changes][0] += is_right;
      counts[num_changes][1] += is_right && is_structured;
   }
   for (uint32_t i = 0; i < 3; i++)
      printf("%u changes: %u valid, %u of them found structured\n", i, counts[i][0], counts[i][1]);
   CHECK(counts[2][1] > 100);
   spvContextDestroy(context);
}

/* Words that are no module, or end in the middle of one. */
TEST(any_words)
{
   static uint32_t words[MAX_BLOCKS * 24], broken[MAX_BLOCKS * 24];
   state = 5;
   write_function(8);
   const size_t count = write_words(words);
   for (size_t i = 0; i < count; i++)
      (void)comp_is_structured(words, i);
   for (uint32_t round = 0; round < 20000; round++) {
      memcpy(broken, words, sizeof(words));
      for (uint32_t i = 0; i <= below(3); i++)
         broken[below((uint32_t)count)] = below(4) ? below(1 << 20) : (uint32_t)random_step(&state);
      (void)comp_is_structured(broken, count);
   }
}

TEST_MAIN
