/* SPDX-License-Identifier: MIT
 * VkSamplerYcbcrConversion. */
#include "icd/resource/ycbcr_conversion.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/device.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateSamplerYcbcrConversion(VkDevice _device,
                                                                const VkSamplerYcbcrConversionCreateInfo *pCreateInfo,
                                                                const VkAllocationCallbacks *pAllocator,
                                                                VkSamplerYcbcrConversion *pYcbcrConversion)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_ycbcr_conversion *conversion =
      icd_object_alloc(device, pAllocator, sizeof(*conversion), VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION);
   if (!conversion)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   conversion->rt = (struct rt_conversion){
      .format = pCreateInfo->format,
      .model = pCreateInfo->ycbcrModel,
      .range = pCreateInfo->ycbcrRange,
      .components = pCreateInfo->components,
      .x_offset = pCreateInfo->xChromaOffset,
      .y_offset = pCreateInfo->yChromaOffset,
      .chroma_filter = pCreateInfo->chromaFilter,
      .is_explicit = pCreateInfo->forceExplicitReconstruction,
   };
   *pYcbcrConversion = icd_ycbcr_conversion_to_handle(conversion);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySamplerYcbcrConversion(VkDevice device, VkSamplerYcbcrConversion ycbcrConversion,
                                                             const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_ycbcr_conversion_from_handle(ycbcrConversion));
}
