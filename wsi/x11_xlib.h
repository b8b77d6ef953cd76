/* SPDX-License-Identifier: MIT
 * Surfaces on X11 windows of Xlib: the connection below the Display does the work.
 * Spec: Window System Integration, "Xlib Platform". */
#pragma once

#include "wsi/surface.h"

#include <X11/Xlib.h>

/* VK_ERROR_OUT_OF_HOST_MEMORY, also where libX11-xcb or libxcb cannot be opened. */
UTIL_MUST_CHECK VkResult wsi_xlib_create(Display *display, Window window, struct wsi_surface **surface);
/* True if windows of that visual can be presented to. */
bool wsi_xlib_is_visual_supported(Display *display, VisualID visual);
