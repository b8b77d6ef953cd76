/* SPDX-License-Identifier: MIT
 * What those who wait for a timeline (wait.c) and those who change it (timeline.c) share. A wait for any of several puts a node into each
 * timeline's list of waiters; whoever signals pokes the nodes that are satisfied. Lock order: a timeline's, then a waiter's. */
#pragma once

#include "runtime/sync/source.h"
#include "runtime/sync/sync.h"

struct rt_any_waiter {
   pthread_mutex_t lock;
   pthread_cond_t poked;
   bool is_satisfied, is_lost; /* under lock */
};

struct rt_any_node {
   struct util_list link; /* in the timeline's waiters, under its lock */
   struct rt_any_waiter *waiter;
   uint64_t value;
};

/* Under the lock. */
static inline uint64_t rt_timeline_current(const struct rt_timeline *timeline)
{
   return timeline->source ? rt_source_value(timeline->source, timeline->value) : timeline->value;
}
