/* SPDX-License-Identifier: MIT
 * VkSamplerYcbcrConversion. Core commands since 1.1, but samplerYcbcrConversion is not supported and no format has the
 * features that a conversion needs: the object only exists.
 * Spec: Samplers, "Sampler Y'CbCr Conversion". */
#include "gen/icd_entrypoints.h"
#include "icd/device.h"

struct icd_ycbcr_conversion {
   struct icd_object base;
};

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
   *pYcbcrConversion = icd_ycbcr_conversion_to_handle(conversion);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySamplerYcbcrConversion(VkDevice device, VkSamplerYcbcrConversion ycbcrConversion,
                                                             const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_ycbcr_conversion_from_handle(ycbcrConversion));
}
