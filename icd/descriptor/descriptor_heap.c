/* SPDX-License-Identifier: MIT
 * VK_EXT_descriptor_heap: descriptors that the application moves and binds as a whole. They are those of descriptor buffers, 16 bytes each with a
 * seal (abi/descriptor.h), and point to views of their own (kept_views.h). Heaps are bound instead of sets, push data instead of push constants.
 * Spec: Descriptor Heaps. */
#include "icd/descriptor/descriptor_heap.h"

#include "abi/descriptor.h"
#include "gen/icd_entrypoints.h"
#include "icd/cmd/address.h"
#include "icd/cmd/bind_point.h"
#include "icd/command_buffer.h"
#include "icd/descriptor/kept_views.h"
#include "icd/device/device.h"
#include "icd/resource/image.h"
#include "icd/resource/sampler.h"
#include "util/alloc.h"

#include <string.h>

#ifdef VK_EXT_descriptor_heap

/* ---- descriptors ---- */

static void write_descriptor(const VkHostAddressRangeEXT *to, union abi_descriptor descriptor, uint32_t classes)
{
   abi_descriptor_seal(&descriptor, classes);
   memcpy(to->address, &descriptor, UTIL_MIN(to->size, sizeof(descriptor)));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WriteSamplerDescriptorsEXT(VkDevice _device, uint32_t samplerCount, const VkSamplerCreateInfo *pSamplers,
                                                              const VkHostAddressRangeEXT *pDescriptors)
{
   struct icd_device *device = icd_device_from_handle(_device);
   for (uint32_t i = 0; i < samplerCount; i++) {
      struct abi_sampler sampler;
      icd_sampler_describe(&sampler, &pSamplers[i]);
      const union abi_descriptor descriptor = {.image.sampler = icd_keep_sampler(device, &sampler)};
      if (!descriptor.image.sampler)
         return VK_ERROR_OUT_OF_HOST_MEMORY;
      write_descriptor(&pDescriptors[i], descriptor, ABI_CLASS_SAMPLER);
   }
   return VK_SUCCESS;
}

/* False: memory is out. No data is the null descriptor. */
static bool image_descriptor(struct icd_device *device, const VkImageDescriptorInfoEXT *info, bool is_stored, union abi_descriptor *descriptor)
{
   if (!info || !info->pView || !info->pView->image)
      return true;
   descriptor->image.image = icd_keep_image_view(device, info->pView, is_stored);
   return descriptor->image.image != NULL;
}

static bool texel_descriptor(struct icd_device *device, const VkTexelBufferDescriptorInfoEXT *info, union abi_descriptor *descriptor)
{
   if (!info || !info->addressRange.address)
      return true;
   descriptor->image.image = icd_keep_texel_buffer(device, info->addressRange.address, info->addressRange.size, info->format);
   return descriptor->image.image != NULL;
}

static void buffer_descriptor(const VkDeviceAddressRangeEXT *range, uint64_t max_bytes, union abi_descriptor *descriptor)
{
   if (!range || !range->address)
      return;
   descriptor->buffer.data = icd_address(range->address);
   descriptor->buffer.size_bytes = UTIL_MIN(range->size, max_bytes);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WriteResourceDescriptorsEXT(VkDevice _device, uint32_t resourceCount,
                                                               const VkResourceDescriptorInfoEXT *pResources,
                                                               const VkHostAddressRangeEXT *pDescriptors)
{
   struct icd_device *device = icd_device_from_handle(_device);
   for (uint32_t i = 0; i < resourceCount; i++) {
      const VkResourceDescriptorInfoEXT *info = &pResources[i];
      union abi_descriptor descriptor = {.buffer = {NULL, 0}};
      bool has_memory = true;
      switch (info->type) {
      case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT: has_memory = image_descriptor(device, info->data.pImage, false, &descriptor); break;
      case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: has_memory = image_descriptor(device, info->data.pImage, true, &descriptor); break;
      case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: has_memory = texel_descriptor(device, info->data.pTexelBuffer, &descriptor); break;
      case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER: buffer_descriptor(info->data.pAddressRange, icd_max_buffer_range(device), &descriptor); break;
      case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: buffer_descriptor(info->data.pAddressRange, 0, &descriptor); break;
      default: break; /* those that no heap has */
      }
      if (!has_memory)
         return VK_ERROR_OUT_OF_HOST_MEMORY;
      write_descriptor(&pDescriptors[i], descriptor, abi_descriptor_classes(info->type));
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkDeviceSize VKAPI_CALL icd_GetPhysicalDeviceDescriptorSizeEXT(VkPhysicalDevice physicalDevice, VkDescriptorType descriptorType)
{
   return abi_descriptor_classes(descriptorType) ? ABI_DESCRIPTOR_BYTES : 0;
}

/* ---- binding ---- */

static void bind_heap(VkCommandBuffer commandBuffer, enum abi_heap heap, const VkBindHeapInfoEXT *info)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const uint32_t bytes = (uint32_t)UTIL_MIN(info->heapRange.size, ABI_MAX_BUFFER_BYTES);
   const uint32_t *kept = rt_cmd_data(stream, &bytes, sizeof(bytes));
   struct rt_cmd_bind_sets *cmd = kept ? rt_cmd_append_sets(stream, (1u << RT_NUM_BIND_POINTS) - 1, heap, 1) : NULL;
   if (cmd)
      cmd->sets[0] = (struct abi_set){info->heapRange.address ? icd_address(info->heapRange.address) : NULL, kept};
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindSamplerHeapEXT(VkCommandBuffer commandBuffer, const VkBindHeapInfoEXT *pBindInfo)
{
   bind_heap(commandBuffer, ABI_HEAP_SAMPLERS, pBindInfo);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBindResourceHeapEXT(VkCommandBuffer commandBuffer, const VkBindHeapInfoEXT *pBindInfo)
{
   bind_heap(commandBuffer, ABI_HEAP_RESOURCES, pBindInfo);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdPushDataEXT(VkCommandBuffer commandBuffer, const VkPushDataInfoEXT *pPushDataInfo)
{
   const VkHostAddressRangeConstEXT *data = &pPushDataInfo->data;
   if (data->size <= ABI_MAX_PUSH_BYTES)
      icd_CmdPushConstants(commandBuffer, VK_NULL_HANDLE, 0, pPushDataInfo->offset, (uint32_t)data->size, data->address);
}

void icd_inherit_heaps(VkCommandBuffer commandBuffer, const VkCommandBufferInheritanceDescriptorHeapInfoEXT *info)
{
   if (info->pSamplerHeapBindInfo)
      bind_heap(commandBuffer, ABI_HEAP_SAMPLERS, info->pSamplerHeapBindInfo);
   if (info->pResourceHeapBindInfo)
      bind_heap(commandBuffer, ABI_HEAP_RESOURCES, info->pResourceHeapBindInfo);
}

/* ---- custom border colours: samplers have them by value, so a number is only taken ---- */

static bool take_border_color(struct icd_device *device, uint32_t index)
{
   const uint64_t bit = UINT64_C(1) << index % 64;
   const bool is_free = !(device->border_colors[index / 64] & bit);
   device->border_colors[index / 64] |= bit;
   return is_free;
}

/* With the lock held. */
static VkResult register_border_color(struct icd_device *device, bool wants_index, uint32_t *index)
{
   const uint32_t count = device->physical_device->properties.maxCustomBorderColorSamplers;
   if (!device->border_colors)
      device->border_colors = util_calloc((count + 63) / 64, sizeof(*device->border_colors));
   if (!device->border_colors)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (wants_index)
      return *index < count && take_border_color(device, *index) ? VK_SUCCESS : VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS;
   for (uint32_t i = 0; i < count; i += device->border_colors[i / 64] == UINT64_MAX ? 64 : 1) {
      if (device->border_colors[i / 64] != UINT64_MAX && take_border_color(device, i)) {
         *index = i;
         return VK_SUCCESS;
      }
   }
   return VK_ERROR_TOO_MANY_OBJECTS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_RegisterCustomBorderColorEXT(VkDevice _device, const VkSamplerCustomBorderColorCreateInfoEXT *pBorderColor,
                                                                VkBool32 requestIndex, uint32_t *pIndex)
{
   struct icd_device *device = icd_device_from_handle(_device);
   pthread_mutex_lock(&device->objects_lock);
   const VkResult result = register_border_color(device, requestIndex, pIndex);
   pthread_mutex_unlock(&device->objects_lock);
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_UnregisterCustomBorderColorEXT(VkDevice _device, uint32_t index)
{
   struct icd_device *device = icd_device_from_handle(_device);
   pthread_mutex_lock(&device->objects_lock);
   if (device->border_colors && index < device->physical_device->properties.maxCustomBorderColorSamplers)
      device->border_colors[index / 64] &= ~(UINT64_C(1) << index % 64);
   pthread_mutex_unlock(&device->objects_lock);
}

/* ---- capture and replay: not offered, but the name is there ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetImageOpaqueCaptureDataEXT(VkDevice device, uint32_t imageCount, const VkImage *pImages,
                                                                VkHostAddressRangeEXT *pDatas)
{
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}

#endif
