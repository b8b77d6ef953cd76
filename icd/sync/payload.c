/* SPDX-License-Identifier: MIT
 * Payloads: the own one, imported ones. */
#include "icd/sync/payload.h"

VkResult icd_payloads_init(struct icd_payloads *payloads, enum rt_share_type type, bool is_shared, uint64_t value)
{
   payloads->own.type = type;
   return is_shared ? rt_timeline_init_shared(&payloads->own.timeline, type, value)
                    : rt_timeline_init(&payloads->own.timeline, value);
}

static void destroy(struct icd_payload *payload, struct icd_device *device)
{
   if (!payload)
      return;
   rt_timeline_finish(&payload->timeline);
   icd_free(device, NULL, payload);
}

void icd_payloads_finish(struct icd_payloads *payloads, struct icd_device *device)
{
   destroy(payloads->retired, device);
   destroy(payloads->temporary, device);
   destroy(payloads->permanent, device);
   rt_timeline_finish(&payloads->own.timeline);
}

void icd_payloads_retire_temporary(struct icd_payloads *payloads)
{
   payloads->retired = payloads->temporary;
   payloads->temporary = NULL;
}

void icd_payloads_drop_temporary(struct icd_payloads *payloads, struct icd_device *device)
{
   destroy(payloads->temporary, device);
   payloads->temporary = NULL;
}

VkResult icd_payloads_import(struct icd_payloads *payloads, struct icd_device *device, bool is_file, bool is_temporary,
                             int fd)
{
   struct icd_payload *payload = icd_zalloc(device, NULL, sizeof(*payload), 16);
   if (!payload)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   payload->type = payloads->own.type;
   const VkResult result = is_file ? rt_timeline_init_file(&payload->timeline, fd)
                                   : rt_timeline_init_imported(&payload->timeline, payload->type, fd);
   if (result != VK_SUCCESS) {
      icd_free(device, NULL, payload);
      return result;
   }
   atomic_init(&payload->counts.num_signals, is_file ? 1 : 0); /* what the file stands for */

   /* Nothing that uses the semaphore or fence is in flight. */
   destroy(payloads->retired, device);
   payloads->retired = NULL;
   icd_payloads_drop_temporary(payloads, device);
   if (is_temporary) {
      payload->temporary_of = payloads;
      payloads->temporary = payload;
   } else {
      destroy(payloads->permanent, device);
      payloads->permanent = payload;
   }
   return VK_SUCCESS;
}

VkResult icd_payloads_export(struct icd_payloads *payloads, int *fd)
{
   *fd = rt_timeline_export(&icd_payload_current(payloads)->timeline);
   return *fd >= 0 ? VK_SUCCESS : VK_ERROR_TOO_MANY_OBJECTS;
}
