/* SPDX-License-Identifier: MIT
 * Descriptor set layouts. */
#include "icd/descriptor/descriptor_set_layout.h"

#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/resource/sampler.h"

#include <string.h>

static bool takes_samplers(uint32_t type)
{
   return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static bool has_immutable_samplers(const VkDescriptorSetLayoutBinding *binding)
{
   return binding->pImmutableSamplers && binding->descriptorCount && takes_samplers(binding->descriptorType);
}

/* The arrays of a layout, in one block with it. */
struct layout_arrays {
   size_t bytes;
   size_t bindings, infos, samplers;
};

static struct layout_arrays arrays_measure(size_t head_bytes, uint32_t num_bindings, uint32_t num_samplers)
{
   struct layout_arrays arrays = {.bytes = head_bytes};
   arrays.bindings = icd_block_add(&arrays.bytes, num_bindings, sizeof(struct comp_binding));
   arrays.infos = icd_block_add(&arrays.bytes, num_bindings, sizeof(struct icd_binding_info));
   arrays.samplers = icd_block_add(&arrays.bytes, num_samplers, sizeof(struct abi_sampler *));
   return arrays;
}

/* Inserts by binding number; most applications give them in order. */
static uint32_t insert_position(const struct comp_binding *bindings, uint32_t count, uint32_t number)
{
   while (count > 0 && bindings[count - 1].binding > number)
      count--;
   return count;
}

static void bindings_init(const VkDescriptorSetLayoutCreateInfo *info, struct comp_binding *bindings,
                          struct icd_binding_info *infos, const struct abi_sampler **samplers)
{
   const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);

   for (uint32_t i = 0; i < info->bindingCount; i++) {
      const VkDescriptorSetLayoutBinding *from = &info->pBindings[i];
      const uint32_t at = insert_position(bindings, i, from->binding);
      memmove(&bindings[at + 1], &bindings[at], (i - at) * sizeof(*bindings));
      memmove(&infos[at + 1], &infos[at], (i - at) * sizeof(*infos));
      bindings[at] = (struct comp_binding){
         .binding = from->binding,
         .type = icd_descriptor_type(from->descriptorType),
         .count = from->descriptorCount,
      };
      infos[at] = (struct icd_binding_info){0};
      if (flags && flags->bindingCount)
         infos[at].flags = flags->pBindingFlags[i];
      if (has_immutable_samplers(from)) {
         for (uint32_t s = 0; s < from->descriptorCount; s++)
            samplers[s] = &icd_sampler_from_handle(from->pImmutableSamplers[s])->abi;
         infos[at].immutable_samplers = samplers;
         samplers += from->descriptorCount;
      }
   }
}

/* Gives each binding its offset. */
static void offsets_init(struct icd_set_shape *shape, struct comp_binding *bindings)
{
   uint64_t offset = 0;
   for (uint32_t i = 0; i < shape->set.num_bindings; i++) {
      struct comp_binding *binding = &bindings[i];
      binding->offset_bytes = (uint32_t)offset;
      offset += icd_descriptor_bytes(binding->type, binding->count);
      if (icd_descriptor_is_dynamic(binding->type)) {
         binding->dynamic_index = shape->num_dynamic;
         shape->num_dynamic += binding->count;
      }
   }
   shape->size_bytes = (uint32_t)offset;
}

/* Equal for layouts that are defined alike, as far as code distinguishes them: dynamic_index follows from the rest. */
static uint64_t shape_hash(const struct icd_set_shape *shape)
{
   struct util_hash hash = util_hash_bytes(&shape->set.num_bindings, sizeof(shape->set.num_bindings));
   hash = util_hash_more(hash, &shape->set.is_bare, sizeof(shape->set.is_bare));
   for (uint32_t i = 0; i < shape->set.num_bindings; i++) {
      struct comp_binding binding = shape->set.bindings[i];
      binding.dynamic_index = 0;
      hash = util_hash_more(hash, &binding, sizeof(binding));
   }
   return hash.lo | 1;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDescriptorSetLayout(VkDevice _device,
                                                             const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                                             const VkAllocationCallbacks *pAllocator,
                                                             VkDescriptorSetLayout *pSetLayout)
{
   struct icd_device *device = icd_device_from_handle(_device);
   uint32_t num_samplers = 0;
   uint64_t total_bytes = 0;

   for (uint32_t i = 0; i < pCreateInfo->bindingCount; i++) {
      const VkDescriptorSetLayoutBinding *binding = &pCreateInfo->pBindings[i];
      num_samplers += has_immutable_samplers(binding) ? binding->descriptorCount : 0;
      total_bytes = util_size_add(total_bytes, icd_descriptor_bytes(binding->descriptorType, binding->descriptorCount));
   }
   if (total_bytes > UINT32_MAX)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;

   struct icd_descriptor_set_layout *layout;
   const struct layout_arrays arrays = arrays_measure(sizeof(*layout), pCreateInfo->bindingCount, num_samplers);
   layout = icd_object_alloc(device, pAllocator, arrays.bytes, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
   if (!layout)
      return VK_ERROR_OUT_OF_HOST_MEMORY;

   struct comp_binding *bindings = icd_block_at(layout, arrays.bindings);
   struct icd_binding_info *infos = icd_block_at(layout, arrays.infos);
   layout->shape.set = (struct comp_set){.bindings = bindings, .num_bindings = pCreateInfo->bindingCount};
   layout->shape.infos = infos;
   layout->shape.set.is_bare = (pCreateInfo->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
   layout->shape.is_push = pCreateInfo->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
   bindings_init(pCreateInfo, bindings, infos, icd_block_at(layout, arrays.samplers));
   offsets_init(&layout->shape, bindings);
   if (pCreateInfo->bindingCount) {
      const uint32_t last = pCreateInfo->bindingCount - 1;
      layout->has_variable_count = infos[last].flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
      /* No head says how many a set in a descriptor buffer has: as many as it may. */
      bindings[last].has_variable_count = layout->has_variable_count && !layout->shape.set.is_bare;
   }
   layout->shape.set.shape = shape_hash(&layout->shape);
   *pSetLayout = icd_descriptor_set_layout_to_handle(layout);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDescriptorSetLayout(VkDevice device, VkDescriptorSetLayout descriptorSetLayout,
                                                          const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator,
                   icd_descriptor_set_layout_from_handle(descriptorSetLayout));
}

VKAPI_ATTR void VKAPI_CALL icd_GetDescriptorSetLayoutSupport(VkDevice _device,
                                                             const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                                             VkDescriptorSetLayoutSupport *pSupport)
{
   const struct icd_properties *limits = &icd_device_from_handle(_device)->physical_device->properties;
   const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
      icd_chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
   VkDescriptorSetVariableDescriptorCountLayoutSupport *variable_support =
      icd_chain_find_out(pSupport->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
   const VkDescriptorSetLayoutBinding *variable = NULL;
   uint64_t count = 0;
   bool is_supported = true;

   for (uint32_t i = 0; i < pCreateInfo->bindingCount; i++) {
      const VkDescriptorSetLayoutBinding *binding = &pCreateInfo->pBindings[i];
      if (flags && flags->bindingCount && flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT)
         variable = binding;
      if (binding->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
         is_supported = is_supported && binding->descriptorCount <= limits->maxInlineUniformBlockSize;
         count += binding->descriptorCount != 0;
      } else {
         count += binding->descriptorCount;
      }
   }
   is_supported = is_supported && count <= limits->maxPerSetDescriptors;
   pSupport->supported = is_supported;
   if (!variable_support)
      return;
   variable_support->maxVariableDescriptorCount = 0;
   if (variable && is_supported)
      variable_support->maxVariableDescriptorCount =
         variable->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
            ? limits->maxInlineUniformBlockSize
            : (uint32_t)(limits->maxPerSetDescriptors - count + variable->descriptorCount);
}

/* ---- shapes ---- */

uint32_t icd_set_shape_find(const struct icd_set_shape *shape, uint32_t binding)
{
   const struct comp_binding *bindings = shape->set.bindings;
   uint32_t low = 0, high = shape->set.num_bindings;

   /* Mostly binding n is the n-th. */
   if (binding < high && bindings[binding].binding == binding)
      return binding;
   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (bindings[middle].binding == binding)
         return middle;
      if (bindings[middle].binding < binding)
         low = middle + 1;
      else
         high = middle;
   }
   return UINT32_MAX;
}

static uint32_t num_immutable_samplers(const struct icd_set_shape *shape)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < shape->set.num_bindings; i++)
      count += shape->infos[i].immutable_samplers ? shape->set.bindings[i].count : 0;
   return count;
}

size_t icd_set_shape_copy_bytes(const struct icd_set_shape *shape)
{
   return arrays_measure(0, shape->set.num_bindings, num_immutable_samplers(shape)).bytes;
}

struct icd_set_shape icd_set_shape_copy(const struct icd_set_shape *shape, void *memory)
{
   const uint32_t num_bindings = shape->set.num_bindings;
   const struct layout_arrays arrays = arrays_measure(0, num_bindings, num_immutable_samplers(shape));
   struct comp_binding *bindings = icd_block_at(memory, arrays.bindings);
   struct icd_binding_info *infos = icd_block_at(memory, arrays.infos);
   const struct abi_sampler **samplers = icd_block_at(memory, arrays.samplers);
   struct icd_set_shape copy = *shape;

   for (uint32_t i = 0; i < num_bindings; i++) {
      bindings[i] = shape->set.bindings[i];
      infos[i] = shape->infos[i];
      if (infos[i].immutable_samplers) {
         memcpy(samplers, infos[i].immutable_samplers, bindings[i].count * sizeof(*samplers));
         infos[i].immutable_samplers = samplers;
         samplers += bindings[i].count;
      }
   }
   copy.set.bindings = bindings;
   copy.infos = infos;
   return copy;
}

uint32_t icd_set_layout_bytes(const struct icd_descriptor_set_layout *layout, uint32_t variable_count)
{
   const struct comp_set *set = &layout->shape.set;
   if (!layout->has_variable_count || variable_count == UINT32_MAX)
      return layout->shape.size_bytes;
   const struct comp_binding *last = &set->bindings[set->num_bindings - 1];
   return last->offset_bytes + (uint32_t)icd_descriptor_bytes(last->type, UTIL_MIN(variable_count, last->count));
}
