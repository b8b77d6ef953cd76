/* SPDX-License-Identifier: MIT
 * Presenting to Wayland: what arrives at a compositor of our own, and what happens when that is slow, silent or gone.
 */
#define VK_USE_PLATFORM_WAYLAND_KHR
#include <wayland-client.h>

#include "tests/test.h"
#include "tests/wsi/app.h"
#include "tests/wsi/compositor.h"
#include "util/thread.h"

enum { WIDTH = 203, HEIGHT = 150 };

static struct compositor compositor; /* large */

struct window {
   struct wl_display *display;
   struct wl_registry *registry;
   struct wl_compositor *compositor;
   struct wl_surface *surface;
   struct app app;
};

static void on_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
   struct window *window = data;
   if (strcmp(interface, "wl_compositor") == 0)
      window->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
}

static const struct wl_registry_listener listener = {on_global, on_global_remove};

static void open_window(struct window *window, VkPresentModeKHR mode, VkFormat format)
{
   memset(window, 0, sizeof(*window));
   if (!compositor_start(&compositor))
      exit(77); /* what meson takes for "skipped" */
   window->display = wl_display_connect_to_fd(compositor.client_fd);
   window->registry = wl_display_get_registry(window->display);
   wl_registry_add_listener(window->registry, &listener, window);
   wl_display_roundtrip(window->display);
   window->surface = wl_compositor_create_surface(window->compositor);

   app_init(&window->app, VK_KHR_WAYLAND_SURFACE_EXTENSION_NAME, VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME, NULL);
   const VkWaylandSurfaceCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
      .display = window->display,
      .surface = window->surface,
   };
   app_check(INSTANCE_FUNCTION(window->app.instance, vkCreateWaylandSurfaceKHR)(window->app.instance, &info, NULL,
                                                                                &window->app.surface),
             "vkCreateWaylandSurfaceKHR");
   app_check(app_make_swapchain(&window->app, format, (VkExtent2D){WIDTH, HEIGHT}, mode, NULL), "vkCreateSwapchainKHR");
}

static void close_window(struct window *window)
{
   app_finish(&window->app);
   wl_surface_destroy(window->surface);
   wl_compositor_destroy(window->compositor);
   wl_registry_destroy(window->registry);
   wl_display_disconnect(window->display);
   compositor_stop(&compositor);
}

/* Waits until the compositor has got all frames. */
static uint64_t ending_ns; /* how long the last swapchain's end took */

static void finish_frames(struct window *window)
{
   const uint64_t start = util_now_ns();
   window->app.DeviceWaitIdle(window->app.device);
   window->app.DestroySwapchainKHR(window->app.device, window->app.swapchain, NULL);
   window->app.swapchain = VK_NULL_HANDLE;
   wl_display_roundtrip(window->display);
   ending_ns = util_now_ns() - start;
}

/* `attempt` gives how many pixels are wrong after finish_frames(). The last frames find buffers if the compositor gives one back within a tenth of a
 * second: where the machine is so busy that it did not, there is another try. */
static void check_frames(uint32_t (*attempt)(VkPresentModeKHR mode), VkPresentModeKHR mode)
{
   enum { MAX_TRIES = 40 };
   uint32_t num_wrong = 1;
   for (uint32_t i = 0; i < MAX_TRIES && num_wrong; i++) {
      num_wrong = attempt(mode);
      if (ending_ns < UINT64_C(100000000))
         break;
   }
   CHECK_EQ(num_wrong, 0);
}

/* Pixels that are not of frame `inner` inside of `area` and of frame `outer` around it. */
static uint32_t count_wrong(uint32_t inner, uint32_t outer, VkRect2D area)
{
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++) {
         const bool is_inner = (int32_t)x >= area.offset.x && x < (uint32_t)area.offset.x + area.extent.width &&
                               (int32_t)y >= area.offset.y && y < (uint32_t)area.offset.y + area.extent.height;
         wrong += (compositor_pixel(&compositor, x, y) ^ app_texel(is_inner ? inner : outer, x, y)) << 8 != 0;
      }
   }
   return wrong;
}

static const VkRect2D everything = {{0, 0}, {WIDTH, HEIGHT}};

static uint32_t show_nine(VkPresentModeKHR mode)
{
   struct window window;
   open_window(&window, mode, VK_FORMAT_B8G8R8A8_UNORM);
   for (uint32_t n = 1; n <= 9; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   finish_frames(&window);
   const uint32_t num_wrong = count_wrong(9, 9, everything);
   close_window(&window);
   return num_wrong;
}

TEST(pixels_arrive)
{
   check_frames(show_nine, VK_PRESENT_MODE_FIFO_KHR);
   check_frames(show_nine, VK_PRESENT_MODE_MAILBOX_KHR);
}

/* The test's compositor takes one of the two orders of 10 bits. */
static uint32_t show_ten_bits(VkPresentModeKHR mode)
{
   struct window window;
   VkSurfaceFormatKHR formats[16];
   uint32_t count = 16, num_one = 0, num_other = 0;
   open_window(&window, mode, VK_FORMAT_A2R10G10B10_UNORM_PACK32);
   CHECK_EQ(window.app.GetPhysicalDeviceSurfaceFormatsKHR(window.app.physical_device, window.app.surface, &count, formats),
            VK_SUCCESS);
   for (uint32_t i = 0; i < count; i++) {
      num_one += formats[i].format == VK_FORMAT_A2R10G10B10_UNORM_PACK32;
      num_other += formats[i].format == VK_FORMAT_A2B10G10R10_UNORM_PACK32;
   }
   CHECK_EQ(num_one, 1);
   CHECK_EQ(num_other, 0);
   for (uint32_t n = 1; n <= 5; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   finish_frames(&window);
   const uint32_t num_wrong = count_wrong(5, 5, everything); /* bits pass through */
   close_window(&window);
   return num_wrong;
}

TEST(ten_bits)
{
   check_frames(show_ten_bits, VK_PRESENT_MODE_FIFO_KHR);
}

TEST(fifo_waits_for_the_compositor)
{
   struct window window;
   open_window(&window, VK_PRESENT_MODE_FIFO_KHR, VK_FORMAT_B8G8R8A8_SRGB);
   const uint64_t start = util_now_ns();
   for (uint32_t n = 1; n <= 14; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   /* All but the images that are still in flight have been shown. */
   CHECK(util_now_ns() - start >= 9 * UINT64_C(16000000));
   CHECK_EQ(atomic_load(&compositor.num_early), 0);
   close_window(&window);
}

/* Buffers take turns: each must catch up on what it missed. */
static uint32_t show_damage(VkPresentModeKHR mode)
{
   struct window window;
   open_window(&window, mode, VK_FORMAT_B8G8R8A8_UNORM);
   CHECK_EQ(app_show(&window.app, 1, NULL), VK_SUCCESS);
   for (uint32_t n = 2; n <= 10; n++) {
      const VkRectLayerKHR rect = {{10, 20}, {n, 5}, 0};
      const VkPresentRegionKHR region = {1, &rect};
      const VkPresentRegionsKHR regions = {VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR, NULL, 1, &region};
      CHECK_EQ(app_show(&window.app, n, &regions), VK_SUCCESS);
   }
   finish_frames(&window);
   const uint32_t num_wrong = count_wrong(10, 1, (VkRect2D){{10, 20}, {10, 5}});
   close_window(&window);
   return num_wrong;
}

TEST(damage_of_many_frames)
{
   check_frames(show_damage, VK_PRESENT_MODE_FIFO_KHR);
}

/* Gives how long closing the window took. */
static uint64_t show_hidden(void)
{
   struct window window;
   open_window(&window, VK_PRESENT_MODE_FIFO_KHR, VK_FORMAT_B8G8R8A8_UNORM);
   atomic_store(&compositor.is_visible, false);
   for (uint32_t n = 1; n <= 5; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   const uint64_t start = util_now_ns();
   close_window(&window);
   return util_now_ns() - start;
}

/* A window that nobody sees must not stop its application, nor does closing it wait for the second that each frame has. A busy machine
 * has another try. */
TEST(hidden_window_goes_on)
{
   enum { MAX_TRIES = 8 };
   uint32_t num_tries = 0;
   while (num_tries < MAX_TRIES && show_hidden() >= UINT64_C(800000000))
      num_tries++;
   CHECK(num_tries < MAX_TRIES);
}

TEST(compositor_that_keeps_buffers)
{
   struct window window;
   open_window(&window, VK_PRESENT_MODE_MAILBOX_KHR, VK_FORMAT_B8G8R8A8_UNORM);
   atomic_store(&compositor.releases, false);
   for (uint32_t n = 1; n <= 6; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   close_window(&window);
}

static uint32_t show_slowly(VkPresentModeKHR mode)
{
   struct window window;
   open_window(&window, mode, VK_FORMAT_B8G8R8A8_UNORM);
   atomic_store(&compositor.commit_us, 20000);
   for (uint32_t n = 1; n <= 9; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   finish_frames(&window);
   const uint32_t num_wrong = count_wrong(9, 9, everything);
   close_window(&window);
   return num_wrong;
}

/* The frames that are left when a swapchain goes still find buffers. */
TEST(slow_compositor_gets_the_last_frame)
{
   check_frames(show_slowly, VK_PRESENT_MODE_MAILBOX_KHR);
}

TEST(compositor_that_goes_away)
{
   struct window window;
   open_window(&window, VK_PRESENT_MODE_FIFO_KHR, VK_FORMAT_B8G8R8A8_UNORM);
   CHECK_EQ(app_show(&window.app, 1, NULL), VK_SUCCESS);
   compositor_stop(&compositor);
   VkResult result = VK_SUCCESS;
   for (uint32_t n = 2; n < 100 && result >= 0; n++)
      result = app_show(&window.app, n, NULL);
   CHECK_EQ(result, VK_ERROR_SURFACE_LOST_KHR);
   close_window(&window);
}

TEST_MAIN
