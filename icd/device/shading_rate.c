/* SPDX-License-Identifier: MIT
 * Which shading rates there are, and attachments of them. */
#include "icd/device/shading_rate.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/physical_device.h"

/* Powers of two; others are an application's fault, and read as the next lower one. */
static uint32_t log2_of(uint32_t size)
{
   return 31 - (uint32_t)__builtin_clz(UTIL_CLAMP(size, (uint32_t)ICD_MIN_RATE_TEXEL, (uint32_t)ICD_MAX_RATE_TEXEL));
}

struct rt_rate_attachment icd_rate_attachment(const struct icd_image_view *view, VkExtent2D texel)
{
   return (struct rt_rate_attachment){
      .view = icd_image_view_attachment(view, VK_IMAGE_ASPECT_COLOR_BIT),
      .is_layered = true,
      .texel_log2 = {log2_of(texel.width), log2_of(texel.height)},
   };
}

/* Of the region that a texel is for, rounded up to a power of two; at least so many texels, whose number is more than 1. */
static uint32_t region_log2(uint32_t framebuffer, uint32_t map, uint32_t min)
{
   const uint32_t size = UTIL_CLAMP(framebuffer / UTIL_MAX(map, 1u), min, (uint32_t)ICD_MAX_RATE_TEXEL);
   return 32 - (uint32_t)__builtin_clz(size - 1);
}

/* A fragment is not longer than the region that the sizes give, though regions are not that small here. */
static uint8_t max_edge_log2(uint32_t framebuffer, uint32_t map)
{
   return framebuffer / UTIL_MAX(map, 1u) < 2 ? 0 : (uint8_t)UTIL_MIN(region_log2(framebuffer, map, 2), 2u);
}

struct rt_rate_attachment icd_density_attachment(const struct icd_image_view *view, VkExtent2D framebuffer, bool is_layered)
{
   const struct abi_image *map = icd_image_view_attachment(view, VK_IMAGE_ASPECT_COLOR_BIT);
   if (!map)
      return (struct rt_rate_attachment){0};
   return (struct rt_rate_attachment){
      .view = map,
      .is_density = true,
      .is_layered = is_layered,
      .max_edge_log2 = {max_edge_log2(framebuffer.width, map->levels[0].width), max_edge_log2(framebuffer.height, map->levels[0].height)},
      .texel_log2 = {region_log2(framebuffer.width, map->levels[0].width, ICD_MIN_RATE_TEXEL),
                     region_log2(framebuffer.height, map->levels[0].height, ICD_MIN_RATE_TEXEL)},
   };
}

/* All sizes up to the largest, from wide to narrow and high to low; what limits them is the number of samples. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceFragmentShadingRatesKHR(VkPhysicalDevice physicalDevice, uint32_t *pFragmentShadingRateCount,
                                                                            VkPhysicalDeviceFragmentShadingRateKHR *pFragmentShadingRates)
{
   const VkSampleCountFlags supported =
      icd_physical_device_from_handle(physicalDevice)->properties.core.limits.framebufferColorSampleCounts;
   const uint32_t room = *pFragmentShadingRateCount;
   uint32_t count = 0;
   for (uint32_t width = ICD_MAX_FRAGMENT_SIZE; width; width /= 2)
      for (uint32_t height = ICD_MAX_FRAGMENT_SIZE; height; height /= 2, count++) {
         if (!pFragmentShadingRates || count >= room)
            continue;
         const VkSampleCountFlags fitting = 2 * (ICD_MAX_COVERAGE_SAMPLES / (width * height)) - 1; /* counts are their own bits */
         pFragmentShadingRates[count].sampleCounts = width * height == 1 ? ~0u : supported & fitting;
         pFragmentShadingRates[count].fragmentSize = (VkExtent2D){width, height};
      }
   *pFragmentShadingRateCount = pFragmentShadingRates ? UTIL_MIN(count, room) : count;
   return pFragmentShadingRates && room < count ? VK_INCOMPLETE : VK_SUCCESS;
}
