/* SPDX-License-Identifier: MIT
 * `sync`: what orders commands: a log of barriers, events and semaphores, and the walk through it from one access to another.
 * Spec: Synchronization and Cache Control, "Execution and Memory Dependencies"; appendix "Memory Model", "Location-Ordered".
 *
 * Of what came first it is followed which stages of which queues come after it (a chain of dependencies), whether its writes are available, and
 * whether they are visible to what comes later. Threads: one user at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

enum { RT_MAX_ORDERED_QUEUES = 16 }; /* those of a higher number count as the last one */

/* One dependency, in single bits (scopes.h). */
struct rt_scope {
   VkPipelineStageFlags2 src_stages, dst_stages;
   VkAccessFlags2 src_accesses, dst_accesses;
   /* The memory that it is about; none: all. */
   uint32_t num_ranges;
   struct rt_byte_range { uint64_t begin, end; } *ranges; /* util_mfree() */
};

enum rt_log_type {
   RT_LOG_BARRIER,
   RT_LOG_SIGNAL, /* what is in the first scope comes before `key`; of that memory, if there is some */
   RT_LOG_WAIT,   /* `key` comes before what is in the second scope; of a semaphore all memory is available and visible */
   RT_LOG_WAIT_EVENT, /* a barrier whose first scope is what came before `key` as well */
};

struct rt_log_entry {
   enum rt_log_type type;
   uint32_t queue;
   uint64_t group; /* entries of one group are at once: none follows another */
   uint64_t key; /* 0, of a wait: whatever came before it in the log */
   VkPipelineStageFlags2 before, after; /* the stages with those that are earlier, or later */
   struct rt_scope scope;
};

struct rt_log {
   struct rt_log_entry *entries;
   uint64_t first; /* number of entries[0]: what came before has been forgotten */
   size_t count, capacity;
   uint64_t num_groups;
};

void rt_log_finish(struct rt_log *log);
/* Takes the scope's ranges. False: memory is out, the ranges are freed. */
bool rt_log_add(struct rt_log *log, enum rt_log_type type, uint32_t queue, uint64_t group, uint64_t key, const struct rt_scope *scope);
/* Forgets what came before the entry of this number. */
void rt_log_forget(struct rt_log *log, uint64_t number);
/* Takes back what came after, and that entry. */
void rt_log_cut(struct rt_log *log, uint64_t number);
static inline uint64_t rt_log_end(const struct rt_log *log)
{
   return log->first + log->count;
}

/* One access, as far as order goes. */
struct rt_ordered {
   uint32_t queue;
   uint64_t at; /* in the log: before the entry of this number */
   VkPipelineStageFlags2 stages; /* one; of a layout transition those that its barrier lets wait */
   VkAccessFlags2 accesses;      /* those that it may count as */
   bool is_transition;           /* available by itself */
};

struct rt_order {
   bool is_after;   /* it happens after the other one */
   bool is_available;
   bool is_visible; /* a write of the other one to it */
   uint64_t begin, end; /* this holds for all addresses in here */
};

/* How a read by the host follows what it knows to be over: a fence has made that available, so any dependency towards the host's reads that came later
 * makes it visible, of a layout transition its own too. */
struct rt_order rt_log_order_host(const struct rt_log *log, const struct rt_ordered *earlier, uint64_t address);
/* How `later` follows `earlier`, whose number in the log is not forgotten, at an address. */
struct rt_order rt_log_order(const struct rt_log *log, const struct rt_ordered *earlier, const struct rt_ordered *later, uint64_t address);
