/* SPDX-License-Identifier: MIT
 * The queue of records of when frames passed the stages of presenting. */
#include "wsi/timing.h"

#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

void wsi_timing_queue_finish(struct wsi_timing_queue *queue)
{
   util_mfree(queue->records);
}

VkResult wsi_timing_queue_resize(struct wsi_timing_queue *queue, uint32_t max_count)
{
   if (max_count < queue->count)
      return VK_NOT_READY;
   struct wsi_timing *records = util_calloc(1, util_size_array(0, UTIL_MAX(max_count, 1u), sizeof(*records)));
   if (!records)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (queue->count)
      memcpy(records, queue->records, queue->count * sizeof(*records));
   util_mfree(queue->records);
   queue->records = records;
   queue->max_count = max_count;
   return VK_SUCCESS;
}

uint64_t wsi_timing_begin(struct wsi_timing_queue *queue, uint64_t present_id, const struct wsi_timing_request *asked)
{
   if (queue->count == queue->max_count)
      return 0;
   queue->records[queue->count++] = (struct wsi_timing){.serial = ++queue->last_serial, .present_id = present_id, .asked = *asked};
   return queue->last_serial;
}

/* NULL: none, as where the application has taken it. */
static struct wsi_timing *find(const struct wsi_timing_queue *queue, uint64_t serial)
{
   for (uint32_t i = 0; i < queue->count; i++) {
      if (queue->records[i].serial == serial)
         return &queue->records[i];
   }
   return NULL;
}

void wsi_timing_note(struct wsi_timing_queue *queue, uint64_t serial, enum wsi_timed_stage stage, uint64_t time_ns)
{
   struct wsi_timing *timing = find(queue, serial);
   if (timing)
      timing->times_ns[stage] = time_ns;
}

void wsi_timing_end(struct wsi_timing_queue *queue, uint64_t serial)
{
   struct wsi_timing *timing = find(queue, serial);
   if (timing)
      timing->is_complete = true;
}

VkResult wsi_timing_take(struct wsi_timing_queue *queue, bool takes_any_order, uint32_t *count,
                         void (*take)(void *data, uint32_t index, const struct wsi_timing *timing), void *data)
{
   uint32_t taken = 0, ready = 0, kept = 0;
   bool is_blocked = false;
   for (uint32_t i = 0; i < queue->count; i++) {
      const struct wsi_timing timing = queue->records[i];
      const bool is_ready = timing.is_complete && !is_blocked;
      is_blocked |= !is_ready && !takes_any_order;
      ready += is_ready;
      if (is_ready && take && taken < *count)
         take(data, taken++, &timing);
      else
         queue->records[kept++] = timing;
   }
   queue->count = kept;
   *count = take ? taken : ready;
   return take && taken < ready ? VK_INCOMPLETE : VK_SUCCESS;
}
