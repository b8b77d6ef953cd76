/* SPDX-License-Identifier: MIT
 * Samplers. */
#include "icd/resource/sampler.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "runtime/texture/texture.h"

#include <string.h>

static void border_color_init(struct abi_sampler *sampler, const VkSamplerCreateInfo *info)
{
   const VkSamplerCustomBorderColorCreateInfoEXT *custom =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);

   switch (info->borderColor) {
   case VK_BORDER_COLOR_INT_CUSTOM_EXT:
   case VK_BORDER_COLOR_FLOAT_CUSTOM_EXT:
      sampler->border_is_int = info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
      if (custom)
         memcpy(&sampler->border, &custom->customBorderColor, sizeof(sampler->border));
      break;
   case VK_BORDER_COLOR_INT_TRANSPARENT_BLACK:
   case VK_BORDER_COLOR_INT_OPAQUE_BLACK:
   case VK_BORDER_COLOR_INT_OPAQUE_WHITE:
      sampler->border_is_int = true;
      for (uint32_t c = 0; c < 3; c++)
         sampler->border.i[c] = info->borderColor == VK_BORDER_COLOR_INT_OPAQUE_WHITE;
      sampler->border.i[3] = info->borderColor != VK_BORDER_COLOR_INT_TRANSPARENT_BLACK;
      break;
   default:
      for (uint32_t c = 0; c < 3; c++)
         sampler->border.f[c] = info->borderColor == VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
      sampler->border.f[3] = info->borderColor != VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
      break;
   }
}

static uint8_t filter_of(VkFilter filter)
{
   return filter == VK_FILTER_CUBIC_EXT ? ABI_FILTER_CUBIC
          : filter == VK_FILTER_LINEAR  ? ABI_FILTER_LINEAR
                                        : ABI_FILTER_NEAREST;
}

void icd_sampler_describe(struct abi_sampler *sampler, const VkSamplerCreateInfo *info)
{
   const VkSamplerReductionModeCreateInfo *reduction =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);

   *sampler = (struct abi_sampler){
      .mag_filter = filter_of(info->magFilter),
      .min_filter = filter_of(info->minFilter),
      .mipmap_mode = (uint8_t)info->mipmapMode,
      .address_mode = {(uint8_t)info->addressModeU, (uint8_t)info->addressModeV, (uint8_t)info->addressModeW},
      .compare_enable = info->compareEnable != VK_FALSE,
      .compare_op = (uint8_t)info->compareOp,
      .unnormalized = info->unnormalizedCoordinates != VK_FALSE,
      .reduction_mode = (uint8_t)(reduction ? reduction->reductionMode : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE),
      .is_non_seamless = (info->flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT) != 0,
      .lod_bias = info->mipLodBias,
      .min_lod = info->minLod,
      .max_lod = info->maxLod,
      .max_anisotropy = info->anisotropyEnable ? UTIL_MAX(info->maxAnisotropy, 1.0f) : 1.0f,
   };
   border_color_init(sampler, info);
   rt_sampler_finish(sampler);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateSampler(VkDevice _device, const VkSamplerCreateInfo *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator, VkSampler *pSampler)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_sampler *sampler = icd_object_alloc(device, pAllocator, sizeof(*sampler), VK_OBJECT_TYPE_SAMPLER);
   if (!sampler)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   icd_sampler_describe(&sampler->abi, pCreateInfo);
   *pSampler = icd_sampler_to_handle(sampler);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySampler(VkDevice device, VkSampler sampler,
                                              const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_sampler_from_handle(sampler));
}
