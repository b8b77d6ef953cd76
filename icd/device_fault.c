/* SPDX-License-Identifier: MIT
 * VK_EXT_device_fault: why a device was lost, in words. The words are those of the message to debug messengers.
 * Spec: Debugging, "Device Fault". */
#include "gen/icd_entrypoints.h"
#include "icd/device.h"

#include <string.h>

/* No addresses and no dumps: one sentence says it all. */
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
