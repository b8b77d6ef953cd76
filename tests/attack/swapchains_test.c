/* SPDX-License-Identifier: MIT
 * SECURITY.md, "time": swapchains that are made, retired and destroyed as fast as calls come, of all sizes and modes, while what they presented has not been
 * shown; images that are acquired and never presented. Every call returns, the last swapchain works. */
#include "tests/test.h"
#include "tests/wsi/app.h"

#include <pthread.h>
#include <time.h>

enum { NUM_THREADS = 3, NUM_SWAPCHAINS = 150 };

static const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR,
                                         VK_PRESENT_MODE_FIFO_RELAXED_KHR};

static uint32_t random_below(uint64_t *state, uint32_t count)
{
   *state = *state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*state >> 33) % count;
}

/* A surface of its own; a frame of the last swapchain each. */
static void *storm(void *data)
{
   uint64_t state = (uintptr_t)data;
   struct app app;
   app_init(&app, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, NULL, NULL);
   const VkHeadlessSurfaceCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
   app_check(INSTANCE_FUNCTION(app.instance, vkCreateHeadlessSurfaceEXT)(app.instance, &info, NULL, &app.surface), "vkCreateHeadlessSurfaceEXT");
   for (uint32_t i = 0; i < NUM_SWAPCHAINS; i++) {
      const VkExtent2D extent = {1 + random_below(&state, 300), 1 + random_below(&state, 200)};
      app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, extent, modes[random_below(&state, 4)], NULL), "vkCreateSwapchainKHR");
      const uint32_t frames = random_below(&state, 4);
      for (uint32_t n = 0; n < frames; n++)
         CHECK(app_show(&app, n, NULL) >= 0);
      /* Rendering has ended; what was presented may not have been shown. */
      app_check(app.WaitForFences(app.device, 1, &app.fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
      if (random_below(&state, 8) == 0) {
         app.DestroySwapchainKHR(app.device, app.swapchain, NULL);
         app.swapchain = VK_NULL_HANDLE;
      }
   }
   app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, (VkExtent2D){16, 16}, VK_PRESENT_MODE_FIFO_KHR, NULL), "vkCreateSwapchainKHR");
   CHECK_EQ(app_show(&app, 1, NULL), VK_SUCCESS);
   app.DeviceWaitIdle(app.device);
   app_finish(&app);
   return NULL;
}

TEST(storm)
{
   pthread_t threads[NUM_THREADS];
   for (uintptr_t i = 0; i < NUM_THREADS; i++)
      CHECK_EQ(pthread_create(&threads[i], NULL, storm, (void *)(i + 1)), 0);
   for (uint32_t i = 0; i < NUM_THREADS; i++)
      pthread_join(threads[i], NULL);
}

/* Extents and counts at their edges give an error or a swapchain, and never memory that is too small. */
TEST(edges)
{
   static const VkExtent2D extents[] = {{1, 16384}, {16384, 1}, {65536, 1}, {UINT32_MAX, 1}, {UINT32_MAX, UINT32_MAX}};
   struct app app;
   app_init(&app, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, NULL, NULL);
   const VkHeadlessSurfaceCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
   app_check(INSTANCE_FUNCTION(app.instance, vkCreateHeadlessSurfaceEXT)(app.instance, &info, NULL, &app.surface), "vkCreateHeadlessSurfaceEXT");
   for (uint32_t i = 0; i < sizeof(extents) / sizeof(extents[0]); i++) {
      const VkSwapchainCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = app.surface,
                                               .minImageCount = i % 2 ? 2 : UINT32_MAX,
                                               .imageFormat = VK_FORMAT_B8G8R8A8_UNORM, .imageExtent = extents[i], .imageArrayLayers = 1,
                                               .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT, .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                               .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, .presentMode = VK_PRESENT_MODE_FIFO_KHR};
      VkSwapchainKHR swapchain = VK_NULL_HANDLE;
      const VkResult result = app.CreateSwapchainKHR(app.device, &create, NULL, &swapchain);
      printf("%u x %u, %u images: %d\n", extents[i].width, extents[i].height, create.minImageCount, result);
      CHECK(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
            result == VK_ERROR_INITIALIZATION_FAILED);
      if (result == VK_SUCCESS)
         app.DestroySwapchainKHR(app.device, swapchain, NULL);
   }
   app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, (VkExtent2D){16, 16}, VK_PRESENT_MODE_FIFO_KHR, NULL), "vkCreateSwapchainKHR");
   CHECK_EQ(app_show(&app, 1, NULL), VK_SUCCESS);
   app.DeviceWaitIdle(app.device);
   app_finish(&app);
}

TEST_MAIN
