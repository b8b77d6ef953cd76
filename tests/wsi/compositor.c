/* SPDX-License-Identifier: MIT
 * A Wayland compositor for tests. */
#include "tests/wsi/compositor.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wayland-server.h>

enum { FRAME_MS = 16 };

/* ---- what nobody needs here ---- */

static void destroy_resource(struct wl_client *client, struct wl_resource *resource)
{
   wl_resource_destroy(resource);
}

static void ignore_region(struct wl_client *client, struct wl_resource *resource, struct wl_resource *region)
{
}

static void ignore_int(struct wl_client *client, struct wl_resource *resource, int32_t value)
{
}

static void ignore_offset(struct wl_client *client, struct wl_resource *resource, int32_t x, int32_t y)
{
}

/* ---- the surface ---- */

static void attach(struct wl_client *client, struct wl_resource *resource, struct wl_resource *buffer, int32_t x,
                   int32_t y)
{
   ((struct compositor *)wl_resource_get_user_data(resource))->buffer = buffer;
}

static void add_damage(struct wl_client *client, struct wl_resource *resource, int32_t x, int32_t y, int32_t width,
                       int32_t height)
{
   struct compositor *c = wl_resource_get_user_data(resource);
   const int32_t x1 = x + width, y1 = y + height;
   const bool is_empty = c->damage[2] <= c->damage[0];
   c->damage[0] = is_empty || x < c->damage[0] ? x : c->damage[0];
   c->damage[1] = is_empty || y < c->damage[1] ? y : c->damage[1];
   c->damage[2] = is_empty || x1 > c->damage[2] ? x1 : c->damage[2];
   c->damage[3] = is_empty || y1 > c->damage[3] ? y1 : c->damage[3];
}

static void remove_callback(struct wl_resource *resource)
{
   struct compositor *c = wl_resource_get_user_data(resource);
   for (uint32_t i = 0; i < c->num_callbacks; i++) {
      if (c->callbacks[i] == resource) {
         memmove(&c->callbacks[i], &c->callbacks[i + 1], (c->num_callbacks - i - 1) * sizeof(c->callbacks[0]));
         c->num_callbacks--;
         break;
      }
   }
}

static void request_frame(struct wl_client *client, struct wl_resource *resource, uint32_t id)
{
   struct compositor *c = wl_resource_get_user_data(resource);
   struct wl_resource *callback = wl_resource_create(client, &wl_callback_interface, 1, id);
   wl_resource_set_implementation(callback, NULL, c, remove_callback);
   if (c->num_callbacks < COMPOSITOR_MAX_CALLBACKS)
      c->callbacks[c->num_callbacks++] = callback;
   if (c->num_callbacks == 1)
      wl_event_source_timer_update(c->timer, FRAME_MS);
   else
      atomic_fetch_add(&c->num_early, 1);
}

static void commit(struct wl_client *client, struct wl_resource *resource)
{
   struct compositor *c = wl_resource_get_user_data(resource);
   struct wl_shm_buffer *buffer = c->buffer ? wl_shm_buffer_get(c->buffer) : NULL;
   if (!buffer)
      return;
   usleep(atomic_load(&c->commit_us));
   wl_shm_buffer_begin_access(buffer);
   const int32_t width = wl_shm_buffer_get_width(buffer), height = wl_shm_buffer_get_height(buffer);
   const char *rows = wl_shm_buffer_get_data(buffer);
   for (int32_t y = c->damage[1]; y < c->damage[3] && y < height; y++) {
      for (int32_t x = c->damage[0]; x < c->damage[2] && x < width; x++)
         memcpy(&c->pixels[y * COMPOSITOR_MAX_EDGE + x], rows + y * wl_shm_buffer_get_stride(buffer) + x * 4, 4);
   }
   wl_shm_buffer_end_access(buffer);
   if (atomic_load(&c->releases))
      wl_buffer_send_release(c->buffer);
   c->buffer = NULL;
   memset(c->damage, 0, sizeof(c->damage));
   atomic_fetch_add(&c->num_commits, 1);
}

static const struct wl_surface_interface surface_functions = {
   .destroy = destroy_resource,
   .attach = attach,
   .damage = add_damage,
   .frame = request_frame,
   .set_opaque_region = ignore_region,
   .set_input_region = ignore_region,
   .commit = commit,
   .set_buffer_transform = ignore_int,
   .set_buffer_scale = ignore_int,
   .damage_buffer = add_damage,
   .offset = ignore_offset,
};

static int send_callbacks(void *data)
{
   struct compositor *c = data;
   if (!atomic_load(&c->is_visible))
      return 0;
   while (c->num_callbacks) {
      struct wl_resource *callback = c->callbacks[0];
      wl_callback_send_done(callback, 0);
      wl_resource_destroy(callback); /* and out of the list */
   }
   return 0;
}

/* ---- the compositor ---- */

static void create_surface(struct wl_client *client, struct wl_resource *resource, uint32_t id)
{
   struct wl_resource *surface =
      wl_resource_create(client, &wl_surface_interface, wl_resource_get_version(resource), id);
   wl_resource_set_implementation(surface, &surface_functions, wl_resource_get_user_data(resource), NULL);
}

static void create_region(struct wl_client *client, struct wl_resource *resource, uint32_t id)
{
   wl_client_post_no_memory(client);
}

static const struct wl_compositor_interface compositor_functions = {create_surface, create_region};

static void bind_compositor(struct wl_client *client, void *data, uint32_t version, uint32_t id)
{
   struct wl_resource *resource = wl_resource_create(client, &wl_compositor_interface, (int)version, id);
   wl_resource_set_implementation(resource, &compositor_functions, data, NULL);
}

static int quit(int fd, uint32_t mask, void *data)
{
   wl_display_terminate(((struct compositor *)data)->display);
   return 0;
}

static void *run(void *data)
{
   struct compositor *c = data;
   wl_display_run(c->display);
   wl_display_destroy_clients(c->display);
   wl_event_source_remove(c->timer);
   wl_event_source_remove(c->quit_source);
   wl_display_destroy(c->display);
   return NULL;
}

bool compositor_start(struct compositor *c)
{
   int fds[2];
   memset(c, 0, sizeof(*c));
   atomic_store(&c->is_visible, true);
   atomic_store(&c->releases, true);
   if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0 || pipe(c->quit_fds) != 0)
      return false;
   c->client_fd = fds[1];
   c->display = wl_display_create();
   if (!c->display || wl_display_init_shm(c->display) != 0 || !wl_client_create(c->display, fds[0]))
      return false;
   if (!wl_display_add_shm_format(c->display, WL_SHM_FORMAT_XRGB2101010) ||
       !wl_display_add_shm_format(c->display, WL_SHM_FORMAT_ARGB2101010))
      return false;
   wl_global_create(c->display, &wl_compositor_interface, 4, c, bind_compositor);
   struct wl_event_loop *loop = wl_display_get_event_loop(c->display);
   c->timer = wl_event_loop_add_timer(loop, send_callbacks, c);
   c->quit_source = wl_event_loop_add_fd(loop, c->quit_fds[0], WL_EVENT_READABLE, quit, c);
   return pthread_create(&c->thread, NULL, run, c) == 0;
}

void compositor_stop(struct compositor *c)
{
   if (c->display) {
      close(c->quit_fds[1]);
      pthread_join(c->thread, NULL);
      close(c->quit_fds[0]);
   }
   c->display = NULL;
}

uint32_t compositor_pixel(const struct compositor *c, uint32_t x, uint32_t y)
{
   return c->pixels[y * COMPOSITOR_MAX_EDGE + x];
}
