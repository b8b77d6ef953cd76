/* SPDX-License-Identifier: MIT
 * From Xlib to XCB. */
#include "wsi/x11_xlib.h"

#include "wsi/library.h"
#include "wsi/x11_xcb.h"

#include <X11/Xlib-xcb.h>

static struct {
   __typeof__(XGetXCBConnection) *XGetXCBConnection;
} xlib;

static bool open_xlib(void)
{
   static const char *const names[] = {"XGetXCBConnection", NULL};
   static struct wsi_library library = WSI_LIBRARY("libX11-xcb.so.1", names, &xlib);
   return wsi_library_open(&library);
}

VkResult wsi_xlib_create(Display *display, Window window, struct wsi_surface **surface)
{
   if (!open_xlib())
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   return wsi_xcb_create(xlib.XGetXCBConnection(display), (xcb_window_t)window, surface);
}

bool wsi_xlib_is_visual_supported(Display *display, VisualID visual)
{
   return open_xlib() && wsi_xcb_is_visual_supported(xlib.XGetXCBConnection(display), (xcb_visualid_t)visual);
}
