/* SPDX-License-Identifier: MIT
 * Presenting to X11: a server without a screen (Xvfb) is started for each test, and its picture is read back. */
#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_XLIB_KHR
#include "tests/test.h"
#include "tests/wsi/app.h"
#include "tests/wsi/xvfb.h"
#include "util/thread.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#define SKIPPED 77 /* what meson takes for "skipped" */

enum { WIDTH = 203, HEIGHT = 150 };

struct window {
   struct xvfb server;
   xcb_connection_t *connection;
   xcb_screen_t *screen;
   xcb_window_t id;
   struct app app;
};

static void open_window(struct window *window, const char *depth, bool over_tcp)
{
   memset(window, 0, sizeof(*window));
   char screen[32];
   snprintf(screen, sizeof(screen), "640x480x%s", depth);
   if (!xvfb_start(&window->server, screen)) {
      fprintf(stderr, "no Xvfb: skipped\n");
      exit(SKIPPED);
   }
   window->connection = xcb_connect(over_tcp ? window->server.tcp_name : window->server.name, NULL);
   CHECK_EQ(xcb_connection_has_error(window->connection), 0);
   window->screen = xcb_setup_roots_iterator(xcb_get_setup(window->connection)).data;
   window->id = xcb_generate_id(window->connection);
   const uint32_t black = window->screen->black_pixel;
   xcb_create_window(window->connection, XCB_COPY_FROM_PARENT, window->id, window->screen->root, 0, 0, WIDTH, HEIGHT, 0,
                     XCB_WINDOW_CLASS_INPUT_OUTPUT, window->screen->root_visual, XCB_CW_BACK_PIXEL, &black);
   xcb_map_window(window->connection, window->id);
   xcb_flush(window->connection);
   app_init(&window->app, VK_KHR_XCB_SURFACE_EXTENSION_NAME, VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME, NULL);
   const VkXcbSurfaceCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR,
      .connection = window->connection,
      .window = window->id,
   };
   app_check(INSTANCE_FUNCTION(window->app.instance, vkCreateXcbSurfaceKHR)(window->app.instance, &info, NULL,
                                                                            &window->app.surface),
             "vkCreateXcbSurfaceKHR");
}

static void close_window(struct window *window)
{
   app_finish(&window->app);
   xcb_disconnect(window->connection);
   xvfb_stop(&window->server);
}

static VkExtent2D current_extent(struct window *window)
{
   VkSurfaceCapabilitiesKHR capabilities = {0};
   app_check(window->app.GetPhysicalDeviceSurfaceCapabilitiesKHR(window->app.physical_device, window->app.surface,
                                                                 &capabilities),
             "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
   return capabilities.currentExtent;
}

static void make_swapchain(struct window *window, VkFormat format, VkPresentModeKHR mode)
{
   app_check(app_make_swapchain(&window->app, format, current_extent(window), mode, NULL), "vkCreateSwapchainKHR");
}

/* Waits for what has been presented, by retiring everything. */
static void finish_frames(struct window *window)
{
   window->app.DeviceWaitIdle(window->app.device);
   window->app.DestroySwapchainKHR(window->app.device, window->app.swapchain, NULL);
   window->app.swapchain = VK_NULL_HANDLE;
}

/* Counts the window's pixels that are not as expected: frame `inner` inside of `area`, `outer` around. */
static uint32_t count_wrong(struct window *window, uint32_t inner, uint32_t outer, VkRect2D area)
{
   const VkExtent2D extent = window->app.extent;
   uint32_t wrong = 0;
   xcb_get_image_reply_t *reply = xcb_get_image_reply(
      window->connection,
      xcb_get_image(window->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window->id, 0, 0, (uint16_t)extent.width,
                    (uint16_t)extent.height, UINT32_MAX),
      NULL);
   if (!reply)
      return UINT32_MAX;
   const uint32_t *pixels = (const uint32_t *)(const void *)xcb_get_image_data(reply);
   for (uint32_t y = 0; y < extent.height; y++) {
      for (uint32_t x = 0; x < extent.width; x++) {
         const bool is_inner = (int32_t)x >= area.offset.x && x < (uint32_t)area.offset.x + area.extent.width &&
                               (int32_t)y >= area.offset.y && y < (uint32_t)area.offset.y + area.extent.height;
         wrong += (pixels[y * extent.width + x] & 0xffffff) != (app_texel(is_inner ? inner : outer, x, y) & 0xffffff);
      }
   }
   free(reply);
   return wrong;
}

static uint32_t count_wrong_in_frame(struct window *window, uint32_t n)
{
   return count_wrong(window, n, n, (VkRect2D){{0, 0}, window->app.extent});
}

TEST(pixels_arrive)
{
   static const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
                                            VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_FIFO_RELAXED_KHR};
   struct window window;
   open_window(&window, "24", false);
   for (int i = 0; i < 4; i++) {
      make_swapchain(&window, VK_FORMAT_B8G8R8A8_UNORM, modes[i]);
      for (uint32_t n = 1; n <= 9; n++)
         CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
      finish_frames(&window);
      CHECK_EQ(count_wrong_in_frame(&window, 9), 0);
   }
   /* Nothing of ours came to the application's event queue. */
   xcb_generic_event_t *event = xcb_poll_for_event(window.connection);
   CHECK(event == NULL);
   free(event);
   close_window(&window);
}

/* Without shared memory. */
TEST(pixels_arrive_over_tcp)
{
   struct window window;
   open_window(&window, "24", true);
   make_swapchain(&window, VK_FORMAT_B8G8R8A8_SRGB, VK_PRESENT_MODE_IMMEDIATE_KHR);
   for (uint32_t n = 1; n <= 5; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   finish_frames(&window);
   CHECK_EQ(count_wrong_in_frame(&window, 5), 0);
   close_window(&window);
}

TEST(only_damage_is_shown)
{
   const VkRectLayerKHR rects[] = {{{10, 20}, {30, 5}, 0}, {{20, 18}, {10, 40}, 0}};
   const VkPresentRegionKHR region = {2, rects};
   const VkPresentRegionsKHR regions = {VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR, NULL, 1, &region};
   struct window window;
   open_window(&window, "24", false);
   make_swapchain(&window, VK_FORMAT_B8G8R8A8_UNORM, VK_PRESENT_MODE_FIFO_KHR);
   CHECK_EQ(app_show(&window.app, 1, NULL), VK_SUCCESS);
   CHECK_EQ(app_show(&window.app, 2, &regions), VK_SUCCESS);
   finish_frames(&window);
   CHECK_EQ(count_wrong(&window, 2, 1, (VkRect2D){{10, 18}, {30, 40}}), 0);
   close_window(&window);
}

TEST(resized_window_is_suboptimal)
{
   struct window window;
   const uint32_t size[] = {300, 200};
   open_window(&window, "24", false);
   make_swapchain(&window, VK_FORMAT_B8G8R8A8_UNORM, VK_PRESENT_MODE_FIFO_KHR);
   CHECK_EQ(app_show(&window.app, 1, NULL), VK_SUCCESS);
   xcb_configure_window(window.connection, window.id, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
   xcb_flush(window.connection);
   VkResult result = VK_SUCCESS;
   for (uint32_t n = 2; n < 20 && result == VK_SUCCESS; n++)
      result = app_show(&window.app, n, NULL);
   CHECK_EQ(result, VK_SUBOPTIMAL_KHR);
   CHECK_EQ(current_extent(&window).width, 300);
   make_swapchain(&window, VK_FORMAT_B8G8R8A8_UNORM, VK_PRESENT_MODE_FIFO_KHR);
   CHECK_EQ(app_show(&window.app, 3, NULL), VK_SUCCESS);
   finish_frames(&window);
   CHECK_EQ(count_wrong_in_frame(&window, 3), 0);
   close_window(&window);
}

/* Presents until there is an error. */
static VkResult show_until_error(struct window *window)
{
   VkResult result = VK_SUCCESS;
   for (uint32_t n = 1; n < 100 && result >= 0; n++)
      result = app_show(&window->app, n, NULL);
   return result;
}

TEST(destroyed_window_is_lost)
{
   struct window window;
   VkSurfaceCapabilitiesKHR capabilities;
   open_window(&window, "24", false);
   make_swapchain(&window, VK_FORMAT_B8G8R8A8_UNORM, VK_PRESENT_MODE_IMMEDIATE_KHR);
   CHECK_EQ(app_show(&window.app, 1, NULL), VK_SUCCESS);
   xcb_destroy_window(window.connection, window.id);
   xcb_flush(window.connection);
   CHECK_EQ(show_until_error(&window), VK_ERROR_SURFACE_LOST_KHR);
   CHECK_EQ(window.app.GetPhysicalDeviceSurfaceCapabilitiesKHR(window.app.physical_device, window.app.surface,
                                                               &capabilities),
            VK_ERROR_SURFACE_LOST_KHR);
   xcb_generic_event_t *event = xcb_poll_for_event(window.connection);
   CHECK(event == NULL);
   free(event);
   close_window(&window);
}

TEST(server_that_goes_away)
{
   struct window window;
   open_window(&window, "24", false);
   make_swapchain(&window, VK_FORMAT_B8G8R8A8_UNORM, VK_PRESENT_MODE_FIFO_KHR);
   CHECK_EQ(app_show(&window.app, 1, NULL), VK_SUCCESS);
   xvfb_stop(&window.server);
   CHECK_EQ(show_until_error(&window), VK_ERROR_SURFACE_LOST_KHR);
   close_window(&window);
}

/* The application waits for an image, the swapchain's thread for the server, and the server dies. */
TEST(server_that_dies_while_all_wait)
{
   struct window window;
   open_window(&window, "24", false);
   make_swapchain(&window, VK_FORMAT_B8G8R8A8_UNORM, VK_PRESENT_MODE_IMMEDIATE_KHR);
   CHECK_EQ(app_show(&window.app, 1, NULL), VK_SUCCESS);
   const pid_t server = window.server.pid;
   kill(server, SIGSTOP);
   const uint64_t start_ns = util_now_ns();
   const pid_t killer = fork();
   if (killer == 0) {
      usleep(200000);
      kill(server, SIGKILL);
      _exit(0);
   }
   CHECK_EQ(show_until_error(&window), VK_ERROR_SURFACE_LOST_KHR);
   CHECK(util_now_ns() - start_ns >= 150 * UINT64_C(1000000));
   waitpid(killer, NULL, 0);
   close_window(&window);
}

/* A window that nobody sees, and as small as X windows can be. */
TEST(tiny_unmapped_window)
{
   struct window window;
   const uint32_t size[] = {1, 1};
   open_window(&window, "24", false);
   xcb_unmap_window(window.connection, window.id);
   xcb_configure_window(window.connection, window.id, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
   xcb_flush(window.connection);
   make_swapchain(&window, VK_FORMAT_B8G8R8A8_UNORM, VK_PRESENT_MODE_FIFO_KHR);
   CHECK_EQ(window.app.extent.width, 1);
   CHECK_EQ(window.app.extent.height, 1);
   for (uint32_t n = 1; n <= 9; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   xcb_map_window(window.connection, window.id);
   xcb_flush(window.connection);
   for (uint32_t n = 10; n <= 14; n++)
      CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
   finish_frames(&window);
   CHECK_EQ(count_wrong_in_frame(&window, 14), 0);
   close_window(&window);
}

/* A small image on the window: all of it, then in its lower right corner. */
TEST(scaling)
{
   static const VkExtent2D small = {50, 40};
   VkSwapchainPresentScalingCreateInfoEXT scaling = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_SCALING_CREATE_INFO_EXT,
      .scalingBehavior = VK_PRESENT_SCALING_STRETCH_BIT_EXT,
   };
   struct window window;
   open_window(&window, "24", false);
   for (int i = 0; i < 2; i++) {
      app_check(app_make_swapchain(&window.app, VK_FORMAT_B8G8R8A8_UNORM, small, VK_PRESENT_MODE_FIFO_KHR, &scaling),
                "vkCreateSwapchainKHR");
      for (uint32_t n = 1; n <= 4; n++)
         CHECK_EQ(app_show(&window.app, n, NULL), VK_SUCCESS);
      finish_frames(&window);
      window.app.extent = (VkExtent2D){WIDTH, HEIGHT};
      xcb_get_image_reply_t *reply = xcb_get_image_reply(
         window.connection,
         xcb_get_image(window.connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window.id, 0, 0, WIDTH, HEIGHT, UINT32_MAX), NULL);
      CHECK(reply != NULL);
      const uint32_t *pixels = (const uint32_t *)(const void *)xcb_get_image_data(reply);
      uint32_t wrong = 0;
      for (uint32_t y = 0; y < HEIGHT; y++) {
         for (uint32_t x = 0; x < WIDTH; x++) {
            const uint32_t left = WIDTH - small.width, top = HEIGHT - small.height;
            uint32_t expected = app_texel(4, (2 * x + 1) * small.width / (2 * WIDTH), (2 * y + 1) * small.height / (2 * HEIGHT));
            if (i == 1)
               expected = x >= left && y >= top ? app_texel(4, x - left, y - top) : 0;
            wrong += ((pixels[y * WIDTH + x] ^ expected) & 0xffffff) != 0;
         }
      }
      free(reply);
      CHECK_EQ(wrong, 0);
      scaling.scalingBehavior = VK_PRESENT_SCALING_ONE_TO_ONE_BIT_EXT;
      scaling.presentGravityX = scaling.presentGravityY = VK_PRESENT_GRAVITY_MAX_BIT_EXT;
   }
   close_window(&window);
}

TEST(xlib)
{
   struct xvfb server = {0};
   struct app app;
   if (!xvfb_start(&server, "640x480x24"))
      exit(SKIPPED);
   Display *display = XOpenDisplay(server.name);
   CHECK(display != NULL);
   const Window id = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, WIDTH, HEIGHT, 0, 0, 0);
   XMapWindow(display, id);
   XSync(display, False);
   app_init(&app, VK_KHR_XLIB_SURFACE_EXTENSION_NAME, NULL, NULL);
   const VkXlibSurfaceCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR,
      .dpy = display,
      .window = id,
   };
   app_check(INSTANCE_FUNCTION(app.instance, vkCreateXlibSurfaceKHR)(app.instance, &info, NULL, &app.surface),
             "vkCreateXlibSurfaceKHR");
   const VisualID visual = XVisualIDFromVisual(DefaultVisual(display, DefaultScreen(display)));
   CHECK(INSTANCE_FUNCTION(app.instance, vkGetPhysicalDeviceXlibPresentationSupportKHR)(app.physical_device, 0, display,
                                                                                        visual));
   const VkExtent2D extent = {WIDTH, HEIGHT};
   app_check(app_make_swapchain(&app, VK_FORMAT_R8G8B8A8_UNORM, extent, VK_PRESENT_MODE_FIFO_KHR, NULL), "swapchain");
   for (uint32_t n = 1; n <= 5; n++) {
      CHECK_EQ(app_show(&app, n, NULL), VK_SUCCESS);
      XSync(display, False); /* both use the connection */
   }
   app.DeviceWaitIdle(app.device);
   app.DestroySwapchainKHR(app.device, app.swapchain, NULL);
   app.swapchain = VK_NULL_HANDLE;
   XImage *image = XGetImage(display, id, 0, 0, WIDTH, HEIGHT, AllPlanes, ZPixmap);
   uint32_t wrong = 0;
   for (int i = 0; i < WIDTH * HEIGHT; i++) {
      /* Drawn as B, G, R, A bytes into an image of R, G, B, A. */
      const uint32_t texel = app_texel(5, (uint32_t)i % WIDTH, (uint32_t)i / WIDTH);
      const uint32_t expected = (texel & 255) << 16 | (texel & 0xff00) | (texel >> 16 & 255);
      wrong += (XGetPixel(image, i % WIDTH, i / WIDTH) & 0xffffff) != expected;
   }
   CHECK_EQ(wrong, 0);
   XDestroyImage(image);
   app_finish(&app);
   XCloseDisplay(display);
   xvfb_stop(&server);
}

TEST_MAIN
