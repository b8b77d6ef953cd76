/* SPDX-License-Identifier: MIT
 * VK_EXT_device_fault, VK_KHR_device_fault: why a device was lost, in words, which are those of the message to debug messengers; and what the shader
 * said that ended it (VK_KHR_shader_abort). No addresses and no dumps. Spec: Debugging, "Device Fault Diagnosis". */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "runtime/abort.h"
#include "runtime/device.h"

#include <string.h>

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDeviceFaultInfoEXT(VkDevice _device, VkDeviceFaultCountsEXT *pFaultCounts,
                                                         VkDeviceFaultInfoEXT *pFaultInfo)
{
   struct icd_device *device = icd_device_from_handle(_device);
   pFaultCounts->addressInfoCount = 0;
   pFaultCounts->vendorInfoCount = 0;
   pFaultCounts->vendorBinarySize = 0;
   if (pFaultInfo) {
      const bool is_lost = __atomic_load_n(&device->is_lost, __ATOMIC_ACQUIRE);
      memcpy(pFaultInfo->description, is_lost ? device->lost_reason : "", is_lost ? sizeof(device->lost_reason) : 1);
   }
   return VK_SUCCESS;
}

#ifdef VK_KHR_device_fault
/* There is one report, of the loss, and whoever takes it first has it. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetDeviceFaultReportsKHR(VkDevice _device, uint64_t timeout, uint32_t *pFaultCounts,
                                                            VkDeviceFaultInfoKHR *pFaultInfo)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const uint32_t room = *pFaultCounts;
   *pFaultCounts = 0;
   const bool is_reported = atomic_load(&device->is_reported_lost);
   const struct rt_wait wait = {&device->lost, is_reported ? 2 : 1}; /* after it no other one comes */
   const VkResult result = rt_timeline_wait(&wait, 1, false, timeout);
   if (result != VK_SUCCESS)
      return result == VK_ERROR_DEVICE_LOST ? VK_TIMEOUT : result;
   if (!pFaultInfo) {
      *pFaultCounts = !atomic_load(&device->is_reported_lost);
      return *pFaultCounts ? VK_SUCCESS : VK_TIMEOUT;
   }
   if (!room)
      return VK_INCOMPLETE;
   if (atomic_exchange(&device->is_reported_lost, true))
      return VK_TIMEOUT; /* another thread took it meanwhile */
   pFaultInfo->flags = VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;
   pFaultInfo->groupId = 1;
   memcpy(pFaultInfo->description, device->lost_reason, sizeof(device->lost_reason));
   memset(&pFaultInfo->faultAddressInfo, 0, sizeof(pFaultInfo->faultAddressInfo));
   memset(&pFaultInfo->instructionAddressInfo, 0, sizeof(pFaultInfo->instructionAddressInfo));
   memset(&pFaultInfo->vendorInfo, 0, sizeof(pFaultInfo->vendorInfo));
   *pFaultCounts = 1;
   return VK_SUCCESS;
}

/* Size and bytes of the message, as much as fits. */
static VkResult copy_message(const struct icd_device *device, VkDeviceFaultShaderAbortMessageInfoKHR *info)
{
   uint64_t size_bytes;
   const uint8_t *message = rt_abort_message(rt_device_pool(device->rt), &size_bytes);
   const uint64_t all_bytes = message ? sizeof(size_bytes) + size_bytes : 0;
   if (!info->pMessageData) {
      info->messageDataSize = all_bytes;
      return VK_SUCCESS;
   }
   const uint64_t room = info->messageDataSize;
   if (message && room >= sizeof(size_bytes)) {
      memcpy(info->pMessageData, &size_bytes, sizeof(size_bytes));
      memcpy((uint8_t *)info->pMessageData + sizeof(size_bytes), message, UTIL_MIN(room - sizeof(size_bytes), size_bytes));
   }
   info->messageDataSize = UTIL_MIN(room, all_bytes);
   return room < all_bytes ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDeviceFaultDebugInfoKHR(VkDevice _device, VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
   VkDeviceFaultShaderAbortMessageInfoKHR *info =
      icd_chain_find_out(pDebugInfo->pNext, VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR);
   pDebugInfo->vendorBinarySize = 0;
   return info ? copy_message(icd_device_from_handle(_device), info) : VK_SUCCESS;
}
#endif
