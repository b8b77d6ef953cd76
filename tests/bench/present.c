/* SPDX-License-Identifier: MIT
 * Rows about presenting to a window of 1280 x 720 of an X server without a screen: frames a second of a trivial scene,
 * processor time of applications that are in no hurry. */
#include "tests/bench/start.h"

#ifdef BENCH_HAS_XCB
#define VK_USE_PLATFORM_XCB_KHR
#include "tests/wsi/xvfb.h"

#include "window.frag.h"
#include "window.vert.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <vulkan/vulkan_xcb.h>

enum { WIDTH = 1280, HEIGHT = 720, MAX_IMAGES = 8, IN_FLIGHT = 2 };

#define WINDOW_FUNCTIONS(X)                                                                                            \
   X(CreateXcbSurfaceKHR) X(DestroySurfaceKHR) X(GetPhysicalDeviceSurfacePresentModesKHR)                              \
   X(GetPhysicalDeviceSurfaceSupportKHR) X(CreateSwapchainKHR) X(DestroySwapchainKHR) X(GetSwapchainImagesKHR)         \
   X(AcquireNextImageKHR) X(QueuePresentKHR) X(CreateSemaphore) X(DestroySemaphore) X(DestroyImageView)

struct window {
   struct xvfb server;
   xcb_connection_t *connection;
   xcb_window_t id;
   struct client client;
#define X(name) PFN_vk##name name;
   WINDOW_FUNCTIONS(X)
#undef X
   VkSurfaceKHR surface;
   VkSwapchainKHR swapchain;
   uint32_t num_images;
   VkImage images[MAX_IMAGES];
   VkImageView views[MAX_IMAGES];
   VkFramebuffer framebuffers[MAX_IMAGES];
   VkCommandBuffer commands[MAX_IMAGES];
   VkSemaphore rendered[MAX_IMAGES], acquired[IN_FLIGHT];
   VkFence fences[IN_FLIGHT];
   VkRenderPass pass;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   uint32_t frame;
};

/* False if there is no X server; what fails later ends the program. */
static bool open_window(struct window *w)
{
   memset(w, 0, sizeof(*w));
   if (!xvfb_start(&w->server, "1600x900x24"))
      return false;
   w->connection = xcb_connect(w->server.name, NULL);
   if (xcb_connection_has_error(w->connection))
      client_die("cannot connect to the X server");
   const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(w->connection)).data;
   w->id = xcb_generate_id(w->connection);
   xcb_create_window(w->connection, XCB_COPY_FROM_PARENT, w->id, screen->root, 0, 0, WIDTH, HEIGHT, 0,
                     XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
   xcb_map_window(w->connection, w->id);
   xcb_flush(w->connection);

   client_init(&w->client, &(struct client_options){
                              .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_XCB_SURFACE_EXTENSION_NAME},
                              .device_extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                           });
#define X(name) w->name = (PFN_vk##name)w->client.get(w->client.instance, "vk" #name);
   WINDOW_FUNCTIONS(X)
#undef X
   const VkXcbSurfaceCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR, .connection = w->connection, .window = w->id};
   VkBool32 is_supported = VK_FALSE;
   client_check(w->CreateXcbSurfaceKHR(w->client.instance, &info, NULL, &w->surface), "vkCreateXcbSurfaceKHR");
   client_check(w->GetPhysicalDeviceSurfaceSupportKHR(w->client.physical_device, 0, w->surface, &is_supported),
                "vkGetPhysicalDeviceSurfaceSupportKHR");
   if (!is_supported)
      client_die("the device cannot present to X windows");
   return true;
}

static void make_swapchain(struct window *w, VkPresentModeKHR mode)
{
   const VkSwapchainCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .surface = w->surface,
      .minImageCount = 3,
      .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
      .imageExtent = {WIDTH, HEIGHT},
      .imageArrayLayers = 1,
      .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
      .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = mode,
      .clipped = VK_TRUE,
   };
   w->num_images = MAX_IMAGES;
   client_check(w->CreateSwapchainKHR(w->client.device, &info, NULL, &w->swapchain), "vkCreateSwapchainKHR");
   client_check(w->GetSwapchainImagesKHR(w->client.device, w->swapchain, &w->num_images, w->images),
                "vkGetSwapchainImagesKHR");
}

static VkRenderPass make_pass(struct client *client)
{
   const VkAttachmentDescription color = {
      .format = VK_FORMAT_B8G8R8A8_UNORM,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .finalLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
   };
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &reference};
   const VkSubpassDependency dependency = {
      .srcSubpass = VK_SUBPASS_EXTERNAL,
      .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
      .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
   };
   const VkRenderPassCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
      .attachmentCount = 1,
      .pAttachments = &color,
      .subpassCount = 1,
      .pSubpasses = &subpass,
      .dependencyCount = 1,
      .pDependencies = &dependency,
   };
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

/* The scene: a triangle on a cleared image. */
static VkCommandBuffer record(struct window *w, uint32_t i)
{
   const VkClearValue clear = {{{0.1f, 0.2f, 0.3f, 1}}};
   VkCommandBuffer cmd = client_begin(&w->client);
   client_begin_pass(cmd, w->pass, w->framebuffers[i], WIDTH, HEIGHT, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, w->pipeline);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
   client_end(cmd);
   return cmd;
}

static void make_frames(struct window *w)
{
   const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   const VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, NULL, VK_FENCE_CREATE_SIGNALED_BIT};
   struct client *client = &w->client;
   w->pass = make_pass(client);
   w->layout = client_pipeline_layout(client, NULL, 0);
   w->pipeline = client_graphics_pipeline(
      client,
      &(struct client_graphics){
         .vertex = client_shader(client, window_vert, sizeof(window_vert)),
         .fragment = client_shader(client, window_frag, sizeof(window_frag)),
         .layout = w->layout,
         .pass = w->pass,
         .width = WIDTH,
         .height = HEIGHT,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      },
      VK_NULL_HANDLE);
   for (uint32_t i = 0; i < w->num_images; i++) {
      const VkImageViewCreateInfo view = {
         .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
         .image = w->images[i],
         .viewType = VK_IMAGE_VIEW_TYPE_2D,
         .format = VK_FORMAT_B8G8R8A8_UNORM,
         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
      };
      client_check(vk.CreateImageView(client->device, &view, NULL, &w->views[i]), "vkCreateImageView");
      w->framebuffers[i] = client_framebuffer(client, w->pass, 1, &w->views[i], WIDTH, HEIGHT);
      w->commands[i] = record(w, i);
      client_check(w->CreateSemaphore(client->device, &semaphore, NULL, &w->rendered[i]), "vkCreateSemaphore");
   }
   for (uint32_t i = 0; i < IN_FLIGHT; i++) {
      client_check(w->CreateSemaphore(client->device, &semaphore, NULL, &w->acquired[i]), "vkCreateSemaphore");
      client_check(vk.CreateFence(client->device, &fence, NULL, &w->fences[i]), "vkCreateFence");
   }
}

static void show(struct window *w)
{
   const uint32_t slot = w->frame++ % IN_FLIGHT;
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
   VkDevice device = w->client.device;
   uint32_t i;
   client_check(vk.WaitForFences(device, 1, &w->fences[slot], VK_TRUE, UINT64_MAX), "vkWaitForFences");
   client_check(vk.ResetFences(device, 1, &w->fences[slot]), "vkResetFences");
   client_check(w->AcquireNextImageKHR(device, w->swapchain, UINT64_MAX, w->acquired[slot], VK_NULL_HANDLE, &i),
                "vkAcquireNextImageKHR");
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .waitSemaphoreCount = 1,
      .pWaitSemaphores = &w->acquired[slot],
      .pWaitDstStageMask = &stage,
      .commandBufferCount = 1,
      .pCommandBuffers = &w->commands[i],
      .signalSemaphoreCount = 1,
      .pSignalSemaphores = &w->rendered[i],
   };
   const VkPresentInfoKHR present = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
      .waitSemaphoreCount = 1,
      .pWaitSemaphores = &w->rendered[i],
      .swapchainCount = 1,
      .pSwapchains = &w->swapchain,
      .pImageIndices = &i,
   };
   client_check(vk.QueueSubmit(w->client.queue, 1, &submit, w->fences[slot]), "vkQueueSubmit");
   client_check(w->QueuePresentKHR(w->client.queue, &present), "vkQueuePresentKHR");
}

static void close_window(struct window *w)
{
   client_check(vk.DeviceWaitIdle(w->client.device), "vkDeviceWaitIdle");
   w->DestroySwapchainKHR(w->client.device, w->swapchain, NULL);
   w->DestroySurfaceKHR(w->client.instance, w->surface, NULL);
   /* The process ends: the rest goes with it. */
   xcb_disconnect(w->connection);
   xvfb_stop(&w->server);
}

/* Opens everything and shows some frames; false without a server. */
static bool warm_up(struct window *w, VkPresentModeKHR mode)
{
   if (!open_window(w))
      return false;
   make_swapchain(w, mode);
   make_frames(w);
   for (int i = 0; i < 30; i++)
      show(w);
   return true;
}

static double process_cpu_s(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double immediate_fps(void)
{
   struct window w;
   if (!warm_up(&w, VK_PRESENT_MODE_IMMEDIATE_KHR))
      return NAN;
   const uint32_t first = w.frame;
   const double begin = client_now_s();
   double now;
   do {
      show(&w);
      now = client_now_s();
   } while (now < begin + 1.5);
   const double fps = (w.frame - first) / (now - begin);
   close_window(&w);
   return fps;
}

/* Of one processor, at 60 frames a second. */
static double fifo_percent(void)
{
   struct window w;
   if (!warm_up(&w, VK_PRESENT_MODE_FIFO_KHR))
      return NAN;
   const uint32_t first = w.frame;
   const double begin_cpu = process_cpu_s(), begin = client_now_s();
   while (client_now_s() < begin + 1.5)
      show(&w);
   const double cpu = (process_cpu_s() - begin_cpu) / (w.frame - first) * 60;
   close_window(&w);
   return cpu * 100;
}

/* Of one processor, by an application that has a window and shows nothing new. */
static double idle_percent(void)
{
   struct window w;
   if (!warm_up(&w, VK_PRESENT_MODE_FIFO_KHR))
      return NAN;
   usleep(200000);
   const double begin_cpu = process_cpu_s(), begin = client_now_s();
   usleep(1500000);
   const double percent = (process_cpu_s() - begin_cpu) / (client_now_s() - begin) * 100;
   close_window(&w);
   return percent;
}

const struct bench_start_row bench_present_rows[] = {
   {"present 1280x720, immediate", "frames/s", false, immediate_fps, true},
   {"present at 60 Hz, fifo: CPU", "%", false, fifo_percent, false},
   {"idle window, fifo: CPU", "%", false, idle_percent, false},
   {0},
};

#else
const struct bench_start_row bench_present_rows[] = {{0}};
#endif
