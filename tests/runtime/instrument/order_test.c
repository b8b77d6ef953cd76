/* SPDX-License-Identifier: MIT
 * What orders two accesses, and what does not. */
#include "runtime/instrument/order.h"
#include "runtime/cmd/scopes.h"
#include "tests/test.h"

#include "util/alloc.h"

#define COMPUTE VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
#define COPY VK_PIPELINE_STAGE_2_COPY_BIT
#define FRAGMENT VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT
#define VERTEX VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT
#define STORE VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT
#define READ VK_ACCESS_2_TRANSFER_READ_BIT

static struct rt_log logs;
static const struct rt_ordered by_compute = {.stages = COMPUTE, .accesses = STORE}, by_copy = {.stages = COPY, .accesses = READ};

static void add(enum rt_log_type type, uint32_t queue, uint64_t group, uint64_t key, VkPipelineStageFlags2 src, VkAccessFlags2 from,
                VkPipelineStageFlags2 dst, VkAccessFlags2 to)
{
   const struct rt_scope scope = {.src_stages = rt_stages(src, true), .dst_stages = rt_stages(dst, false), .src_accesses = from, .dst_accesses = to};
   CHECK(rt_log_add(&logs, type, queue, group, key, &scope));
}

static void barrier(uint64_t group, VkPipelineStageFlags2 src, VkAccessFlags2 from, VkPipelineStageFlags2 dst, VkAccessFlags2 to)
{
   add(RT_LOG_BARRIER, 0, group, 0, src, from, dst, to);
}

static struct rt_order order_of(const struct rt_ordered *later)
{
   return rt_log_order(&logs, &by_compute, later, 100);
}

static void check(bool is_after, bool is_available, bool is_visible)
{
   const struct rt_order order = order_of(&by_copy);
   CHECK_EQ(order.is_after, is_after);
   CHECK_EQ(order.is_available, is_available);
   CHECK_EQ(order.is_visible, is_visible);
   rt_log_finish(&logs);
}

TEST(barriers)
{
   check(false, false, false);
   barrier(1, COMPUTE, STORE, COPY, READ);
   check(true, true, true);
   barrier(1, COMPUTE, 0, COPY, 0);
   check(true, false, false);
   barrier(1, COMPUTE, STORE, COPY, 0);
   check(true, true, false);
   barrier(1, VERTEX, STORE, COPY, READ);
   check(false, false, false);
   barrier(1, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, STORE, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, READ);
   check(true, true, true);
   barrier(1, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, STORE, COPY, READ);
   check(false, false, false);
   barrier(1, COMPUTE, STORE, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, READ); /* which all come after */
   check(true, true, true);
}

TEST(chains)
{
   barrier(1, COMPUTE, STORE, FRAGMENT, 0);
   barrier(2, FRAGMENT, 0, COPY, READ);
   check(true, true, true);
   barrier(1, COMPUTE, STORE, FRAGMENT, 0);
   barrier(2, VERTEX, 0, COPY, READ); /* earlier than what waits */
   check(false, true, false);
   barrier(1, COMPUTE, STORE, FRAGMENT, 0);
   barrier(2, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0, COPY, READ); /* later than it */
   check(true, true, true);
   barrier(1, COMPUTE, STORE, FRAGMENT, 0);
   barrier(1, FRAGMENT, 0, COPY, READ); /* of one command: no chain */
   check(false, true, false);
   barrier(2, FRAGMENT, 0, COPY, READ); /* in the wrong order */
   barrier(3, COMPUTE, STORE, FRAGMENT, 0);
   check(false, true, false);
}

TEST(events)
{
   add(RT_LOG_SIGNAL, 0, 1, 7, COMPUTE, 0, 0, 0);
   add(RT_LOG_WAIT_EVENT, 0, 2, 7, COMPUTE, STORE, COPY, READ);
   check(true, true, true);
   add(RT_LOG_SIGNAL, 0, 1, 7, VERTEX, 0, 0, 0);
   add(RT_LOG_WAIT_EVENT, 0, 2, 7, COMPUTE, STORE, COPY, READ);
   check(false, false, false);
   add(RT_LOG_WAIT_EVENT, 0, 2, 8, COMPUTE, STORE, COPY, READ); /* set before the access */
   check(false, false, false);
}

TEST(queues)
{
   const struct rt_ordered elsewhere = {.queue = 1, .stages = COPY, .accesses = READ};
   barrier(1, COMPUTE, STORE, COPY, READ);
   CHECK(!order_of(&elsewhere).is_after);
   add(RT_LOG_SIGNAL, 0, 2, 9, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0, 0, 0);
   add(RT_LOG_WAIT, 1, 3, 9, 0, 0, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, 0);
   CHECK(!order_of(&elsewhere).is_after);
   add(RT_LOG_BARRIER, 1, 4, 0, VERTEX, 0, COPY, READ);
   CHECK(order_of(&elsewhere).is_visible);
   rt_log_finish(&logs);
   add(RT_LOG_WAIT, 1, 1, 0, 0, 0, COPY, 0); /* signaled by somebody else */
   CHECK(order_of(&elsewhere).is_visible);
   rt_log_finish(&logs);
}

TEST(ranges)
{
   struct rt_scope scope = {.src_stages = COMPUTE, .dst_stages = COPY, .src_accesses = STORE, .dst_accesses = READ, .num_ranges = 1};
   scope.ranges = util_malloc(sizeof(*scope.ranges));
   CHECK(scope.ranges != NULL);
   scope.ranges[0] = (struct rt_byte_range){96, 200};
   CHECK(rt_log_add(&logs, RT_LOG_BARRIER, 0, 1, 0, &scope));
   struct rt_order order = rt_log_order(&logs, &by_compute, &by_copy, 100);
   CHECK(order.is_visible);
   CHECK_EQ(order.begin, 96);
   CHECK_EQ(order.end, 200);
   order = rt_log_order(&logs, &by_compute, &by_copy, 200);
   CHECK(order.is_after && !order.is_visible);
   CHECK_EQ(order.begin, 200);
   rt_log_cut(&logs, 0);
   CHECK_EQ(rt_log_end(&logs), 0);
   rt_log_finish(&logs);
}

/* What a transition writes the host sees by the transition's own second scope. */
TEST(host)
{
   const struct rt_ordered for_host = {.stages = VK_PIPELINE_STAGE_2_HOST_BIT, .accesses = VK_ACCESS_2_HOST_READ_BIT, .is_transition = true};
   const struct rt_ordered for_copies = {.stages = COPY, .accesses = READ, .is_transition = true};
   const struct rt_ordered not_a_transition = {.stages = VK_PIPELINE_STAGE_2_HOST_BIT, .accesses = VK_ACCESS_2_HOST_READ_BIT};
   CHECK(rt_log_order_host(&logs, &for_host, 100).is_visible);
   CHECK(!rt_log_order_host(&logs, &for_copies, 100).is_visible);
   CHECK(!rt_log_order_host(&logs, &not_a_transition, 100).is_visible);
   barrier(1, COPY, READ, VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
   CHECK(rt_log_order_host(&logs, &for_copies, 100).is_visible);
   rt_log_finish(&logs);
}

TEST(transitions)
{
   const struct rt_ordered transition = {.stages = FRAGMENT | RT_STAGE_TRANSITION, .accesses = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, .is_transition = true};
   const struct rt_ordered sample = {.stages = FRAGMENT, .accesses = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
   CHECK(rt_log_order(&logs, &transition, &sample, 0).is_visible);
   CHECK(!rt_log_order(&logs, &transition, &by_copy, 0).is_after);
   barrier(1, FRAGMENT, 0, COPY, READ);
   CHECK(rt_log_order(&logs, &transition, &by_copy, 0).is_visible);
   rt_log_finish(&logs);
}

TEST_MAIN
