/* SPDX-License-Identifier: MIT
 * A list of points on timelines for the duration of one call: on the stack unless it is long. */
#pragma once

#include "icd/device/device.h"
#include "runtime/sync/sync.h"

enum { ICD_WAIT_LIST_SHORT = 16 };

struct icd_wait_list {
   struct icd_device *device;
   struct rt_wait *waits;
   uint32_t count;
   struct rt_wait short_waits[ICD_WAIT_LIST_SHORT];
};

/* Room for `capacity` points. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK static inline VkResult icd_wait_list_init(struct icd_wait_list *list, struct icd_device *device,
                                                          uint32_t capacity)
{
   list->device = device;
   list->count = 0;
   list->waits = list->short_waits;
   if (capacity > ICD_WAIT_LIST_SHORT)
      list->waits =
         util_alloc(device->allocator, capacity * sizeof(*list->waits), 16, VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
   return list->waits ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static inline void icd_wait_list_finish(struct icd_wait_list *list)
{
   if (list->waits != list->short_waits)
      util_free(list->device->allocator, list->waits);
}

static inline void icd_wait_list_add(struct icd_wait_list *list, struct rt_timeline *timeline, uint64_t value)
{
   list->waits[list->count++] = (struct rt_wait){timeline, value};
}
