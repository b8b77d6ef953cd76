/* SPDX-License-Identifier: MIT
 * Texel buffers that descriptors in the application's memory point to: made once for each address, range and format that is asked for, and kept
 * as long as the device, since nobody says when such a descriptor is read for the last time. About 200 bytes each.
 * Threads: any. */
#pragma once

#include "abi/image.h"

struct icd_device;
struct icd_texel_buffers;

/* Its view; NULL when memory is out. */
const struct abi_image *icd_texel_buffer(struct icd_device *device, VkDeviceAddress address, VkDeviceSize range, VkFormat format);
/* NULL is ignored. */
void icd_texel_buffers_destroy(struct icd_texel_buffers *buffers);
