/* SPDX-License-Identifier: MIT
 * Surfaces of Wayland.
 * Spec: Window System Integration, "Wayland Platform".
 * The connection is the application's; our events have a queue of their own. */
#pragma once

#include "wsi/surface.h"

struct wl_display;
struct wl_surface;

/* VK_ERROR_OUT_OF_HOST_MEMORY, also where libwayland-client cannot be opened. */
UTIL_MUST_CHECK VkResult wsi_wayland_create(struct wl_display *display, struct wl_surface *native,
                                            struct wsi_surface **surface);
