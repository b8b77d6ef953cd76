/* SPDX-License-Identifier: MIT
 * Fences. */
#include "icd/sync/fence.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/instrument/instrument.h"
#include "icd/sync/poll.h"
#include "icd/sync/wait_list.h"
#include "util/timeline.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateFence(VkDevice _device, const VkFenceCreateInfo *pCreateInfo,
                                               const VkAllocationCallbacks *pAllocator, VkFence *pFence)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_fence *fence = icd_object_alloc(device, pAllocator, sizeof(*fence), VK_OBJECT_TYPE_FENCE);
   if (!fence)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkExportFenceCreateInfo *export = icd_chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
   const bool is_shared = export && export->handleTypes & VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
   const VkResult result = icd_payloads_init(&fence->payloads, RT_SHARE_FENCE, is_shared,
                                             pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT ? 1 : 0);
   if (result != VK_SUCCESS) {
      icd_object_free(device, pAllocator, fence);
      return result;
   }
   *pFence = icd_fence_to_handle(fence);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyFence(VkDevice device, VkFence _fence, const VkAllocationCallbacks *pAllocator)
{
   struct icd_fence *fence = icd_fence_from_handle(_fence);
   if (!fence)
      return;
   icd_payloads_finish(&fence->payloads, icd_device_from_handle(device));
   icd_object_free(icd_device_from_handle(device), pAllocator, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ResetFences(VkDevice device, uint32_t fenceCount, const VkFence *pFences)
{
   for (uint32_t i = 0; i < fenceCount; i++) {
      struct icd_fence *fence = icd_fence_from_handle(pFences[i]);
      icd_payloads_drop_temporary(&fence->payloads, icd_device_from_handle(device));
      rt_timeline_signal(icd_fence_timeline(fence), 0);
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetFenceStatus(VkDevice _device, VkFence fence)
{
   const struct rt_wait wait = {icd_fence_timeline(icd_fence_from_handle(fence)), 1};
   if (icd_poll(icd_device_from_handle(_device), &wait)) {
      icd_instrument_seen(icd_device_from_handle(_device), &wait, 1);
      return VK_SUCCESS;
   }
   return icd_device_status(icd_device_from_handle(_device)) == VK_SUCCESS ? VK_NOT_READY : VK_ERROR_DEVICE_LOST;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WaitForFences(VkDevice _device, uint32_t fenceCount, const VkFence *pFences,
                                                 VkBool32 waitAll, uint64_t timeout)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_wait_list list;
   VkResult result = icd_wait_list_init(&list, device, fenceCount);
   if (result != VK_SUCCESS)
      return result;
   for (uint32_t i = 0; i < fenceCount; i++)
      icd_wait_list_add(&list, icd_fence_timeline(icd_fence_from_handle(pFences[i])), 1);
   const uint64_t begin_ns = util_timeline_begin();
   result = rt_timeline_wait(list.waits, list.count, !waitAll, timeout);
   util_timeline_end(begin_ns, "wait", "vkWaitForFences");
   icd_instrument_seen(device, list.waits, list.count);
   icd_wait_list_finish(&list);
   return result;
}
