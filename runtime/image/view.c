/* SPDX-License-Identifier: MIT
 * Image and buffer views: the subresources and the interpretation that descriptors refer to.
 * Spec: Resource Creation, "Image Views" and "Buffer Views". */
#include "runtime/image/image.h"
#include "runtime/image/texel_class.h"

#include <string.h>

static enum abi_dim view_dim(VkImageViewType type)
{
   switch (type) {
   case VK_IMAGE_VIEW_TYPE_1D:
   case VK_IMAGE_VIEW_TYPE_1D_ARRAY: return ABI_DIM_1D;
   case VK_IMAGE_VIEW_TYPE_3D: return ABI_DIM_3D;
   case VK_IMAGE_VIEW_TYPE_CUBE:
   case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY: return ABI_DIM_CUBE;
   default: return ABI_DIM_2D;
   }
}

static uint8_t resolve_swizzle(VkComponentSwizzle swizzle, VkComponentSwizzle identity)
{
   return (uint8_t)(swizzle == VK_COMPONENT_SWIZZLE_IDENTITY ? identity : swizzle);
}

static void set_swizzle(struct abi_image *view, VkComponentMapping swizzle)
{
   view->swizzle[0] = resolve_swizzle(swizzle.r, VK_COMPONENT_SWIZZLE_R);
   view->swizzle[1] = resolve_swizzle(swizzle.g, VK_COMPONENT_SWIZZLE_G);
   view->swizzle[2] = resolve_swizzle(swizzle.b, VK_COMPONENT_SWIZZLE_B);
   view->swizzle[3] = resolve_swizzle(swizzle.a, VK_COMPONENT_SWIZZLE_A);
}

/* Slices and layers whose offsets can be counted in 31 bits of words. */
static bool is_near(const struct abi_image *view)
{
   const uint64_t bytes = view->dim == ABI_DIM_3D ? view->levels[0].slice_bytes * view->levels[0].depth
                                                  : view->layer_bytes * view->num_layers;
   return bytes < 1ull << 33;
}

static void set_sampling(struct abi_image *view)
{
   const struct rt_format_info *info = view->format_info;
   const struct rt_channel *ch = info->channels;
   const bool is_bytes = info->texel_bytes == 4 && info->num_channels == 4 && ch[0].bits == 8 && ch[3].bits == 8;
   const bool is_supported = info->unpack_block && !info->is_int && view->num_samples == 1 &&
                             (view->dim == ABI_DIM_2D || view->dim == ABI_DIM_3D) && is_near(view);
   view->sampling = !is_supported                           ? ABI_SAMPLING_GENERAL
                    : is_bytes && ch[0].numeric == RT_UNORM ? ABI_SAMPLING_UNORM8
                    : is_bytes && ch[0].numeric == RT_SRGB  ? ABI_SAMPLING_SRGB8
                                                            : ABI_SAMPLING_ANY;
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t swizzle = view->swizzle[c], channel = (swizzle - VK_COMPONENT_SWIZZLE_R) & 3;
      view->channels[c] = swizzle == VK_COMPONENT_SWIZZLE_ZERO       ? ABI_CHANNEL_ZERO
                        : swizzle == VK_COMPONENT_SWIZZLE_ONE      ? ABI_CHANNEL_ONE
                        : view->sampling >= ABI_SAMPLING_UNORM8 ? (uint8_t)(ch[channel].shift / 8)
                                                                   : (uint8_t)channel;
   }
}

/* Levels of a plane as texels of `info`: blocks of the plane may be the view's texels, and of a block of two texels each
 * half or the whole. */
static void init_levels(struct abi_image *view, const struct rt_plane *plane, const struct rt_format_info *info,
                        uint32_t base_level, bool is_half)
{
   const uint32_t width = info->block_width > 1 || is_half ? 1 : plane->info->block_width;
   const uint32_t height = info->block_height > 1 || is_half ? 1 : plane->info->block_height;
   const uint32_t depth = info->block_depth > 1 ? 1 : plane->info->block_depth;
   for (uint32_t i = 0; i < view->num_levels; i++) {
      struct abi_level *level = &view->levels[i];
      *level = plane->levels[base_level + i];
      level->width = UTIL_DIV_ROUND_UP(level->width, width);
      level->height = UTIL_DIV_ROUND_UP(level->height, height);
      level->depth = UTIL_DIV_ROUND_UP(level->depth, depth);
      if (view->dim != ABI_DIM_3D)
         level->depth = 1;
   }
}

/* `is_half`: texels are the two halves of the plane's blocks. */
static void init_view(struct abi_image *view, const struct rt_image *image, VkImageViewType type,
                      const struct rt_plane *plane, const struct rt_format_info *info, bool is_half,
                      VkComponentMapping swizzle, uint32_t base_level, uint32_t num_levels, uint32_t base_layer,
                      uint32_t num_layers, float min_lod)
{
   memset(view, 0, sizeof(*view));
   view->dim = view_dim(type);
   view->is_cube = view->dim == ABI_DIM_CUBE;
   view->is_arrayed = type == VK_IMAGE_VIEW_TYPE_1D_ARRAY || type == VK_IMAGE_VIEW_TYPE_2D_ARRAY ||
                      type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
   view->format = info->format;
   view->format_info = info;
   view->texel_bytes = is_half ? plane->texel_bytes / 2 : plane->texel_bytes;
   view->num_levels = num_levels;
   view->num_layers = num_layers;
   view->num_samples = image->num_samples;
   view->is_tiled = image->is_tiled;
   view->residency = image->residency;
   if (info->is_depth || info->is_stencil)
      view->aspect = info->is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
   view->min_lod = min_lod > (float)base_level ? min_lod - (float)base_level : 0.0f;
   set_swizzle(view, swizzle);
   init_levels(view, plane, info, base_level, is_half);

   /* Slices of a 3D image seen as layers: there is only one level then, so one distance between them. */
   const bool has_slices = image->type == VK_IMAGE_TYPE_3D && view->dim != ABI_DIM_3D;
   view->layer_bytes = has_slices ? view->levels[0].slice_bytes : plane->layer_bytes;
   if (plane->data && !(has_slices && plane->info->block_depth > 1))
      view->data = plane->data + base_layer * view->layer_bytes;
   set_sampling(view);
   rt_view_set_texel(view);
   rt_view_set_direct(view);
}

/* Of formats of one plane the first part is the halves of blocks. */
static bool is_half(const struct rt_format_info *info, uint32_t part)
{
   return info->num_parts > info->num_planes && part == 0;
}

void rt_image_view_init(struct abi_image *view, const struct rt_image *image, VkImageViewType type, VkFormat format,
                        VkComponentMapping swizzle, VkImageAspectFlags aspect, uint32_t base_level, uint32_t num_levels,
                        uint32_t base_layer, uint32_t num_layers, float min_lod)
{
   const struct rt_format_info *info = rt_format_info(format);
   const uint32_t part = rt_format_plane_index(info, aspect);
   /* A view of another format than the image's must not count halves of its blocks. */
   const bool halves = is_half(info, part) && image->format == format;
   init_view(view, image, type, &image->planes[rt_image_plane(image, aspect)],
             info->num_parts > 1 && (info->num_planes > 1 || halves) ? rt_format_info(info->parts[part].format) : info, halves,
             swizzle, base_level, num_levels, base_layer, num_layers, min_lod);
}

void rt_image_view_part(struct abi_image *view, const struct rt_image *image, VkImageViewType type,
                        const struct rt_format_info *info, uint32_t part, uint32_t base_level, uint32_t num_levels,
                        uint32_t base_layer, uint32_t num_layers)
{
   const VkComponentMapping identity = {0};
   init_view(view, image, type, &image->planes[UTIL_MIN(part, image->num_planes - 1)],
             rt_format_info(info->parts[part].format), is_half(info, part), identity, base_level, num_levels, base_layer,
             num_layers, 0);
}

void rt_image_view_slice(struct abi_image *view, uint32_t first, uint32_t count)
{
   struct abi_level *level = &view->levels[0];
   first = UTIL_MIN(first, level->depth);
   level->depth = UTIL_MIN(count, level->depth - first);
   if (view->data)
      view->data += first * level->slice_bytes;
}

void rt_buffer_view_init(struct abi_image *view, void *data, VkFormat format, uint64_t range_bytes)
{
   const struct rt_format_info *info = rt_format_info(format);
   const uint64_t texels = info->texel_bytes ? UTIL_MIN(range_bytes, RT_MAX_TEXEL_BUFFER_BYTES) / info->texel_bytes : 0;
   const VkComponentMapping identity = {0};
   memset(view, 0, sizeof(*view));
   view->data = data;
   view->dim = ABI_DIM_BUFFER;
   view->format = format;
   view->format_info = info;
   view->texel_bytes = info->texel_bytes;
   view->num_levels = view->num_layers = view->num_samples = 1;
   set_swizzle(view, identity);
   view->levels[0] = (struct abi_level){
      .width = (uint32_t)UTIL_MIN(texels, RT_MAX_TEXEL_BUFFER_ELEMENTS),
      .height = 1,
      .depth = 1,
   };
   rt_view_set_texel(view);
   rt_view_set_direct(view);
}
