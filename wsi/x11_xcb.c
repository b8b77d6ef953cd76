/* SPDX-License-Identifier: MIT
 * X11 through XCB: frames are copied into memory that is shared with the server (MIT-SHM), or sent over the connection
 * where the server is elsewhere or refuses.
 *
 * After each picture the geometry of the window is asked for, and the answer is looked at only when its buffer is
 * needed again: it shows at once that the server has read the buffer, that the window still exists and how large it is,
 * and nobody waits for a round trip. */
#include "wsi/x11_xcb.h"

#include "util/alloc.h"
#include "wsi/backend.h"
#include "wsi/library.h"
#include "util/size.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xcb/randr.h>
#include <xcb/shm.h>

#define DEFAULT_REFRESH_HZ 60

enum { NUM_BUFFERS = 2 };

/* ---- libraries ---- */

#define XCB_SYMBOLS(X)                                                                                                 \
   X(xcb_connection_has_error) X(xcb_flush) X(xcb_generate_id) X(xcb_get_file_descriptor)                              \
   X(xcb_get_maximum_request_length) X(xcb_get_setup) X(xcb_request_check) X(xcb_query_extension)                      \
   X(xcb_query_extension_reply) X(xcb_get_geometry) X(xcb_get_geometry_reply) X(xcb_get_window_attributes)             \
   X(xcb_get_window_attributes_reply) X(xcb_create_gc_checked) X(xcb_free_gc_checked) X(xcb_put_image_checked)         \
   X(xcb_setup_roots_iterator) X(xcb_screen_next) X(xcb_screen_allowed_depths_iterator) X(xcb_depth_next)              \
   X(xcb_depth_visuals) X(xcb_depth_visuals_length) X(xcb_setup_pixmap_formats)                                        \
   X(xcb_setup_pixmap_formats_length) X(xcb_discard_reply)
#define SHM_SYMBOLS(X)                                                                                                 \
   X(xcb_shm_query_version) X(xcb_shm_query_version_reply) X(xcb_shm_attach_checked) X(xcb_shm_attach_fd_checked)      \
   X(xcb_shm_detach_checked) X(xcb_shm_put_image_checked)

#define RANDR_SYMBOLS(X)                                                                                               \
   X(xcb_randr_query_version) X(xcb_randr_query_version_reply) X(xcb_randr_get_screen_info)                            \
   X(xcb_randr_get_screen_info_reply)

#define POINTER(name) __typeof__(name) *name;
#define NAME(name) #name,

static struct {
   XCB_SYMBOLS(POINTER)
} xcb;
static struct {
   SHM_SYMBOLS(POINTER)
} shm;
static struct {
   RANDR_SYMBOLS(POINTER)
} randr;

static bool open_xcb(void)
{
   static const char *const names[] = {XCB_SYMBOLS(NAME) NULL};
   static struct wsi_library library = WSI_LIBRARY("libxcb.so.1", names, &xcb);
   return wsi_library_open(&library);
}

static bool open_shm(void)
{
   static const char *const names[] = {SHM_SYMBOLS(NAME) NULL};
   static struct wsi_library library = WSI_LIBRARY("libxcb-shm.so.0", names, &shm);
   return wsi_library_open(&library);
}

static bool open_randr(void)
{
   static const char *const names[] = {RANDR_SYMBOLS(NAME) NULL};
   static struct wsi_library library = WSI_LIBRARY("libxcb-randr.so.0", names, &randr);
   return wsi_library_open(&library);
}

/* Takes the error of a request out of the connection; true if there was none. Waits for the server unless it has
 * answered a later request. */
static bool check(xcb_connection_t *connection, xcb_void_cookie_t cookie)
{
   xcb_generic_error_t *error = xcb.xcb_request_check(connection, cookie);
   const bool is_fine = error == NULL;
   free(error);
   return is_fine;
}

/* ---- visuals ---- */

struct window_layout {
   uint8_t depth;
   struct wsi_pixel pixel;
   uint32_t pad_bytes; /* rows are multiples of this */
};

static bool set_channel(struct wsi_pixel *pixel, int channel, uint32_t mask)
{
   const uint32_t shift = mask ? (uint32_t)__builtin_ctz(mask) : 0, bits = (uint32_t)__builtin_popcount(mask);
   pixel->channels[channel].bits = (uint8_t)bits;
   pixel->channels[channel].shift = (uint8_t)shift;
   return bits <= 16 && mask >> shift == (1u << bits) - 1;
}

/* The layout of pixels of a visual; false if we cannot make such. */
static bool describe(const xcb_setup_t *setup, const xcb_visualtype_t *visual, uint8_t depth,
                     struct window_layout *layout)
{
   memset(layout, 0, sizeof(*layout));
   if (visual->_class != XCB_VISUAL_CLASS_TRUE_COLOR && visual->_class != XCB_VISUAL_CLASS_DIRECT_COLOR)
      return false;
   if (setup->image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST)
      return false;
   const xcb_format_t *formats = xcb.xcb_setup_pixmap_formats(setup);
   for (int i = 0; i < xcb.xcb_setup_pixmap_formats_length(setup); i++) {
      if (formats[i].depth == depth) {
         layout->pixel.bytes = formats[i].bits_per_pixel / 8;
         layout->pad_bytes = formats[i].scanline_pad / 8;
      }
   }
   layout->depth = depth;
   const uint32_t colors = visual->red_mask | visual->green_mask | visual->blue_mask;
   const bool are_masks_fine = set_channel(&layout->pixel, 0, visual->red_mask) &&
                               set_channel(&layout->pixel, 1, visual->green_mask) &&
                               set_channel(&layout->pixel, 2, visual->blue_mask) &&
                               set_channel(&layout->pixel, 3, depth == 32 ? ~colors : 0);
   return are_masks_fine && layout->pad_bytes && (layout->pixel.bytes == 2 || layout->pixel.bytes == 4);
}

static bool find_visual(xcb_connection_t *connection, xcb_visualid_t id, struct window_layout *layout)
{
   const xcb_setup_t *setup = xcb.xcb_get_setup(connection);
   for (xcb_screen_iterator_t screen = xcb.xcb_setup_roots_iterator(setup); screen.rem; xcb.xcb_screen_next(&screen)) {
      for (xcb_depth_iterator_t depth = xcb.xcb_screen_allowed_depths_iterator(screen.data); depth.rem;
           xcb.xcb_depth_next(&depth)) {
         const xcb_visualtype_t *visuals = xcb.xcb_depth_visuals(depth.data);
         for (int i = 0; i < xcb.xcb_depth_visuals_length(depth.data); i++) {
            if (visuals[i].visual_id == id)
               return describe(setup, &visuals[i], depth.data->depth, layout);
         }
      }
   }
   return false;
}

bool wsi_xcb_is_visual_supported(xcb_connection_t *connection, xcb_visualid_t visual)
{
   struct window_layout layout;
   return open_xcb() && !xcb.xcb_connection_has_error(connection) && find_visual(connection, visual, &layout);
}

/* ---- surfaces ---- */

struct surface {
   struct wsi_surface base;
   xcb_connection_t *connection;
   xcb_window_t window;
};

static void destroy(struct wsi_surface *surface)
{
   util_mfree(surface);
}

/* The size of the window; false if it, or the server, is gone. */
static bool get_extent(xcb_connection_t *connection, xcb_window_t window, VkExtent2D *extent)
{
   xcb_generic_error_t *error = NULL;
   xcb_get_geometry_reply_t *reply =
      xcb.xcb_get_geometry_reply(connection, xcb.xcb_get_geometry(connection, window), &error);
   const bool is_there = reply != NULL;
   if (is_there)
      *extent = (VkExtent2D){reply->width, reply->height};
   free(reply);
   free(error);
   return is_there;
}

static VkResult get_layout(const struct surface *surface, struct window_layout *layout)
{
   xcb_generic_error_t *error = NULL;
   xcb_get_window_attributes_reply_t *reply = xcb.xcb_get_window_attributes_reply(
      surface->connection, xcb.xcb_get_window_attributes(surface->connection, surface->window), &error);
   VkResult result = VK_ERROR_SURFACE_LOST_KHR;
   if (reply)
      result = find_visual(surface->connection, reply->visual, layout) ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED;
   free(reply);
   free(error);
   return result;
}

static VkResult get_capabilities(struct wsi_surface *base, struct wsi_capabilities *capabilities)
{
   const struct surface *surface = (const struct surface *)base;
   struct window_layout layout;
   VkExtent2D extent;
   if (!get_extent(surface->connection, surface->window, &extent))
      return VK_ERROR_SURFACE_LOST_KHR;
   const VkResult result = get_layout(surface, &layout);
   if (result == VK_ERROR_SURFACE_LOST_KHR)
      return result;
   const bool has_alpha = result == VK_SUCCESS && layout.pixel.channels[3].bits > 0;
   *capabilities = (struct wsi_capabilities){
      .current_extent = extent,
      .can_scale = true,
      .min_extent = extent,
      .max_extent = extent,
      .composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR |
                         (has_alpha ? VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR : 0u),
   };
   return VK_SUCCESS;
}

static VkResult get_formats(struct wsi_surface *base, const VkSurfaceFormatKHR **formats_out, uint32_t *count)
{
   static const VkSurfaceFormatKHR formats[] = {
      /* The first two need no conversion with ten bits, the others with eight. */
      {VK_FORMAT_A2R10G10B10_UNORM_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R5G6B5_UNORM_PACK16, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
   };
   struct window_layout layout;
   const VkResult result = get_layout((const struct surface *)base, &layout);
   if (result == VK_ERROR_SURFACE_LOST_KHR)
      return result;
   const bool has_ten_bits = result == VK_SUCCESS && layout.pixel.channels[0].bits == 10;
   *formats_out = formats + (has_ten_bits ? 0 : 2);
   *count = result == VK_SUCCESS ? UTIL_ARRAY_SIZE(formats) - (has_ten_bits ? 0 : 2) : 0;
   return VK_SUCCESS;
}

/* ---- targets ---- */

struct buffer {
   uint8_t *data;
   xcb_shm_seg_t segment;              /* where has_shm */
   bool is_busy;                       /* the server may read it: the requests below are in flight */
   xcb_void_cookie_t last_put;         /* errors of the ones before it are discarded */
   xcb_get_geometry_cookie_t geometry; /* asked for after last_put */
};

struct target {
   struct wsi_target base;
   xcb_connection_t *connection;
   xcb_window_t window;
   xcb_gcontext_t gc;
   struct window_layout layout;
   VkExtent2D extent; /* of the images */
   struct wsi_scaling scaling;
   uint32_t pitch_bytes;
   size_t size_bytes; /* of a buffer */
   bool has_shm;
   uint32_t next_buffer;
   VkResult status; /* what the server has said so far */
   struct buffer buffers[NUM_BUFFERS];
};

static uint32_t row_pitch(const struct target *target, uint32_t width)
{
   return (uint32_t)util_align((uint64_t)width * target->layout.pixel.bytes, target->layout.pad_bytes);
}

static bool is_local(xcb_connection_t *connection)
{
   struct sockaddr_storage address;
   socklen_t size = sizeof(address);
   return getsockname(xcb.xcb_get_file_descriptor(connection), (struct sockaddr *)&address, &size) == 0 &&
          address.ss_family == AF_UNIX;
}

static bool has_extension(xcb_connection_t *connection, const char *name)
{
   xcb_query_extension_reply_t *extension = xcb.xcb_query_extension_reply(
      connection, xcb.xcb_query_extension(connection, (uint16_t)strlen(name), name), NULL);
   const bool is_there = extension && extension->present;
   free(extension);
   return is_there;
}

/* Between two refreshes of the window's screen, as RandR says; 60 Hz where nobody knows. */
static uint64_t refresh_ns(xcb_connection_t *connection, xcb_window_t window)
{
   uint32_t rate_hz = 0;
   if (has_extension(connection, "RANDR") && open_randr()) {
      /* The server reports rates to those that say they know them. */
      xcb_generic_error_t *error = NULL;
      free(randr.xcb_randr_query_version_reply(connection, randr.xcb_randr_query_version(connection, 1, 1), &error));
      free(error);
      error = NULL;
      xcb_randr_get_screen_info_reply_t *reply =
         randr.xcb_randr_get_screen_info_reply(connection, randr.xcb_randr_get_screen_info(connection, window), &error);
      rate_hz = reply ? reply->rate : 0;
      free(reply);
      free(error);
   }
   return UINT64_C(1000000000) / (rate_hz >= 10 && rate_hz <= 1000 ? rate_hz : DEFAULT_REFRESH_HZ);
}

/* The version of MIT-SHM as major << 16 | minor; 0: not there, or of no use. */
static uint32_t shm_version(xcb_connection_t *connection)
{
   if (!is_local(connection) || !has_extension(connection, "MIT-SHM") || !open_shm())
      return 0;
   xcb_shm_query_version_reply_t *reply =
      shm.xcb_shm_query_version_reply(connection, shm.xcb_shm_query_version(connection), NULL);
   const uint32_t version = reply ? (uint32_t)reply->major_version << 16 | reply->minor_version : 0;
   free(reply);
   return version;
}

/* Memory that the server maps through a descriptor: works wherever the connection does. */
static bool share_by_fd(struct target *target, struct buffer *buffer)
{
   const int fd = memfd_create("vk_swrast-window", MFD_CLOEXEC);
   if (fd < 0)
      return false;
   void *data = MAP_FAILED;
   if (ftruncate(fd, (off_t)target->size_bytes) == 0)
      data = mmap(NULL, target->size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (data == MAP_FAILED) {
      close(fd);
      return false;
   }
   buffer->segment = xcb.xcb_generate_id(target->connection);
   /* XCB closes the descriptor. */
   if (!check(target->connection, shm.xcb_shm_attach_fd_checked(target->connection, buffer->segment, fd, 1))) {
      munmap(data, target->size_bytes);
      return false;
   }
   buffer->data = data;
   return true;
}

static void release_buffer(struct target *target, struct buffer *buffer)
{
   if (!buffer->data)
      return;
   if (target->has_shm) {
      check(target->connection, shm.xcb_shm_detach_checked(target->connection, buffer->segment));
      munmap(buffer->data, target->size_bytes);
   } else {
      util_mfree(buffer->data);
   }
   buffer->data = NULL;
}

static void release_buffers(struct target *target)
{
   for (int i = 0; i < NUM_BUFFERS; i++)
      release_buffer(target, &target->buffers[i]);
}

static bool share_buffers(struct target *target)
{
   target->has_shm = true;
   for (int i = 0; i < NUM_BUFFERS; i++) {
      if (!share_by_fd(target, &target->buffers[i])) {
         release_buffers(target);
         target->has_shm = false;
         return false;
      }
   }
   return true;
}

static bool allocate_buffers(struct target *target)
{
   for (int i = 0; i < NUM_BUFFERS; i++) {
      target->buffers[i].data = util_malloc64(target->size_bytes);
      if (!target->buffers[i].data) {
         release_buffers(target);
         return false;
      }
   }
   return true;
}

static VkResult target_create(struct wsi_surface *base, const struct wsi_target_info *info,
                              struct wsi_target **target_out)
{
   const struct surface *surface = (const struct surface *)base;
   struct target *target = util_calloc(1, sizeof(*target));
   if (!target)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   target->base.refresh_ns = refresh_ns(surface->connection, surface->window);
   target->connection = surface->connection;
   target->window = surface->window;
   target->extent = info->extent;
   target->scaling = info->scaling;
   VkResult result = get_layout(surface, &target->layout);
   if (result != VK_SUCCESS) {
      result = result == VK_ERROR_SURFACE_LOST_KHR ? result : VK_ERROR_INITIALIZATION_FAILED;
      goto free_target;
   }
   target->layout.pixel.is_opaque = info->composite_alpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
   target->pitch_bytes = row_pitch(target, info->extent.width);
   target->size_bytes = (size_t)target->pitch_bytes * info->extent.height;

   target->gc = xcb.xcb_generate_id(target->connection);
   const uint32_t no_exposures = 0;
   result = VK_ERROR_SURFACE_LOST_KHR;
   if (!check(target->connection, xcb.xcb_create_gc_checked(target->connection, target->gc, target->window,
                                                            XCB_GC_GRAPHICS_EXPOSURES, &no_exposures)))
      goto free_target;
   result = VK_ERROR_OUT_OF_HOST_MEMORY;
   const bool is_shared = shm_version(target->connection) >= (1u << 16 | 2) && share_buffers(target);
   if (!is_shared && !allocate_buffers(target))
      goto free_gc;
   *target_out = &target->base;
   return VK_SUCCESS;

free_gc:
   check(target->connection, xcb.xcb_free_gc_checked(target->connection, target->gc));
free_target:
   util_mfree(target);
   return result;
}

/* ---- showing ---- */

/* Takes in what the server answered for a buffer; waits for that if it must. */
static void finish_buffer(struct target *target, struct buffer *buffer)
{
   if (!buffer->is_busy)
      return;
   xcb_generic_error_t *error = NULL;
   xcb_get_geometry_reply_t *reply = xcb.xcb_get_geometry_reply(target->connection, buffer->geometry, &error);
   const bool is_put = check(target->connection, buffer->last_put);
   if (!reply || !is_put)
      target->status = VK_ERROR_SURFACE_LOST_KHR;
   else if (target->status >= 0)
      target->status = target->scaling.mode ||
                             (reply->width == target->extent.width && reply->height == target->extent.height)
                          ? VK_SUCCESS
                          : VK_SUBOPTIMAL_KHR;
   free(reply);
   free(error);
   buffer->is_busy = false;
}

static void target_destroy(struct wsi_target *base)
{
   struct target *target = (struct target *)base;
   for (int i = 0; i < NUM_BUFFERS; i++)
      finish_buffer(target, &target->buffers[(target->next_buffer + (uint32_t)i) % NUM_BUFFERS]);
   release_buffers(target);
   check(target->connection, xcb.xcb_free_gc_checked(target->connection, target->gc));
   util_mfree(target);
}

static VkResult show_shared(struct target *target, struct buffer *buffer, const struct wsi_frame *frame)
{
   const VkRect2D area = frame->damage;
   uint8_t *rows = buffer->data + (size_t)area.offset.y * target->pitch_bytes +
                   (size_t)area.offset.x * target->layout.pixel.bytes;
   const VkResult result = wsi_frame_read(frame, area, &target->layout.pixel, rows, target->pitch_bytes);
   if (result != VK_SUCCESS)
      return result;
   buffer->last_put = shm.xcb_shm_put_image_checked(
      target->connection, target->window, target->gc, (uint16_t)(target->pitch_bytes / target->layout.pixel.bytes),
      (uint16_t)target->extent.height, (uint16_t)area.offset.x, (uint16_t)area.offset.y, (uint16_t)area.extent.width,
      (uint16_t)area.extent.height, (int16_t)area.offset.x, (int16_t)area.offset.y, target->layout.depth,
      XCB_IMAGE_FORMAT_Z_PIXMAP, 0, buffer->segment, 0);
   return VK_SUCCESS;
}

/* Sends rows to an area of the window, in as many pieces as requests allow. */
static void send_rows(struct target *target, struct buffer *buffer, const uint8_t *rows, uint32_t pitch_bytes,
                      VkRect2D area)
{
   const size_t room_bytes = (size_t)xcb.xcb_get_maximum_request_length(target->connection) * 4 - 64;
   const uint32_t rows_each = (uint32_t)UTIL_CLAMP(room_bytes / pitch_bytes, 1, UINT16_MAX);
   for (uint32_t y = 0; y < area.extent.height; y += rows_each) {
      const uint32_t count = UTIL_MIN(rows_each, area.extent.height - y);
      if (y)
         xcb.xcb_discard_reply(target->connection, buffer->last_put.sequence);
      buffer->last_put = xcb.xcb_put_image_checked(
         target->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, target->window, target->gc, (uint16_t)area.extent.width,
         (uint16_t)count, (int16_t)area.offset.x, (int16_t)(area.offset.y + (int32_t)y), 0, target->layout.depth,
         count * pitch_bytes, rows + (size_t)y * pitch_bytes);
   }
}

static VkResult show_sent(struct target *target, struct buffer *buffer, const struct wsi_frame *frame)
{
   const uint32_t pitch_bytes = row_pitch(target, frame->damage.extent.width);
   const VkResult result =
      wsi_frame_read(frame, frame->damage, &target->layout.pixel, buffer->data, pitch_bytes);
   if (result == VK_SUCCESS)
      send_rows(target, buffer, buffer->data, pitch_bytes, frame->damage);
   return result;
}

/* All of a window that has another size than the images. */
static VkResult show_scaled(struct target *target, struct buffer *buffer, const struct wsi_frame *frame,
                            VkExtent2D window)
{
   const struct wsi_rows image = {buffer->data, target->extent, target->pitch_bytes};
   VkResult result =
      wsi_frame_read(frame, (VkRect2D){{0, 0}, target->extent}, &target->layout.pixel, image.data, image.pitch_bytes);
   if (result != VK_SUCCESS)
      return result;
   const uint32_t pitch_bytes = row_pitch(target, window.width);
   const struct wsi_rows rows = {util_malloc64(util_size_mul(pitch_bytes, window.height)), window, pitch_bytes};
   if (!rows.data)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   wsi_scale(&image, wsi_scale_rect(&target->scaling, target->extent, window), &rows, target->layout.pixel.bytes);
   send_rows(target, buffer, rows.data, pitch_bytes, (VkRect2D){{0, 0}, window});
   util_mfree(rows.data);
   return VK_SUCCESS;
}

static VkResult show(struct wsi_target *base, const struct wsi_frame *frame)
{
   struct target *target = (struct target *)base;
   struct buffer *buffer = &target->buffers[target->next_buffer];
   VkExtent2D window = target->extent;
   finish_buffer(target, buffer);
   if (target->status < 0 || xcb.xcb_connection_has_error(target->connection))
      return VK_ERROR_SURFACE_LOST_KHR;
   if (target->scaling.mode && !get_extent(target->connection, target->window, &window))
      return VK_ERROR_SURFACE_LOST_KHR;

   VkResult result;
   if (window.width != target->extent.width || window.height != target->extent.height)
      result = show_scaled(target, buffer, frame, window);
   else if (target->has_shm)
      result = show_shared(target, buffer, frame);
   else
      result = show_sent(target, buffer, frame);
   if (result != VK_SUCCESS)
      return result;
   buffer->geometry = xcb.xcb_get_geometry(target->connection, target->window);
   buffer->is_busy = true;
   if (xcb.xcb_flush(target->connection) <= 0)
      return VK_ERROR_SURFACE_LOST_KHR;
   target->next_buffer = (target->next_buffer + 1) % NUM_BUFFERS;
   return target->status;
}

static const struct wsi_backend xcb_backend = {
   .destroy = destroy,
   .capabilities = get_capabilities,
   .formats = get_formats,
   .present_modes = WSI_MODE_BIT(VK_PRESENT_MODE_IMMEDIATE_KHR) | WSI_MODE_BIT(VK_PRESENT_MODE_MAILBOX_KHR) |
                    WSI_MODE_BIT(VK_PRESENT_MODE_FIFO_KHR) | WSI_MODE_BIT(VK_PRESENT_MODE_FIFO_RELAXED_KHR) |
                    WSI_MODE_BIT(VK_PRESENT_MODE_FIFO_LATEST_READY_EXT) | WSI_SHARED_MODES,
   .target_create = target_create,
   .target_destroy = target_destroy,
   .show = show,
};

VkResult wsi_xcb_create(xcb_connection_t *connection, xcb_window_t window, struct wsi_surface **surface_out)
{
   if (!open_xcb())
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct surface *surface = util_calloc(1, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->base.backend = &xcb_backend;
   surface->connection = connection;
   surface->window = window;
   *surface_out = &surface->base;
   return VK_SUCCESS;
}
