/* SPDX-License-Identifier: MIT
 * Which images can be bound block by block, and of what shape their blocks are. Spec: Sparse Resources, "Sparse Resource API". */
#pragma once

#include "icd/device/features.h"
#include "runtime/format/format.h"

/* True if an image of these parameters, which is supported without, may have VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT. */
bool icd_sparse_is_supported(const struct icd_features *features, VkFormat format, VkImageType type, VkSampleCountFlags samples,
                             VkImageTiling tiling);
/* The blocks of a plane of such images; a granularity of width 0: it has none. */
VkSparseImageFormatProperties icd_sparse_plane_properties(const struct rt_format_info *info, uint32_t plane, VkImageType type, uint32_t num_samples);
