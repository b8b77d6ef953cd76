/* SPDX-License-Identifier: MIT
 * Images of any shape, which rows read. */
#pragma once

#include "tests/client/client.h"

/* In memory of its own; the view has all levels and layers, and the conversion if there is one. Destroyed by client_image_destroy(). */
struct client_image bench_picture_create(struct client *client, const VkImageCreateInfo *info, VkImageViewType type, VkImageAspectFlags aspect,
                                         VkSamplerYcbcrConversion conversion);
/* Of everything that the image has, after all writes and before all reads and writes. */
void bench_picture_layout(VkCommandBuffer cmd, const struct client_image *image, VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to);
