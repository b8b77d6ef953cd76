/* SPDX-License-Identifier: MIT
 * What the executor and the renderer do with queries, beside what the icd may (cmd.h).
 * Threads: all functions are thread-safe. */
#pragma once

#include "runtime/cmd/cmd.h"

/* values[index] of a query. */
void rt_query_set(struct rt_query *query, uint32_t index, uint64_t value);
/* Added atomically to that of all queries that are active together: `query` and what it names. NULL: none is. */
void rt_query_add(struct rt_query *query, uint32_t index, uint64_t value);
/* The same of a statistic. */
static inline void rt_query_count(struct rt_query *query, VkQueryPipelineStatisticFlagBits statistic, uint64_t n)
{
   for (; query; query = query->also) {
      if (query->statistics & statistic)
         __atomic_fetch_add(&query->values[__builtin_ctz(statistic)], n, __ATOMIC_RELAXED);
   }
}

/* These may be written from now on: a reset looks at them. */
void rt_query_pool_use(struct rt_query_pool *pool, uint32_t first, uint32_t count);
/* All values are in: publishes them and wakes who waits. */
void rt_query_pool_set_available(struct rt_query_pool *pool, uint32_t first, uint32_t count);
/* Makes all sleepers of all pools look at their is_lost again. */
void rt_query_pools_wake(void);

/* Bytes of a query's results in memory, without its availability, which stands behind them. */
uint32_t rt_query_result_bytes(const struct rt_query_pool *pool, VkQueryResultFlags flags);
