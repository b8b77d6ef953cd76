/* SPDX-License-Identifier: MIT
 * Flags and usages of images, which chained structures may give with 64 bits instead (VK_KHR_extended_flags). All bits that the driver knows are among the
 * lower 32. Source: Resource Creation, "VkImageCreateFlags2CreateInfoKHR" and the structures beside it. */
#pragma once

#include "icd/chain.h"

/* Each returns what `next`, the chain, has, else `given`. */
static inline VkImageCreateFlags icd_image_flags(const void *next, VkImageCreateFlags given)
{
#ifdef VK_KHR_extended_flags
   const VkImageCreateFlags2CreateInfoKHR *extended = icd_chain_find(next, VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR);
   if (extended)
      return (VkImageCreateFlags)extended->flags;
#endif
   return given;
}

static inline VkImageUsageFlags icd_image_usage(const void *next, VkImageUsageFlags given)
{
#ifdef VK_KHR_extended_flags
   const VkImageUsageFlags2CreateInfoKHR *extended = icd_chain_find(next, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
   if (extended)
      return (VkImageUsageFlags)extended->usage;
#endif
   return given;
}

static inline VkImageUsageFlags icd_image_stencil_usage(const void *next, VkImageUsageFlags given)
{
#ifdef VK_KHR_extended_flags
   const VkImageStencilUsage2CreateInfoKHR *extended = icd_chain_find(next, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR);
   if (extended)
      return (VkImageUsageFlags)extended->stencilUsage;
#endif
   const VkImageStencilUsageCreateInfo *stencil = icd_chain_find(next, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
   return stencil ? stencil->stencilUsage : given;
}

static inline VkImageUsageFlags icd_image_view_usage(const void *next, VkImageUsageFlags given)
{
#ifdef VK_KHR_extended_flags
   const VkImageViewUsage2CreateInfoKHR *extended = icd_chain_find(next, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR);
   if (extended)
      return (VkImageUsageFlags)extended->usage;
#endif
   const VkImageViewUsageCreateInfo *usage = icd_chain_find(next, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
   return usage ? usage->usage : given;
}
