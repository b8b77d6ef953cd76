/* SPDX-License-Identifier: MIT
 * A little application for the tests of presentation. */
#include "tests/wsi/app.h"

#include "tests/test.h"

void app_check(VkResult result, const char *what)
{
   if (result >= 0)
      return;
   fprintf(stderr, "%s: error %d\n", what, result);
   exit(1);
}

static void make_device(struct app *app, const char *device_extension, const void *device_chain)
{
   const float priority = 1.0f;
   const char *extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, device_extension};
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueCount = 1,
      .pQueuePriorities = &priority,
   };
   const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = device_chain,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = device_extension ? 2 : 1,
      .ppEnabledExtensionNames = extensions,
   };
   uint32_t count = 1;
   app_check(app->EnumeratePhysicalDevices(app->instance, &count, &app->physical_device), "vkEnumeratePhysicalDevices");
   app_check(app->CreateDevice(app->physical_device, &info, NULL, &app->device), "vkCreateDevice");
#define X(name) app->name = (PFN_vk##name)app->GetDeviceProcAddr(app->device, "vk" #name);
   APP_DEVICE_FUNCTIONS(X)
#undef X
   app->GetDeviceQueue(app->device, 0, 0, &app->queue);
}

static void make_objects(struct app *app)
{
   const VkCommandPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
   };
   app_check(app->CreateCommandPool(app->device, &pool, NULL, &app->pool), "vkCreateCommandPool");
   const VkCommandBufferAllocateInfo cmd = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = app->pool,
      .commandBufferCount = 1,
   };
   app_check(app->AllocateCommandBuffers(app->device, &cmd, &app->cmd), "vkAllocateCommandBuffers");

   const VkBufferCreateInfo buffer = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = APP_MAX_TEXELS * 4,
      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
   };
   const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = buffer.size};
   app_check(app->CreateBuffer(app->device, &buffer, NULL, &app->buffer), "vkCreateBuffer");
   app_check(app->AllocateMemory(app->device, &memory, NULL, &app->memory), "vkAllocateMemory");
   app_check(app->BindBufferMemory(app->device, app->buffer, app->memory, 0), "vkBindBufferMemory");
   app_check(app->MapMemory(app->device, app->memory, 0, VK_WHOLE_SIZE, 0, (void **)&app->texels), "vkMapMemory");

   const VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, NULL, VK_FENCE_CREATE_SIGNALED_BIT};
   const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   app_check(app->CreateFence(app->device, &fence, NULL, &app->fence), "vkCreateFence");
   app_check(app->CreateSemaphore(app->device, &semaphore, NULL, &app->acquired), "vkCreateSemaphore");
   app_check(app->CreateSemaphore(app->device, &semaphore, NULL, &app->rendered), "vkCreateSemaphore");
}

void app_init(struct app *app, const char *platform, const char *device_extension, const void *device_chain)
{
   const char *extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME, platform,
                               VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,
                               VK_EXT_SURFACE_MAINTENANCE_1_EXTENSION_NAME};
   const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .enabledExtensionCount = 4,
      .ppEnabledExtensionNames = extensions,
   };
   memset(app, 0, sizeof(*app));
   app_check(INSTANCE_FUNCTION(NULL, vkCreateInstance)(&info, NULL, &app->instance), "vkCreateInstance");
#define X(name) app->name = INSTANCE_FUNCTION(app->instance, vk##name);
   APP_INSTANCE_FUNCTIONS(X)
#undef X
   make_device(app, device_extension, device_chain);
   make_objects(app);
}

void app_finish(struct app *app)
{
   app->DeviceWaitIdle(app->device);
   app->DestroySwapchainKHR(app->device, app->swapchain, NULL);
   app->DestroySurfaceKHR(app->instance, app->surface, NULL);
   app->DestroySemaphore(app->device, app->acquired, NULL);
   app->DestroySemaphore(app->device, app->rendered, NULL);
   app->DestroyFence(app->device, app->fence, NULL);
   app->DestroyBuffer(app->device, app->buffer, NULL);
   app->FreeMemory(app->device, app->memory, NULL);
   app->DestroyCommandPool(app->device, app->pool, NULL);
   app->DestroyDevice(app->device, NULL);
   app->DestroyInstance(app->instance, NULL);
}

VkResult app_make_swapchain(struct app *app, VkFormat format, VkExtent2D extent, VkPresentModeKHR mode,
                            const void *chain)
{
   const VkSwapchainKHR old = app->swapchain;
   const VkSwapchainCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .pNext = chain,
      .surface = app->surface,
      .minImageCount = 3,
      .imageFormat = format,
      .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
      .imageExtent = extent,
      .imageArrayLayers = 1,
      .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
      .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = mode,
      .clipped = VK_TRUE,
      .oldSwapchain = old,
   };
   app->swapchain = VK_NULL_HANDLE;
   const VkResult result = app->CreateSwapchainKHR(app->device, &info, NULL, &app->swapchain);
   app->DeviceWaitIdle(app->device);
   app->DestroySwapchainKHR(app->device, old, NULL);
   if (result != VK_SUCCESS)
      return result;
   uint32_t count = APP_MAX_IMAGES;
   app->extent = extent;
   app_check(app->GetSwapchainImagesKHR(app->device, app->swapchain, &count, app->images), "vkGetSwapchainImagesKHR");
   return result;
}

uint32_t app_texel(uint32_t n, uint32_t x, uint32_t y)
{
   return 0xff000000u | (n * 16 & 255) << 16 | (y & 255) << 8 | (x & 255);
}

static void barrier(struct app *app, VkImage image, VkImageLayout from, VkImageLayout to)
{
   const VkImageMemoryBarrier info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
   };
   app->CmdPipelineBarrier(app->cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0,
                           NULL, 1, &info);
}

static void draw(struct app *app, uint32_t n, VkImage image)
{
   app_check(app->WaitForFences(app->device, 1, &app->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
   app_check(app->ResetFences(app->device, 1, &app->fence), "vkResetFences");
   for (uint32_t y = 0; y < app->extent.height; y++) {
      for (uint32_t x = 0; x < app->extent.width; x++)
         app->texels[y * app->extent.width + x] = app_texel(n, x, y);
   }
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   const VkBufferImageCopy region = {
      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
      .imageExtent = {app->extent.width, app->extent.height, 1},
   };
   app_check(app->BeginCommandBuffer(app->cmd, &begin), "vkBeginCommandBuffer");
   barrier(app, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   app->CmdCopyBufferToImage(app->cmd, app->buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
   barrier(app, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
   app_check(app->EndCommandBuffer(app->cmd), "vkEndCommandBuffer");
}

VkResult app_show(struct app *app, uint32_t n, const void *chain)
{
   uint32_t index;
   const VkResult result =
      app->AcquireNextImageKHR(app->device, app->swapchain, UINT64_MAX, app->acquired, VK_NULL_HANDLE, &index);
   if (result < 0)
      return result;
   draw(app, n, app->images[index]);
   const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .waitSemaphoreCount = 1,
      .pWaitSemaphores = &app->acquired,
      .pWaitDstStageMask = &stages,
      .commandBufferCount = 1,
      .pCommandBuffers = &app->cmd,
      .signalSemaphoreCount = 1,
      .pSignalSemaphores = &app->rendered,
   };
   app_check(app->QueueSubmit(app->queue, 1, &submit, app->fence), "vkQueueSubmit");
   const VkPresentInfoKHR present = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
      .pNext = chain,
      .waitSemaphoreCount = 1,
      .pWaitSemaphores = &app->rendered,
      .swapchainCount = 1,
      .pSwapchains = &app->swapchain,
      .pImageIndices = &index,
   };
   return app->QueuePresentKHR(app->queue, &present);
}
