/* SPDX-License-Identifier: MIT
 * Which images can be bound block by block. Spec: Sparse Resources, "Sparse Resource API". */
#pragma once

#include "icd/features.h"

/* True if an image of these parameters, which is supported without, may have VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT. */
bool icd_sparse_is_supported(const struct icd_features *features, VkFormat format, VkImageType type, VkSampleCountFlags samples,
                             VkImageTiling tiling);
