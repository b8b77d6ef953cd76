/* SPDX-License-Identifier: MIT
 * External memory: what is possible, descriptors. Importing is allocating: device_memory.c. */
#include "icd/resource/external_memory.h"

#include "gen/icd_entrypoints.h"
#include "icd/physical_device.h"
#include "icd/resource/device_memory.h"

VkExternalMemoryProperties icd_external_memory_properties(VkExternalMemoryHandleTypeFlagBits type)
{
   switch (type) {
   case VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT:
      return (VkExternalMemoryProperties){
         .externalMemoryFeatures =
            VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
         .exportFromImportedHandleTypes = type,
         .compatibleHandleTypes = type,
      };
   case VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT:
   case VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT:
      return (VkExternalMemoryProperties){
         .externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
         .compatibleHandleTypes = type,
      };
   default:
      /* A handle type that is not supported is compatible with itself alone. */
      return (VkExternalMemoryProperties){.compatibleHandleTypes = type};
   }
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalBufferProperties(
   VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalBufferInfo *pExternalBufferInfo,
   VkExternalBufferProperties *pExternalBufferProperties)
{
   VkExternalMemoryHandleTypeFlagBits type = pExternalBufferInfo->handleType;
   pExternalBufferProperties->externalMemoryProperties = icd_external_memory_properties(type);
   /* The application's own memory cannot be mapped a second time. */
   if (pExternalBufferInfo->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT && type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT)
      pExternalBufferProperties->externalMemoryProperties = (VkExternalMemoryProperties){.compatibleHandleTypes = type};
}

/* ---- descriptors ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetMemoryFdKHR(VkDevice device, const VkMemoryGetFdInfoKHR *pInfo, int *pFd)
{
   *pFd = util_shared_memory_dup(&icd_device_memory_from_handle(pInfo->memory)->shared);
   return *pFd >= 0 ? VK_SUCCESS : VK_ERROR_TOO_MANY_OBJECTS;
}

/* Asked for descriptors that are not opaque: no other kind is known. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetMemoryFdPropertiesKHR(VkDevice device,
                                                            VkExternalMemoryHandleTypeFlagBits handleType, int fd,
                                                            VkMemoryFdPropertiesKHR *pProperties)
{
   pProperties->memoryTypeBits = 0;
   return VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

/* ---- the application's memory ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetMemoryHostPointerPropertiesEXT(VkDevice device,
                                                                     VkExternalMemoryHandleTypeFlagBits handleType,
                                                                     const void *pHostPointer,
                                                                     VkMemoryHostPointerPropertiesEXT *pProperties)
{
   pProperties->memoryTypeBits = (1u << ICD_NUM_MEMORY_TYPES) - 1;
   return VK_SUCCESS;
}
