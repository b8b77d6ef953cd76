/* SPDX-License-Identifier: MIT
 * VK_EXT_descriptor_buffer: sets in the application's memory. Descriptors are those of all sets, 16 bytes each (abi/image.h), so a set in a buffer is
 * read by the same code; but nothing stands in front of it (comp_set.is_bare), and each descriptor has a seal (abi/descriptor.h).
 * Spec: Descriptor Buffers. */
#include "gen/icd_entrypoints.h"
#include "icd/cmd/address.h"
#include "icd/cmd/bind_point.h"
#include "icd/command_buffer.h"
#include "icd/descriptor/descriptor_set.h"
#include "icd/descriptor/kept_views.h"
#include "icd/device/device.h"
#include "icd/pipeline_layout.h"
#include "icd/resource/image_view.h"
#include "icd/resource/sampler.h"
#include "util/size.h"

#include <string.h>

VKAPI_ATTR void VKAPI_CALL icd_GetDescriptorSetLayoutSizeEXT(VkDevice device, VkDescriptorSetLayout layout,
                                                             VkDeviceSize *pLayoutSizeInBytes)
{
   *pLayoutSizeInBytes = icd_descriptor_set_layout_from_handle(layout)->shape.size_bytes;
}

VKAPI_ATTR void VKAPI_CALL icd_GetDescriptorSetLayoutBindingOffsetEXT(VkDevice device, VkDescriptorSetLayout layout, uint32_t binding,
                                                                      VkDeviceSize *pOffset)
{
   const struct icd_set_shape *shape = &icd_descriptor_set_layout_from_handle(layout)->shape;
   const uint32_t index = icd_set_shape_find(shape, binding);
   *pOffset = index == UINT32_MAX ? 0 : shape->set.bindings[index].offset_bytes;
}

/* ---- descriptors ---- */

static union abi_descriptor of_image(const VkDescriptorImageInfo *info, bool is_stored)
{
   const struct icd_image_view *view = info ? icd_image_view_from_handle(info->imageView) : NULL;
   union abi_descriptor descriptor = {.image = {NULL, NULL}};
   if (view)
      descriptor.image.image = is_stored ? view->stored : &view->sampled;
   return descriptor;
}

static const struct abi_sampler *of_sampler(VkSampler handle)
{
   const struct icd_sampler *sampler = icd_sampler_from_handle(handle);
   return sampler ? &sampler->abi : NULL;
}

static union abi_descriptor of_buffer(const struct icd_device *device, const VkDescriptorAddressInfoEXT *info)
{
   union abi_descriptor descriptor = {.buffer = {NULL, 0}};
   if (info && info->address) {
      descriptor.buffer.data = icd_address(info->address);
      descriptor.buffer.size_bytes = UTIL_MIN(info->range, icd_max_buffer_range(device));
   }
   return descriptor;
}

/* Null where memory is out. */
static union abi_descriptor of_texels(struct icd_device *device, const VkDescriptorAddressInfoEXT *info)
{
   union abi_descriptor descriptor = {.image = {NULL, NULL}};
   if (info && info->address)
      descriptor.image.image = icd_keep_texel_buffer(device, info->address, info->range, info->format);
   return descriptor;
}

VKAPI_ATTR void VKAPI_CALL icd_GetDescriptorEXT(VkDevice _device, const VkDescriptorGetInfoEXT *pDescriptorInfo, size_t dataSize,
                                                void *pDescriptor)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const VkDescriptorDataEXT *data = &pDescriptorInfo->data;
   union abi_descriptor descriptor = {.buffer = {NULL, 0}};
   switch (pDescriptorInfo->type) {
   case VK_DESCRIPTOR_TYPE_SAMPLER: descriptor.image.sampler = of_sampler(*data->pSampler); break;
   case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      descriptor = of_image(data->pCombinedImageSampler, false);
      descriptor.image.sampler = data->pCombinedImageSampler ? of_sampler(data->pCombinedImageSampler->sampler) : NULL;
      break;
   case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE: descriptor = of_image(data->pSampledImage, false); break;
   case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: descriptor = of_image(data->pStorageImage, true); break;
   case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT: descriptor = of_image(data->pInputAttachmentImage, false); break;
   case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER: descriptor = of_texels(device, data->pUniformTexelBuffer); break;
   case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: descriptor = of_texels(device, data->pStorageTexelBuffer); break;
   case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER: descriptor = of_buffer(device, data->pUniformBuffer); break;
   case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER: descriptor = of_buffer(device, data->pStorageBuffer); break;
   case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: descriptor.buffer.data = icd_address(data->accelerationStructure); break;
   default: break; /* those that no descriptor buffer has */
   }
   abi_descriptor_seal(&descriptor, abi_descriptor_classes(pDescriptorInfo->type));
   memcpy(pDescriptor, &descriptor, UTIL_MIN(dataSize, sizeof(descriptor)));
}

/* ---- binding ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdBindDescriptorBuffersEXT(VkCommandBuffer commandBuffer, uint32_t bufferCount,
                                                           const VkDescriptorBufferBindingInfoEXT *pBindingInfos)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   for (uint32_t i = 0; i < bufferCount && i < ICD_MAX_DESCRIPTOR_BUFFERS; i++)
      buffer->descriptor_buffers[i] = icd_address(pBindingInfos[i].address);
}

static void set_offsets(VkCommandBuffer commandBuffer, uint32_t bind_points, uint32_t first, uint32_t count, const uint32_t *indices,
                        const VkDeviceSize *offsets)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   struct rt_cmd_bind_sets *cmd =
      first < ABI_MAX_SETS ? rt_cmd_append_sets(&buffer->stream, bind_points, first, UTIL_MIN(count, ABI_MAX_SETS - first)) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < cmd->num_sets; i++) {
      uint8_t *base = indices[i] < ICD_MAX_DESCRIPTOR_BUFFERS ? buffer->descriptor_buffers[indices[i]] : NULL;
      cmd->sets[i].data = base ? base + offsets[i] : NULL;
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetDescriptorBufferOffsetsEXT(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                                                                VkPipelineLayout layout, uint32_t firstSet, uint32_t setCount,
                                                                const uint32_t *pBufferIndices, const VkDeviceSize *pOffsets)
{
   set_offsets(commandBuffer, icd_bind_point_bit(pipelineBindPoint), firstSet, setCount, pBufferIndices, pOffsets);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetDescriptorBufferOffsets2EXT(VkCommandBuffer commandBuffer,
                                                                 const VkSetDescriptorBufferOffsetsInfoEXT *pInfo)
{
   set_offsets(commandBuffer, icd_bind_points_of(pInfo->stageFlags), pInfo->firstSet, pInfo->setCount, pInfo->pBufferIndices,
               pInfo->pOffsets);
}

/* Their set stands in the stream, with the samplers of the layout. */
static void bind_embedded(VkCommandBuffer commandBuffer, uint32_t bind_points, VkPipelineLayout layout, uint32_t set)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const struct icd_set_shape *shape = &icd_pipeline_layout_from_handle(layout)->shapes[set];
   const size_t head_bytes = sizeof(struct abi_set_head);
   uint8_t *memory = rt_cmd_data(stream, NULL, util_size_add(head_bytes, shape->size_bytes));
   struct rt_cmd_bind_sets *cmd = memory ? rt_cmd_append_sets(stream, bind_points, set, 1) : NULL;
   if (!cmd)
      return;
   icd_descriptors_init(shape, memory + head_bytes, shape->size_bytes, UINT32_MAX);
   cmd->sets[0].data = memory + head_bytes;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindDescriptorBufferEmbeddedSamplersEXT(VkCommandBuffer commandBuffer,
                                                                          VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
                                                                          uint32_t set)
{
   bind_embedded(commandBuffer, icd_bind_point_bit(pipelineBindPoint), layout, set);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindDescriptorBufferEmbeddedSamplers2EXT(VkCommandBuffer commandBuffer,
                                                                           const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *pInfo)
{
   bind_embedded(commandBuffer, icd_bind_points_of(pInfo->stageFlags), pInfo->layout, pInfo->set);
}

/* ---- capture and replay: not offered, but the names are there ---- */

#define CAPTURE(name, Info)                                                                                            \
   VKAPI_ATTR VkResult VKAPI_CALL icd_Get##name##OpaqueCaptureDescriptorDataEXT(VkDevice device, const Info *pInfo, void *pData) \
   {                                                                                                                   \
      return VK_ERROR_OUT_OF_HOST_MEMORY;                                                                              \
   }
CAPTURE(Buffer, VkBufferCaptureDescriptorDataInfoEXT)
CAPTURE(Image, VkImageCaptureDescriptorDataInfoEXT)
CAPTURE(ImageView, VkImageViewCaptureDescriptorDataInfoEXT)
CAPTURE(Sampler, VkSamplerCaptureDescriptorDataInfoEXT)
CAPTURE(AccelerationStructure, VkAccelerationStructureCaptureDescriptorDataInfoEXT)
#undef CAPTURE
