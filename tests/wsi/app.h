/* SPDX-License-Identifier: MIT
 * A little application for the tests of presentation: the driver is opened by itself, frames are gradients whose every
 * texel can be checked. What fails unexpectedly ends the program. */
#pragma once

#include "tests/icd/library.h"

#include <stdbool.h>
#include <stdint.h>

#define APP_INSTANCE_FUNCTIONS(X)                                                                                      \
   X(CreateDevice) X(DestroyInstance) X(EnumeratePhysicalDevices) X(GetDeviceProcAddr) X(DestroySurfaceKHR)            \
   X(GetPhysicalDeviceSurfaceCapabilitiesKHR) X(GetPhysicalDeviceSurfaceFormatsKHR)                                    \
   X(GetPhysicalDeviceSurfacePresentModesKHR)
#define APP_DEVICE_FUNCTIONS(X)                                                                                        \
   X(AcquireNextImageKHR) X(AllocateCommandBuffers) X(AllocateMemory) X(BeginCommandBuffer) X(BindBufferMemory)        \
   X(CmdCopyBufferToImage) X(CmdPipelineBarrier) X(CreateBuffer) X(CreateCommandPool) X(CreateFence)                   \
   X(CreateSemaphore) X(CreateSwapchainKHR) X(DestroyBuffer) X(DestroyCommandPool) X(DestroyDevice) X(DestroyFence)    \
   X(DestroySemaphore) X(DestroySwapchainKHR) X(DeviceWaitIdle) X(EndCommandBuffer) X(FreeMemory) X(GetDeviceQueue)    \
   X(GetSwapchainImagesKHR) X(MapMemory) X(QueuePresentKHR) X(QueueSubmit) X(ResetFences) X(WaitForFences)

enum { APP_MAX_IMAGES = 8, APP_MAX_TEXELS = 1024 * 1024 };

struct app {
#define X(name) PFN_vk##name name;
   APP_INSTANCE_FUNCTIONS(X) APP_DEVICE_FUNCTIONS(X)
#undef X
   VkInstance instance;
   VkPhysicalDevice physical_device;
   VkDevice device;
   VkQueue queue;
   VkCommandPool pool;
   VkCommandBuffer cmd;
   VkBuffer buffer;
   VkDeviceMemory memory;
   uint32_t *texels; /* of the buffer */
   VkFence fence;    /* of the last submission; signaled at first */
   VkSemaphore acquired, rendered;

   VkSurfaceKHR surface;
   VkSwapchainKHR swapchain;
   VkExtent2D extent;
   VkImage images[APP_MAX_IMAGES];
};

/* `platform` is the surface extension. The device enables the swapchain and `device_extension`, which may be NULL. */
void app_init(struct app *app, const char *platform, const char *device_extension, const void *device_chain);
void app_finish(struct app *app);

/* Replaces the swapchain, if there is one. */
VkResult app_make_swapchain(struct app *app, VkFormat format, VkExtent2D extent, VkPresentModeKHR mode,
                            const void *chain);
/* Draws frame number `n` to the next image and presents it, with `chain` at VkPresentInfoKHR. Returns what acquiring
 * returned if that is an error, else what presenting did. */
VkResult app_show(struct app *app, uint32_t n, const void *chain);
/* The texel of frame `n` as the bytes B, G, R, A. */
uint32_t app_texel(uint32_t n, uint32_t x, uint32_t y);

void app_check(VkResult result, const char *what);
