/* SPDX-License-Identifier: MIT
 * Surfaces without a display: frames are shown to nobody, but with a display's timing; VK_SWRAST_PRESENT_DUMP makes
 * them visible.
 * Spec: Window System Integration, "Headless Surfaces". */
#include "util/alloc.h"
#include "wsi/backend.h"

#define REFRESH_NS 16666667 /* 60 Hz */

static void destroy(struct wsi_surface *surface)
{
   util_mfree(surface);
}

static VkResult get_capabilities(struct wsi_surface *surface, struct wsi_capabilities *capabilities)
{
   *capabilities = (struct wsi_capabilities){
      .current_extent = {WSI_ANY_EXTENT, WSI_ANY_EXTENT},
      .min_extent = {1, 1},
      .max_extent = {UINT32_MAX, UINT32_MAX}, /* what images can be */
      .composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR |
                         VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
   };
   return VK_SUCCESS;
}

static VkResult get_formats(struct wsi_surface *surface, const VkSurfaceFormatKHR **formats_out, uint32_t *count)
{
   static const VkSurfaceFormatKHR formats[] = {
      {VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_A8B8G8R8_UNORM_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_A8B8G8R8_SRGB_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_A2R10G10B10_UNORM_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R5G6B5_UNORM_PACK16, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R16G16B16A16_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R16G16B16A16_SFLOAT, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R16G16B16A16_SFLOAT, VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT},
   };
   *formats_out = formats;
   *count = UTIL_ARRAY_SIZE(formats);
   return VK_SUCCESS;
}

static VkResult target_create(struct wsi_surface *surface, const struct wsi_target_info *info,
                              struct wsi_target **target_out)
{
   struct wsi_target *target = util_calloc(1, sizeof(*target));
   if (!target)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   target->refresh_ns = REFRESH_NS;
   *target_out = target;
   return VK_SUCCESS;
}

static void target_destroy(struct wsi_target *target)
{
   util_mfree(target);
}

static VkResult show(struct wsi_target *target, const struct wsi_frame *frame)
{
   return VK_SUCCESS;
}

static const struct wsi_backend headless_backend = {
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

VkResult wsi_headless_create(struct wsi_surface **surface_out)
{
   struct wsi_surface *surface = util_calloc(1, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->backend = &headless_backend;
   *surface_out = surface;
   return VK_SUCCESS;
}
