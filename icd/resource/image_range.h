/* SPDX-License-Identifier: MIT
 * Ranges of an image's subresources as the application gives them. Spec: Resource Creation, "Image Views". Threads: pure. */
#pragma once

#include <vulkan/vulkan_core.h>

struct icd_image;

/* Resolves VK_REMAINING_MIP_LEVELS and VK_REMAINING_ARRAY_LAYERS. */
VkImageSubresourceRange icd_image_range(const struct icd_image *image, const VkImageSubresourceRange *range);
/* The same for the layers of a copy. */
VkImageSubresourceLayers icd_image_layers(const struct icd_image *image, VkImageSubresourceLayers layers);
