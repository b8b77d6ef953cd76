/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/heap_layout.h"

#include "icd/block.h"
#include "icd/chain.h"
#include "icd/resource/sampler.h"

#ifdef VK_EXT_descriptor_heap

_Static_assert((int)COMP_RESOURCE_SAMPLER == VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT &&
                  (int)COMP_RESOURCE_SAMPLED_IMAGE == VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT &&
                  (int)COMP_RESOURCE_READ_ONLY_IMAGE == VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT &&
                  (int)COMP_RESOURCE_READ_WRITE_IMAGE == VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT &&
                  (int)COMP_RESOURCE_COMBINED == VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT &&
                  (int)COMP_RESOURCE_UNIFORM_BUFFER == VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT &&
                  (int)COMP_RESOURCE_READ_ONLY_BUFFER == VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT &&
                  (int)COMP_RESOURCE_READ_WRITE_BUFFER == VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT &&
                  (int)COMP_RESOURCE_ACCELERATION == VK_SPIRV_RESOURCE_TYPE_ACCELERATION_STRUCTURE_BIT_EXT,
               "the same bits");

/* Fills what the mapping's source has of the union; returns its embedded sampler. */
static const VkSamplerCreateInfo *fill_source(const VkDescriptorSetAndBindingMappingEXT *from, struct comp_mapping *to)
{
   const VkDescriptorMappingSourceDataEXT *data = &from->sourceData;
   switch (from->source) {
   case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT: {
      const VkDescriptorMappingSourceConstantOffsetEXT *s = &data->constantOffset;
      to->source = COMP_SOURCE_CONSTANT;
      to->resource = (struct comp_heap_location){.offset_bytes = s->heapOffset, .array_stride = s->heapArrayStride};
      to->sampler = (struct comp_heap_location){.offset_bytes = s->samplerHeapOffset, .array_stride = s->samplerHeapArrayStride};
      return s->pEmbeddedSampler;
   }
   case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT: {
      const VkDescriptorMappingSourcePushIndexEXT *s = &data->pushIndex;
      to->source = COMP_SOURCE_PUSH_INDEX;
      to->is_packed = s->useCombinedImageSamplerIndex;
      to->resource = (struct comp_heap_location){s->heapOffset, s->pushOffset, 0, s->heapIndexStride, s->heapArrayStride};
      to->sampler = (struct comp_heap_location){s->samplerHeapOffset, s->samplerPushOffset, 0, s->samplerHeapIndexStride, s->samplerHeapArrayStride};
      return s->pEmbeddedSampler;
   }
   case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT: {
      const VkDescriptorMappingSourceIndirectIndexEXT *s = &data->indirectIndex;
      to->source = COMP_SOURCE_INDIRECT_INDEX;
      to->is_packed = s->useCombinedImageSamplerIndex;
      to->resource = (struct comp_heap_location){s->heapOffset, s->pushOffset, s->addressOffset, s->heapIndexStride, s->heapArrayStride};
      to->sampler = (struct comp_heap_location){s->samplerHeapOffset, s->samplerPushOffset, s->samplerAddressOffset, s->samplerHeapIndexStride,
                                             s->samplerHeapArrayStride};
      return s->pEmbeddedSampler;
   }
   case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT: {
      const VkDescriptorMappingSourceIndirectIndexArrayEXT *s = &data->indirectIndexArray;
      to->source = COMP_SOURCE_INDIRECT_ARRAY;
      to->is_packed = s->useCombinedImageSamplerIndex;
      to->resource = (struct comp_heap_location){s->heapOffset, s->pushOffset, s->addressOffset, s->heapIndexStride, 0};
      to->sampler =
         (struct comp_heap_location){s->samplerHeapOffset, s->samplerPushOffset, s->samplerAddressOffset, s->samplerHeapIndexStride, 0};
      return s->pEmbeddedSampler;
   }
   case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT: {
      const VkDescriptorMappingSourceShaderRecordIndexEXT *s = &data->shaderRecordIndex;
      to->source = COMP_SOURCE_RECORD_INDEX;
      to->is_packed = s->useCombinedImageSamplerIndex;
      to->resource = (struct comp_heap_location){s->heapOffset, s->shaderRecordOffset, 0, s->heapIndexStride, s->heapArrayStride};
      to->sampler = (struct comp_heap_location){s->samplerHeapOffset, s->samplerShaderRecordOffset, 0, s->samplerHeapIndexStride,
                                             s->samplerHeapArrayStride};
      return s->pEmbeddedSampler;
   }
   case VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT:
      to->source = COMP_SOURCE_HEAP_DATA;
      to->resource = (struct comp_heap_location){.offset_bytes = data->heapData.heapOffset, .index_at = data->heapData.pushOffset};
      return NULL;
   case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT:
      to->source = COMP_SOURCE_PUSH_DATA;
      to->resource.index_at = data->pushDataOffset;
      return NULL;
   case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT:
      to->source = COMP_SOURCE_PUSH_ADDRESS;
      to->resource.index_at = data->pushAddressOffset;
      return NULL;
   case VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT:
      to->source = COMP_SOURCE_INDIRECT_ADDRESS;
      to->resource = (struct comp_heap_location){.index_at = data->indirectAddress.pushOffset, .memory_at = data->indirectAddress.addressOffset};
      return NULL;
   case VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT:
      to->source = COMP_SOURCE_RECORD_DATA;
      to->resource.index_at = data->shaderRecordDataOffset;
      return NULL;
   case VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_ADDRESS_EXT:
      to->source = COMP_SOURCE_RECORD_ADDRESS;
      to->resource.index_at = data->shaderRecordAddressOffset;
      return NULL;
   default:
      to->resources = 0; /* no binding is mapped to what is not known */
      return NULL;
   }
}

struct comp_layout *icd_heap_layout_create(struct icd_device *device, const VkAllocationCallbacks *allocator, const void *chain)
{
   const VkShaderDescriptorSetAndBindingMappingInfoEXT *info =
      icd_chain_find(chain, VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT);
   const uint32_t count = info ? info->mappingCount : 0;
   size_t bytes = sizeof(struct comp_layout);
   const size_t mappings_at = icd_block_add(&bytes, count, sizeof(struct comp_mapping));
   const size_t samplers_at = icd_block_add(&bytes, count, sizeof(struct abi_sampler));
   struct comp_layout *layout = icd_zalloc(device, allocator, bytes, 16);
   if (!layout)
      return NULL;
   struct comp_mapping *mappings = icd_block_at(layout, mappings_at);
   struct abi_sampler *samplers = icd_block_at(layout, samplers_at);
   layout->has_heaps = true;
   layout->push_bytes = ABI_MAX_PUSH_BYTES;
   layout->mappings = mappings;
   layout->samplers = samplers;
   layout->num_mappings = count;
   for (uint32_t i = 0; i < count; i++) {
      const VkDescriptorSetAndBindingMappingEXT *from = &info->pMappings[i];
      mappings[i] = (struct comp_mapping){.set = from->descriptorSet, .first_binding = from->firstBinding, .num_bindings = from->bindingCount,
                                          .resources = from->resourceMask, .embedded = COMP_NO_SAMPLER};
      const VkSamplerCreateInfo *sampler = fill_source(from, &mappings[i]);
      if (!sampler)
         continue;
      icd_sampler_describe(&samplers[layout->num_samplers], sampler);
      mappings[i].embedded = layout->num_samplers++;
   }
   return layout;
}

#else

struct comp_layout *icd_heap_layout_create(struct icd_device *device, const VkAllocationCallbacks *allocator, const void *chain)
{
   return icd_zalloc(device, allocator, sizeof(struct comp_layout), 16);
}

#endif
