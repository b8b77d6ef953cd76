/* SPDX-License-Identifier: MIT
 * Surfaces on X11 windows.
 * Spec: Window System Integration, "XCB Platform", "Xlib Platform".
 * The connection is the application's: errors of our requests are taken out of it, no event is asked for. */
#pragma once

#include "wsi/surface.h"

#include <xcb/xcb.h>

/* VK_ERROR_OUT_OF_HOST_MEMORY, also where libxcb cannot be opened. */
UTIL_MUST_CHECK VkResult wsi_xcb_create(xcb_connection_t *connection, xcb_window_t window,
                                        struct wsi_surface **surface);
/* True if windows of that visual can be presented to. */
bool wsi_xcb_is_visual_supported(xcb_connection_t *connection, xcb_visualid_t visual);
