/* SPDX-License-Identifier: MIT
 * Pipeline layouts. */
#include "icd/pipeline_layout.h"

#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/device/device.h"

static uint32_t push_constant_bytes(const VkPipelineLayoutCreateInfo *info)
{
   uint32_t bytes = 0;
   for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
      const VkPushConstantRange *range = &info->pPushConstantRanges[i];
      bytes = UTIL_MAX(bytes, range->offset + range->size);
   }
   return UTIL_MIN(bytes, (uint32_t)ABI_MAX_PUSH_BYTES);
}

VkResult icd_pipeline_layout_create(struct icd_device *device, const VkPipelineLayoutCreateInfo *info,
                                    const VkAllocationCallbacks *allocator, struct icd_pipeline_layout **result)
{
   const struct icd_descriptor_set_layout *sets[ABI_MAX_SETS];
   const uint32_t num_sets = UTIL_MIN(info->setLayoutCount, (uint32_t)ABI_MAX_SETS);
   struct icd_pipeline_layout *layout;
   size_t bytes = sizeof(*layout), offsets[ABI_MAX_SETS];

   for (uint32_t i = 0; i < num_sets; i++) {
      sets[i] = icd_descriptor_set_layout_from_handle(info->pSetLayouts[i]);
      offsets[i] = icd_block_add(&bytes, 1, sets[i] ? icd_set_shape_copy_bytes(&sets[i]->shape) : 0);
   }
   layout = icd_object_alloc(device, allocator, bytes, VK_OBJECT_TYPE_PIPELINE_LAYOUT);
   if (!layout)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   layout->comp.num_sets = num_sets;
   layout->comp.push_bytes = push_constant_bytes(info);
   for (uint32_t i = 0; i < num_sets; i++) {
      if (sets[i])
         layout->shapes[i] = icd_set_shape_copy(&sets[i]->shape, icd_block_at(layout, offsets[i]));
      layout->comp.sets[i] = layout->shapes[i].set;
   }
   *result = layout;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *pCreateInfo,
                                                        const VkAllocationCallbacks *pAllocator,
                                                        VkPipelineLayout *pPipelineLayout)
{
   struct icd_pipeline_layout *layout;
   const VkResult result = icd_pipeline_layout_create(icd_device_from_handle(device), pCreateInfo, pAllocator, &layout);
   if (result == VK_SUCCESS)
      *pPipelineLayout = icd_pipeline_layout_to_handle(layout);
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPipelineLayout(VkDevice device, VkPipelineLayout pipelineLayout,
                                                     const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_pipeline_layout_from_handle(pipelineLayout));
}
