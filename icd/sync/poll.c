/* SPDX-License-Identifier: MIT */
#include "icd/sync/poll.h"

#include "util/thread.h"

enum { FREE_POLLS = 16, IN_A_ROW_NS = 1000000, PAUSE_NS = 100000 };

/* How many polls of this timeline came behind each other; those of two threads are counted as they come, which only makes pauses fewer. */
static uint32_t count_poll(struct icd_polls *polls, const struct rt_timeline *timeline)
{
   const uint64_t now_ns = util_now_ns(), since_ns = now_ns - __atomic_exchange_n(&polls->last_ns, now_ns, __ATOMIC_RELAXED);
   const bool is_same = __atomic_exchange_n(&polls->timeline, timeline, __ATOMIC_RELAXED) == timeline;
   if (is_same && since_ns < IN_A_ROW_NS)
      return __atomic_add_fetch(&polls->count, 1, __ATOMIC_RELAXED);
   __atomic_store_n(&polls->count, 1, __ATOMIC_RELAXED);
   return 1;
}

bool icd_poll(struct icd_device *device, const struct rt_wait *wait)
{
   if (rt_timeline_value(wait->timeline) >= wait->value)
      return true;
   return count_poll(&device->polls, wait->timeline) > FREE_POLLS && rt_timeline_wait(wait, 1, false, PAUSE_NS) == VK_SUCCESS;
}
