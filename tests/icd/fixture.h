/* SPDX-License-Identifier: MIT
 * An instance, a device with all features of Vulkan 1.0 that are offered, and what most tests of the device's objects need, by
 * direct calls of the entry points: so they run whether or not what they test is exposed yet, and can look inside. Each function exits the program when it fails.
 */
#pragma once

#include "gen/icd_entrypoints.h"

#include <stdio.h>
#include <stdlib.h>

struct fixture {
   VkInstance instance;
   VkPhysicalDevice physical_device;
   VkDevice device;
   VkQueue queue;
   VkCommandPool pool;
   VkCommandBuffer commands;
};

static inline void fixture_require(VkResult result, const char *what)
{
   if (result != VK_SUCCESS) {
      fprintf(stderr, "%s: %d\n", what, (int)result);
      exit(1);
   }
}

static inline VkCommandBuffer fixture_command_buffer(const struct fixture *fixture, VkCommandBufferLevel level)
{
   VkCommandBuffer commands;
   const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, fixture->pool, level,
                                             1};
   fixture_require(icd_AllocateCommandBuffers(fixture->device, &info, &commands), "vkAllocateCommandBuffers");
   return commands;
}

static inline void fixture_init(struct fixture *fixture, const VkAllocationCallbacks *allocator)
{
   const float priority = 1.0f;
   const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
   const VkInstanceCreateInfo instance_info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
   const VkDeviceQueueCreateInfo queue_info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   VkPhysicalDeviceFeatures features;
   const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                           .queueCreateInfoCount = 1,
                                           .pQueueCreateInfos = &queue_info,
                                           .pEnabledFeatures = &features};
   const VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
   uint32_t count = 1;

   fixture_require(icd_CreateInstance(&instance_info, allocator, &fixture->instance), "vkCreateInstance");
   fixture_require(icd_EnumeratePhysicalDevices(fixture->instance, &count, &fixture->physical_device),
                   "vkEnumeratePhysicalDevices");
   icd_GetPhysicalDeviceFeatures(fixture->physical_device, &features);
   fixture_require(icd_CreateDevice(fixture->physical_device, &device_info, allocator, &fixture->device),
                   "vkCreateDevice");
   icd_GetDeviceQueue(fixture->device, 0, 0, &fixture->queue);
   fixture_require(icd_CreateCommandPool(fixture->device, &pool_info, NULL, &fixture->pool), "vkCreateCommandPool");
   fixture->commands = fixture_command_buffer(fixture, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

static inline void fixture_finish(struct fixture *fixture, const VkAllocationCallbacks *allocator)
{
   icd_DestroyCommandPool(fixture->device, fixture->pool, NULL);
   icd_DestroyDevice(fixture->device, allocator);
   icd_DestroyInstance(fixture->instance, allocator);
}

static inline void fixture_begin(VkCommandBuffer commands)
{
   const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
   const VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, &inheritance};
   fixture_require(icd_BeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

/* Ends, submits and waits. */
static inline void fixture_run(struct fixture *fixture)
{
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &fixture->commands};
   fixture_require(icd_EndCommandBuffer(fixture->commands), "vkEndCommandBuffer");
   fixture_require(icd_QueueSubmit(fixture->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   fixture_require(icd_QueueWaitIdle(fixture->queue), "vkQueueWaitIdle");
}

static inline VkDeviceMemory fixture_memory(VkDevice device, VkDeviceSize size)
{
   VkDeviceMemory memory;
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, size, 0};
   fixture_require(icd_AllocateMemory(device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

/* A buffer with memory of its own, and where that is. */
struct fixture_buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
   void *data;
};

static inline struct fixture_buffer fixture_buffer(const struct fixture *fixture, VkDeviceSize size)
{
   struct fixture_buffer out;
   VkMemoryRequirements requirements;
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = 0x1ff};
   fixture_require(icd_CreateBuffer(fixture->device, &info, NULL, &out.buffer), "vkCreateBuffer");
   icd_GetBufferMemoryRequirements(fixture->device, out.buffer, &requirements);
   out.memory = fixture_memory(fixture->device, requirements.size);
   fixture_require(icd_BindBufferMemory(fixture->device, out.buffer, out.memory, 0), "vkBindBufferMemory");
   fixture_require(icd_MapMemory(fixture->device, out.memory, 0, VK_WHOLE_SIZE, 0, &out.data), "vkMapMemory");
   return out;
}

static inline void fixture_buffer_destroy(const struct fixture *fixture, struct fixture_buffer *buffer)
{
   icd_DestroyBuffer(fixture->device, buffer->buffer, NULL);
   icd_FreeMemory(fixture->device, buffer->memory, NULL);
}

/* With memory of its own and a view of all of it. */
struct fixture_image {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
};

static inline struct fixture_image fixture_image_of(VkDevice device, const VkImageCreateInfo *info, VkImageViewType type,
                                                    VkImageAspectFlags aspects)
{
   struct fixture_image out;
   VkMemoryRequirements requirements;
   VkImageViewCreateInfo view_info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .viewType = type,
      .format = info->format,
      .subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
   };
   fixture_require(icd_CreateImage(device, info, NULL, &out.image), "vkCreateImage");
   icd_GetImageMemoryRequirements(device, out.image, &requirements);
   out.memory = fixture_memory(device, requirements.size);
   fixture_require(icd_BindImageMemory(device, out.image, out.memory, 0), "vkBindImageMemory");
   view_info.image = out.image;
   fixture_require(icd_CreateImageView(device, &view_info, NULL, &out.view), "vkCreateImageView");
   return out;
}

/* Optimal, of two dimensions and one level. */
static inline struct fixture_image fixture_image(VkDevice device, VkFormat format, uint32_t width,
                                                 uint32_t height, VkSampleCountFlagBits samples,
                                                 VkImageAspectFlags aspects, VkImageUsageFlags usage)
{
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = format,
      .extent = {width, height, 1},
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = samples,
      .usage = usage,
   };
   return fixture_image_of(device, &info, VK_IMAGE_VIEW_TYPE_2D, aspects);
}

static inline void fixture_image_destroy(VkDevice device, const struct fixture_image *image)
{
   icd_DestroyImageView(device, image->view, NULL);
   icd_DestroyImage(device, image->image, NULL);
   icd_FreeMemory(device, image->memory, NULL);
}
