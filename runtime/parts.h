/* SPDX-License-Identifier: MIT
 * Loops over the parts of a command that may be many: regions, draws of an indirect count, steps of a huge draw. Such a
 * loop ends when the device is lost, and reports to the watchdog how much of the command is done, so that one that would take
 * for ever is seen. Loops may be nested: a part of the outer one is then what the whole inner one is. What a part gives to
 * rt_executor_add() counts item by item, so that a part which takes long is seen as well.
 *
 *    for (struct rt_parts parts = rt_parts_of(worker, num_regions); rt_parts_next(&parts);)
 *       copy(&regions[parts.index]);
 *
 * A loop that is left by `return` calls rt_parts_end() before. Threads: the worker's own. */
#pragma once

#include "runtime/pool.h"

struct rt_parts {
   struct rt_worker *worker;
   uint64_t index, count;
   uint64_t step;        /* parts that this round does: the loop's body may set it */
   uint64_t number;
   struct rt_part whole; /* what this loop is of the command */
   bool is_outermost;
};

static inline struct rt_parts rt_parts_of(struct rt_worker *worker, uint64_t count)
{
   struct rt_parts parts = {.worker = worker, .count = count, .number = rt_worker_new_pace(worker), .whole = worker->part};
   parts.is_outermost = worker->part.size == 0.0;
   if (parts.is_outermost) {
      parts.whole = (struct rt_part){.size = 1.0};
      rt_pace_set(&worker->command, parts.number, 0.0);
   }
   return parts;
}

static inline void rt_parts_end(struct rt_parts *parts)
{
   struct rt_worker *worker = parts->worker;
   worker->part = parts->is_outermost ? (struct rt_part){0} : parts->whole;
   if (parts->is_outermost)
      rt_pace_set(&worker->command, 0, 0.0);
}

/* False after the last part, or when the device is lost. */
static inline bool rt_parts_next(struct rt_parts *parts)
{
   struct rt_worker *worker = parts->worker;
   parts->index += parts->step;
   parts->step = 1;
   if (parts->index >= parts->count || UTIL_UNLIKELY(rt_worker_is_cancelled(worker))) {
      rt_parts_end(parts);
      return false;
   }
   const double part = parts->whole.size / (double)parts->count;
   worker->part = (struct rt_part){parts->whole.begin + part * (double)parts->index, part, parts->number, 1.0 / (double)parts->count};
   atomic_store_explicit(&worker->command.done, worker->part.begin, memory_order_relaxed);
   return true;
}
