/* SPDX-License-Identifier: MIT
 * Frames as those who show them read them: texels of a swapchain's image in a window's layout. */
#include "util/alloc.h"
#include "util/size.h"
#include "wsi/swapchain_internal.h"

VkResult wsi_frame_read(const struct wsi_frame *frame, VkRect2D area, const struct wsi_pixel *pixel, void *rows,
                        size_t pitch_bytes)
{
   enum { STRIP_ROWS = 64 }; /* a row of tiles */
   const struct wsi_swapchain *swapchain = frame->swapchain;
   const bool is_linear = swapchain->color_space == VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT;
   if (wsi_is_same_layout(swapchain->format, pixel)) {
      swapchain->ops->read(swapchain->data, frame->image, area, rows, pitch_bytes);
      return VK_SUCCESS;
   }
   const size_t row_bytes = (size_t)area.extent.width * wsi_texel_bytes(swapchain->format);
   uint8_t *strip = util_malloc64(util_size_mul(row_bytes, STRIP_ROWS));
   if (!strip)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const uint32_t end = (uint32_t)area.offset.y + area.extent.height;
   for (uint32_t y = (uint32_t)area.offset.y; y < end;) {
      /* Strips end where tiles do. */
      const uint32_t next = UTIL_MIN(end, (y / STRIP_ROWS + 1) * STRIP_ROWS);
      const VkRect2D part = {{area.offset.x, (int32_t)y}, {area.extent.width, next - y}};
      swapchain->ops->read(swapchain->data, frame->image, part, strip, row_bytes);
      for (uint32_t row = y; row < next; row++) {
         uint8_t *out = (uint8_t *)rows + (size_t)(row - (uint32_t)area.offset.y) * pitch_bytes;
         wsi_convert(swapchain->format, is_linear, strip + (row - y) * row_bytes, pixel, out, area.extent.width);
      }
      y = next;
   }
   util_mfree(strip);
   return VK_SUCCESS;
}
