/* SPDX-License-Identifier: MIT
 * What a queue's thread waits for, and how a loss of the device wakes it. */
#include "runtime/queue/queue.h"

void rt_queue_note_events(struct rt_queue *queue, struct rt_timeline *const *events, uint32_t count)
{
   pthread_mutex_lock(&queue->lock);
   queue->events = events;
   queue->num_events = count;
   pthread_mutex_unlock(&queue->lock);
}

void rt_queue_lose(struct rt_queue *queue)
{
   pthread_mutex_lock(&queue->lock);
   if (!util_list_is_empty(&queue->submissions)) {
      const struct rt_submission *first = UTIL_LIST_ENTRY(queue->submissions.next, struct rt_submission, link);
      for (uint32_t i = 0; i < first->num_waits; i++)
         rt_timeline_poke(first->waits[i].timeline);
   }
   for (uint32_t i = 0; i < queue->num_events; i++)
      rt_timeline_poke(queue->events[i]);
   pthread_mutex_unlock(&queue->lock);
}
