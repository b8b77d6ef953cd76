/* SPDX-License-Identifier: MIT
 * Fences and semaphores of several processes: VK_KHR_external_fence_fd, VK_KHR_external_semaphore_fd.
 *
 * An opaque descriptor is the memory that processes share a timeline in. A sync file that we give is -1, "signaled
 * already", after waiting for that: what it stands for has been submitted, so that it will be.
 * Spec: Synchronization and Cache Control, "Fence Payloads", "Semaphore Payloads"; Additional Capabilities. */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/sync/fence.h"
#include "icd/sync/semaphore.h"

/* ---- what is possible ---- */

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalFenceProperties(
   VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalFenceInfo *pExternalFenceInfo,
   VkExternalFenceProperties *pExternalFenceProperties)
{
   const VkExternalFenceHandleTypeFlags types =
      VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   const bool is_known = pExternalFenceInfo->handleType & types;
   pExternalFenceProperties->exportFromImportedHandleTypes = is_known ? pExternalFenceInfo->handleType : 0;
   pExternalFenceProperties->compatibleHandleTypes = is_known ? types : 0;
   pExternalFenceProperties->externalFenceFeatures =
      is_known ? VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT : 0;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalSemaphoreProperties(
   VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo *pExternalSemaphoreInfo,
   VkExternalSemaphoreProperties *pExternalSemaphoreProperties)
{
   const VkSemaphoreTypeCreateInfo *type =
      icd_chain_find(pExternalSemaphoreInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
   VkExternalSemaphoreHandleTypeFlags types = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
   if (!type || type->semaphoreType == VK_SEMAPHORE_TYPE_BINARY)
      types |= VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
   const bool is_known = pExternalSemaphoreInfo->handleType & types;
   pExternalSemaphoreProperties->exportFromImportedHandleTypes = is_known ? pExternalSemaphoreInfo->handleType : 0;
   pExternalSemaphoreProperties->compatibleHandleTypes = is_known ? types : 0;
   pExternalSemaphoreProperties->externalSemaphoreFeatures =
      is_known ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT : 0;
}

/* ---- fences ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_ImportFenceFdKHR(VkDevice device, const VkImportFenceFdInfoKHR *pInfo)
{
   const bool is_file = pInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   return icd_payloads_import(&icd_fence_from_handle(pInfo->fence)->payloads, icd_device_from_handle(device), is_file,
                              pInfo->flags & VK_FENCE_IMPORT_TEMPORARY_BIT, pInfo->fd);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetFenceFdKHR(VkDevice device, const VkFenceGetFdInfoKHR *pInfo, int *pFd)
{
   struct icd_fence *fence = icd_fence_from_handle(pInfo->fence);
   if (pInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT)
      return icd_payloads_export(&fence->payloads, pFd);
   const struct rt_wait wait = {icd_fence_timeline(fence), 1};
   const VkResult result = rt_timeline_wait(&wait, 1, false, UTIL_FOREVER);
   if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
      return result;
   *pFd = -1;
   return icd_ResetFences(device, 1, &pInfo->fence); /* as the export of a copy does */
}

/* ---- semaphores ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_ImportSemaphoreFdKHR(VkDevice device, const VkImportSemaphoreFdInfoKHR *pInfo)
{
   const bool is_file = pInfo->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
   return icd_payloads_import(&icd_semaphore_from_handle(pInfo->semaphore)->payloads, icd_device_from_handle(device),
                              is_file, pInfo->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT, pInfo->fd);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetSemaphoreFdKHR(VkDevice device, const VkSemaphoreGetFdInfoKHR *pInfo, int *pFd)
{
   struct icd_semaphore *semaphore = icd_semaphore_from_handle(pInfo->semaphore);
   if (pInfo->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
      return icd_payloads_export(&semaphore->payloads, pFd);
   const struct rt_wait wait = icd_semaphore_next_wait(semaphore, 0);
   const VkResult result = rt_timeline_wait(&wait, 1, false, UTIL_FOREVER);
   if (result == VK_ERROR_OUT_OF_HOST_MEMORY) {
      icd_semaphore_undo_wait(&wait);
      return result;
   }
   *pFd = -1;
   return VK_SUCCESS;
}
