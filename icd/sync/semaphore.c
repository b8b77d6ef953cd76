/* SPDX-License-Identifier: MIT
 * Semaphores. */
#include "icd/sync/semaphore.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/instrument/instrument.h"
#include "icd/sync/poll.h"
#include "icd/sync/wait_list.h"
#include "util/timeline.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateSemaphore(VkDevice _device, const VkSemaphoreCreateInfo *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator, VkSemaphore *pSemaphore)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const VkSemaphoreTypeCreateInfo *type =
      icd_chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
   struct icd_semaphore *semaphore = icd_object_alloc(device, pAllocator, sizeof(*semaphore), VK_OBJECT_TYPE_SEMAPHORE);
   if (!semaphore)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkExportSemaphoreCreateInfo *export =
      icd_chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
   const bool is_timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
   const bool is_shared = export && export->handleTypes & VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
   const VkResult result = icd_payloads_init(&semaphore->payloads, is_timeline ? RT_SHARE_TIMELINE : RT_SHARE_BINARY,
                                             is_shared, is_timeline ? type->initialValue : 0);
   if (result != VK_SUCCESS) {
      icd_object_free(device, pAllocator, semaphore);
      return result;
   }
   *pSemaphore = icd_semaphore_to_handle(semaphore);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySemaphore(VkDevice device, VkSemaphore _semaphore,
                                                const VkAllocationCallbacks *pAllocator)
{
   struct icd_semaphore *semaphore = icd_semaphore_from_handle(_semaphore);
   if (!semaphore)
      return;
   icd_payloads_finish(&semaphore->payloads, icd_device_from_handle(device));
   icd_object_free(icd_device_from_handle(device), pAllocator, semaphore);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, uint64_t *pValue)
{
   struct rt_timeline *timeline = icd_semaphore_timeline(icd_semaphore_from_handle(semaphore));
   const uint64_t value = rt_timeline_value(timeline);
   icd_poll(icd_device_from_handle(device), &(struct rt_wait){timeline, value + 1});
   *pValue = rt_timeline_value(timeline);
   icd_instrument_seen(icd_device_from_handle(device), &(struct rt_wait){timeline, *pValue}, 1);
   return icd_device_status(icd_device_from_handle(device));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo *pWaitInfo,
                                                  uint64_t timeout)
{
   struct icd_wait_list list;
   VkResult result = icd_wait_list_init(&list, icd_device_from_handle(device), pWaitInfo->semaphoreCount);
   if (result != VK_SUCCESS)
      return result;
   for (uint32_t i = 0; i < pWaitInfo->semaphoreCount; i++)
      icd_wait_list_add(&list, icd_semaphore_timeline(icd_semaphore_from_handle(pWaitInfo->pSemaphores[i])),
                        pWaitInfo->pValues[i]);
   const uint64_t begin_ns = util_timeline_begin();
   result = rt_timeline_wait(list.waits, list.count, pWaitInfo->flags & VK_SEMAPHORE_WAIT_ANY_BIT, timeout);
   util_timeline_end(begin_ns, "wait", "vkWaitSemaphores");
   icd_instrument_seen(list.device, list.waits, list.count);
   icd_wait_list_finish(&list);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo *pSignalInfo)
{
   rt_timeline_signal(icd_semaphore_timeline(icd_semaphore_from_handle(pSignalInfo->semaphore)), pSignalInfo->value);
   return VK_SUCCESS;
}
