/* SPDX-License-Identifier: MIT
 * Timelines: waits for one, all and any, time-outs, loss. */
#include "runtime/sync/sync.h"
#include "tests/test.h"

static struct rt_timeline timelines[12];

static void init_all(void)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(timelines); i++)
      CHECK_EQ(rt_timeline_init(&timelines[i], 0), VK_SUCCESS);
}

static void finish_all(void)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(timelines); i++)
      rt_timeline_finish(&timelines[i]);
}

TEST(values)
{
   init_all();
   const struct rt_wait wait = {&timelines[0], 5};
   CHECK_EQ(rt_timeline_wait(&wait, 1, false, 0), VK_TIMEOUT);
   rt_timeline_signal(&timelines[0], 4);
   CHECK_EQ(rt_timeline_wait(&wait, 1, false, 1000000), VK_TIMEOUT);
   rt_timeline_signal(&timelines[0], 7);
   CHECK_EQ(rt_timeline_wait(&wait, 1, false, 0), VK_SUCCESS);
   CHECK_EQ(rt_timeline_wait(&wait, 1, true, UTIL_FOREVER), VK_SUCCESS);
   rt_timeline_signal(&timelines[0], 0);
   CHECK_EQ(rt_timeline_value(&timelines[0]), 0);
   CHECK_EQ(rt_timeline_wait(&wait, 1, false, 0), VK_TIMEOUT);
   finish_all();
}

TEST(time_outs_are_kept)
{
   init_all();
   const struct rt_wait waits[2] = {{&timelines[0], 1}, {&timelines[1], 1}};
   const uint64_t begin_ns = util_now_ns();
   CHECK_EQ(rt_timeline_wait(waits, 2, true, 5000000), VK_TIMEOUT);
   CHECK(util_now_ns() - begin_ns >= 5000000);
   CHECK(util_list_is_empty(&timelines[0].waiters) && util_list_is_empty(&timelines[1].waiters));
   finish_all();
}

struct later {
   struct rt_timeline *timeline;
   uint64_t value;
   bool loses;
};

static void *signal_later(void *arg)
{
   const struct later *later = arg;
   const struct timespec time = {.tv_nsec = 3000000};
   nanosleep(&time, NULL);
   if (later->loses)
      rt_timeline_lose(later->timeline);
   else
      rt_timeline_signal(later->timeline, later->value);
   return NULL;
}

static VkResult wait_while(const struct later *later, bool any, uint32_t count, uint64_t timeout_ns)
{
   struct rt_wait waits[UTIL_ARRAY_SIZE(timelines)];
   for (uint32_t i = 0; i < count; i++)
      waits[i] = (struct rt_wait){&timelines[i], 2};
   pthread_t thread;
   CHECK(pthread_create(&thread, NULL, signal_later, (void *)later) == 0);
   const VkResult result = rt_timeline_wait(waits, count, any, timeout_ns);
   pthread_join(thread, NULL);
   return result;
}

TEST(any_wakes)
{
   init_all();
   const struct later later = {&timelines[10], 2, false};
   CHECK_EQ(wait_while(&later, true, 12, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(wait_while(&later, false, 12, 20000000), VK_TIMEOUT);
   finish_all();
}

TEST(any_ignores_lower_values)
{
   init_all();
   const struct later later = {&timelines[1], 1, false};
   CHECK_EQ(wait_while(&later, true, 3, 30000000), VK_TIMEOUT);
   finish_all();
}

TEST(all_wakes)
{
   init_all();
   for (int i = 0; i < 11; i++)
      rt_timeline_signal(&timelines[i], 2);
   const struct later later = {&timelines[11], 3, false};
   CHECK_EQ(wait_while(&later, false, 12, UTIL_FOREVER), VK_SUCCESS);
   finish_all();
}

TEST(loss_ends_waits)
{
   init_all();
   const struct later later = {&timelines[0], 0, true};
   CHECK_EQ(wait_while(&later, true, 4, UTIL_FOREVER), VK_ERROR_DEVICE_LOST);
   rt_timeline_signal(&timelines[0], 2); /* what was reached stays reached */
   const struct rt_wait wait = {&timelines[0], 2};
   CHECK_EQ(rt_timeline_wait(&wait, 1, false, 0), VK_SUCCESS);
   finish_all();
}

/* A waiter may destroy the timeline as soon as it has seen the value. */
static void *signal_now(void *arg)
{
   rt_timeline_signal(arg, 1);
   return NULL;
}

TEST(destroyed_after_the_wait)
{
   for (int i = 0; i < 300; i++) {
      struct rt_timeline timeline;
      CHECK_EQ(rt_timeline_init(&timeline, 0), VK_SUCCESS);
      pthread_t thread;
      CHECK(pthread_create(&thread, NULL, signal_now, &timeline) == 0);
      const struct rt_wait wait = {&timeline, 1};
      CHECK_EQ(rt_timeline_wait(&wait, 1, false, UTIL_FOREVER), VK_SUCCESS);
      rt_timeline_finish(&timeline);
      pthread_join(thread, NULL);
   }
}

TEST_MAIN
