/* SPDX-License-Identifier: MIT */
#include "reflection.h"

#include <stddef.h>

static const struct {
   spvc_resource_type class;
   VkDescriptorType type;
} classes[] = {
   {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
   {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
   {SPVC_RESOURCE_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
   {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
   {SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
   {SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, VK_DESCRIPTOR_TYPE_SAMPLER},
   {SPVC_RESOURCE_TYPE_SUBPASS_INPUT, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT},
   {SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR},
};

/* Images of texel buffers are descriptors of another type. */
static VkDescriptorType descriptor_type(VkDescriptorType type, spvc_type handle)
{
   if (spvc_type_get_basetype(handle) == SPVC_BASETYPE_ACCELERATION_STRUCTURE || type == VK_DESCRIPTOR_TYPE_SAMPLER ||
       type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || spvc_type_get_image_dimension(handle) != SpvDimBuffer)
      return type;
   return type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
}

static uint32_t count_descriptors(spvc_compiler compiler, spvc_type handle)
{
   uint32_t count = 1;
   for (uint32_t k = 0; k < spvc_type_get_num_array_dimensions(handle); k++) {
      uint32_t size = spvc_type_get_array_dimension(handle, k);
      if (!spvc_type_array_dimension_is_literal(handle, k))
         size = spvc_constant_get_scalar_u32(spvc_compiler_get_constant_handle(compiler, size), 0, 0);
      count *= size ? size : REFLECTION_UNSIZED_COUNT;
   }
   return count;
}

static bool add_resource(struct reflection *reflection, spvc_compiler compiler, const spvc_reflected_resource *resource, VkDescriptorType type,
                         VkShaderStageFlags stage)
{
   const uint32_t set = spvc_compiler_get_decoration(compiler, resource->id, SpvDecorationDescriptorSet);
   const uint32_t binding = spvc_compiler_get_decoration(compiler, resource->id, SpvDecorationBinding);
   const spvc_type handle = spvc_compiler_get_type_handle(compiler, resource->type_id);
   const uint32_t count = count_descriptors(compiler, handle);
   if (set >= REFLECTION_MAX_SETS || reflection->num_bindings[set] == REFLECTION_MAX_BINDINGS)
      return false;
   type = descriptor_type(type, handle);
   uint32_t k = 0;
   while (k < reflection->num_bindings[set] && reflection->bindings[set][k].binding != binding)
      k++;
   VkDescriptorSetLayoutBinding *known = &reflection->bindings[set][k];
   if (k == reflection->num_bindings[set]) {
      reflection->num_bindings[set]++;
      *known = (VkDescriptorSetLayoutBinding){.binding = binding, .descriptorType = type};
   }
   /* A texture and a sampler of one binding are a combined descriptor. */
   if (known->descriptorType != type && (known->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_SAMPLER))
      known->descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   known->stageFlags |= stage;
   if (known->descriptorCount < count)
      known->descriptorCount = count;
   if (type != VK_DESCRIPTOR_TYPE_SAMPLER)
      reflection->types[set][k] = (struct reflection_type){compiler, resource->base_type_id};
   if (set >= reflection->num_sets)
      reflection->num_sets = set + 1;
   return true;
}

bool reflect(struct reflection *reflection, spvc_compiler compiler, VkShaderStageFlags stage)
{
   spvc_resources resources;
   const spvc_reflected_resource *list;
   size_t count;
   if (spvc_compiler_create_shader_resources(compiler, &resources))
      return false;
   for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
      if (spvc_resources_get_resource_list_for_type(resources, classes[i].class, &list, &count))
         return false;
      for (size_t k = 0; k < count; k++)
         if (!add_resource(reflection, compiler, &list[k], classes[i].type, stage))
            return false;
   }
   if (!spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_PUSH_CONSTANT, &list, &count) && count) {
      size_t bytes = 0;
      spvc_compiler_get_declared_struct_size(compiler, spvc_compiler_get_type_handle(compiler, list[0].base_type_id), &bytes);
      const uint32_t push_bytes = bytes ? (uint32_t)((bytes + 3) & ~(size_t)3) : 128;
      if (reflection->push_bytes < push_bytes)
         reflection->push_bytes = push_bytes;
      reflection->push_type = (struct reflection_type){compiler, list[0].base_type_id};
   }
   return true;
}
