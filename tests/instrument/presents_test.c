/* SPDX-License-Identifier: MIT
 * Images of swapchains that are used too early, shown too early, or written while they are shown: each program is reported, with the right class and both
 * parties, its repaired twin not. Spec: Window System Integration, "WSI Swapchain". */
#include "tests/client/client.h"
#include "tests/instrument/quiet.h"
#include "tests/test.h"

enum { MAX_HEARD = 8, MAX_IMAGES = 8, EXTENT = 16 };

#define FUNCTIONS(X)                                                                                                   \
   X(CreateSwapchainKHR) X(DestroySwapchainKHR) X(GetSwapchainImagesKHR) X(AcquireNextImageKHR) X(QueuePresentKHR)     \
   X(CreateSemaphore) X(DestroySemaphore)
static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} wsi;

static struct {
   struct client client;
   VkSurfaceKHR surface;
   VkSwapchainKHR swapchain;
   VkImage images[MAX_IMAGES];
   VkSemaphore acquired, rendered, other;
   VkFence fence;
   VkRenderPass passes[2]; /* that end in PRESENT_SRC, or not */
   VkImageView view;       /* of the last pass */
   VkFramebuffer framebuffer;
   VkCommandBuffer cmds[4];
   uint32_t num_cmds;
   struct {
      uint32_t count;
      char id[MAX_HEARD][64], message[MAX_HEARD][3072];
   } heard;
} scene;

static void listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0 || scene.heard.count == MAX_HEARD)
      return;
   snprintf(scene.heard.id[scene.heard.count], sizeof(scene.heard.id[0]), "%s", id);
   snprintf(scene.heard.message[scene.heard.count], sizeof(scene.heard.message[0]), "%s", message);
   scene.heard.count++;
}

/* ---- commands ---- */

#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define COLOR_OUTPUT VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT
#define UNDEFINED VK_IMAGE_LAYOUT_UNDEFINED
#define COPIED VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
#define SHOWN VK_IMAGE_LAYOUT_PRESENT_SRC_KHR

static uint32_t acquire(VkSemaphore semaphore, VkFence fence)
{
   uint32_t index = 0;
   client_check(wsi.AcquireNextImageKHR(scene.client.device, scene.swapchain, UINT64_MAX, semaphore, fence, &index), "vkAcquireNextImageKHR");
   return index;
}

static VkCommandBuffer begin(void)
{
   return scene.cmds[scene.num_cmds++] = client_begin(&scene.client);
}

static void transition(VkCommandBuffer cmd, uint32_t index, VkPipelineStageFlags src, VkPipelineStageFlags dst, VkImageLayout from, VkImageLayout to)
{
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .srcAccessMask = from == UNDEFINED ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .dstAccessMask = to == SHOWN ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .oldLayout = from,
                                         .newLayout = to,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = scene.images[index],
                                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   vk.CmdPipelineBarrier(cmd, src, dst, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* Clears the image; `first`: what its transition waits for; `last`: the layout that it is left in. */
static VkCommandBuffer clear(uint32_t index, VkPipelineStageFlags first, VkImageLayout last)
{
   const VkClearColorValue zero = {0};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   VkCommandBuffer cmd = begin();
   transition(cmd, index, first, TRANSFER, UNDEFINED, COPIED);
   vk.CmdClearColorImage(cmd, scene.images[index], COPIED, &zero, 1, &range);
   if (last != COPIED)
      transition(cmd, index, TRANSFER, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, COPIED, last);
   client_end(cmd);
   return cmd;
}

static void submit(VkCommandBuffer cmd, VkSemaphore wait, VkPipelineStageFlags stage, VkSemaphore signal)
{
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .waitSemaphoreCount = wait ? 1 : 0,
                              .pWaitSemaphores = &wait,
                              .pWaitDstStageMask = &stage,
                              .commandBufferCount = cmd ? 1 : 0,
                              .pCommandBuffers = &cmd,
                              .signalSemaphoreCount = signal ? 1 : 0,
                              .pSignalSemaphores = &signal};
   client_check(vk.QueueSubmit(scene.client.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

static void present(uint32_t index, VkSemaphore wait)
{
   const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                  .waitSemaphoreCount = wait ? 1 : 0,
                                  .pWaitSemaphores = &wait,
                                  .swapchainCount = 1,
                                  .pSwapchains = &scene.swapchain,
                                  .pImageIndices = &index};
   client_check(wsi.QueuePresentKHR(scene.client.queue, &info), "vkQueuePresentKHR");
}

/* ---- programs ---- */

static void acquire_not_awaited(bool is_faulty)
{
   const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(clear(index, TRANSFER, SHOWN), is_faulty ? VK_NULL_HANDLE : scene.acquired, TRANSFER, scene.rendered);
   present(index, scene.rendered);
}

/* The transition does not wait for what the commands behind it wait for. */
static void transition_before_acquire(bool is_faulty)
{
   const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(clear(index, is_faulty ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : TRANSFER, SHOWN), scene.acquired, TRANSFER, scene.rendered);
   present(index, scene.rendered);
}

static void fence_not_awaited(bool is_faulty)
{
   const uint32_t index = acquire(VK_NULL_HANDLE, scene.fence);
   if (!is_faulty)
      client_check(vk.WaitForFences(scene.client.device, 1, &scene.fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
   submit(clear(index, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, SHOWN), VK_NULL_HANDLE, 0, scene.rendered);
   present(index, scene.rendered);
}

static void present_without_semaphore(bool is_faulty)
{
   const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(clear(index, TRANSFER, SHOWN), scene.acquired, TRANSFER, is_faulty ? VK_NULL_HANDLE : scene.rendered);
   present(index, is_faulty ? VK_NULL_HANDLE : scene.rendered);
}

static void present_after_other_semaphore(bool is_faulty)
{
   const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(VK_NULL_HANDLE, VK_NULL_HANDLE, 0, scene.other);
   submit(clear(index, TRANSFER, SHOWN), scene.acquired, TRANSFER, scene.rendered);
   present(index, is_faulty ? scene.other : scene.rendered);
}

static void host_waits(bool is_faulty)
{
   const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(clear(index, TRANSFER, SHOWN), scene.acquired, TRANSFER, VK_NULL_HANDLE);
   if (!is_faulty)
      client_check(vk.QueueWaitIdle(scene.client.queue), "vkQueueWaitIdle");
   present(index, VK_NULL_HANDLE);
}

static void other_layout(bool is_faulty)
{
   const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(clear(index, TRANSFER, is_faulty ? COPIED : SHOWN), scene.acquired, TRANSFER, scene.rendered);
   present(index, scene.rendered);
}

static void never_drawn(bool is_faulty)
{
   const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   VkCommandBuffer cmd = begin();
   if (!is_faulty)
      transition(cmd, index, TRANSFER, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, UNDEFINED, SHOWN);
   client_end(cmd);
   submit(cmd, scene.acquired, TRANSFER, scene.rendered);
   present(index, scene.rendered);
}

static void layout_of_a_pass(bool is_faulty)
{
   const VkClearValue clear_value = {.color.float32 = {0}};
   const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = scene.images[index], .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_B8G8R8A8_UNORM, .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   client_check(vk.CreateImageView(scene.client.device, &info, NULL, &scene.view), "vkCreateImageView");
   scene.framebuffer = client_framebuffer(&scene.client, scene.passes[is_faulty], 1, &scene.view, EXTENT, EXTENT);
   VkCommandBuffer cmd = begin();
   client_begin_pass(cmd, scene.passes[is_faulty], scene.framebuffer, EXTENT, EXTENT, 1, &clear_value);
   vk.CmdEndRenderPass(cmd);
   client_end(cmd);
   submit(cmd, scene.acquired, COLOR_OUTPUT, scene.rendered);
   present(index, scene.rendered);
}

static void written_after_present(bool is_faulty)
{
   uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(clear(index, TRANSFER, SHOWN), scene.acquired, TRANSFER, scene.rendered);
   present(index, scene.rendered);
   client_check(vk.DeviceWaitIdle(scene.client.device), "vkDeviceWaitIdle"); /* which says nothing of what is shown */
   if (!is_faulty)
      index = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(clear(index, TRANSFER, SHOWN), is_faulty ? VK_NULL_HANDLE : scene.acquired, TRANSFER, VK_NULL_HANDLE);
}

/* Another image is acquired than the one that is written. */
static void other_image(bool is_faulty)
{
   const uint32_t first = acquire(scene.acquired, VK_NULL_HANDLE);
   submit(clear(first, TRANSFER, SHOWN), scene.acquired, TRANSFER, scene.rendered);
   present(first, scene.rendered);
   const uint32_t second = acquire(scene.other, VK_NULL_HANDLE);
   submit(clear(is_faulty ? first : second, TRANSFER, SHOWN), scene.other, TRANSFER, VK_NULL_HANDLE);
}

/* Frames in a row, as programs have them: images come again. */
static void many_frames(bool is_faulty)
{
   for (uint32_t i = 0; i < 12; i++) {
      const uint32_t index = acquire(scene.acquired, VK_NULL_HANDLE);
      submit(clear(index, TRANSFER, SHOWN), is_faulty && i == 11 ? VK_NULL_HANDLE : scene.acquired, TRANSFER, scene.rendered);
      present(index, scene.rendered);
      client_check(vk.DeviceWaitIdle(scene.client.device), "vkDeviceWaitIdle");
      vk.FreeCommandBuffers(scene.client.device, scene.client.pool, 1, &scene.cmds[--scene.num_cmds]);
   }
}

static const struct twin {
   const char *name, *id, *says[2];
   void (*run)(bool is_faulty);
} twins[] = {
   {"acquire_not_awaited", "SANITIZE-sync-acquire", {"by barrier, command 1", "after the acquisition of image 0"}, acquire_not_awaited},
   {"transition_before_acquire", "SANITIZE-sync-acquire", {"a layout transition", "after the acquisition of image 0"}, transition_before_acquire},
   {"fence_not_awaited", "SANITIZE-sync-acquire", {"by barrier", "after the acquisition of image 0"}, fence_not_awaited},
   {"present_without_semaphore", "SANITIZE-sync-present", {"by the present of image 0", "after barrier, command 4"}, present_without_semaphore},
   {"present_after_other_semaphore", "SANITIZE-sync-present", {"by the present of image 0", "after barrier, command 4"}, present_after_other_semaphore},
   {"host_waits", "SANITIZE-sync-present", {"by the present of image 0", "after barrier, command 4"}, host_waits},
   {"other_layout", "SANITIZE-sync-present-layout", {"TRANSFER_DST_OPTIMAL", "by the present of image 0"}, other_layout},
   {"never_drawn", "SANITIZE-sync-present-layout", {"UNDEFINED", "by the present of image 0"}, never_drawn},
   {"layout_of_a_pass", "SANITIZE-sync-present-layout", {"COLOR_ATTACHMENT_OPTIMAL", "by the present of image 0"}, layout_of_a_pass},
   {"written_after_present", "SANITIZE-sync-presented", {"by barrier, command 1", "after the present of image 0"}, written_after_present},
   {"other_image", "SANITIZE-sync-presented", {"by barrier, command 1", "after the present of image 0"}, other_image},
   {"many_frames", "SANITIZE-sync-acquire", {"by barrier, command 1", "after the acquisition of image"}, many_frames},
};

/* ---- the scene ---- */

static VkRenderPass make_pass(VkImageLayout last)
{
   const VkAttachmentDescription attachment = {.format = VK_FORMAT_B8G8R8A8_UNORM, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE, .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE, .initialLayout = UNDEFINED, .finalLayout = last};
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &color};
   const VkSubpassDependency dependency = {VK_SUBPASS_EXTERNAL, 0, COLOR_OUTPUT, COLOR_OUTPUT, 0, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 1, .pAttachments = &attachment,
                                        .subpassCount = 1, .pSubpasses = &subpass, .dependencyCount = 1, .pDependencies = &dependency};
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(scene.client.device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static void init(void)
{
   client_init(&scene.client, &(struct client_options){.on_message = listen,
                                                       .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME},
                                                       .device_extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME});
#define X(name) wsi.name = (PFN_vk##name)vk.GetDeviceProcAddr(scene.client.device, "vk" #name);
   FUNCTIONS(X)
#undef X
   const VkHeadlessSurfaceCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
   const PFN_vkCreateHeadlessSurfaceEXT create =
      (PFN_vkCreateHeadlessSurfaceEXT)scene.client.get(scene.client.instance, "vkCreateHeadlessSurfaceEXT");
   client_check(create(scene.client.instance, &info, NULL, &scene.surface), "vkCreateHeadlessSurfaceEXT");
   scene.passes[false] = make_pass(SHOWN);
   scene.passes[true] = make_pass(VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
}

static void finish(void)
{
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyRenderPass(scene.client.device, scene.passes[i], NULL);
   ((PFN_vkDestroySurfaceKHR)scene.client.get(scene.client.instance, "vkDestroySurfaceKHR"))(scene.client.instance, scene.surface, NULL);
   client_finish(&scene.client);
}

static void make_swapchain(void)
{
   const VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                          .surface = scene.surface,
                                          .minImageCount = 3,
                                          .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                          .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
                                          .imageExtent = {EXTENT, EXTENT},
                                          .imageArrayLayers = 1,
                                          .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                          .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                          .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                          .presentMode = VK_PRESENT_MODE_FIFO_KHR};
   uint32_t count = MAX_IMAGES;
   client_check(wsi.CreateSwapchainKHR(scene.client.device, &info, NULL, &scene.swapchain), "vkCreateSwapchainKHR");
   client_check(wsi.GetSwapchainImagesKHR(scene.client.device, scene.swapchain, &count, scene.images), "vkGetSwapchainImagesKHR");
}

/* All of it anew: what one program leaves does not say anything of the next one. */
static void run_twin(const struct twin *twin, bool is_faulty)
{
   VkDevice device = scene.client.device;
   const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkSemaphore *const semaphores[] = {&scene.acquired, &scene.rendered, &scene.other};
   memset(&scene.heard, 0, sizeof(scene.heard));
   make_swapchain();
   for (uint32_t i = 0; i < 3; i++)
      client_check(wsi.CreateSemaphore(device, &semaphore, NULL, semaphores[i]), "vkCreateSemaphore");
   client_check(vk.CreateFence(device, &fence, NULL, &scene.fence), "vkCreateFence");
   twin->run(is_faulty);
   client_check(vk.DeviceWaitIdle(device), "vkDeviceWaitIdle");
   if (scene.num_cmds)
      vk.FreeCommandBuffers(device, scene.client.pool, scene.num_cmds, scene.cmds);
   scene.num_cmds = 0;
   vk.DestroyFence(device, scene.fence, NULL);
   for (uint32_t i = 0; i < 3; i++)
      wsi.DestroySemaphore(device, *semaphores[i], NULL);
   vk.DestroyFramebuffer(device, scene.framebuffer, NULL);
   vk.DestroyImageView(device, scene.view, NULL);
   scene.framebuffer = VK_NULL_HANDLE;
   scene.view = VK_NULL_HANDLE;
   wsi.DestroySwapchainKHR(device, scene.swapchain, NULL);
}

static void complain(const struct twin *twin, const char *what)
{
   printf("%s: %s; reported:\n", twin->name, what);
   for (uint32_t i = 0; i < scene.heard.count; i++)
      printf("   %s\n", scene.heard.message[i]);
   test_fail(__FILE__, __LINE__, twin->name);
}

/* A device of its own, since each pair of locations is reported once. */
static void check(const struct twin *twin)
{
   init();
   quiet_begin();
   run_twin(twin, false);
   if (*quiet_end() || scene.heard.count)
      complain(twin, "the repaired twin is reported, or prints something");
   run_twin(twin, true);
   if (scene.heard.count != 1)
      complain(twin, "another number of findings");
   else if (strcmp(scene.heard.id[0], twin->id) != 0)
      complain(twin, twin->id);
   else if (!strstr(scene.heard.message[0], twin->says[0]) || !strstr(scene.heard.message[0], twin->says[1]))
      complain(twin, "other parties");
   finish();
}

static const char *wanted; /* part of the names of cases; NULL: all */

TEST(corpus)
{
   for (uint32_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
      if (!wanted || strstr(twins[i].name, wanted))
         check(&twins[i]);
   }
}

int main(int argc, char **argv)
{
   wanted = argc > 1 ? argv[1] : NULL;
   return test_run_all(1, argv);
}
