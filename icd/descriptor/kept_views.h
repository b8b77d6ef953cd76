/* SPDX-License-Identifier: MIT
 * What descriptors in the application's memory point to where no object stands for it: texel buffers, samplers and image views. Each is made
 * once for all that is alike, so that equal descriptors have equal bits. Views of images are kept as long as the image, the others as long as the
 * device, since nobody says when such a descriptor is read for the last time: about 200 bytes a texel buffer or sampler, 1,100 an image view.
 * Threads: any. */
#pragma once

#include "abi/image.h"

#include <stdbool.h>

struct icd_device;
struct icd_image;
struct icd_kept_views;

/* All three are NULL when memory is out. */
const struct abi_image *icd_keep_texel_buffer(struct icd_device *device, VkDeviceAddress address, VkDeviceSize range, VkFormat format);
const struct abi_sampler *icd_keep_sampler(struct icd_device *device, const struct abi_sampler *sampler);
/* `is_stored`: of a storage image. The chain may have a least level, a slice and a conversion. */
const struct abi_image *icd_keep_image_view(struct icd_device *device, const VkImageViewCreateInfo *info, bool is_stored);

/* The image ends. */
void icd_forget_views(struct icd_device *device, struct icd_image *image);
/* NULL is ignored. */
void icd_kept_views_destroy(struct icd_kept_views *views);
