/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/order.h"

#include "runtime/cmd/scopes.h"
#include "util/alloc.h"

#include <string.h>

enum { MAX_KEYS = 64 };

/* ---- the log ---- */

void rt_log_finish(struct rt_log *log)
{
   rt_log_forget(log, rt_log_end(log));
   util_mfree(log->entries);
   *log = (struct rt_log){0};
}

bool rt_log_add(struct rt_log *log, enum rt_log_type type, uint32_t queue, uint64_t group, uint64_t key, const struct rt_scope *scope)
{
   if (log->count == log->capacity) {
      const size_t capacity = UTIL_MAX(log->capacity * 2, (size_t)64);
      struct rt_log_entry *larger = util_realloc(log->entries, capacity * sizeof(*larger));
      if (!larger) {
         util_mfree(scope->ranges);
         return false;
      }
      log->entries = larger;
      log->capacity = capacity;
   }
   log->entries[log->count++] = (struct rt_log_entry){
      .type = type,
      .queue = UTIL_MIN(queue, RT_MAX_ORDERED_QUEUES - 1u),
      .group = group,
      .key = key,
      .before = rt_stages_before(scope->src_stages),
      .after = rt_stages_after(scope->dst_stages),
      .scope = *scope,
   };
   return true;
}

void rt_log_forget(struct rt_log *log, uint64_t number)
{
   const size_t count = number > log->first ? UTIL_MIN((size_t)(number - log->first), log->count) : 0;
   for (size_t i = 0; i < count; i++)
      util_mfree(log->entries[i].scope.ranges);
   if (count)
      memmove(log->entries, log->entries + count, (log->count - count) * sizeof(*log->entries));
   log->first += count;
   log->count -= count;
}

void rt_log_cut(struct rt_log *log, uint64_t number)
{
   while (log->count && rt_log_end(log) > number)
      util_mfree(log->entries[--log->count].scope.ranges);
}

/* ---- the walk ---- */

struct walk {
   const struct rt_ordered *earlier, *later;
   uint64_t address;
   struct rt_order order;
   VkPipelineStageFlags2 chain[RT_MAX_ORDERED_QUEUES]; /* of each queue: stages that come after */
   VkPipelineStageFlags2 next[RT_MAX_ORDERED_QUEUES];  /* the same with the group in hand */
   uint64_t keys[MAX_KEYS];                            /* signals that come after; the last ones */
   uint32_t num_keys;
};

static bool is_in_first_scope(const struct walk *walk, const struct rt_log_entry *entry)
{
   const bool is_direct = entry->queue == walk->earlier->queue && walk->earlier->stages & entry->before;
   return is_direct || walk->chain[entry->queue] & entry->before;
}

/* Narrows what the answer holds for. */
static bool has_address(struct walk *walk, const struct rt_scope *scope)
{
   struct rt_order *order = &walk->order;
   for (uint32_t i = 0; i < scope->num_ranges; i++) {
      const struct rt_byte_range *range = &scope->ranges[i];
      if (walk->address >= range->begin && walk->address < range->end) {
         order->begin = UTIL_MAX(order->begin, range->begin);
         order->end = UTIL_MIN(order->end, range->end);
         return true;
      }
      if (range->begin > walk->address)
         order->end = UTIL_MIN(order->end, range->begin);
      else
         order->begin = UTIL_MAX(order->begin, range->end);
   }
   return scope->num_ranges == 0;
}

static bool has_key(const struct walk *walk, uint64_t key)
{
   for (uint32_t i = 0; i < UTIL_MIN(walk->num_keys, (uint32_t)MAX_KEYS); i++) {
      if (walk->keys[i] == key)
         return true;
   }
   return false;
}

/* The second scope comes after; `is_visible`: with the write. */
static void reach(struct walk *walk, const struct rt_log_entry *entry, bool is_visible)
{
   walk->next[entry->queue] |= entry->after;
   if (entry->queue != walk->later->queue)
      return;
   walk->order.is_after |= (entry->after & walk->later->stages) != 0;
   walk->order.is_visible |= is_visible && entry->scope.dst_stages & walk->later->stages;
}

static void pass_barrier(struct walk *walk, const struct rt_log_entry *entry)
{
   const struct rt_scope *scope = &entry->scope;
   if (!is_in_first_scope(walk, entry))
      return;
   const bool is_about = has_address(walk, scope);
   const bool is_direct = entry->queue == walk->earlier->queue && walk->earlier->stages & scope->src_stages;
   if (is_about && is_direct && walk->earlier->accesses & scope->src_accesses)
      walk->order.is_available = true;
   reach(walk, entry, is_about && walk->order.is_available && scope->dst_accesses & walk->later->accesses);
}

static void pass(struct walk *walk, const struct rt_log_entry *entry)
{
   switch (entry->type) {
   case RT_LOG_BARRIER: pass_barrier(walk, entry); return;
   case RT_LOG_SIGNAL:
      if (is_in_first_scope(walk, entry) && has_address(walk, &entry->scope))
         walk->keys[walk->num_keys++ % MAX_KEYS] = entry->key;
      return;
   case RT_LOG_WAIT:
      if (entry->key && !has_key(walk, entry->key))
         return;
      walk->order.is_available = true;
      reach(walk, entry, true);
      return;
   case RT_LOG_WAIT_EVENT:
      if (has_key(walk, entry->key))
         pass_barrier(walk, entry);
      return;
   }
}

struct rt_order rt_log_order(const struct rt_log *log, const struct rt_ordered *earlier, const struct rt_ordered *later, uint64_t address)
{
   struct walk walk = {.earlier = earlier, .later = later, .address = address, .order = {.end = UINT64_MAX}};
   walk.order.is_available = earlier->is_transition;
   if (earlier->is_transition) {
      walk.chain[earlier->queue] = walk.next[earlier->queue] = rt_stages_after(earlier->stages);
      const bool is_same_queue = earlier->queue == later->queue;
      walk.order.is_after = is_same_queue && walk.chain[earlier->queue] & later->stages;
      walk.order.is_visible = walk.order.is_after && earlier->stages & later->stages && earlier->accesses & later->accesses;
   }
   uint64_t group = 0;
   for (size_t i = earlier->at > log->first ? (size_t)(earlier->at - log->first) : 0; i < log->count; i++) {
      const struct rt_log_entry *entry = &log->entries[i];
      if (entry->group != group)
         memcpy(walk.chain, walk.next, sizeof(walk.chain));
      group = entry->group;
      pass(&walk, entry);
   }
   return walk.order;
}

struct rt_order rt_log_order_host(const struct rt_log *log, const struct rt_ordered *earlier, uint64_t address)
{
   struct walk walk = {.address = address, .order = {.is_after = true, .is_available = true, .end = UINT64_MAX}};
   walk.order.is_visible =
      earlier->is_transition && earlier->stages & VK_PIPELINE_STAGE_2_HOST_BIT && earlier->accesses & VK_ACCESS_2_HOST_READ_BIT;
   for (size_t i = earlier->at > log->first ? (size_t)(earlier->at - log->first) : 0; i < log->count && !walk.order.is_visible; i++) {
      const struct rt_scope *scope = &log->entries[i].scope;
      const bool is_of_host = scope->dst_stages & VK_PIPELINE_STAGE_2_HOST_BIT && scope->dst_accesses & VK_ACCESS_2_HOST_READ_BIT;
      walk.order.is_visible = is_of_host && has_address(&walk, scope);
   }
   return walk.order;
}
