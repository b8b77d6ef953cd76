/* SPDX-License-Identifier: MIT
 * Query results: widths, availability, partial results, waiting. */
#include "runtime/cmd/query.h"
#include "tests/test.h"
#include "util/thread.h"

TEST(flags)
{
   struct rt_query_pool pool;
   CHECK_EQ(rt_query_pool_init(&pool, VK_QUERY_TYPE_OCCLUSION, 3, 0), VK_SUCCESS);
   rt_query_set(&pool.queries[0], 0, 0x123456789);
   rt_query_set(&pool.queries[1], 0, 77);
   rt_query_pool_set_available(&pool, 0, 1);

   uint32_t small[6];
   memset(small, 0xee, sizeof(small));
   CHECK_EQ(rt_query_pool_results(&pool, 0, 3, small, 8, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, NULL), VK_NOT_READY);
   CHECK_EQ(small[0], UINT32_MAX); /* saturated */
   CHECK_EQ(small[1], 1);
   CHECK_EQ(small[2], 0xeeeeeeee); /* left alone */
   CHECK_EQ(small[3], 0);

   uint64_t large[3] = {5, 5, 5};
   CHECK_EQ(rt_query_pool_results(&pool, 0, 2, large, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_PARTIAL_BIT, NULL),
            VK_SUCCESS);
   CHECK_EQ(large[0], 0x123456789);
   CHECK_EQ(large[1], 77);
   CHECK_EQ(large[2], 5);

   rt_query_pool_reset(&pool, 0, 1);
   CHECK_EQ(rt_query_pool_results(&pool, 0, 1, large, 8, VK_QUERY_RESULT_64_BIT, NULL), VK_NOT_READY);
   rt_query_pool_finish(&pool);
}

TEST(statistics_come_in_the_order_of_bits)
{
   struct rt_query_pool pool;
   const VkQueryPipelineStatisticFlags which = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                                               VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
   CHECK_EQ(rt_query_pool_init(&pool, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, which), VK_SUCCESS);
   for (uint32_t i = 0; i < 16; i++)
      rt_query_set(&pool.queries[0], i, 100 + i);
   rt_query_pool_set_available(&pool, 0, 1);
   uint32_t values[3];
   CHECK_EQ(rt_query_pool_results(&pool, 0, 1, values, 12, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, NULL), VK_SUCCESS);
   CHECK_EQ(values[0], 101);
   CHECK_EQ(values[1], 110);
   CHECK_EQ(values[2], 1);
   rt_query_pool_finish(&pool);
}

struct waiter {
   struct rt_query_pool pool;
   bool is_lost;
   VkResult result;
};

static void *wait_for_result(void *arg)
{
   struct waiter *waiter = arg;
   uint32_t value;
   waiter->result = rt_query_pool_results(&waiter->pool, 0, 1, &value, 4, VK_QUERY_RESULT_WAIT_BIT, &waiter->is_lost);
   return NULL;
}

static VkResult wait_until(bool is_lost)
{
   struct waiter waiter = {.is_lost = false};
   CHECK_EQ(rt_query_pool_init(&waiter.pool, VK_QUERY_TYPE_OCCLUSION, 1, 0), VK_SUCCESS);
   pthread_t thread;
   CHECK(pthread_create(&thread, NULL, wait_for_result, &waiter) == 0);
   const struct timespec time = {.tv_nsec = 3000000};
   nanosleep(&time, NULL);
   if (is_lost) {
      __atomic_store_n(&waiter.is_lost, true, __ATOMIC_RELEASE);
      rt_query_pools_wake();
   } else {
      rt_query_pool_set_available(&waiter.pool, 0, 1);
   }
   pthread_join(thread, NULL);
   rt_query_pool_finish(&waiter.pool);
   return waiter.result;
}

TEST(waiting)
{
   CHECK_EQ(wait_until(false), VK_SUCCESS);
   CHECK_EQ(wait_until(true), VK_ERROR_DEVICE_LOST);
}

TEST_MAIN
