/* SPDX-License-Identifier: MIT
 * A device and a swapchain that clears its images, for any surface. */
#include "tests/wsi/toolkits/frames.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define INSTANCE_FUNCTIONS(X)                                                                                          \
   X(EnumeratePhysicalDevices) X(CreateDevice) X(GetDeviceProcAddr) X(GetPhysicalDeviceSurfaceCapabilitiesKHR)         \
   X(GetPhysicalDeviceSurfaceSupportKHR)
#define DEVICE_FUNCTIONS(X)                                                                                            \
   X(GetDeviceQueue) X(CreateCommandPool) X(DestroyCommandPool) X(AllocateCommandBuffers) X(BeginCommandBuffer)        \
   X(EndCommandBuffer) X(CmdPipelineBarrier) X(CmdClearColorImage) X(QueueSubmit) X(CreateSemaphore)                   \
   X(DestroySemaphore) X(CreateSwapchainKHR) X(DestroySwapchainKHR) X(GetSwapchainImagesKHR) X(AcquireNextImageKHR)    \
   X(QueuePresentKHR) X(DeviceWaitIdle) X(DestroyDevice)

enum { MAX_IMAGES = 8, ENOUGH_FRAMES = 4 };

struct frames {
#define X(name) PFN_vk##name name;
   INSTANCE_FUNCTIONS(X) DEVICE_FUNCTIONS(X)
#undef X
   VkPhysicalDevice physical_device;
   VkSurfaceKHR surface;
   VkDevice device;
   VkQueue queue;
   VkCommandPool pool;
   VkCommandBuffer commands;
   VkSemaphore acquired, rendered;
   VkSwapchainKHR swapchain;
   VkExtent2D extent;
   VkImage images[MAX_IMAGES];
   int num_shown; /* of the step, at its size; -1: reported */
};

static void check(VkResult result, const char *what)
{
   if (result >= 0)
      return;
   fprintf(stderr, "%s: error %d\n", what, result);
   exit(1);
}

static void make_device(struct frames *f)
{
   const float priority = 1.0f;
   const char *extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = 1,
      .ppEnabledExtensionNames = &extension,
   };
   const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
   const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   VkBool32 is_supported = VK_FALSE;
   check(f->GetPhysicalDeviceSurfaceSupportKHR(f->physical_device, 0, f->surface, &is_supported), "surface support");
   check(is_supported ? VK_SUCCESS : VK_ERROR_SURFACE_LOST_KHR, "surface support");
   check(f->CreateDevice(f->physical_device, &info, NULL, &f->device), "vkCreateDevice");
#define X(name) f->name = (PFN_vk##name)f->GetDeviceProcAddr(f->device, "vk" #name);
   DEVICE_FUNCTIONS(X)
#undef X
   f->GetDeviceQueue(f->device, 0, 0, &f->queue);
   check(f->CreateCommandPool(f->device, &pool, NULL, &f->pool), "vkCreateCommandPool");
   const VkCommandBufferAllocateInfo commands = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = f->pool, .commandBufferCount = 1};
   check(f->AllocateCommandBuffers(f->device, &commands, &f->commands), "vkAllocateCommandBuffers");
   check(f->CreateSemaphore(f->device, &semaphore, NULL, &f->acquired), "vkCreateSemaphore");
   check(f->CreateSemaphore(f->device, &semaphore, NULL, &f->rendered), "vkCreateSemaphore");
}

struct frames *frames_create(PFN_vkGetInstanceProcAddr get_address, VkInstance instance, VkSurfaceKHR surface)
{
   struct frames *f = calloc(1, sizeof(*f));
   if (!f)
      exit(1);
   f->surface = surface;
#define X(name) f->name = (PFN_vk##name)get_address(instance, "vk" #name);
   INSTANCE_FUNCTIONS(X)
#undef X
   uint32_t count = 1;
   check(f->EnumeratePhysicalDevices(instance, &count, &f->physical_device), "vkEnumeratePhysicalDevices");
   make_device(f);
   return f;
}

static void make_swapchain(struct frames *f, const struct frames_step *step)
{
   VkSurfaceCapabilitiesKHR capabilities;
   const VkSwapchainKHR old = f->swapchain;
   uint32_t count = MAX_IMAGES;
   check(f->GetPhysicalDeviceSurfaceCapabilitiesKHR(f->physical_device, f->surface, &capabilities), "capabilities");
   f->extent = capabilities.currentExtent;
   if (f->extent.width == UINT32_MAX)
      f->extent = (VkExtent2D){(uint32_t)step->width, (uint32_t)step->height};
   const VkSwapchainCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .surface = f->surface,
      .minImageCount = 3,
      .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
      .imageExtent = f->extent,
      .imageArrayLayers = 1,
      .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
      .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = VK_PRESENT_MODE_FIFO_KHR,
      .oldSwapchain = old,
   };
   check(f->CreateSwapchainKHR(f->device, &info, NULL, &f->swapchain), "vkCreateSwapchainKHR");
   f->DeviceWaitIdle(f->device);
   f->DestroySwapchainKHR(f->device, old, NULL);
   check(f->GetSwapchainImagesKHR(f->device, f->swapchain, &count, f->images), "vkGetSwapchainImagesKHR");
}

static void record(struct frames *f, VkImage image, const unsigned char color[3])
{
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const VkClearColorValue clear = {{color[0] / 255.0f, color[1] / 255.0f, color[2] / 255.0f, 1.0f}};
   VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
      .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = range,
   };
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
   check(f->BeginCommandBuffer(f->commands, &begin), "vkBeginCommandBuffer");
   f->CmdPipelineBarrier(f->commands, stage, stage, 0, 0, NULL, 0, NULL, 1, &barrier);
   f->CmdClearColorImage(f->commands, image, barrier.newLayout, &clear, 1, &range);
   barrier.srcAccessMask = barrier.dstAccessMask;
   barrier.oldLayout = barrier.newLayout;
   barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
   f->CmdPipelineBarrier(f->commands, stage, stage, 0, 0, NULL, 0, NULL, 1, &barrier);
   check(f->EndCommandBuffer(f->commands), "vkEndCommandBuffer");
}

/* VK_ERROR_OUT_OF_DATE_KHR and VK_SUBOPTIMAL_KHR come back. */
static VkResult show(struct frames *f, const unsigned char color[3])
{
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
   uint32_t index;
   const VkResult result =
      f->AcquireNextImageKHR(f->device, f->swapchain, UINT64_MAX, f->acquired, VK_NULL_HANDLE, &index);
   if (result < 0)
      return result;
   record(f, f->images[index], color);
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .waitSemaphoreCount = 1,
      .pWaitSemaphores = &f->acquired,
      .pWaitDstStageMask = &stage,
      .commandBufferCount = 1,
      .pCommandBuffers = &f->commands,
      .signalSemaphoreCount = 1,
      .pSignalSemaphores = &f->rendered,
   };
   const VkPresentInfoKHR present = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
      .waitSemaphoreCount = 1,
      .pWaitSemaphores = &f->rendered,
      .swapchainCount = 1,
      .pSwapchains = &f->swapchain,
      .pImageIndices = &index,
   };
   check(f->QueueSubmit(f->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   const VkResult presented = f->QueuePresentKHR(f->queue, &present);
   f->DeviceWaitIdle(f->device);
   return presented;
}

bool frames_show(struct frames *f, const struct frames_step *step)
{
   if (!f->swapchain)
      make_swapchain(f, step);
   const VkResult result = show(f, step->color);
   if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR) {
      make_swapchain(f, step);
      return false;
   }
   check(result, "vkQueuePresentKHR");
   const bool has_size = f->extent.width == (uint32_t)step->width && f->extent.height == (uint32_t)step->height;
   if (f->num_shown >= 0 && has_size && ++f->num_shown == ENOUGH_FRAMES) {
      puts("shown");
      fflush(stdout);
      f->num_shown = -1;
   }
   struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
   char byte;
   if (f->num_shown >= 0 || poll(&input, 1, 0) <= 0)
      return false;
   f->num_shown = 0;
   if (read(STDIN_FILENO, &byte, 1) != 1)
      exit(1);
   return true;
}

void frames_destroy(struct frames *f)
{
   f->DeviceWaitIdle(f->device);
   f->DestroySwapchainKHR(f->device, f->swapchain, NULL);
   f->DestroySemaphore(f->device, f->acquired, NULL);
   f->DestroySemaphore(f->device, f->rendered, NULL);
   f->DestroyCommandPool(f->device, f->pool, NULL);
   f->DestroyDevice(f->device, NULL);
   free(f);
}
