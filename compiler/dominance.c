/* SPDX-License-Identifier: MIT
 * The symbols are those of SPIRV-Tools' source/val/basic_block.h and construct.h (2022 to 2026). A version that has others asks nobody here, which
 * compiler/shapes notices by its time. Nothing is known of the objects: their own functions are called for what is in them. */
#include "compiler/dominance.h"

#include "util/alloc.h"
#include "util/arena.h"

#include <stdbool.h>

#define BLOCK "_ZNK8spvtools3val10BasicBlock"
#define IS_STRUCTURED_EXIT "_ZNK8spvtools3val9Construct16IsStructuredExitERNS0_16ValidationState_tEPNS0_10BasicBlockE"

/* The block above in its tree: itself or NULL at the root. Weak: a version without such a function does not ask for it either. */
typedef const void *parent_fn(const void *block);
__attribute__((weak)) extern parent_fn immediate_dominator __asm__(BLOCK "19immediate_dominatorEv");
__attribute__((weak)) extern parent_fn immediate_structural_dominator __asm__(BLOCK "30immediate_structural_dominatorEv");
__attribute__((weak)) extern parent_fn immediate_structural_post_dominator __asm__(BLOCK "35immediate_structural_post_dominatorEv");
__attribute__((weak)) extern bool is_structured_exit(const void *construct, void *state, void *to) __asm__("__real_" IS_STRUCTURED_EXIT);

bool comp_dominates(const void *block, const void *other) __asm__("__wrap_" BLOCK "9dominatesERKS1_");
bool comp_structurally_dominates(const void *block, const void *other) __asm__("__wrap_" BLOCK "22structurally_dominatesERKS1_");
bool comp_structurally_postdominates(const void *block, const void *other) __asm__("__wrap_" BLOCK "26structurally_postdominatesERKS1_");
bool comp_is_structured_exit(const void *construct, void *state, void *to) __asm__("__wrap_" IS_STRUCTURED_EXIT);

/* The blocks that were asked about last; answers about what is below them are kept in the nodes. A check of a construct asks about its header, its
 * merge block and its continue target, in turn. */
enum { NUM_RECENT = 4 };

/* A block of a tree. `jump` is an ancestor so chosen that any other is found in a logarithmic number of steps (skew-binary jump pointers: Myers,
 * "An applicative random-access stack"). */
struct node {
   const void *block, *parent_block; /* the latter as it was when this was made */
   struct node *parent, *jump;       /* itself at the root */
   uint32_t depth;
   uint32_t answered[NUM_RECENT]; /* twice the number of recent[i] that it is about, and whether that one is above; 0: not asked */
};

struct recent {
   struct node *above;
   parent_fn *parent_of;
   uint32_t number; /* no two questions about different blocks have the same */
};

/* What is kept, by two keys: nodes by their block and tree, exits by construct and target. */
struct entry {
   uintptr_t keys[2]; /* the first is 0: free */
   void *value;
};

struct memory {
   struct util_arena arena;
   struct entry *entries;
   size_t capacity, count; /* capacity is 0 or a power of two */
   struct recent recent[NUM_RECENT];
   uint32_t num_recent; /* ever: the next goes to this, modulo NUM_RECENT */
   struct node *last;   /* found last, in the tree of last_parent_of */
   parent_fn *last_parent_of;
   bool is_open;
};

static __thread struct memory thread_memory;
static char yes, no; /* values of exits */

void comp_dominance_begin(void)
{
   thread_memory = (struct memory){.is_open = true};
   util_arena_init(&thread_memory.arena, 256 << 20);
}

void comp_dominance_end(void)
{
   util_arena_finish(&thread_memory.arena);
   util_mfree(thread_memory.entries);
   thread_memory = (struct memory){0};
}

static struct entry *find(struct entry *entries, size_t capacity, uintptr_t first, uintptr_t second)
{
   const uint64_t hash = (first ^ second * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
   size_t at = (hash ^ hash >> 32) & (capacity - 1);
   while (entries[at].keys[0] && (entries[at].keys[0] != first || entries[at].keys[1] != second))
      at = (at + 1) & (capacity - 1);
   return &entries[at];
}

static bool grow(struct memory *memory)
{
   const size_t capacity = memory->capacity ? memory->capacity * 2 : 1024;
   struct entry *entries = util_calloc(capacity, sizeof(*entries));
   if (!entries)
      return false;
   for (size_t i = 0; i < memory->capacity; i++) {
      const struct entry *old = &memory->entries[i];
      if (old->keys[0])
         *find(entries, capacity, old->keys[0], old->keys[1]) = *old;
   }
   util_mfree(memory->entries);
   memory->entries = entries;
   memory->capacity = capacity;
   return true;
}

/* The entry of the keys, maybe a new one without a value; NULL without memory. */
static struct entry *get_entry(struct memory *memory, uintptr_t first, uintptr_t second)
{
   if (memory->count * 2 >= memory->capacity && !grow(memory))
      return NULL;
   struct entry *entry = find(memory->entries, memory->capacity, first, second);
   memory->count += !entry->keys[0];
   entry->keys[0] = first;
   entry->keys[1] = second;
   return entry;
}

static bool is_root(const void *block, const void *above)
{
   return !above || above == block;
}

/* Makes the node of a block whose parent has one. */
static struct node *add_node(struct memory *memory, const void *block, const void *above, struct node *parent)
{
   struct node *node = UTIL_ARENA_NEW(&memory->arena, struct node);
   if (!node)
      return NULL;
   *node = (struct node){.block = block, .parent_block = above, .parent = parent ? parent : node, .jump = parent ? parent : node};
   if (parent) {
      node->depth = parent->depth + 1;
      if (parent->depth - parent->jump->depth == parent->jump->depth - parent->jump->jump->depth)
         node->jump = parent->jump->jump;
   }
   return node;
}

static struct node *known_node(struct memory *memory, const void *block, parent_fn *parent_of)
{
   struct node *node = memory->last;
   if (!node || node->block != block || memory->last_parent_of != parent_of) {
      const struct entry *entry = get_entry(memory, (uintptr_t)block, (uintptr_t)parent_of);
      node = entry ? entry->value : NULL;
   }
   if (node && node->parent_block != parent_of(block))
      memory->is_open = false; /* the tree changes after all: slow answers are still right */
   if (!memory->is_open)
      return NULL;
   memory->last = node;
   memory->last_parent_of = parent_of;
   return node;
}

/* NULL without memory. Blocks between this one and the next that is known are made from above: chains may be as long as the function, so that
 * there is a list of them instead of a recursion. */
static struct node *get_node(struct memory *memory, const void *block, parent_fn *parent_of)
{
   struct chain {
      struct chain *below;
      const void *block;
   } *chain = NULL;
   struct node *node;
   for (const void *at = block;; at = parent_of(at)) {
      node = known_node(memory, at, parent_of);
      if (node)
         break;
      if (!memory->is_open)
         return NULL;
      struct chain *link = UTIL_ARENA_NEW(&memory->arena, struct chain);
      if (!link)
         return NULL;
      *link = (struct chain){chain, at};
      chain = link;
      if (is_root(at, parent_of(at)))
         break;
   }
   for (; chain; chain = chain->below) {
      struct entry *entry = get_entry(memory, (uintptr_t)chain->block, (uintptr_t)parent_of);
      node = entry ? add_node(memory, chain->block, parent_of(chain->block), node) : NULL;
      if (!node)
         return NULL;
      entry->value = node;
   }
   return node;
}

static bool walk(const void *block, const void *other, parent_fn *parent_of)
{
   for (const void *at = other;; at = parent_of(at)) {
      if (at == block)
         return true;
      if (is_root(at, parent_of(at)))
         return false;
   }
}

/* The slot of the block: it is one of those asked about last, or becomes one. NUM_RECENT without memory. */
static uint32_t find_recent(struct memory *memory, const void *block, parent_fn *parent_of)
{
   for (uint32_t i = 0; i < NUM_RECENT; i++) {
      const struct recent *recent = &memory->recent[i];
      if (recent->above && recent->above->block == block && recent->parent_of == parent_of && recent->above->parent_block == parent_of(block))
         return i;
   }
   struct node *above = get_node(memory, block, parent_of);
   if (!above)
      return NUM_RECENT;
   const uint32_t slot = memory->num_recent++ % NUM_RECENT;
   memory->recent[slot] = (struct recent){above, parent_of, memory->num_recent};
   return slot;
}

/* Whether the slot's block is above the node or is it. What is known of the node's parent holds for the node. */
static bool answer(struct node *node, const struct recent *recent, uint32_t slot)
{
   const struct node *above = recent->above;
   bool is_yes = node == above;
   if (node->answered[slot] >> 1 == recent->number)
      return node->answered[slot] & 1;
   if (node->depth > above->depth) {
      const struct node *at = node->parent;
      if (at->answered[slot] >> 1 == recent->number) {
         is_yes = at->answered[slot] & 1;
      } else {
         while (at->depth > above->depth)
            at = at->jump->depth >= above->depth ? at->jump : at->parent;
         is_yes = at == above;
      }
   }
   node->answered[slot] = recent->number << 1 | is_yes;
   return is_yes;
}

static bool is_above(const void *block, const void *other, parent_fn *parent_of)
{
   struct memory *memory = &thread_memory;
   if (block == other)
      return true;
   const uint32_t slot = memory->is_open && memory->num_recent < INT32_MAX ? find_recent(memory, block, parent_of) : NUM_RECENT;
   struct node *node = slot < NUM_RECENT ? get_node(memory, other, parent_of) : NULL;
   return node ? answer(node, &memory->recent[slot], slot) : walk(block, other, parent_of);
}

bool comp_dominates(const void *block, const void *other)
{
   return is_above(block, other, immediate_dominator);
}

bool comp_structurally_dominates(const void *block, const void *other)
{
   return is_above(block, other, immediate_structural_dominator);
}

bool comp_structurally_postdominates(const void *block, const void *other)
{
   return is_above(block, other, immediate_structural_post_dominator);
}

bool comp_is_structured_exit(const void *construct, void *state, void *to)
{
   struct memory *memory = &thread_memory;
   const struct entry *known = memory->is_open ? get_entry(memory, (uintptr_t)construct, (uintptr_t)to) : NULL;
   if (known && known->value)
      return known->value == &yes;
   const bool is_exit = is_structured_exit(construct, state, to);
   struct entry *entry = memory->is_open ? get_entry(memory, (uintptr_t)construct, (uintptr_t)to) : NULL;
   if (entry)
      entry->value = is_exit ? &yes : &no;
   return is_exit;
}
