/* SPDX-License-Identifier: MIT
 * Image views. */
#include "icd/resource/image_view.h"

#include "abi/weights.h"
#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/resource/image_flags.h"
#include "icd/resource/image_range.h"
#include "icd/resource/ycbcr_conversion.h"

#define ATTACHMENT_USAGE                                                                                               \
   (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |                                \
    VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT |                                    \
    VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR | VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT)

static const VkImageAspectFlags aspect_order[] = {
   VK_IMAGE_ASPECT_COLOR_BIT,   VK_IMAGE_ASPECT_DEPTH_BIT,   VK_IMAGE_ASPECT_STENCIL_BIT,
   VK_IMAGE_ASPECT_PLANE_0_BIT, VK_IMAGE_ASPECT_PLANE_1_BIT, VK_IMAGE_ASPECT_PLANE_2_BIT,
};

static VkImageAspectFlags first_aspect(VkImageAspectFlags aspects)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(aspect_order); i++) {
      if (aspects & aspect_order[i])
         return aspect_order[i];
   }
   return VK_IMAGE_ASPECT_COLOR_BIT;
}

/* Spec, "Image Views": of a depth/stencil attachment both aspects are used and the view's aspectMask is ignored. */
static VkImageAspectFlags attachment_aspects(VkFormat format)
{
   const struct rt_format_info *info = rt_format_info(format);
   if (!info->is_depth && !info->is_stencil)
      return VK_IMAGE_ASPECT_COLOR_BIT;
   return (info->is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : 0) | (info->is_stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
}

static void attachments_init(struct icd_image_view *view, const VkImageSubresourceRange *range)
{
   const VkComponentMapping identity = {0};
   const VkImageViewType type =
      view->image->rt.type == VK_IMAGE_TYPE_1D ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_2D_ARRAY;

   view->attachment_aspects = attachment_aspects(view->format);
   for (uint32_t i = 0; i < 2; i++) {
      const VkImageAspectFlags stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
      VkImageAspectFlags aspect = view->attachment_aspects & (i == 1 ? stencil : ~stencil);
      if (aspect == VK_IMAGE_ASPECT_COLOR_BIT) /* or a plane's colour */
         aspect = first_aspect(range->aspectMask);
      if (aspect)
         rt_image_view_init(&view->attachment[i], &view->image->rt, type, view->format, identity, aspect,
                            range->baseMipLevel, 1, range->baseArrayLayer, range->layerCount, 0);
   }
}

static VkImageSubresourceRange view_range(const VkImageViewCreateInfo *info)
{
   VkImageSubresourceRange range = icd_image_range(icd_image_from_handle(info->image), &info->subresourceRange);
   if (info->viewType == VK_IMAGE_VIEW_TYPE_3D)
      range.layerCount = 1; /* VK_REMAINING_ARRAY_LAYERS: the one layer that 3D images have */
   return range;
}

static const VkImageViewSlicedCreateInfoEXT *slices_of(const VkImageViewCreateInfo *info)
{
   return info->viewType == VK_IMAGE_VIEW_TYPE_3D
             ? icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT) : NULL;
}

static const struct icd_ycbcr_conversion *conversion_of(const VkImageViewCreateInfo *info)
{
   const VkSamplerYcbcrConversionInfo *ycbcr = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
   return ycbcr ? icd_ycbcr_conversion_from_handle(ycbcr->conversion) : NULL;
}

/* Phases are as many along both axes, powers of two. */
static void set_filter(struct abi_image *view, const VkImageViewSampleWeightCreateInfoQCOM *weights)
{
   struct abi_level *size = &view->levels[ABI_LEVEL_FILTER_SIZE], *center = &view->levels[ABI_LEVEL_FILTER_CENTER];
   const uint32_t phases = UTIL_MIN(UTIL_MAX(weights->numPhases, 1u), (uint32_t)ABI_MAX_FILTER_PHASES);
   if (view->num_levels > 1)
      return;
   size->width = UTIL_MIN(weights->filterSize.width, (uint32_t)ABI_MAX_FILTER_SIZE);
   size->height = UTIL_MIN(weights->filterSize.height, (uint32_t)ABI_MAX_FILTER_SIZE);
   center->width = UTIL_MIN((uint32_t)weights->filterCenter.x, (uint32_t)ABI_MAX_FILTER_SIZE);
   center->height = UTIL_MIN((uint32_t)weights->filterCenter.y, (uint32_t)ABI_MAX_FILTER_SIZE);
   center->depth = 1u << (31 - (uint32_t)__builtin_clz(phases)) / 2;
}

bool icd_image_view_describe(const VkImageViewCreateInfo *info, bool is_stored, struct abi_image *view, struct abi_conversion *conversion)
{
   const struct icd_image *image = icd_image_from_handle(info->image);
   const VkImageViewMinLodCreateInfoEXT *min_lod =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
   const VkImageViewSlicedCreateInfoEXT *slices = slices_of(info);
   const struct icd_ycbcr_conversion *ycbcr = conversion_of(info);
   const VkImageSubresourceRange range = view_range(info);
   rt_image_view_init(view, &image->rt, info->viewType, info->format, info->components, first_aspect(range.aspectMask), range.baseMipLevel,
                      range.levelCount, range.baseArrayLayer, range.layerCount, min_lod ? min_lod->minLod : 0);
   const VkImageViewASTCDecodeModeEXT *decode = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_ASTC_DECODE_MODE_EXT);
   if (decode)
      view->format_info = rt_format_decode_mode(view->format_info, decode->decodeMode);
   const VkImageViewSampleWeightCreateInfoQCOM *weights =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_SAMPLE_WEIGHT_CREATE_INFO_QCOM);
   if (weights && !is_stored)
      set_filter(view, weights);
   if (is_stored && slices)
      rt_image_view_slice(view, slices->sliceOffset, slices->sliceCount); /* all that remain: the largest number */
   if (is_stored || !ycbcr)
      return false;
   rt_image_view_convert(view, conversion, &image->rt, info->viewType, info->format, &range, &ycbcr->rt);
   return true;
}

static bool has_swizzle(const struct abi_image *view)
{
   return view->swizzle[0] != VK_COMPONENT_SWIZZLE_R || view->swizzle[1] != VK_COMPONENT_SWIZZLE_G || view->swizzle[2] != VK_COMPONENT_SWIZZLE_B ||
          view->swizzle[3] != VK_COMPONENT_SWIZZLE_A;
}

/* The view as blocks of it are matched: of one level, the swizzle apart. */
static void matched_init(struct abi_image *matched, const VkImageViewCreateInfo *info, const struct abi_image *sampled)
{
   VkImageViewCreateInfo plain = *info;
   plain.components = (VkComponentMapping){0};
   (void)icd_image_view_describe(&plain, true, matched, NULL);
   if (matched->num_levels == 1 && has_swizzle(sampled))
      for (uint32_t c = 0; c < 4; c++)
         matched->levels[ABI_LEVEL_SWIZZLE].width |= (uint32_t)sampled->swizzle[c] << 8 * c;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateImageView(VkDevice _device, const VkImageViewCreateInfo *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator, VkImageView *pView)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const struct icd_image *image = icd_image_from_handle(pCreateInfo->image);
   const VkImageSubresourceRange range = view_range(pCreateInfo);
   const bool is_sliced = slices_of(pCreateInfo) != NULL;
   const bool is_matched = icd_image_view_usage(pCreateInfo->pNext, image->usage) & VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM;

   size_t bytes = sizeof(struct icd_image_view);
   const size_t slice_at = icd_block_add(&bytes, is_sliced, sizeof(struct abi_image));
   const size_t conversion_at = icd_block_add(&bytes, conversion_of(pCreateInfo) != NULL, sizeof(struct abi_conversion));
   const size_t matched_at = icd_block_add(&bytes, is_matched, sizeof(struct abi_image));
   struct icd_image_view *view = icd_object_alloc(device, pAllocator, bytes, VK_OBJECT_TYPE_IMAGE_VIEW);
   if (!view)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   view->image = image;
   view->format = pCreateInfo->format;
   view->base_level = range.baseMipLevel;
   view->base_layer = range.baseArrayLayer;
   view->num_layers = range.layerCount;
   const struct abi_level *base = &image->rt.planes[rt_image_plane(&image->rt, first_aspect(range.aspectMask))].levels[range.baseMipLevel];
   view->extent = (VkExtent2D){base->width, base->height};
   (void)icd_image_view_describe(pCreateInfo, false, &view->sampled, icd_block_at(view, conversion_at));
   view->stored = view->matched = &view->sampled;
   if (is_matched) {
      struct abi_image *matched = icd_block_at(view, matched_at);
      matched_init(matched, pCreateInfo, &view->sampled);
      view->matched = matched;
   }
   if (is_sliced) {
      struct abi_image *slice = icd_block_at(view, slice_at);
      (void)icd_image_view_describe(pCreateInfo, true, slice, NULL);
      view->stored = slice;
   }
   if (icd_image_view_usage(pCreateInfo->pNext, image->usage | image->stencil_usage) & ATTACHMENT_USAGE &&
       pCreateInfo->viewType != VK_IMAGE_VIEW_TYPE_3D)
      attachments_init(view, &range);
   *pView = icd_image_view_to_handle(view);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyImageView(VkDevice device, VkImageView imageView,
                                                const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_image_view_from_handle(imageView));
}
