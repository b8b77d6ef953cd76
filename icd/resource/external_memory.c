/* SPDX-License-Identifier: MIT
 * External memory: what is possible, descriptors. Importing is allocating: device_memory.c. */
#include "icd/resource/external_memory.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/physical_device.h"
#include "icd/resource/device_memory.h"
#include "util/dma_buf.h"

#include <fcntl.h>

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
   case VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT:
      return (VkExternalMemoryProperties){
         .externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT |
                                   (util_dma_buf_can_create() ? VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT : 0),
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
   /* The application's own memory and that of devices cannot be mapped a second time; what is protected is not shared. */
   const bool is_sparse = pExternalBufferInfo->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
   if ((is_sparse && type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT) || pExternalBufferInfo->flags & VK_BUFFER_CREATE_PROTECTED_BIT)
      pExternalBufferProperties->externalMemoryProperties = (VkExternalMemoryProperties){.compatibleHandleTypes = type};
}

/* ---- descriptors ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetMemoryFdKHR(VkDevice device, const VkMemoryGetFdInfoKHR *pInfo, int *pFd)
{
   const struct icd_device_memory *memory = icd_device_memory_from_handle(pInfo->memory);
   const bool is_made = pInfo->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT && memory->dma_buf >= 0;
   *pFd = is_made ? fcntl(memory->dma_buf, F_DUPFD_CLOEXEC, 0) : util_shared_memory_dup(&memory->shared);
   return *pFd >= 0 ? VK_SUCCESS : VK_ERROR_TOO_MANY_OBJECTS;
}

/* Asked for descriptors that are not opaque. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetMemoryFdPropertiesKHR(VkDevice device,
                                                            VkExternalMemoryHandleTypeFlagBits handleType, int fd,
                                                            VkMemoryFdPropertiesKHR *pProperties)
{
   const bool is_known = handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT && util_dma_buf_bytes(fd);
   pProperties->memoryTypeBits = is_known ? icd_coherent_memory_type_bits() : 0;
   return is_known ? VK_SUCCESS : VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

/* ---- the application's memory ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetMemoryHostPointerPropertiesEXT(VkDevice device,
                                                                     VkExternalMemoryHandleTypeFlagBits handleType,
                                                                     const void *pHostPointer,
                                                                     VkMemoryHostPointerPropertiesEXT *pProperties)
{
   pProperties->memoryTypeBits = icd_coherent_memory_type_bits();
   return VK_SUCCESS;
}
