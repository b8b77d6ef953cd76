/* SPDX-License-Identifier: MIT
 * Timelines and their changes. Signals are sent under the lock: a waiter may destroy the timeline as soon as it has seen the value. */
#include "runtime/sync/waiter.h"

VkResult rt_timeline_init(struct rt_timeline *timeline, uint64_t value)
{
   atomic_init(&timeline->num_changes, 0);
   timeline->value = value;
   timeline->is_lost = false;
   timeline->source = NULL;
   util_list_init(&timeline->waiters);
   if (!util_mutex_init(&timeline->lock))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!util_cond_init(&timeline->changed)) {
      pthread_mutex_destroy(&timeline->lock);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   return VK_SUCCESS;
}

void rt_timeline_finish(struct rt_timeline *timeline)
{
   if (timeline->source) {
      /* Who saw the value elsewhere may be here before the signal has given back the lock. */
      pthread_mutex_lock(&timeline->lock);
      pthread_mutex_unlock(&timeline->lock);
      rt_source_destroy(timeline->source);
   }
   pthread_cond_destroy(&timeline->changed);
   pthread_mutex_destroy(&timeline->lock);
}

/* Under the timeline's lock. */
static void poke_waiters(struct rt_timeline *timeline)
{
   const uint64_t value = rt_timeline_current(timeline);
   UTIL_LIST_FOR_EACH (struct rt_any_node, node, &timeline->waiters, link) {
      struct rt_any_waiter *waiter = node->waiter;
      const bool is_satisfied = value >= node->value;
      if (!is_satisfied && !timeline->is_lost)
         continue;
      pthread_mutex_lock(&waiter->lock);
      waiter->is_satisfied |= is_satisfied;
      waiter->is_lost |= timeline->is_lost;
      pthread_cond_signal(&waiter->poked);
      pthread_mutex_unlock(&waiter->lock);
   }
}

/* Under the lock. */
static void announce_change(struct rt_timeline *timeline)
{
   poke_waiters(timeline);
   atomic_fetch_add_explicit(&timeline->num_changes, 1, memory_order_release);
   pthread_cond_broadcast(&timeline->changed);
}

void rt_timeline_signal(struct rt_timeline *timeline, uint64_t value)
{
   pthread_mutex_lock(&timeline->lock);
   timeline->value = value;
   if (timeline->source)
      rt_source_publish(timeline->source, value);
   announce_change(timeline);
   pthread_mutex_unlock(&timeline->lock);
}

void rt_timeline_lose(struct rt_timeline *timeline)
{
   pthread_mutex_lock(&timeline->lock);
   timeline->is_lost = true;
   announce_change(timeline);
   pthread_mutex_unlock(&timeline->lock);
}

void rt_timeline_poke(struct rt_timeline *timeline)
{
   pthread_mutex_lock(&timeline->lock);
   announce_change(timeline);
   pthread_mutex_unlock(&timeline->lock);
}

uint64_t rt_timeline_value(struct rt_timeline *timeline)
{
   pthread_mutex_lock(&timeline->lock);
   const uint64_t value = rt_timeline_current(timeline);
   pthread_mutex_unlock(&timeline->lock);
   return value;
}
