/* SPDX-License-Identifier: MIT
 * Descriptor set updates. */
#include "icd/descriptor/descriptor_set.h"

#include "gen/icd_entrypoints.h"
#include "icd/accel/acceleration_structure.h"
#include "icd/resource/buffer.h"
#include "icd/resource/buffer_view.h"
#include "icd/chain.h"
#include "icd/resource/image_view.h"
#include "icd/resource/sampler.h"

#include <string.h>

static struct abi_set_head *head_of(uint8_t *set)
{
   return (struct abi_set_head *)(set - sizeof(struct abi_set_head));
}

/* Descriptors that a set has of a binding, or bytes of an inline block. */
static uint32_t count_of(const struct comp_binding *binding, uint8_t *set)
{
   return binding->has_variable_count ? UTIL_MIN(head_of(set)->variable_count, binding->count) : binding->count;
}

static union abi_descriptor *descriptor_at(const struct icd_set_shape *shape, uint8_t *set, uint32_t binding_index,
                                           uint32_t element)
{
   return (union abi_descriptor *)(set + shape->set.bindings[binding_index].offset_bytes) + element;
}

/* ---- one descriptor of each type ---- */

static void write_buffer(union abi_descriptor *descriptor, const VkDescriptorBufferInfo *info)
{
   const struct icd_buffer *buffer = icd_buffer_from_handle(info->buffer);
   descriptor->buffer.data = buffer ? buffer->data + info->offset : NULL;
   descriptor->buffer.size_bytes = buffer ? UTIL_MIN(icd_buffer_range(buffer, info->offset, info->range), buffer->max_range_bytes) : 0;
}

static void write_image(union abi_descriptor *descriptor, const VkDescriptorImageInfo *info)
{
   const struct icd_image_view *view = icd_image_view_from_handle(info->imageView);
   descriptor->image.image = view ? &view->sampled : NULL;
}

static void write_matched_image(union abi_descriptor *descriptor, const VkDescriptorImageInfo *info)
{
   const struct icd_image_view *view = icd_image_view_from_handle(info->imageView);
   descriptor->image.image = view ? view->matched : NULL;
}

static void write_storage_image(union abi_descriptor *descriptor, const VkDescriptorImageInfo *info)
{
   const struct icd_image_view *view = icd_image_view_from_handle(info->imageView);
   descriptor->image.image = view ? view->stored : NULL;
}

static void write_sampler(union abi_descriptor *descriptor, const VkDescriptorImageInfo *info)
{
   const struct icd_sampler *sampler = icd_sampler_from_handle(info->sampler);
   descriptor->image.sampler = sampler ? &sampler->abi : NULL;
}

static void write_texel_buffer(union abi_descriptor *descriptor, const VkBufferView *handle)
{
   const struct icd_buffer_view *view = icd_buffer_view_from_handle(*handle);
   descriptor->image.image = view ? &view->texels : NULL;
   descriptor->image.sampler = NULL;
}

/* Shaders take the first 8 bytes for its address, as numbers that they make into structures themselves: abi/ray.h. */
static void write_structure(union abi_descriptor *descriptor, const VkAccelerationStructureKHR *handle)
{
   descriptor->buffer.data = (uint8_t *)(uintptr_t)icd_accel_address(icd_accel_from_handle(*handle));
   descriptor->buffer.size_bytes = 0;
}

static void write_fields(union abi_descriptor *descriptor, uint32_t type, const void *data, bool has_immutable_sampler)
{
   switch (type) {
   case VK_DESCRIPTOR_TYPE_SAMPLER:
      if (!has_immutable_sampler)
         write_sampler(descriptor, data);
      break;
   case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      write_image(descriptor, data);
      if (!has_immutable_sampler)
         write_sampler(descriptor, data);
      break;
   case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      write_storage_image(descriptor, data);
      break;
   case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
   case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
   case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      write_image(descriptor, data);
      break;
   case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
      write_matched_image(descriptor, data);
      break;
   case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
   case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      write_texel_buffer(descriptor, data);
      break;
   case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      write_structure(descriptor, data);
      break;
   default: /* the four types of buffers */
      write_buffer(descriptor, data);
      break;
   }
}

/* A type whose class the binding has not makes a null descriptor. */
static void write_one(const struct comp_binding *binding, bool is_bare, union abi_descriptor *descriptor, uint32_t type,
                      const void *data, bool has_immutable_sampler)
{
   const uint32_t classes = abi_descriptor_classes(icd_descriptor_type((VkDescriptorType)type));
   if (is_bare)
      abi_descriptor_unseal(descriptor);
   if (binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT) {
      *descriptor = (union abi_descriptor){0};
      if (classes)
         write_fields(descriptor, type, data, false);
      if (!is_bare)
         abi_descriptor_tag(descriptor, classes);
   } else if (classes & abi_descriptor_classes(binding->type)) {
      write_fields(descriptor, type, data, has_immutable_sampler);
   } else if (!has_immutable_sampler) {
      *descriptor = (union abi_descriptor){0};
   }
   if (is_bare)
      abi_descriptor_seal(descriptor, binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT ? classes : abi_descriptor_classes(binding->type));
}

/* ---- sequences ---- */

static bool is_inline_block(const struct comp_binding *binding)
{
   return binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
}

/* How many of `bytes` bytes from `first` on an inline block has. */
static uint32_t inline_bytes(const struct comp_binding *binding, uint8_t *set, uint32_t first, uint32_t bytes)
{
   const uint32_t count = count_of(binding, set);
   return first < count ? UTIL_MIN(bytes, count - first) : 0;
}

void icd_descriptors_write(const struct icd_set_shape *shape, uint8_t *set, const struct icd_descriptor_source *source)
{
   uint32_t index = icd_set_shape_find(shape, source->binding);
   uint32_t element = source->element, rest = source->count;
   const char *data = source->data;

   if (index == UINT32_MAX)
      return;
   if (is_inline_block(&shape->set.bindings[index]) || source->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      if (is_inline_block(&shape->set.bindings[index]) && source->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
         memcpy(set + shape->set.bindings[index].offset_bytes + element, data, inline_bytes(&shape->set.bindings[index], set, element, rest));
      return;
   }
   /* What is beyond a binding's count goes to the next ones. */
   for (; rest && index < shape->set.num_bindings; index++, element = 0) {
      const struct comp_binding *binding = &shape->set.bindings[index];
      const bool is_immutable = shape->infos[index].immutable_samplers != NULL;
      const uint32_t count = is_inline_block(binding) ? 0 : count_of(binding, set);
      for (; rest && element < count; rest--, element++, data += source->stride_bytes)
         write_one(binding, shape->set.is_bare, descriptor_at(shape, set, index, element), source->type, data, is_immutable);
   }
}

struct icd_descriptor_source icd_descriptor_source_of(const VkWriteDescriptorSet *write)
{
   struct icd_descriptor_source source = {
      .binding = write->dstBinding,
      .element = write->dstArrayElement,
      .count = write->descriptorCount,
      .type = write->descriptorType,
   };
   switch (write->descriptorType) {
   case VK_DESCRIPTOR_TYPE_SAMPLER:
   case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
   case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
   case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
   case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
   case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
   case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      source.data = write->pImageInfo;
      source.stride_bytes = sizeof(*write->pImageInfo);
      break;
   case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
   case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      source.data = write->pTexelBufferView;
      source.stride_bytes = sizeof(*write->pTexelBufferView);
      break;
   case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK: {
      const VkWriteDescriptorSetInlineUniformBlock *block =
         icd_chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
      source.data = block ? block->pData : NULL;
      source.count = block ? block->dataSize : 0;
      break;
   }
   case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: {
      const VkWriteDescriptorSetAccelerationStructureKHR *structures =
         icd_chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
      source.data = structures ? structures->pAccelerationStructures : NULL;
      source.count = structures ? structures->accelerationStructureCount : 0;
      source.stride_bytes = sizeof(VkAccelerationStructureKHR);
      break;
   }
   default:
      source.data = write->pBufferInfo;
      source.stride_bytes = sizeof(*write->pBufferInfo);
      break;
   }
   return source;
}

void icd_descriptors_init(const struct icd_set_shape *shape, uint8_t *set, uint32_t size_bytes, uint32_t variable_count)
{
   const uint32_t maximum = shape->set.num_bindings ? shape->set.bindings[shape->set.num_bindings - 1].count : 0;
   *head_of(set) = (struct abi_set_head){.shape = shape->set.shape, .variable_count = UTIL_MIN(variable_count, maximum)};
   memset(set, 0, size_bytes);
   for (uint32_t i = 0; i < shape->set.num_bindings; i++) {
      const struct comp_binding *binding = &shape->set.bindings[i];
      const struct abi_sampler *const *samplers = shape->infos[i].immutable_samplers;
      const uint32_t room = (size_bytes - UTIL_MIN(binding->offset_bytes, size_bytes)) / ABI_DESCRIPTOR_BYTES;
      for (uint32_t e = 0; samplers && e < UTIL_MIN(binding->count, room); e++) {
         descriptor_at(shape, set, i, e)->image.sampler = samplers[e];
         if (shape->set.is_bare)
            abi_descriptor_seal(descriptor_at(shape, set, i, e), ABI_CLASS_SAMPLER);
      }
   }
}

/* ---- copies ---- */

/* Advances over the end of a binding to the next that has descriptors. */
static void normalize(const struct icd_set_shape *shape, uint32_t *index, uint32_t *element)
{
   while (*index < shape->set.num_bindings && *element >= shape->set.bindings[*index].count) {
      *element -= shape->set.bindings[*index].count;
      ++*index;
   }
}

/* Between bindings of mutable and of fixed type the class comes and goes; one that the target has not becomes null. */
static void copy_one(const struct comp_binding *to, union abi_descriptor *target, const struct comp_binding *from,
                     const union abi_descriptor *source)
{
   union abi_descriptor copy = *source;
   const uint32_t classes =
      from->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT ? abi_descriptor_untag(&copy) : abi_descriptor_classes(from->type);
   if (to->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
      abi_descriptor_tag(&copy, classes);
   else if (!(classes & abi_descriptor_classes(to->type)))
      copy = (union abi_descriptor){0};
   *target = copy;
}

static void copy_descriptors(const VkCopyDescriptorSet *copy)
{
   const struct icd_descriptor_set *src = icd_descriptor_set_from_handle(copy->srcSet);
   const struct icd_descriptor_set *dst = icd_descriptor_set_from_handle(copy->dstSet);
   const struct icd_set_shape *from = &src->layout->shape, *to = &dst->layout->shape;
   uint32_t from_index = icd_set_shape_find(from, copy->srcBinding);
   uint32_t to_index = icd_set_shape_find(to, copy->dstBinding);
   uint32_t from_element = copy->srcArrayElement, to_element = copy->dstArrayElement;

   if (from_index == UINT32_MAX || to_index == UINT32_MAX)
      return;
   const struct comp_binding *first = &from->set.bindings[from_index], *second = &to->set.bindings[to_index];
   if (is_inline_block(first) || is_inline_block(second)) {
      if (is_inline_block(first) && is_inline_block(second)) {
         const uint32_t bytes = inline_bytes(first, src->data, from_element, copy->descriptorCount);
         memmove(dst->data + second->offset_bytes + to_element, src->data + first->offset_bytes + from_element,
                 inline_bytes(second, dst->data, to_element, bytes));
      }
      return;
   }
   for (uint32_t i = 0; i < copy->descriptorCount; i++, from_element++, to_element++) {
      normalize(from, &from_index, &from_element);
      normalize(to, &to_index, &to_element);
      if (from_index >= from->set.num_bindings || to_index >= to->set.num_bindings)
         return;
      const struct comp_binding *source = &from->set.bindings[from_index], *binding = &to->set.bindings[to_index];
      if (from_element >= count_of(source, src->data) || to_element >= count_of(binding, dst->data) || is_inline_block(source) ||
          is_inline_block(binding))
         return;
      union abi_descriptor *target = descriptor_at(to, dst->data, to_index, to_element);
      const struct abi_sampler *const *immutable = to->infos[to_index].immutable_samplers;
      copy_one(binding, target, source, descriptor_at(from, src->data, from_index, from_element));
      if (immutable)
         target->image.sampler = immutable[to_element];
   }
}

VKAPI_ATTR void VKAPI_CALL icd_UpdateDescriptorSets(VkDevice device, uint32_t descriptorWriteCount,
                                                    const VkWriteDescriptorSet *pDescriptorWrites,
                                                    uint32_t descriptorCopyCount,
                                                    const VkCopyDescriptorSet *pDescriptorCopies)
{
   for (uint32_t i = 0; i < descriptorWriteCount; i++) {
      const struct icd_descriptor_set *set = icd_descriptor_set_from_handle(pDescriptorWrites[i].dstSet);
      const struct icd_descriptor_source source = icd_descriptor_source_of(&pDescriptorWrites[i]);
      icd_descriptors_write(&set->layout->shape, set->data, &source);
   }
   for (uint32_t i = 0; i < descriptorCopyCount; i++)
      copy_descriptors(&pDescriptorCopies[i]);
}
