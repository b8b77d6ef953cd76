/* SPDX-License-Identifier: MIT
 * What can be presented to a surface.
 * Spec: Window System Integration, "Surface Queries", "Device Group Queries". */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/instance/instance.h"
#include "icd/wsi/present_timing.h"
#include "icd/wsi/surface.h"
#include "runtime/format/format.h"

enum { MAX_MODES = 7, MAX_FORMATS = 32 };

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice physicalDevice,
                                                                      uint32_t queueFamilyIndex, VkSurfaceKHR surface,
                                                                      VkBool32 *pSupported)
{
   /* Presenting is copying: every queue can, to windows of which we know how their pixels look. */
   const VkSurfaceFormatKHR *formats;
   uint32_t count = 0;
   const VkResult result = wsi_surface_formats(icd_surface_from_handle(surface)->wsi, &formats, &count);
   *pSupported = count > 0;
   return result;
}

/* ---- capabilities ---- */

/* What any presentable image can be used for. */
static VkImageUsageFlags supported_usage(void)
{
   static const struct {
      VkFormatFeatureFlags2 feature;
      VkImageUsageFlags usage;
   } rows[] = {
      {VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT, VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
      {VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT, VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      {VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT, VK_IMAGE_USAGE_SAMPLED_BIT},
      {VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT, VK_IMAGE_USAGE_STORAGE_BIT},
      {VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT,
       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT},
   };
   const VkFormatFeatureFlags2 features = rt_format_image_features(VK_FORMAT_B8G8R8A8_UNORM, VK_IMAGE_TILING_OPTIMAL);
   VkImageUsageFlags usage = 0;
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++)
      usage |= features & rows[i].feature ? rows[i].usage : 0;
   return usage;
}

/* Of VK_GOOGLE_surfaceless_query: what can be said without a surface. */
static const VkSurfaceCapabilitiesKHR surfaceless_capabilities = {
   .minImageCount = UINT32_MAX,
   .maxImageCount = UINT32_MAX,
   .currentExtent = {UINT32_MAX, UINT32_MAX},
   .minImageExtent = {1, 1},
   .maxImageExtent = {1, 1},
   .maxImageArrayLayers = 1,
   .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
   .currentTransform = VK_SURFACE_TRANSFORM_INHERIT_BIT_KHR,
   .supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
};

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice physicalDevice,
                                                                           VkSurfaceKHR surface,
                                                                           VkSurfaceCapabilitiesKHR *pCapabilities)
{
   const VkPhysicalDeviceLimits *limits = &icd_physical_device_from_handle(physicalDevice)->properties.core.limits;
   const uint32_t max = limits->maxImageDimension2D;
   struct wsi_capabilities wsi;
   if (!surface) {
      *pCapabilities = surfaceless_capabilities;
      pCapabilities->supportedUsageFlags = supported_usage();
      return VK_SUCCESS;
   }
   const VkResult result = wsi_surface_capabilities(icd_surface_from_handle(surface)->wsi, &wsi);
   if (result != VK_SUCCESS)
      return result;
   *pCapabilities = (VkSurfaceCapabilitiesKHR){
      .minImageCount = wsi_min_images(VK_PRESENT_MODE_FIFO_KHR),
      .maxImageCount = 0, /* no limit but memory */
      .currentExtent = wsi.current_extent,
      .minImageExtent = wsi.min_extent,
      .maxImageExtent = {UTIL_MIN(wsi.max_extent.width, max), UTIL_MIN(wsi.max_extent.height, max)},
      .maxImageArrayLayers = 1,
      .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .supportedCompositeAlpha = wsi.composite_alpha,
      .supportedUsageFlags = supported_usage(),
   };
   return VK_SUCCESS;
}

static uint32_t list_modes(uint32_t set, VkPresentModeKHR first, VkPresentModeKHR modes[MAX_MODES])
{
   static const VkPresentModeKHR all[MAX_MODES] = {
      VK_PRESENT_MODE_FIFO_KHR,
      VK_PRESENT_MODE_MAILBOX_KHR,
      VK_PRESENT_MODE_IMMEDIATE_KHR,
      VK_PRESENT_MODE_FIFO_RELAXED_KHR,
      VK_PRESENT_MODE_FIFO_LATEST_READY_EXT,
      VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR,
      VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR,
   };
   uint32_t count = 0;
   if (set & WSI_MODE_BIT(first))
      modes[count++] = first;
   for (uint32_t i = 0; i < MAX_MODES; i++) {
      if (all[i] != first && set & WSI_MODE_BIT(all[i]))
         modes[count++] = all[i];
   }
   return count;
}

/* The two-call idiom for modes; a short array has `first`. */
static VkResult give_modes(uint32_t set, VkPresentModeKHR first, uint32_t *count, VkPresentModeKHR *modes)
{
   VkPresentModeKHR all[MAX_MODES];
   const uint32_t total = list_modes(set, first, all), room = modes ? *count : 0;
   *count = modes ? UTIL_MIN(room, total) : total;
   for (uint32_t i = 0; modes && i < *count; i++)
      modes[i] = all[i];
   return modes && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static VkResult answer_scaling(const struct icd_physical_device *physical_device, const struct icd_surface *surface,
                               const VkSurfaceCapabilitiesKHR *core, VkSurfacePresentScalingCapabilitiesEXT *scaling)
{
   const uint32_t max = physical_device->properties.core.limits.maxImageDimension2D;
   struct wsi_capabilities wsi;
   const VkResult result = wsi_surface_capabilities(surface->wsi, &wsi);
   if (result != VK_SUCCESS)
      return result;
   const VkPresentGravityFlagsEXT gravity =
      VK_PRESENT_GRAVITY_MIN_BIT_EXT | VK_PRESENT_GRAVITY_MAX_BIT_EXT | VK_PRESENT_GRAVITY_CENTERED_BIT_EXT;
   scaling->supportedPresentScaling =
      wsi.can_scale ? VK_PRESENT_SCALING_ONE_TO_ONE_BIT_EXT | VK_PRESENT_SCALING_ASPECT_RATIO_STRETCH_BIT_EXT |
                         VK_PRESENT_SCALING_STRETCH_BIT_EXT
                    : 0;
   scaling->supportedPresentGravityX = wsi.can_scale ? gravity : 0;
   scaling->supportedPresentGravityY = wsi.can_scale ? gravity : 0;
   scaling->minScaledImageExtent = wsi.can_scale ? (VkExtent2D){1, 1} : core->minImageExtent;
   scaling->maxScaledImageExtent = wsi.can_scale ? (VkExtent2D){max, max} : core->maxImageExtent;
   return VK_SUCCESS;
}

#ifdef VK_EXT_multisampled_render_to_swapchain
static VkSwapchainCreateFlagsKHR swapchain_flags(void)
{
   /* PROTECTED: who asks for it needs protectedMemory, too */
   VkSwapchainCreateFlagsKHR flags = VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR | VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR |
                                     VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR | VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_EXT |
                                     VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR | VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR |
                                     VK_SWAPCHAIN_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
#ifdef VK_EXT_present_timing
   flags |= VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT;
#endif
   return flags;
}
#endif

/* What is the same for every surface. */
static void answer_constants(VkBaseOutStructure *chain)
{
   for (VkBaseOutStructure *s = chain; s; s = s->pNext) {
      if (s->sType == VK_STRUCTURE_TYPE_SURFACE_PROTECTED_CAPABILITIES_KHR)
         ((VkSurfaceProtectedCapabilitiesKHR *)s)->supportsProtected = VK_FALSE;
#ifdef VK_EXT_multisampled_render_to_swapchain
      if (s->sType == VK_STRUCTURE_TYPE_SWAPCHAIN_FLAGS_SURFACE_CAPABILITIES_EXT)
         ((VkSwapchainFlagsSurfaceCapabilitiesEXT *)s)->swapchainSupportedFlags = swapchain_flags();
#endif
      if (s->sType == VK_STRUCTURE_TYPE_SHARED_PRESENT_SURFACE_CAPABILITIES_KHR)
         ((VkSharedPresentSurfaceCapabilitiesKHR *)s)->sharedPresentSupportedUsageFlags = supported_usage();
#ifdef VK_KHR_extended_flags
      if (s->sType == VK_STRUCTURE_TYPE_SHARED_PRESENT_SURFACE_CAPABILITIES_2_KHR)
         ((VkSharedPresentSurfaceCapabilities2KHR *)s)->sharedPresentSupportedUsageFlags = supported_usage();
      if (s->sType == VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR)
         ((VkImageUsageFlags2CreateInfoKHR *)s)->usage = supported_usage();
#endif
#ifdef VK_EXT_present_timing
      if (s->sType == VK_STRUCTURE_TYPE_PRESENT_TIMING_SURFACE_CAPABILITIES_EXT) {
         VkPresentTimingSurfaceCapabilitiesEXT *timing = (VkPresentTimingSurfaceCapabilitiesEXT *)s;
         timing->presentTimingSupported = timing->presentAtAbsoluteTimeSupported = timing->presentAtRelativeTimeSupported = VK_TRUE;
         timing->presentStageQueries = ICD_PRESENT_STAGES;
      }
#endif
#ifdef VK_KHR_present_id2
      if (s->sType == VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_ID_2_KHR)
         ((VkSurfaceCapabilitiesPresentId2KHR *)s)->presentId2Supported = VK_TRUE;
#endif
#ifdef VK_KHR_present_wait2
      if (s->sType == VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_WAIT_2_KHR)
         ((VkSurfaceCapabilitiesPresentWait2KHR *)s)->presentWait2Supported = VK_TRUE;
#endif
   }
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceSurfaceCapabilities2KHR(
   VkPhysicalDevice physicalDevice, const VkPhysicalDeviceSurfaceInfo2KHR *pSurfaceInfo,
   VkSurfaceCapabilities2KHR *pCapabilities)
{
   const struct icd_surface *surface = icd_surface_from_handle(pSurfaceInfo->surface);
   const VkSurfacePresentModeEXT *mode =
      icd_chain_find(pSurfaceInfo->pNext, VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_EXT);
   VkSurfaceCapabilitiesKHR *core = &pCapabilities->surfaceCapabilities;
   VkResult result = icd_GetPhysicalDeviceSurfaceCapabilitiesKHR(physicalDevice, pSurfaceInfo->surface, core);
   if (result != VK_SUCCESS)
      return result;
   answer_constants(pCapabilities->pNext);
   if (!surface)
      return VK_SUCCESS;
   if (mode) {
      core->minImageCount = wsi_min_images(mode->presentMode);
      core->maxImageCount = wsi_mode_is_shared(mode->presentMode) ? 1 : 0;
   }

   VkSurfacePresentScalingCapabilitiesEXT *scaling =
      icd_chain_find_out(pCapabilities->pNext, VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_EXT);
   if (scaling) {
      result = answer_scaling(icd_physical_device_from_handle(physicalDevice), surface, core, scaling);
      if (result != VK_SUCCESS)
         return result;
   }

   VkSurfacePresentModeCompatibilityEXT *compatible =
      icd_chain_find_out(pCapabilities->pNext, VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_EXT);
   if (compatible) {
      /* The mode that is asked about must be there, however short the array. */
      const VkPresentModeKHR first = mode ? mode->presentMode : VK_PRESENT_MODE_FIFO_KHR;
      const uint32_t set = mode ? wsi_compatible_modes(surface->wsi, first) : 0;
      result = give_modes(set, first, &compatible->presentModeCount, compatible->pPresentModes);
   }
   return result == VK_INCOMPLETE ? VK_SUCCESS : result;
}

/* ---- formats ---- */

/* What surfaces of all back ends have. */
static const VkSurfaceFormatKHR common_formats[] = {
   {VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
   {VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
   {VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
   {VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
};

/* The surface's formats that can be rendered to, in the colour spaces that the application knows. VK_GOOGLE_surfaceless_query promises that they are
 * the same of all surfaces, and without one. */
static VkResult list_formats(VkPhysicalDevice physical_device, VkSurfaceKHR surface,
                             VkSurfaceFormatKHR formats[MAX_FORMATS], uint32_t *count)
{
   const struct icd_instance *instance = icd_physical_device_from_handle(physical_device)->instance;
   const bool has_spaces = icd_has_extension(&instance->extensions, ICD_EXT_EXT_swapchain_colorspace);
   const VkSurfaceFormatKHR *all = common_formats;
   uint32_t num_all = UTIL_ARRAY_SIZE(common_formats);
   const VkResult result = surface ? wsi_surface_formats(icd_surface_from_handle(surface)->wsi, &all, &num_all) : VK_SUCCESS;
   if (result != VK_SUCCESS)
      return result;
   if (num_all && icd_has_extension(&instance->extensions, ICD_EXT_GOOGLE_surfaceless_query)) {
      all = common_formats;
      num_all = UTIL_ARRAY_SIZE(common_formats);
   }
   *count = 0;
   for (uint32_t i = 0; i < num_all && *count < MAX_FORMATS; i++) {
      const VkFormatFeatureFlags2 features = rt_format_image_features(all[i].format, VK_IMAGE_TILING_OPTIMAL);
      const bool is_known = has_spaces || all[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
      if (is_known && features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT)
         formats[(*count)++] = all[i];
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice physicalDevice,
                                                                      VkSurfaceKHR surface, uint32_t *pCount,
                                                                      VkSurfaceFormatKHR *pFormats)
{
   VkSurfaceFormatKHR formats[MAX_FORMATS];
   uint32_t total = 0;
   const VkResult result = list_formats(physicalDevice, surface, formats, &total);
   if (result != VK_SUCCESS)
      return result;
   const uint32_t room = pFormats ? *pCount : 0;
   *pCount = pFormats ? UTIL_MIN(room, total) : total;
   for (uint32_t i = 0; pFormats && i < *pCount; i++)
      pFormats[i] = formats[i];
   return pFormats && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice physicalDevice,
                                                                       const VkPhysicalDeviceSurfaceInfo2KHR *pInfo,
                                                                       uint32_t *pCount, VkSurfaceFormat2KHR *pFormats)
{
   VkSurfaceFormatKHR formats[MAX_FORMATS];
   uint32_t total = 0;
   const VkResult result = list_formats(physicalDevice, pInfo->surface, formats, &total);
   if (result != VK_SUCCESS)
      return result;
   const uint32_t room = pFormats ? *pCount : 0;
   *pCount = pFormats ? UTIL_MIN(room, total) : total;
   for (uint32_t i = 0; pFormats && i < *pCount; i++)
      pFormats[i].surfaceFormat = formats[i];
   return pFormats && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}

/* ---- modes, rectangles, device groups ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice physicalDevice,
                                                                           VkSurfaceKHR surface, uint32_t *pCount,
                                                                           VkPresentModeKHR *pModes)
{
   const uint32_t set = surface ? wsi_surface_present_modes(icd_surface_from_handle(surface)->wsi)
                                : WSI_MODE_BIT(VK_PRESENT_MODE_FIFO_KHR) | WSI_SHARED_MODES; /* VK_GOOGLE_surfaceless_query */
   return give_modes(set, VK_PRESENT_MODE_FIFO_KHR, pCount, pModes);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice physicalDevice,
                                                                         VkSurfaceKHR surface, uint32_t *pRectCount,
                                                                         VkRect2D *pRects)
{
   if (!pRects) {
      *pRectCount = 1;
      return VK_SUCCESS;
   }
   if (*pRectCount == 0)
      return VK_INCOMPLETE;
   struct wsi_capabilities wsi;
   const VkResult result = wsi_surface_capabilities(icd_surface_from_handle(surface)->wsi, &wsi);
   if (result == VK_SUCCESS) {
      *pRectCount = 1;
      pRects[0] = (VkRect2D){{0, 0}, wsi.current_extent};
   }
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
icd_GetDeviceGroupPresentCapabilitiesKHR(VkDevice device, VkDeviceGroupPresentCapabilitiesKHR *pCapabilities)
{
   for (uint32_t i = 0; i < VK_MAX_DEVICE_GROUP_SIZE; i++)
      pCapabilities->presentMask[i] = i == 0;
   pCapabilities->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDeviceGroupSurfacePresentModesKHR(VkDevice device, VkSurfaceKHR surface,
                                                                        VkDeviceGroupPresentModeFlagsKHR *pModes)
{
   *pModes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
   return VK_SUCCESS;
}
