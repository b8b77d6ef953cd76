/* SPDX-License-Identifier: MIT
 * Every Vulkan object: its common base, its memory, its handle.
 * Spec: Fundamentals, "Object Model" and "Object Lifetime"; Private Data; Debugging, "Object Names".
 *
 * Every handle, dispatchable or not, is the address of a struct whose first member is `struct icd_object base`.
 * Usual life of a child of the device:
 *
 *    struct icd_event *event = icd_object_alloc(device, pAllocator, sizeof(*event), VK_OBJECT_TYPE_EVENT);
 *    if (!event)
 *       return VK_ERROR_OUT_OF_HOST_MEMORY;
 *    *pEvent = icd_event_to_handle(event);
 *    ...
 *    icd_object_free(device, pAllocator, &event->base);      (NULL is fine; so is icd_event_from_handle(VK_NULL_HANDLE))
 *
 * Objects that live in a block of their parent (queues, descriptor sets) use icd_object_init() and icd_object_finish().
 * Threads: private data and names have a lock of their own; the rest is as the specification's external synchronization. */
#pragma once

#include "util/alloc.h"

#include <vulkan/vk_icd.h>

struct icd_device;
struct icd_object_extra; /* names and private data: few objects have them */

struct icd_object {
   VK_LOADER_DATA loader; /* of dispatchable objects: the loader writes its table here */
   VkObjectType type;
   uint32_t reserved;
   struct icd_device *device; /* NULL: instance, physical device and their children */
   struct icd_object_extra *extra;
};

/* `device` may be NULL. */
void icd_object_init(struct icd_object *object, struct icd_device *device, VkObjectType type);
/* Gives back names and private data; the memory of the object itself stays. */
void icd_object_finish(struct icd_object *object);

/* The callbacks to use for a child of `device`: the application's for this object, else the device's (which fall back to
 * the instance's), else NULL: the C library. */
const VkAllocationCallbacks *icd_allocator(const struct icd_device *device, const VkAllocationCallbacks *allocator);

/* Allocates a zero-filled struct of `size` bytes (16-byte aligned) that begins with a struct icd_object, and initialises
 * that. NULL when memory is out. */
UTIL_MUST_CHECK void *icd_object_alloc(struct icd_device *device, const VkAllocationCallbacks *allocator, size_t size,
                                       VkObjectType type);
/* Finishes and frees; NULL is ignored. `allocator` is as it was at creation. */
void icd_object_free(struct icd_device *device, const VkAllocationCallbacks *allocator, void *object);

/* More memory for an object of `device`, freed with icd_free() and the same `allocator`. Zero `size` gives NULL. */
UTIL_MUST_CHECK void *icd_alloc(const struct icd_device *device, const VkAllocationCallbacks *allocator, size_t size,
                                size_t align);
UTIL_MUST_CHECK void *icd_zalloc(const struct icd_device *device, const VkAllocationCallbacks *allocator, size_t size,
                                 size_t align);
void icd_free(const struct icd_device *device, const VkAllocationCallbacks *allocator, void *memory);

/* The name that the application gave, or "". Valid until it is changed. */
const char *icd_object_name(const struct icd_object *object);
/* Copies `name`; NULL or "" removes it. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_object_set_name(struct icd_object *object, const char *name);

static inline struct icd_object *icd_object_from_handle(uint64_t handle)
{
   return (struct icd_object *)(uintptr_t)handle;
}

/* Declares struct icd_<noun>, icd_<noun>_from_handle() and icd_<noun>_to_handle(). */
#define ICD_HANDLE(noun, VkHandle)                                                                                     \
   struct icd_##noun;                                                                                                  \
   static inline struct icd_##noun *icd_##noun##_from_handle(VkHandle handle)                                          \
   {                                                                                                                   \
      return (struct icd_##noun *)(uintptr_t)handle;                                                                   \
   }                                                                                                                   \
   static inline VkHandle icd_##noun##_to_handle(const struct icd_##noun *object)                                      \
   {                                                                                                                   \
      return (VkHandle)(uintptr_t)object;                                                                              \
   }

ICD_HANDLE(instance, VkInstance)
ICD_HANDLE(physical_device, VkPhysicalDevice)
ICD_HANDLE(device, VkDevice)
ICD_HANDLE(queue, VkQueue)
ICD_HANDLE(command_buffer, VkCommandBuffer)
ICD_HANDLE(command_pool, VkCommandPool)
ICD_HANDLE(device_memory, VkDeviceMemory)
ICD_HANDLE(buffer, VkBuffer)
ICD_HANDLE(buffer_view, VkBufferView)
ICD_HANDLE(image, VkImage)
ICD_HANDLE(image_view, VkImageView)
ICD_HANDLE(sampler, VkSampler)
ICD_HANDLE(ycbcr_conversion, VkSamplerYcbcrConversion)
ICD_HANDLE(shader_module, VkShaderModule)
ICD_HANDLE(shader_object, VkShaderEXT)
ICD_HANDLE(pipeline_binary, VkPipelineBinaryKHR)
ICD_HANDLE(pipeline, VkPipeline)
ICD_HANDLE(pipeline_cache, VkPipelineCache)
ICD_HANDLE(validation_cache, VkValidationCacheEXT)
ICD_HANDLE(pipeline_layout, VkPipelineLayout)
ICD_HANDLE(render_pass, VkRenderPass)
ICD_HANDLE(framebuffer, VkFramebuffer)
ICD_HANDLE(descriptor_set_layout, VkDescriptorSetLayout)
ICD_HANDLE(descriptor_pool, VkDescriptorPool)
ICD_HANDLE(descriptor_set, VkDescriptorSet)
ICD_HANDLE(update_template, VkDescriptorUpdateTemplate)
ICD_HANDLE(fence, VkFence)
ICD_HANDLE(semaphore, VkSemaphore)
ICD_HANDLE(event, VkEvent)
ICD_HANDLE(query_pool, VkQueryPool)
ICD_HANDLE(private_data_slot, VkPrivateDataSlot)
ICD_HANDLE(messenger, VkDebugUtilsMessengerEXT)
ICD_HANDLE(accel, VkAccelerationStructureKHR)
ICD_HANDLE(deferred, VkDeferredOperationKHR)
ICD_HANDLE(token_layout, VkIndirectCommandsLayoutEXT)
ICD_HANDLE(execution_set, VkIndirectExecutionSetEXT)
ICD_HANDLE(surface, VkSurfaceKHR)
ICD_HANDLE(swapchain, VkSwapchainKHR)
