/* SPDX-License-Identifier: MIT
 * Copies between images and memory of the application, done at once by the calling thread.
 * Spec: Copy Commands, "Copying Data Between Images and Host Memory". The caller sees to it that no work of the device
 * uses the subresources meanwhile. Threads: any, on different subresources. */
#pragma once

#include "runtime/image/image.h"

/* A part of one level of one aspect and some of its layers. Offset and extent are in texels. */
struct rt_host_region {
   VkImageSubresourceLayers layers; /* layerCount resolved, one aspect */
   VkOffset3D offset;
   VkExtent3D extent;
};

/* Texels to and from `memory`, whose rows are row_length texels long and whose slices have image_height rows; 0: as
 * the extent. */
void rt_host_copy_memory(const struct rt_image *image, const struct rt_host_region *region, void *memory,
                         uint32_t row_length, uint32_t image_height, bool is_to_image);
/* The same as the bytes stand in the image, whole levels, layer after layer, each rt_host_level_bytes() long. */
void rt_host_copy_bytes(const struct rt_image *image, const struct rt_host_region *region, void *memory,
                        bool is_to_image);
/* Bytes of a level of one layer, as they stand in the image. */
uint64_t rt_host_level_bytes(const struct rt_image *image, VkImageAspectFlags aspect, uint32_t level);
/* `src` and `dst` have extents of equal size. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_host_copy_image(const struct rt_image *src, const struct rt_host_region *from,
                                            const struct rt_image *dst, const struct rt_host_region *to);
