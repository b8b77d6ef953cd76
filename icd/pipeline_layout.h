/* SPDX-License-Identifier: MIT
 * VkPipelineLayout. Keeps copies of what it needs of the set layouts, which may be destroyed before it.
 * Spec: Resource Descriptors, "Pipeline Layouts". Constant after creation. */
#pragma once

#include "icd/descriptor/descriptor_set_layout.h"

struct icd_pipeline_layout {
   struct icd_object base;
   struct comp_layout comp; /* points into `shapes` */
   struct icd_set_shape shapes[ABI_MAX_SETS];
};

/* Made for a call alone, for shader objects, or as an object; icd_object_free() frees it. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_pipeline_layout_create(struct icd_device *device, const VkPipelineLayoutCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator, struct icd_pipeline_layout **layout);
