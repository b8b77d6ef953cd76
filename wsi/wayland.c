/* SPDX-License-Identifier: MIT
 * Wayland: frames are copied into buffers of wl_shm. The fifo mode waits for the compositor's frame callback, the modes
 * in which frames replace each other leave it to the compositor which one it takes.
 *
 * A window that is not visible gets no frame callbacks. So that it does not stop its application for ever, as the
 * specification forbids, a callback is awaited for a second at most. */
#include "wsi/wayland.h"

#include "util/alloc.h"
#include "util/thread.h"
#include "wsi/backend.h"
#include "wsi/library.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client-core.h>

#define REFRESH_NS 16666667 /* not known: 60 Hz */
#define MAX_CALLBACK_NS UINT64_C(1000000000)
#define MAX_LAST_BUFFER_NS UINT64_C(100000000) /* for frames of a swapchain that is retired */

/* One is shown, one is to be shown next, one is given back late, one is ours. */
enum { NUM_BUFFERS = 4 };

/* ---- the library ---- */

#define WAYLAND_FUNCTIONS(X)                                                                                           \
   X(wl_display_create_queue) X(wl_display_roundtrip_queue) X(wl_display_prepare_read_queue)                           \
   X(wl_display_dispatch_queue_pending) X(wl_display_read_events) X(wl_display_cancel_read) X(wl_display_flush)        \
   X(wl_display_get_fd) X(wl_display_get_error) X(wl_event_queue_destroy) X(wl_proxy_create_wrapper)                   \
   X(wl_proxy_wrapper_destroy) X(wl_proxy_set_queue) X(wl_proxy_marshal_flags) X(wl_proxy_add_listener)                \
   X(wl_proxy_get_version) X(wl_proxy_destroy)
#define WAYLAND_INTERFACES(X)                                                                                          \
   X(wl_registry_interface) X(wl_shm_interface) X(wl_shm_pool_interface) X(wl_buffer_interface) X(wl_callback_interface)

#define FUNCTION_POINTER(name) __typeof__(name) *name;
#define INTERFACE_POINTER(name) const struct wl_interface *name;
#define NAME(name) #name,

static struct {
   WAYLAND_FUNCTIONS(FUNCTION_POINTER)
   WAYLAND_INTERFACES(INTERFACE_POINTER)
} wl;

static bool open_wayland(void)
{
   static const char *const names[] = {WAYLAND_FUNCTIONS(NAME) WAYLAND_INTERFACES(NAME) NULL};
   static struct wsi_library library = WSI_LIBRARY("libwayland-client.so.0", names, &wl);
   return wsi_library_open(&library);
}

/* The protocol header's inline functions call these. Those that name an interface are not used: see the next section.
 */
#define wl_proxy_marshal_flags (*wl.wl_proxy_marshal_flags)
#define wl_proxy_add_listener (*wl.wl_proxy_add_listener)
#define wl_proxy_get_version (*wl.wl_proxy_get_version)
#define wl_proxy_destroy (*wl.wl_proxy_destroy)
#include <wayland-client-protocol.h>

/* ---- requests that make objects ---- */

static struct wl_registry *get_registry(struct wl_display *display)
{
   struct wl_proxy *proxy = (struct wl_proxy *)display;
   return (struct wl_registry *)wl_proxy_marshal_flags(proxy, WL_DISPLAY_GET_REGISTRY, wl.wl_registry_interface,
                                                       wl_proxy_get_version(proxy), 0, NULL);
}

static struct wl_shm *bind_shm(struct wl_registry *registry, uint32_t name)
{
   return (struct wl_shm *)wl_proxy_marshal_flags((struct wl_proxy *)registry, WL_REGISTRY_BIND, wl.wl_shm_interface, 1,
                                                  0, name, wl.wl_shm_interface->name, 1, NULL);
}

static struct wl_shm_pool *create_pool(struct wl_shm *shm, int fd, int32_t size_bytes)
{
   struct wl_proxy *proxy = (struct wl_proxy *)shm;
   return (struct wl_shm_pool *)wl_proxy_marshal_flags(proxy, WL_SHM_CREATE_POOL, wl.wl_shm_pool_interface,
                                                       wl_proxy_get_version(proxy), 0, NULL, fd, size_bytes);
}

static struct wl_buffer *create_buffer(struct wl_shm_pool *pool, int32_t offset_bytes, VkExtent2D extent,
                                       uint32_t pitch_bytes, uint32_t format)
{
   struct wl_proxy *proxy = (struct wl_proxy *)pool;
   return (struct wl_buffer *)wl_proxy_marshal_flags(
      proxy, WL_SHM_POOL_CREATE_BUFFER, wl.wl_buffer_interface, wl_proxy_get_version(proxy), 0, NULL, offset_bytes,
      (int32_t)extent.width, (int32_t)extent.height, (int32_t)pitch_bytes, format);
}

static struct wl_callback *create_frame_callback(struct wl_surface *surface)
{
   struct wl_proxy *proxy = (struct wl_proxy *)surface;
   return (struct wl_callback *)wl_proxy_marshal_flags(proxy, WL_SURFACE_FRAME, wl.wl_callback_interface,
                                                       wl_proxy_get_version(proxy), 0, NULL);
}

/* ---- what compositors take ---- */

static const struct layout {
   uint32_t formats[2]; /* enum wl_shm_format, without and with alpha */
   VkFormat format;     /* the one that needs no conversion */
   struct wsi_pixel pixel;
} layouts[] = {
   /* Every compositor takes the first. */
   {{WL_SHM_FORMAT_XRGB8888, WL_SHM_FORMAT_ARGB8888},
    VK_FORMAT_B8G8R8A8_UNORM,
    {.bytes = 4, .channels = {{8, 16}, {8, 8}, {8, 0}, {8, 24}}}},
   {{WL_SHM_FORMAT_XRGB2101010, WL_SHM_FORMAT_ARGB2101010},
    VK_FORMAT_A2R10G10B10_UNORM_PACK32,
    {.bytes = 4, .channels = {{10, 20}, {10, 10}, {10, 0}, {2, 30}}}},
   {{WL_SHM_FORMAT_XBGR2101010, WL_SHM_FORMAT_ABGR2101010},
    VK_FORMAT_A2B10G10R10_UNORM_PACK32,
    {.bytes = 4, .channels = {{10, 0}, {10, 10}, {10, 20}, {2, 30}}}},
};

static const struct layout *layout_of(VkFormat format)
{
   for (size_t i = 1; i < UTIL_ARRAY_SIZE(layouts); i++) {
      if (layouts[i].format == format)
         return &layouts[i];
   }
   return &layouts[0];
}

/* Our own view of the compositor: events come to a queue of ours. */
struct globals {
   struct wl_event_queue *queue;
   struct wl_registry *registry;
   struct wl_shm *shm;
   uint32_t offered; /* bit 2 i + has_alpha: layouts[i] */
};

static void on_format(void *data, struct wl_shm *shm, uint32_t format)
{
   struct globals *globals = data;
   for (size_t i = 0; i < 2 * UTIL_ARRAY_SIZE(layouts); i++) {
      if (layouts[i / 2].formats[i % 2] == format)
         globals->offered |= 1u << i;
   }
}

static const struct wl_shm_listener shm_listener = {on_format};

static void on_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
   struct globals *globals = data;
   if (globals->shm || strcmp(interface, "wl_shm") != 0)
      return;
   globals->shm = bind_shm(registry, name);
   if (globals->shm)
      wl_shm_add_listener(globals->shm, &shm_listener, globals);
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
}

static const struct wl_registry_listener registry_listener = {on_global, on_global_remove};

/* Finds wl_shm; false if that, or the compositor, is not there. globals_finish() in either case. */
static bool globals_init(struct globals *globals, struct wl_display *display)
{
   globals->queue = wl.wl_display_create_queue(display);
   struct wl_display *wrapper = globals->queue ? wl.wl_proxy_create_wrapper(display) : NULL;
   if (!wrapper)
      return false;
   wl.wl_proxy_set_queue((struct wl_proxy *)wrapper, globals->queue);
   globals->registry = get_registry(wrapper);
   wl.wl_proxy_wrapper_destroy(wrapper);
   if (!globals->registry)
      return false;
   wl_registry_add_listener(globals->registry, &registry_listener, globals);
   return wl.wl_display_roundtrip_queue(display, globals->queue) >= 0 && globals->shm;
}

static void globals_finish(struct globals *globals)
{
   if (globals->shm)
      wl_shm_destroy(globals->shm);
   if (globals->registry)
      wl_registry_destroy(globals->registry);
   if (globals->queue)
      wl.wl_event_queue_destroy(globals->queue);
}

/* ---- surfaces ---- */

enum { NUM_BASE_FORMATS = 4, MAX_FORMATS = NUM_BASE_FORMATS + UTIL_ARRAY_SIZE(layouts) - 1 };

struct surface {
   struct wsi_surface base;
   struct wl_display *display;
   struct wl_surface *native;
   VkSurfaceFormatKHR formats[MAX_FORMATS];
   uint32_t num_formats;
};

/* The formats of 8 bits, and what else the compositor takes. */
static void list_formats(struct surface *surface)
{
   static const VkFormat base[NUM_BASE_FORMATS] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB,
                                                   VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB};
   struct globals globals = {0};
   /* The formats come after wl_shm has been bound. */
   if (globals_init(&globals, surface->display) &&
       wl.wl_display_roundtrip_queue(surface->display, globals.queue) < 0)
      globals.offered = 0;
   globals_finish(&globals);
   for (uint32_t i = 0; i < NUM_BASE_FORMATS; i++)
      surface->formats[surface->num_formats++] = (VkSurfaceFormatKHR){base[i], VK_COLOR_SPACE_SRGB_NONLINEAR_KHR};
   for (uint32_t i = 1; i < UTIL_ARRAY_SIZE(layouts); i++) {
      if ((globals.offered >> 2 * i & 3) == 3)
         surface->formats[surface->num_formats++] =
            (VkSurfaceFormatKHR){layouts[i].format, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR};
   }
}

static void destroy(struct wsi_surface *surface)
{
   util_mfree(surface);
}

static VkResult get_capabilities(struct wsi_surface *base, struct wsi_capabilities *capabilities)
{
   const struct surface *surface = (const struct surface *)base;
   if (wl.wl_display_get_error(surface->display) != 0)
      return VK_ERROR_SURFACE_LOST_KHR;
   *capabilities = (struct wsi_capabilities){
      .current_extent = {WSI_ANY_EXTENT, WSI_ANY_EXTENT},
      .min_extent = {1, 1},
      .max_extent = {UINT32_MAX, UINT32_MAX}, /* what images can be */
      .composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
   };
   return VK_SUCCESS;
}

static VkResult get_formats(struct wsi_surface *base, const VkSurfaceFormatKHR **formats_out, uint32_t *count)
{
   const struct surface *surface = (const struct surface *)base;
   *formats_out = surface->formats;
   *count = surface->num_formats;
   return VK_SUCCESS;
}

/* ---- targets ---- */

struct buffer {
   struct wl_buffer *native;
   uint8_t *data;
   bool is_busy;     /* the compositor may read it */
   VkRect2D missing; /* what has changed since it was written; empty: nothing */
};

struct target {
   struct wsi_target base;
   struct wl_display *display;
   struct globals globals;
   struct wl_surface *surface; /* a wrapper: its events come to our queue */
   struct wl_callback *callback; /* of the last frame; NULL: has come, or none */
   VkExtent2D extent;
   uint32_t format; /* enum wl_shm_format */
   struct wsi_pixel pixel;
   uint32_t pitch_bytes;
   uint8_t *data; /* of all buffers */
   size_t data_bytes;
   int interrupt_fd;
   atomic_bool is_interrupted;
   struct buffer buffers[NUM_BUFFERS];
};

static void on_release(void *data, struct wl_buffer *native)
{
   ((struct buffer *)data)->is_busy = false;
}

static const struct wl_buffer_listener buffer_listener = {on_release};

static void on_frame(void *data, struct wl_callback *callback, uint32_t time_ms)
{
   struct target *target = data;
   wl_callback_destroy(callback);
   target->callback = NULL;
}

static const struct wl_callback_listener callback_listener = {on_frame};

/* False if wl_shm, or the compositor, is not there. */
static bool connect_target(struct target *target, const struct surface *surface)
{
   if (!globals_init(&target->globals, surface->display))
      return false;
   target->surface = wl.wl_proxy_create_wrapper(surface->native);
   if (target->surface)
      wl.wl_proxy_set_queue((struct wl_proxy *)target->surface, target->globals.queue);
   return target->surface != NULL;
}

static bool make_buffers(struct target *target, int fd)
{
   const size_t size_bytes = target->data_bytes / NUM_BUFFERS;
   struct wl_shm_pool *pool = create_pool(target->globals.shm, fd, (int32_t)target->data_bytes);
   if (!pool)
      return false;
   for (int i = 0; i < NUM_BUFFERS; i++) {
      struct buffer *buffer = &target->buffers[i];
      buffer->data = target->data + (size_t)i * size_bytes;
      buffer->missing = (VkRect2D){{0, 0}, target->extent};
      buffer->native =
         create_buffer(pool, (int32_t)((size_t)i * size_bytes), target->extent, target->pitch_bytes, target->format);
      if (!buffer->native)
         break;
      wl_buffer_add_listener(buffer->native, &buffer_listener, buffer);
   }
   wl_shm_pool_destroy(pool);
   return target->buffers[NUM_BUFFERS - 1].native != NULL;
}

static bool share_memory(struct target *target)
{
   const size_t size_bytes = (size_t)target->pitch_bytes * target->extent.height;
   if (size_bytes > INT32_MAX / NUM_BUFFERS) /* what the protocol can say */
      return false;
   const int fd = memfd_create("vk_swrast-window", MFD_CLOEXEC);
   if (fd < 0)
      return false;
   target->data_bytes = size_bytes * NUM_BUFFERS;
   void *data = MAP_FAILED;
   if (ftruncate(fd, (off_t)target->data_bytes) == 0)
      data = mmap(NULL, target->data_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (data != MAP_FAILED)
      target->data = data;
   const bool is_made = target->data && make_buffers(target, fd);
   close(fd);
   return is_made;
}

static void target_destroy(struct wsi_target *base)
{
   struct target *target = (struct target *)base;
   if (target->callback)
      wl_callback_destroy(target->callback);
   for (int i = 0; i < NUM_BUFFERS; i++) {
      if (target->buffers[i].native)
         wl_buffer_destroy(target->buffers[i].native);
   }
   if (target->surface)
      wl.wl_proxy_wrapper_destroy(target->surface);
   globals_finish(&target->globals);
   wl.wl_display_flush(target->display);
   if (target->data)
      munmap(target->data, target->data_bytes);
   if (target->interrupt_fd >= 0)
      close(target->interrupt_fd);
   util_mfree(target);
}

static VkResult target_create(struct wsi_surface *base, const struct wsi_target_info *info,
                              struct wsi_target **target_out)
{
   const struct surface *surface = (const struct surface *)base;
   struct target *target = util_calloc(1, sizeof(*target));
   if (!target)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   target->base.refresh_ns = REFRESH_NS;
   target->base.has_own_rhythm = true;
   target->display = surface->display;
   target->extent = info->extent;
   target->pitch_bytes = info->extent.width * 4;
   const bool has_alpha = info->composite_alpha == VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR;
   target->format = layout_of(info->format)->formats[has_alpha];
   target->pixel = layout_of(info->format)->pixel;
   if (!has_alpha)
      target->pixel.channels[3].bits = 0;
   target->interrupt_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (target->interrupt_fd < 0)
      goto destroy_target;
   result = VK_ERROR_SURFACE_LOST_KHR;
   if (!connect_target(target, surface))
      goto destroy_target;
   result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!share_memory(target))
      goto destroy_target;
   *target_out = &target->base;
   return VK_SUCCESS;

destroy_target:
   target_destroy(&target->base);
   return result;
}

static void interrupt(struct wsi_target *base)
{
   struct target *target = (struct target *)base;
   const uint64_t one = 1;
   atomic_store(&target->is_interrupted, true);
   /* Fails only when the counter is full, and then the descriptor is readable anyway. */
   const ssize_t written = write(target->interrupt_fd, &one, sizeof(one));
   (void)written;
}

/* ---- showing ---- */

enum wait_result { WAIT_AGAIN, WAIT_OVER, WAIT_BROKEN };

/* Sends what is to be sent, and handles events of our queue once there are any. WAIT_OVER: the time is over, or, if
 * that counts, somebody interrupts. */
static enum wait_result wait_events(struct target *target, uint64_t deadline_ns, bool is_interruptible)
{
   if (wl.wl_display_prepare_read_queue(target->display, target->globals.queue) != 0)
      return wl.wl_display_dispatch_queue_pending(target->display, target->globals.queue) < 0 ? WAIT_BROKEN : WAIT_AGAIN;

   const bool is_full = wl.wl_display_flush(target->display) < 0 && errno == EAGAIN;
   const uint64_t now_ns = util_now_ns();
   const int timeout_ms = now_ns >= deadline_ns ? 0 : (int)UTIL_MIN((deadline_ns - now_ns) / 1000000 + 1, 1000);
   struct pollfd fds[2] = {
      {.fd = wl.wl_display_get_fd(target->display), .events = (short)(POLLIN | (is_full ? POLLOUT : 0))},
      {.fd = target->interrupt_fd, .events = POLLIN},
   };
   const int num_ready = poll(fds, is_interruptible ? 2 : 1, timeout_ms);
   const int reason = errno;
   if (num_ready > 0 && fds[0].revents & (POLLIN | POLLERR | POLLHUP)) {
      if (wl.wl_display_read_events(target->display) < 0)
         return WAIT_BROKEN;
   } else {
      wl.wl_display_cancel_read(target->display);
   }
   if (wl.wl_display_dispatch_queue_pending(target->display, target->globals.queue) < 0 || (num_ready < 0 && reason != EINTR))
      return WAIT_BROKEN;
   const bool is_interrupted = is_interruptible && atomic_load(&target->is_interrupted);
   return is_interrupted || util_now_ns() >= deadline_ns ? WAIT_OVER : WAIT_AGAIN;
}

static struct buffer *find_free(struct target *target)
{
   for (int i = 0; i < NUM_BUFFERS; i++) {
      if (!target->buffers[i].is_busy)
         return &target->buffers[i];
   }
   return NULL;
}

/* Waits for the callback of the frame before, unless the swapchain is retired: then the frames that are left follow
 * each other as fast as buffers come back. False if the compositor is gone. */
static bool wait_turn(struct target *target, VkPresentModeKHR mode)
{
   const uint64_t deadline_ns = util_deadline_ns(MAX_CALLBACK_NS);
   enum wait_result waited = WAIT_AGAIN;
   if (mode == VK_PRESENT_MODE_FIFO_KHR) {
      while (target->callback && waited == WAIT_AGAIN)
         waited = wait_events(target, deadline_ns, true);
   }
   while (waited == WAIT_AGAIN && !find_free(target))
      waited = wait_events(target, deadline_ns, true);

   const uint64_t last_ns = UTIL_MIN(deadline_ns, util_deadline_ns(MAX_LAST_BUFFER_NS));
   while (waited != WAIT_BROKEN && atomic_load(&target->is_interrupted) && !find_free(target) &&
          util_now_ns() < last_ns)
      waited = wait_events(target, last_ns, false);
   return waited != WAIT_BROKEN;
}

static VkRect2D unite(VkRect2D a, VkRect2D b)
{
   if (a.extent.width == 0)
      return b;
   const int32_t x0 = UTIL_MIN(a.offset.x, b.offset.x), y0 = UTIL_MIN(a.offset.y, b.offset.y);
   const int32_t x1 = UTIL_MAX(a.offset.x + (int32_t)a.extent.width, b.offset.x + (int32_t)b.extent.width);
   const int32_t y1 = UTIL_MAX(a.offset.y + (int32_t)a.extent.height, b.offset.y + (int32_t)b.extent.height);
   return (VkRect2D){{x0, y0}, {(uint32_t)(x1 - x0), (uint32_t)(y1 - y0)}};
}

/* Brings a buffer up to date with the frame, and notes for the others what they miss. */
static VkResult fill_buffer(struct target *target, struct buffer *buffer, const struct wsi_frame *frame)
{
   for (int i = 0; i < NUM_BUFFERS; i++)
      target->buffers[i].missing = unite(target->buffers[i].missing, frame->damage);
   const VkRect2D area = buffer->missing;
   uint8_t *rows = buffer->data + (size_t)area.offset.y * target->pitch_bytes + (size_t)area.offset.x * 4;
   const VkResult result = wsi_frame_read(frame, area, &target->pixel, rows, target->pitch_bytes);
   if (result == VK_SUCCESS)
      buffer->missing = (VkRect2D){0};
   return result;
}

static void commit(struct target *target, struct buffer *buffer, const struct wsi_frame *frame)
{
   wl_surface_attach(target->surface, buffer->native, 0, 0);
   if (wl_surface_get_version(target->surface) >= WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION)
      wl_surface_damage_buffer(target->surface, frame->damage.offset.x, frame->damage.offset.y,
                               (int32_t)frame->damage.extent.width, (int32_t)frame->damage.extent.height);
   else
      wl_surface_damage(target->surface, 0, 0, INT32_MAX, INT32_MAX); /* its unit depends on the application's scale */
   if (frame->mode == VK_PRESENT_MODE_FIFO_KHR && !target->callback) {
      target->callback = create_frame_callback(target->surface);
      if (target->callback)
         wl_callback_add_listener(target->callback, &callback_listener, target);
   }
   buffer->is_busy = true;
   wl_surface_commit(target->surface);
}

static VkResult show(struct wsi_target *base, const struct wsi_frame *frame)
{
   struct target *target = (struct target *)base;
   if (!wait_turn(target, frame->mode))
      return VK_ERROR_SURFACE_LOST_KHR;

   struct buffer *buffer = find_free(target);
   if (!buffer) {
      /* The compositor does not even take what it has; the next frame brings what this one would have. */
      for (int i = 0; i < NUM_BUFFERS; i++)
         target->buffers[i].missing = unite(target->buffers[i].missing, frame->damage);
      return VK_SUCCESS;
   }
   const VkResult result = fill_buffer(target, buffer, frame);
   if (result != VK_SUCCESS)
      return result;
   commit(target, buffer, frame);
   /* Sends, and takes what has come. */
   return wait_events(target, 0, true) == WAIT_BROKEN ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

static const struct wsi_backend wayland_backend = {
   .destroy = destroy,
   .capabilities = get_capabilities,
   .formats = get_formats,
   .present_modes = WSI_MODE_BIT(VK_PRESENT_MODE_MAILBOX_KHR) | WSI_MODE_BIT(VK_PRESENT_MODE_FIFO_KHR) |
                    WSI_MODE_BIT(VK_PRESENT_MODE_FIFO_LATEST_READY_EXT) | WSI_SHARED_MODES,
   .target_create = target_create,
   .target_destroy = target_destroy,
   .show = show,
   .interrupt = interrupt,
};

VkResult wsi_wayland_create(struct wl_display *display, struct wl_surface *native, struct wsi_surface **surface_out)
{
   if (!open_wayland())
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct surface *surface = util_calloc(1, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->base.backend = &wayland_backend;
   surface->display = display;
   surface->native = native;
   list_formats(surface);
   *surface_out = &surface->base;
   return VK_SUCCESS;
}
