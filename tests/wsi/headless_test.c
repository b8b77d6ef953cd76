/* SPDX-License-Identifier: MIT
 * Presenting without a display, through the driver: the pictures that VK_SWRAST_PRESENT_DUMP writes, and the extensions
 * that go with swapchains. */
#include "tests/test.h"
#include "tests/wsi/app.h"

#include <dirent.h>
#include <png.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static char dump_directory[] = "/tmp/vk_swrast-present-XXXXXX";

static void make_headless(struct app *app, const char *device_extension, const void *device_chain)
{
   app_init(app, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, device_extension, device_chain);
   const VkHeadlessSurfaceCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
   app_check(INSTANCE_FUNCTION(app->instance, vkCreateHeadlessSurfaceEXT)(app->instance, &info, NULL, &app->surface),
             "vkCreateHeadlessSurfaceEXT");
}

/* Compares a dumped frame with what was drawn; removes it. Returns the number of its swapchain's frame. */
static uint32_t check_picture(const char *name, VkExtent2D extent, bool is_bgra)
{
   static uint8_t rgba[APP_MAX_TEXELS * 4];
   char path[512];
   uint32_t frame = 0, wrong = 0;
   snprintf(path, sizeof(path), "%s/%s", dump_directory, name);
   sscanf(name, "%*u-%u-", &frame);
   png_image image = {.version = PNG_IMAGE_VERSION};
   CHECK(png_image_begin_read_from_file(&image, path) != 0);
   image.format = PNG_FORMAT_RGBA;
   CHECK_EQ(image.width, extent.width);
   CHECK_EQ(image.height, extent.height);
   CHECK(png_image_finish_read(&image, NULL, rgba, 0, NULL) != 0);
   for (uint32_t i = 0; i < extent.width * extent.height; i++) {
      const uint8_t *texel = &rgba[i * 4];
      const uint32_t b = is_bgra ? texel[2] : texel[0], r = is_bgra ? texel[0] : texel[2];
      const uint32_t bgra = b | (uint32_t)texel[1] << 8 | r << 16 | (uint32_t)texel[3] << 24;
      wrong += bgra != app_texel(frame, i % extent.width, i / extent.width);
   }
   CHECK_EQ(wrong, 0);
   unlink(path);
   return frame;
}

/* Bits set for the frames that were found, and were right. */
static uint32_t check_pictures(VkExtent2D extent, bool is_bgra)
{
   uint32_t frames = 0;
   DIR *directory = opendir(dump_directory);
   for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
      if (entry->d_name[0] != '.')
         frames |= 1u << check_picture(entry->d_name, extent, is_bgra);
   }
   closedir(directory);
   return frames;
}

TEST(every_frame_becomes_a_picture)
{
   static const VkExtent2D extents[] = {{1, 1}, {101, 67}, {640, 480}, {64, 64}};
   static const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
                                            VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_FIFO_RELAXED_KHR};
   struct app app;
   make_headless(&app, NULL, NULL);
   for (int i = 0; i < 4; i++) {
      const bool is_bgra = i % 2 == 0;
      const VkFormat format = is_bgra ? VK_FORMAT_B8G8R8A8_UNORM : VK_FORMAT_R8G8B8A8_SRGB;
      app_check(app_make_swapchain(&app, format, extents[i], modes[i], NULL), "vkCreateSwapchainKHR");
      for (uint32_t n = 1; n <= 7; n++)
         CHECK_EQ(app_show(&app, n, NULL), VK_SUCCESS);
      app.DeviceWaitIdle(app.device);
      app.DestroySwapchainKHR(app.device, app.swapchain, NULL); /* all has been shown then */
      app.swapchain = VK_NULL_HANDLE;
      CHECK_EQ(check_pictures(extents[i], is_bgra), 0xfe);
   }
   app_finish(&app);
}

TEST(surface_answers)
{
   struct app app;
   VkSurfaceCapabilitiesKHR capabilities;
   VkSurfaceFormatKHR formats[64];
   VkPresentModeKHR mode;
   uint32_t count = 64;
   make_headless(&app, NULL, NULL);
   CHECK_EQ(app.GetPhysicalDeviceSurfaceCapabilitiesKHR(app.physical_device, app.surface, &capabilities), VK_SUCCESS);
   CHECK_EQ(capabilities.currentExtent.width, UINT32_MAX);
   CHECK(capabilities.maxImageExtent.width >= 4096);
   CHECK(capabilities.supportedUsageFlags & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   CHECK(capabilities.supportedUsageFlags & VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
   CHECK_EQ(app.GetPhysicalDeviceSurfaceFormatsKHR(app.physical_device, app.surface, &count, formats), VK_SUCCESS);
   CHECK(count >= 4 && formats[0].format == VK_FORMAT_B8G8R8A8_UNORM);
   count = 1;
   CHECK_EQ(app.GetPhysicalDeviceSurfacePresentModesKHR(app.physical_device, app.surface, &count, &mode),
            VK_INCOMPLETE);
   CHECK_EQ(mode, VK_PRESENT_MODE_FIFO_KHR);

   /* Without a surface (VK_GOOGLE_surfaceless_query): what all have. */
   VkSurfaceFormatKHR common[64];
   uint32_t num_common = 64, num_modes = 0;
   count = 64;
   CHECK_EQ(app.GetPhysicalDeviceSurfaceFormatsKHR(app.physical_device, app.surface, &count, formats), VK_SUCCESS);
   CHECK_EQ(app.GetPhysicalDeviceSurfaceFormatsKHR(app.physical_device, VK_NULL_HANDLE, &num_common, common), VK_SUCCESS);
   CHECK(num_common >= 1 && num_common < count);
   for (uint32_t i = 0; i < num_common; i++) {
      uint32_t found = 0;
      for (uint32_t k = 0; k < count; k++)
         found += formats[k].format == common[i].format && formats[k].colorSpace == common[i].colorSpace;
      CHECK_EQ(found, 1);
   }
   CHECK_EQ(app.GetPhysicalDeviceSurfacePresentModesKHR(app.physical_device, VK_NULL_HANDLE, &num_modes, NULL), VK_SUCCESS);
   CHECK_EQ(num_modes, 3);
   CHECK_EQ(app.GetPhysicalDeviceSurfaceCapabilitiesKHR(app.physical_device, VK_NULL_HANDLE, &capabilities), VK_SUCCESS);
   CHECK_EQ(capabilities.currentTransform, VK_SURFACE_TRANSFORM_INHERIT_BIT_KHR);
   CHECK_EQ(capabilities.minImageCount, UINT32_MAX);
   app_finish(&app);
}

/* A short array has the mode that is asked about. */
TEST(compatible_modes)
{
   static const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
                                            VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_FIFO_RELAXED_KHR,
                                            VK_PRESENT_MODE_FIFO_LATEST_READY_EXT};
   struct app app;
   make_headless(&app, NULL, NULL);
   const PFN_vkGetPhysicalDeviceSurfaceCapabilities2KHR query =
      INSTANCE_FUNCTION(app.instance, vkGetPhysicalDeviceSurfaceCapabilities2KHR);
   for (int i = 0; i < 5; i++) {
      VkPresentModeKHR one = VK_PRESENT_MODE_MAX_ENUM_KHR;
      VkSurfacePresentModeEXT asked = {VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_EXT, NULL, modes[i]};
      const VkPhysicalDeviceSurfaceInfo2KHR info = {
         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR, &asked, app.surface};
      VkSurfacePresentModeCompatibilityEXT compatible = {
         .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_EXT};
      VkSurfaceCapabilities2KHR capabilities = {VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, &compatible, {0}};
      CHECK_EQ(query(app.physical_device, &info, &capabilities), VK_SUCCESS);
      CHECK_EQ(compatible.presentModeCount, 5);
      compatible.presentModeCount = 1;
      compatible.pPresentModes = &one;
      CHECK_EQ(query(app.physical_device, &info, &capabilities), VK_SUCCESS);
      CHECK_EQ(compatible.presentModeCount, 1);
      CHECK_EQ(one, modes[i]);
   }
   app_finish(&app);
}

TEST(acquire_signals_fences)
{
   struct app app;
   uint32_t index[4];
   make_headless(&app, NULL, NULL);
   const VkExtent2D extent = {16, 16};
   app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, extent, VK_PRESENT_MODE_FIFO_KHR, NULL), "swapchain");
   app_check(app.ResetFences(app.device, 1, &app.fence), "vkResetFences");
   CHECK_EQ(app.AcquireNextImageKHR(app.device, app.swapchain, UINT64_MAX, VK_NULL_HANDLE, app.fence, &index[0]),
            VK_SUCCESS);
   CHECK_EQ(app.WaitForFences(app.device, 1, &app.fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
   for (int i = 1; i < 3; i++)
      CHECK_EQ(app.AcquireNextImageKHR(app.device, app.swapchain, 0, app.acquired, VK_NULL_HANDLE, &index[i]),
               VK_SUCCESS);
   CHECK_EQ(app.AcquireNextImageKHR(app.device, app.swapchain, 0, app.acquired, VK_NULL_HANDLE, &index[3]),
            VK_NOT_READY);
   CHECK_EQ(app.AcquireNextImageKHR(app.device, app.swapchain, 1000, app.acquired, VK_NULL_HANDLE, &index[3]),
            VK_TIMEOUT);
   app_finish(&app);
}

TEST(present_id_and_wait)
{
   VkPhysicalDevicePresentWaitFeaturesKHR wait_feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR, .presentWait = VK_TRUE};
   const VkPhysicalDevicePresentIdFeaturesKHR id_feature = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, &wait_feature, VK_TRUE};
   struct app app;
   make_headless(&app, VK_KHR_PRESENT_WAIT_EXTENSION_NAME, &id_feature);
   const PFN_vkWaitForPresentKHR wait =
      (PFN_vkWaitForPresentKHR)app.GetDeviceProcAddr(app.device, "vkWaitForPresentKHR");
   const VkExtent2D extent = {16, 16};
   app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, extent, VK_PRESENT_MODE_FIFO_KHR, NULL), "swapchain");
   for (uint64_t n = 1; n <= 5; n++) {
      const uint64_t id = n * 10;
      const VkPresentIdKHR ids = {VK_STRUCTURE_TYPE_PRESENT_ID_KHR, NULL, 1, &id};
      CHECK_EQ(app_show(&app, (uint32_t)n, &ids), VK_SUCCESS);
      CHECK_EQ(wait(app.device, app.swapchain, id, UINT64_MAX), VK_SUCCESS);
      CHECK_EQ(wait(app.device, app.swapchain, id + 1, 0), VK_TIMEOUT);
   }
   app_finish(&app);
}

#ifdef VK_KHR_present_wait2
/* The newer form, which a surface and a swapchain are asked for. */
TEST(present_id_and_wait_2)
{
   VkPhysicalDevicePresentWait2FeaturesKHR wait_feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_2_FEATURES_KHR, .presentWait2 = VK_TRUE};
   const VkPhysicalDevicePresentId2FeaturesKHR id_feature = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_2_FEATURES_KHR, &wait_feature, VK_TRUE};
   VkSurfaceCapabilitiesPresentWait2KHR can_wait = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_WAIT_2_KHR};
   VkSurfaceCapabilitiesPresentId2KHR has_ids = {VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_ID_2_KHR, &can_wait, VK_FALSE};
   VkSurfaceCapabilities2KHR capabilities = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, .pNext = &has_ids};
   struct app app;
   make_headless(&app, VK_KHR_PRESENT_WAIT_2_EXTENSION_NAME, &id_feature);
   const VkPhysicalDeviceSurfaceInfo2KHR surface = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR, NULL, app.surface};
   CHECK_EQ(INSTANCE_FUNCTION(app.instance, vkGetPhysicalDeviceSurfaceCapabilities2KHR)(app.physical_device, &surface, &capabilities), VK_SUCCESS);
   CHECK(has_ids.presentId2Supported && can_wait.presentWait2Supported);
   const PFN_vkWaitForPresent2KHR wait = (PFN_vkWaitForPresent2KHR)app.GetDeviceProcAddr(app.device, "vkWaitForPresent2KHR");
   const VkExtent2D extent = {16, 16};
   app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, extent, VK_PRESENT_MODE_FIFO_KHR, NULL), "swapchain");
   for (uint64_t n = 1; n <= 5; n++) {
      const uint64_t id = n * 10;
      const VkPresentId2KHR ids = {VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR, NULL, 1, &id};
      const VkPresentWait2InfoKHR own = {VK_STRUCTURE_TYPE_PRESENT_WAIT_2_INFO_KHR, NULL, id, UINT64_MAX};
      const VkPresentWait2InfoKHR next = {VK_STRUCTURE_TYPE_PRESENT_WAIT_2_INFO_KHR, NULL, id + 1, 0};
      CHECK_EQ(app_show(&app, (uint32_t)n, &ids), VK_SUCCESS);
      CHECK_EQ(wait(app.device, app.swapchain, &own), VK_SUCCESS);
      CHECK_EQ(wait(app.device, app.swapchain, &next), VK_TIMEOUT);
   }
   app_finish(&app);
}
#endif

TEST(present_fences)
{
   const VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT feature = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT, NULL, VK_TRUE};
   static const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR};
   const VkSwapchainPresentModesCreateInfoEXT all_modes = {
      VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_EXT, NULL, 2, modes};
   struct app app;
   make_headless(&app, VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME, &feature);
   const VkExtent2D extent = {16, 16};
   app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, extent, modes[0], &all_modes), "swapchain");
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   app_check(app.CreateFence(app.device, &fence_info, NULL, &fence), "vkCreateFence");
   for (uint32_t n = 1; n <= 5; n++) {
      const VkSwapchainPresentModeInfoEXT mode = {
         VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_EXT, NULL, 1, &modes[n % 2]};
      const VkSwapchainPresentFenceInfoEXT fences = {
         VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT, &mode, 1, &fence};
      CHECK_EQ(app_show(&app, n, &fences), VK_SUCCESS);
      CHECK_EQ(app.WaitForFences(app.device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
      app_check(app.ResetFences(app.device, 1, &fence), "vkResetFences");
   }
   /* Given back without being presented. */
   const PFN_vkReleaseSwapchainImagesEXT release =
      (PFN_vkReleaseSwapchainImagesEXT)app.GetDeviceProcAddr(app.device, "vkReleaseSwapchainImagesEXT");
   for (int i = 0; i < 10; i++) {
      uint32_t index;
      CHECK_EQ(app.AcquireNextImageKHR(app.device, app.swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index),
               VK_SUCCESS);
      const VkReleaseSwapchainImagesInfoEXT info = {
         VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_EXT, NULL, app.swapchain, 1, &index};
      CHECK_EQ(release(app.device, &info), VK_SUCCESS);
      app_check(app.ResetFences(app.device, 1, &fence), "vkResetFences");
   }
   app.DeviceWaitIdle(app.device);
   app.DestroyFence(app.device, fence, NULL);
   app_finish(&app);
}

/* ---- memory that runs out ---- */

struct counter {
   int live, total, fail_at;
};

static VKAPI_ATTR void *VKAPI_CALL count_alloc(void *user, size_t size, size_t align, VkSystemAllocationScope scope)
{
   struct counter *counter = user;
   void *memory;
   if (++counter->total == counter->fail_at || posix_memalign(&memory, align < 16 ? 16 : align, size) != 0)
      return NULL;
   counter->live++;
   return memory;
}

static VKAPI_ATTR void VKAPI_CALL count_free(void *user, void *memory)
{
   ((struct counter *)user)->live -= memory != NULL;
   free(memory);
}

TEST(each_allocation_fails_in_turn)
{
   struct app app;
   make_headless(&app, NULL, NULL);
   const VkSwapchainCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .surface = app.surface,
      .minImageCount = 3,
      .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
      .imageExtent = {64, 64},
      .imageArrayLayers = 1,
      .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
      .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = VK_PRESENT_MODE_FIFO_KHR,
   };
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   int fail_at;
   for (fail_at = 1; result != VK_SUCCESS && fail_at < 100; fail_at++) {
      struct counter counter = {.fail_at = fail_at};
      const VkAllocationCallbacks callbacks = {
         .pUserData = &counter, .pfnAllocation = count_alloc, .pfnFree = count_free};
      result = app.CreateSwapchainKHR(app.device, &info, &callbacks, &app.swapchain);
      CHECK(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
      if (result == VK_SUCCESS)
         app.DestroySwapchainKHR(app.device, app.swapchain, &callbacks);
      app.swapchain = VK_NULL_HANDLE;
      CHECK_EQ(counter.live, 0);
   }
   CHECK(fail_at > 4 && fail_at < 100);
   app_finish(&app);
}

TEST(dump_that_cannot_be_written)
{
   struct app app;
   setenv("VK_SWRAST_PRESENT_DUMP", "/dev/null/nowhere", 1);
   make_headless(&app, NULL, NULL);
   app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, (VkExtent2D){16, 16}, VK_PRESENT_MODE_FIFO_KHR, NULL),
             "swapchain");
   for (uint32_t n = 1; n <= 4; n++)
      CHECK_EQ(app_show(&app, n, NULL), VK_SUCCESS);
   app_finish(&app);
   setenv("VK_SWRAST_PRESENT_DUMP", dump_directory, 1);
}

/* ---- a disk that is full ---- */

static bool write_text(const char *path, const char *text)
{
   FILE *file = fopen(path, "w");
   const bool is_written = file && fputs(text, file) >= 0;
   return file && fclose(file) == 0 && is_written;
}

/* The folder of pictures on a small disk that only this process sees; false where that is not allowed. */
static bool mount_small_disk(void)
{
   char uids[64], gids[64];
   snprintf(uids, sizeof(uids), "0 %u 1", geteuid());
   snprintf(gids, sizeof(gids), "0 %u 1", getegid());
   const bool is_root = geteuid() == 0;
   if (unshare(CLONE_NEWNS | (is_root ? 0 : CLONE_NEWUSER)) != 0)
      return false;
   const bool is_mapped = is_root || (write_text("/proc/self/uid_map", uids) &&
                                      write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/gid_map", gids));
   return is_mapped && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
          mount("none", dump_directory, "tmpfs", 0, "size=64k") == 0;
}

static void fill_disk(const char *path)
{
   static const char page[4096];
   FILE *file = fopen(path, "wb");
   CHECK(file != NULL);
   setvbuf(file, NULL, _IONBF, 0);
   while (fwrite(page, sizeof(page), 1, file) == 1)
      continue;
   fclose(file);
}

/* Frames go on without pictures; no part of one is left; once there is room, there are pictures again. */
static void present_to_full_disk(void)
{
   static const VkExtent2D extent = {32, 32};
   struct app app;
   char path[64];
   snprintf(path, sizeof(path), "%s/.filler", dump_directory);
   fill_disk(path);
   make_headless(&app, NULL, NULL);
   app_check(app_make_swapchain(&app, VK_FORMAT_B8G8R8A8_UNORM, extent, VK_PRESENT_MODE_FIFO_KHR, NULL), "swapchain");
   for (uint32_t n = 1; n <= 9; n++)
      CHECK_EQ(app_show(&app, n, NULL), VK_SUCCESS);
   CHECK_EQ(check_pictures(extent, true), 0);
   /* The frames that still wait may find room already. */
   CHECK_EQ(unlink(path), 0);
   for (uint32_t n = 10; n <= 14; n++)
      CHECK_EQ(app_show(&app, n, NULL), VK_SUCCESS);
   app_finish(&app);
   CHECK((check_pictures(extent, true) & 1u << 14) != 0);
}

TEST(dump_on_a_full_disk)
{
   enum { NOT_ALLOWED = 77 };
   int status = 0;
   const pid_t child = fork();
   if (child == 0) {
      if (!mount_small_disk())
         _exit(NOT_ALLOWED);
      present_to_full_disk();
      _exit(test_failures_in_case != 0);
   }
   CHECK(child > 0 && waitpid(child, &status, 0) == child);
   if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_ALLOWED)
      fprintf(stderr, "no tmpfs may be mounted: a full disk is not tested\n");
   else
      CHECK_EQ(status, 0);
}

int main(int argc, char **argv)
{
   if (!mkdtemp(dump_directory)) {
      perror(dump_directory);
      return 1;
   }
   setenv("VK_SWRAST_PRESENT_DUMP", dump_directory, 1);
   const int result = test_run_all(argc, argv);
   char command[128];
   snprintf(command, sizeof(command), "rm -rf '%s'", dump_directory);
   return system(command) == 0 ? result : 1;
}
