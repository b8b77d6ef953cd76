/* SPDX-License-Identifier: MIT
 * Waits. One for one timeline, or for all of several, one after the other, sleeps on the timeline's own condition; one for any of several on a
 * condition of its own (waiter.h). What comes from outside of the process is watched by a thread, started when somebody is about to sleep. */
#include "runtime/sync/waiter.h"

#include "util/alloc.h"
#include "util/awake.h"

/* Before somebody sleeps; under the lock. */
static VkResult watch_source(const struct rt_timeline *timeline)
{
   return timeline->source ? rt_source_watch(timeline->source) : VK_SUCCESS;
}

/* ---- for any of several ---- */

static VkResult sleep_for_any(struct rt_any_waiter *waiter, uint64_t deadline_ns)
{
   VkResult result = VK_TIMEOUT;
   bool is_in_time = true;
   pthread_mutex_lock(&waiter->lock);
   for (;;) {
      if (waiter->is_satisfied)
         result = VK_SUCCESS;
      else if (waiter->is_lost)
         result = VK_ERROR_DEVICE_LOST;
      else if (is_in_time) {
         is_in_time = util_cond_wait_until(&waiter->poked, &waiter->lock, deadline_ns);
         continue;
      }
      break;
   }
   pthread_mutex_unlock(&waiter->lock);
   return result;
}

static VkResult wait_with_nodes(const struct rt_wait *waits, struct rt_any_node *nodes, uint32_t count,
                                uint64_t deadline_ns)
{
   struct rt_any_waiter waiter = {.is_satisfied = false};
   if (!util_mutex_init(&waiter.lock))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!util_cond_init(&waiter.poked)) {
      pthread_mutex_destroy(&waiter.lock);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }

   VkResult result = VK_TIMEOUT;
   uint32_t num_added = 0;
   while (num_added < count && result == VK_TIMEOUT) {
      struct rt_timeline *timeline = waits[num_added].timeline;
      nodes[num_added] = (struct rt_any_node){.waiter = &waiter, .value = waits[num_added].value};
      pthread_mutex_lock(&timeline->lock);
      util_list_add_before(&nodes[num_added].link, &timeline->waiters);
      const VkResult watched = watch_source(timeline);
      if (rt_timeline_current(timeline) >= waits[num_added].value)
         result = VK_SUCCESS;
      else if (timeline->is_lost)
         result = VK_ERROR_DEVICE_LOST;
      else if (watched != VK_SUCCESS)
         result = watched;
      pthread_mutex_unlock(&timeline->lock);
      num_added++;
   }
   if (result == VK_TIMEOUT)
      result = sleep_for_any(&waiter, deadline_ns);

   for (uint32_t i = 0; i < num_added; i++) {
      pthread_mutex_lock(&waits[i].timeline->lock);
      util_list_remove(&nodes[i].link);
      pthread_mutex_unlock(&waits[i].timeline->lock);
   }
   pthread_cond_destroy(&waiter.poked);
   pthread_mutex_destroy(&waiter.lock);
   return result;
}

static VkResult wait_any(const struct rt_wait *waits, uint32_t count, uint64_t deadline_ns)
{
   struct rt_any_node few[8], *nodes = few;
   if (count > UTIL_ARRAY_SIZE(few) && !(nodes = util_malloc(count * sizeof(*nodes))))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkResult result = wait_with_nodes(waits, nodes, count, deadline_ns);
   if (nodes != few)
      util_mfree(nodes);
   return result;
}

/* ---- for one, or all ---- */

/* Under the lock, which is given back meanwhile: looks for a change before the thread sleeps. Values from outside of the process change
 * nothing here until they are watched. */
static void look_awake(struct rt_timeline *timeline)
{
   static __thread struct util_awake awake;
   const uint32_t seen = atomic_load_explicit(&timeline->num_changes, memory_order_relaxed);
   if (timeline->source)
      return;
   pthread_mutex_unlock(&timeline->lock);
   (void)util_awake_look(&awake, &timeline->num_changes, seen);
   pthread_mutex_lock(&timeline->lock);
}

/* `is_lost` may be NULL. */
static VkResult wait_one(const struct rt_wait *wait, uint64_t deadline_ns, const bool *is_lost)
{
   struct rt_timeline *timeline = wait->timeline;
   VkResult result = VK_TIMEOUT;
   bool is_in_time = deadline_ns != 0, is_first = true;
   pthread_mutex_lock(&timeline->lock);
   for (;;) {
      if (rt_timeline_current(timeline) >= wait->value)
         result = VK_SUCCESS;
      else if (timeline->is_lost || (is_lost && __atomic_load_n(is_lost, __ATOMIC_ACQUIRE)))
         result = VK_ERROR_DEVICE_LOST;
      else if (is_in_time && is_first) {
         look_awake(timeline);
         is_first = false;
         continue;
      } else if (is_in_time && (result = watch_source(timeline)) == VK_SUCCESS) {
         result = VK_TIMEOUT;
         is_in_time = util_cond_wait_until(&timeline->changed, &timeline->lock, deadline_ns);
         continue;
      }
      break;
   }
   pthread_mutex_unlock(&timeline->lock);
   return result;
}

/* One look at each: is any reached? Says also whether one is lost. */
static VkResult look_for_any(const struct rt_wait *waits, uint32_t count)
{
   VkResult result = VK_TIMEOUT;
   for (uint32_t i = 0; i < count; i++) {
      const VkResult one = wait_one(&waits[i], 0, NULL);
      if (one == VK_SUCCESS)
         return VK_SUCCESS;
      if (one != VK_TIMEOUT)
         result = one;
   }
   return result;
}

VkResult rt_timeline_wait(const struct rt_wait *waits, uint32_t count, bool any, uint64_t timeout_ns)
{
   const uint64_t deadline_ns = timeout_ns ? util_deadline_ns(timeout_ns) : 0;
   if (any && count > 1) {
      const VkResult result = look_for_any(waits, count);
      return result == VK_TIMEOUT && deadline_ns ? wait_any(waits, count, deadline_ns) : result;
   }
   for (uint32_t i = 0; i < count; i++) {
      const VkResult result = wait_one(&waits[i], deadline_ns, NULL);
      if (result != VK_SUCCESS)
         return result;
   }
   return VK_SUCCESS;
}

VkResult rt_timeline_wait_in_queue(const struct rt_wait *waits, uint32_t count, const bool *is_lost)
{
   for (uint32_t i = 0; i < count; i++) {
      const VkResult result = wait_one(&waits[i], UTIL_FOREVER, is_lost);
      if (result != VK_SUCCESS)
         return result;
   }
   return VK_SUCCESS;
}
