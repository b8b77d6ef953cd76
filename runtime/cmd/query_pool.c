/* SPDX-License-Identifier: MIT
 * Query pools: reset, availability, results.
 * Spec: Queries. A query's values are written before is_available is set (release) and read after it is seen (acquire).
 */
#include "runtime/cmd/query.h"

#include "util/alloc.h"
#include "util/list.h"
#include "util/thread.h"

#include <string.h>

/* Pools that threads sleep on, so that a lost device can wake them: it knows no query pools. */
struct sleeper {
   struct util_list link;
   struct rt_query_pool *pool;
};
static pthread_mutex_t sleepers_lock = PTHREAD_MUTEX_INITIALIZER; /* taken before a pool's lock */
static struct util_list sleepers = {&sleepers, &sleepers};        /* under sleepers_lock */

VkResult rt_query_pool_init(struct rt_query_pool *pool, VkQueryType type, uint32_t count,
                            VkQueryPipelineStatisticFlags statistics)
{
   *pool = (struct rt_query_pool){.type = type, .statistics = statistics, .count = count};
   pool->queries = util_calloc(count, sizeof(*pool->queries));
   if (!pool->queries)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!util_mutex_init(&pool->lock))
      goto free_queries;
   if (!util_cond_init(&pool->changed))
      goto finish_lock;
   return VK_SUCCESS;

finish_lock:
   pthread_mutex_destroy(&pool->lock);
free_queries:
   util_mfree(pool->queries);
   pool->queries = NULL;
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void rt_query_pool_finish(struct rt_query_pool *pool)
{
   if (!pool->queries)
      return;
   pthread_cond_destroy(&pool->changed);
   pthread_mutex_destroy(&pool->lock);
   util_mfree(pool->queries);
   pool->queries = NULL;
}

/* Values are read and written by atomics: a partial result may be read while others count. */
void rt_query_set(struct rt_query *query, uint32_t index, uint64_t value)
{
   __atomic_store_n(&query->values[index], value, __ATOMIC_RELAXED);
}

void rt_query_add(struct rt_query *query, uint32_t index, uint64_t value)
{
   for (; query; query = query->also)
      __atomic_fetch_add(&query->values[index], value, __ATOMIC_RELAXED);
}

void rt_query_pool_use(struct rt_query_pool *pool, uint32_t first, uint32_t count)
{
   const uint32_t end = UTIL_MIN(first + count, pool->count);
   uint32_t used = __atomic_load_n(&pool->num_used, __ATOMIC_RELAXED);
   while (used < end && !__atomic_compare_exchange_n(&pool->num_used, &used, end, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
}

/* What nobody has used is not looked at, and what is zero already is not written: memory of a large pool may not be there yet, and some systems bring it where
 * it is only read. */
void rt_query_pool_reset(struct rt_query_pool *pool, uint32_t first, uint32_t count)
{
   const uint32_t num_used = __atomic_load_n(&pool->num_used, __ATOMIC_RELAXED);
   for (uint32_t i = first; i < first + count && i < num_used; i++) {
      struct rt_query *query = &pool->queries[i];
      if (__atomic_load_n(&query->is_available, __ATOMIC_RELAXED))
         __atomic_store_n(&query->is_available, 0, __ATOMIC_RELEASE);
      for (uint32_t v = 0; v < UTIL_ARRAY_SIZE(query->values); v++) {
         if (__atomic_load_n(&query->values[v], __ATOMIC_RELAXED))
            rt_query_set(query, v, 0);
      }
   }
}

void rt_query_pool_set_available(struct rt_query_pool *pool, uint32_t first, uint32_t count)
{
   rt_query_pool_use(pool, first, count);
   pthread_mutex_lock(&pool->lock);
   for (uint32_t i = first; i < first + count && i < pool->count; i++)
      __atomic_store_n(&pool->queries[i].is_available, 1, __ATOMIC_RELEASE);
   pthread_cond_broadcast(&pool->changed);
   pthread_mutex_unlock(&pool->lock);
}

void rt_query_pools_wake(void)
{
   pthread_mutex_lock(&sleepers_lock);
   UTIL_LIST_FOR_EACH (struct sleeper, sleeper, &sleepers, link) {
      pthread_mutex_lock(&sleeper->pool->lock);
      pthread_cond_broadcast(&sleeper->pool->changed);
      pthread_mutex_unlock(&sleeper->pool->lock);
   }
   pthread_mutex_unlock(&sleepers_lock);
}

/* ---- results ---- */

static bool is_available(const struct rt_query *query)
{
   return __atomic_load_n(&query->is_available, __ATOMIC_ACQUIRE) != 0;
}

static bool is_set(const bool *flag)
{
   return flag && __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static bool wait_for(struct rt_query_pool *pool, const struct rt_query *query, const bool *is_lost)
{
   struct sleeper sleeper = {.pool = pool};
   pthread_mutex_lock(&sleepers_lock);
   util_list_add_before(&sleeper.link, &sleepers);
   pthread_mutex_unlock(&sleepers_lock);

   pthread_mutex_lock(&pool->lock);
   while (!is_available(query) && !is_set(is_lost))
      util_cond_wait_until(&pool->changed, &pool->lock, UTIL_FOREVER);
   pthread_mutex_unlock(&pool->lock);

   pthread_mutex_lock(&sleepers_lock);
   util_list_remove(&sleeper.link);
   pthread_mutex_unlock(&sleepers_lock);
   return is_available(query);
}

/* 32-bit results of larger counters wrap or saturate, as the implementation likes; they saturate here, but for
 * timestamps, whose differences matter. */
static uint8_t *write_value(uint8_t *dst, uint64_t value, bool is_64, bool is_timestamp)
{
   if (is_64) {
      memcpy(dst, &value, sizeof(value));
      return dst + sizeof(value);
   }
   const uint32_t low = is_timestamp ? (uint32_t)value : (uint32_t)UTIL_MIN(value, UINT32_MAX);
   memcpy(dst, &low, sizeof(low));
   return dst + sizeof(low);
}

/* Bit set of the values that a query of the pool has. */
static uint32_t values_of(const struct rt_query_pool *pool)
{
   switch (pool->type) {
   case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      return pool->statistics;
   case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
      return (1u << RT_NUM_XFB_VALUES) - 1;
   default:
      return 1;
   }
}

uint32_t rt_query_result_bytes(const struct rt_query_pool *pool, VkQueryResultFlags flags)
{
   return (uint32_t)__builtin_popcount(values_of(pool)) * (flags & VK_QUERY_RESULT_64_BIT ? 8 : 4);
}

static void write_query(const struct rt_query_pool *pool, const struct rt_query *query, bool has_result, uint8_t *dst,
                        VkQueryResultFlags flags)
{
   const bool is_64 = flags & VK_QUERY_RESULT_64_BIT, is_timestamp = pool->type == VK_QUERY_TYPE_TIMESTAMP;
   const bool is_written = has_result || (flags & VK_QUERY_RESULT_PARTIAL_BIT);
   const uint32_t which = values_of(pool);

   for (uint32_t left = which; left; left &= left - 1) {
      const uint64_t value = __atomic_load_n(&query->values[__builtin_ctz(left)], __ATOMIC_RELAXED);
      if (is_written)
         dst = write_value(dst, value, is_64, is_timestamp);
      else
         dst += is_64 ? 8 : 4; /* left as it was */
   }
   if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
      write_value(dst, has_result, is_64, false);
}

VkResult rt_query_pool_results(struct rt_query_pool *pool, uint32_t first, uint32_t count, void *dst,
                               uint64_t stride_bytes, VkQueryResultFlags flags, const bool *is_lost)
{
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < count && first + i < pool->count; i++) {
      const struct rt_query *query = &pool->queries[first + i];
      bool has_result = is_available(query);
      if (!has_result && (flags & VK_QUERY_RESULT_WAIT_BIT)) {
         has_result = wait_for(pool, query, is_lost);
         if (!has_result)
            return VK_ERROR_DEVICE_LOST;
      }
      if (!has_result && !(flags & VK_QUERY_RESULT_PARTIAL_BIT))
         result = VK_NOT_READY;
      write_query(pool, query, has_result, (uint8_t *)dst + i * stride_bytes, flags);
   }
   return result;
}
