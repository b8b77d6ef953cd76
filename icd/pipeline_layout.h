/* SPDX-License-Identifier: MIT
 * VkPipelineLayout. Keeps copies of what it needs of the set layouts, which may be destroyed before it.
 * Spec: Resource Descriptors, "Pipeline Layouts". Constant after creation. */
#pragma once

#include "icd/descriptor/descriptor_set_layout.h"

struct icd_pipeline_layout {
   struct icd_object base;
   struct comp_layout comp; /* points into `shapes` */
   struct icd_set_shape shapes[ABI_MAX_SETS];
   /* Of a set's first dynamic buffer: dynamic buffers are numbered over all sets. [num_sets] is their total number. */
   uint32_t dynamic_base[ABI_MAX_SETS + 1];
   /* VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT: code compiled with some of the sets must fit to all of them, so
    * each set has a fixed place for its dynamic buffers. */
   bool has_independent_sets;
};

/* Made for a call alone, for shader objects, or as an object; icd_object_free() frees it. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_pipeline_layout_create(struct icd_device *device, const VkPipelineLayoutCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator, struct icd_pipeline_layout **layout);
