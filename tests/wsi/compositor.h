/* SPDX-License-Identifier: MIT
 * A Wayland compositor for tests, as small as can be: one client over a socket pair, one surface, its pixels kept as
 * they were committed, with the damage that was given and no more. Runs in a thread of its own. Threads:
 * compositor_pixel() and the counters while the client waits for nothing; the rest from the test's thread. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wl_display;
struct wl_event_source;
struct wl_resource;

enum { COMPOSITOR_MAX_EDGE = 1024, COMPOSITOR_MAX_CALLBACKS = 16 };

struct compositor {
   int client_fd;          /* for wl_display_connect_to_fd() */
   atomic_bool is_visible; /* sends frame callbacks, every 16 ms */
   atomic_bool releases;   /* gives buffers back */
   atomic_uint commit_us;  /* how long it takes over each commit */
   atomic_uint num_commits, num_early; /* early: with a callback of the frame before still to come */

   /* The compositor's thread's: */
   pthread_t thread;
   struct wl_display *display;
   struct wl_event_source *timer, *quit_source;
   int quit_fds[2];
   struct wl_resource *buffer; /* attached */
   int32_t damage[4];          /* x0, y0, x1, y1 */
   struct wl_resource *callbacks[COMPOSITOR_MAX_CALLBACKS];
   uint32_t num_callbacks;
   uint32_t pixels[COMPOSITOR_MAX_EDGE * COMPOSITOR_MAX_EDGE];
};

/* False where it cannot be started. */
bool compositor_start(struct compositor *compositor);
/* Ends the thread and the connection. */
void compositor_stop(struct compositor *compositor);
uint32_t compositor_pixel(const struct compositor *compositor, uint32_t x, uint32_t y);
