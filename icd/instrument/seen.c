/* SPDX-License-Identifier: MIT
 * `sync`: what the host does between submissions. */
#include "icd/instrument/instrument.h"

#include "icd/device/device.h"
#include "runtime/device.h"
#include "runtime/instrument/hazards.h"

void icd_instrument_seen(struct icd_device *device, const struct rt_wait *waits, uint32_t count)
{
   for (uint32_t i = 0; device->hazards && i < count; i++) {
      if (rt_timeline_value(waits[i].timeline) >= waits[i].value)
         rt_hazards_seen(device->hazards, waits[i].timeline, waits[i].value);
   }
}

void icd_instrument_seen_idle(const struct icd_queue *queue)
{
   if (queue->base.device->hazards)
      rt_queue_seen_idle(queue->rt);
}

void icd_instrument_host_access(struct icd_device *device, const uint8_t *data, uint64_t size_bytes, bool is_write)
{
   if (device->hazards)
      rt_hazards_host(device->hazards, (uintptr_t)data, (uintptr_t)data + size_bytes, is_write);
}

void icd_instrument_forget(struct icd_device *device, const uint8_t *data, uint64_t size_bytes)
{
   if (device->hazards && data)
      rt_hazards_forget(device->hazards, (uintptr_t)data, (uintptr_t)data + size_bytes);
}

void icd_instrument_acquired(struct icd_device *device, const struct rt_presented *image, const struct rt_wait *signals, uint32_t count)
{
   if (device->hazards)
      rt_hazards_acquire(device->hazards, image, signals, count);
}
