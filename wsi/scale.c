/* SPDX-License-Identifier: MIT
 * Scaling of whole frames, by the processor: for swapchains that ask for it, while their size is not the window's. */
#include "wsi/scale.h"

#include <string.h>

static int32_t offset_along(VkPresentGravityFlagBitsEXT gravity, uint32_t size, uint32_t window)
{
   const int32_t room = (int32_t)window - (int32_t)size;
   switch (gravity) {
   case VK_PRESENT_GRAVITY_MAX_BIT_EXT:
      return room;
   case VK_PRESENT_GRAVITY_CENTERED_BIT_EXT:
      return room / 2;
   default:
      return 0;
   }
}

/* The largest size of the image's shape that fits. */
static VkExtent2D fit(VkExtent2D image, VkExtent2D window)
{
   const uint64_t by_width = (uint64_t)window.width * image.height, by_height = (uint64_t)window.height * image.width;
   if (by_width <= by_height)
      return (VkExtent2D){window.width, (uint32_t)UTIL_MAX(by_width / image.width, 1)};
   return (VkExtent2D){(uint32_t)UTIL_MAX(by_height / image.height, 1), window.height};
}

VkRect2D wsi_scale_rect(const struct wsi_scaling *scaling, VkExtent2D image, VkExtent2D window)
{
   if (scaling->mode == VK_PRESENT_SCALING_STRETCH_BIT_EXT)
      return (VkRect2D){{0, 0}, window};
   const VkExtent2D size = scaling->mode == VK_PRESENT_SCALING_ASPECT_RATIO_STRETCH_BIT_EXT ? fit(image, window) : image;
   return (VkRect2D){{offset_along(scaling->gravity_x, size.width, window.width),
                      offset_along(scaling->gravity_y, size.height, window.height)},
                     size};
}

/* The part of [at, at + size) that is on a window of `window` pixels. */
static void clip(int32_t at, uint32_t size, uint32_t window, uint32_t *first, uint32_t *end)
{
   *first = (uint32_t)UTIL_CLAMP((int64_t)at, 0, (int64_t)window);
   *end = (uint32_t)UTIL_CLAMP((int64_t)at + size, 0, (int64_t)window);
}

/* The texel below the middle of a pixel. */
static uint32_t nearest(uint32_t pixel, int32_t at, uint32_t size, uint32_t image)
{
   const uint64_t from_edge = (uint64_t)((int64_t)pixel - at);
   return (uint32_t)((2 * from_edge + 1) * image / (2 * (uint64_t)size));
}

void wsi_scale(const struct wsi_rows *image, VkRect2D rect, const struct wsi_rows *window, uint32_t pixel_bytes)
{
   uint32_t x0, x1, y0, y1;
   clip(rect.offset.x, rect.extent.width, window->extent.width, &x0, &x1);
   clip(rect.offset.y, rect.extent.height, window->extent.height, &y0, &y1);
   for (uint32_t y = 0; y < window->extent.height; y++) {
      uint8_t *out = (uint8_t *)window->data + y * window->pitch_bytes;
      memset(out, 0, (size_t)window->extent.width * pixel_bytes);
      if (y < y0 || y >= y1)
         continue;
      const uint8_t *in = (const uint8_t *)image->data +
                          nearest(y, rect.offset.y, rect.extent.height, image->extent.height) * image->pitch_bytes;
      for (uint32_t x = x0; x < x1; x++) {
         const uint32_t texel = nearest(x, rect.offset.x, rect.extent.width, image->extent.width);
         if (pixel_bytes == 4)
            memcpy(out + (size_t)x * 4, in + (size_t)texel * 4, 4);
         else
            memcpy(out + (size_t)x * 2, in + (size_t)texel * 2, 2);
      }
   }
}
