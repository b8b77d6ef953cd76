/* SPDX-License-Identifier: MIT
 * What a stage's bindings are mapped to where its pipeline or shader object has descriptor heaps instead of a layout.
 * Spec: Descriptor Heaps, "Shader Bindings". */
#pragma once

#include "compiler/compiler.h"
#include "icd/device/device.h"

/* Made of VkShaderDescriptorSetAndBindingMappingInfoEXT in the chain, if it is there; it has its arrays with it: icd_free() frees it.
 * NULL: memory is out. */
struct comp_layout *icd_heap_layout_create(struct icd_device *device, const VkAllocationCallbacks *allocator, const void *chain);

/* Of VkPipelineCreateFlags2KHR. */
static inline bool icd_has_heaps(VkPipelineCreateFlags2KHR flags)
{
#ifdef VK_EXT_descriptor_heap
   return (flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT) != 0;
#else
   return false;
#endif
}
