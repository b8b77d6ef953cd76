/* SPDX-License-Identifier: MIT
 * Flags and usages of images, which chained structures may give with 64 bits instead (VK_KHR_extended_flags). All bits that the driver knows are among the
 * lower 32. Source: Resource Creation, "VkImageCreateFlags2CreateInfoKHR" and the structures beside it. */
#pragma once

#include "icd/chain.h"

#ifdef VK_KHR_extended_flags
/* All these structures are laid out so. */
struct icd_wide_flags { VkBaseInStructure base; VkFlags64 flags; };
_Static_assert(sizeof(VkImageCreateFlags2CreateInfoKHR) == sizeof(struct icd_wide_flags), "the same members");
_Static_assert(sizeof(VkImageUsageFlags2CreateInfoKHR) == sizeof(struct icd_wide_flags), "the same members");
_Static_assert(sizeof(VkImageStencilUsage2CreateInfoKHR) == sizeof(struct icd_wide_flags), "the same members");
_Static_assert(sizeof(VkImageViewUsage2CreateInfoKHR) == sizeof(struct icd_wide_flags), "the same members");

static inline VkFlags icd_wide_flags(const void *next, VkStructureType type, VkFlags given)
{
   const struct icd_wide_flags *wide = icd_chain_find(next, type);
   return wide ? (VkFlags)wide->flags : given;
}
#define ICD_WIDE_FLAGS(next, name, given) icd_wide_flags(next, VK_STRUCTURE_TYPE_##name, given)
#else
#define ICD_WIDE_FLAGS(next, name, given) (given)
#endif

/* Each returns what `next`, the chain, has, else `given`. */
static inline VkImageCreateFlags icd_image_flags(const void *next, VkImageCreateFlags given)
{
   return ICD_WIDE_FLAGS(next, IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR, given);
}

static inline VkImageUsageFlags icd_image_usage(const void *next, VkImageUsageFlags given)
{
   return ICD_WIDE_FLAGS(next, IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR, given);
}

static inline VkImageUsageFlags icd_image_stencil_usage(const void *next, VkImageUsageFlags given)
{
   const VkImageStencilUsageCreateInfo *stencil = icd_chain_find(next, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
   return ICD_WIDE_FLAGS(next, IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR, stencil ? stencil->stencilUsage : given);
}

static inline VkImageUsageFlags icd_image_view_usage(const void *next, VkImageUsageFlags given)
{
   const VkImageViewUsageCreateInfo *usage = icd_chain_find(next, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
   return ICD_WIDE_FLAGS(next, IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR, usage ? usage->usage : given);
}
