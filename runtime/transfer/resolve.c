/* SPDX-License-Identifier: MIT
 * Resolves of multisampled images outside of rendering: the mean of the samples, in linear space unless otherwise asked for; integers take sample
 * 0; depth and stencil by their modes. Spec: Copy Commands, "Resolving Multisample Images". */
#include "runtime/device.h"
#include "runtime/format/average.h"
#include "runtime/format/depth_number.h"
#include "runtime/parts.h"
#include "runtime/transfer/region.h"
#include "util/size.h"

#include <string.h>

#define TEXELS_PER_NS 0.2

struct resolve {
   struct rt_slices src, dst;
   const struct rt_format_info *src_info, *dst_info;
   VkResolveModeFlagBits mode;
   uint32_t src_x, src_y, dst_x, dst_y, width;
   struct rt_bands bands; /* rows of dst */
};

/* ---- blocks, where they lie alike on both sides ---- */

static bool is_in_blocks(const struct resolve *resolve, const struct rt_texels *src, const struct rt_texels *dst, uint32_t y, uint32_t height)
{
   const uint32_t offsets = resolve->src_x | resolve->dst_x | resolve->src_y | resolve->dst_y | y;
   return src->is_tiled && dst->is_tiled && offsets % ABI_BLOCK == 0 &&
          (resolve->width % ABI_BLOCK == 0 || resolve->dst_x + resolve->width == dst->width) && (height % ABI_BLOCK == 0 || y + height == dst->height);
}

static void average_blocks(const struct resolve *resolve, const struct rt_texels *src, const struct rt_texels *dst, uint32_t first_y, uint32_t height)
{
   for (uint32_t y = first_y; y < first_y + height; y += ABI_BLOCK)
      for (uint32_t x = 0; x < resolve->width; x += ABI_BLOCK)
         rt_average_block(resolve->src_info, resolve->dst_info, rt_texels_at(src, resolve->src_x + x, y - resolve->dst_y + resolve->src_y),
                          resolve->src.image->num_samples, rt_texels_at(dst, resolve->dst_x + x, y));
}

/* ---- rows ---- */

/* sum += the row of one sample */
static void add_row(float *sum, const uint32_t (*row)[4], uint32_t width)
{
   for (uint32_t i = 0; i < width * 4; i++) {
      float value;
      memcpy(&value, (const uint32_t *)row + i, sizeof(value));
      sum[i] += value;
   }
}

static void average_row(const struct resolve *resolve, uint32_t slice, uint32_t src_y, uint8_t *raw, uint32_t (*row)[4],
                        float *sum)
{
   const uint32_t num_samples = resolve->src.image->num_samples, width = resolve->width;
   memset(sum, 0, (size_t)width * 16);
   for (uint32_t s = 0; s < num_samples; s++) {
      const struct rt_texels src = rt_slices_at(&resolve->src, slice, s);
      rt_texels_read(&src, resolve->src_x, src_y, width, 1, raw, 0);
      resolve->src_info->unpack(raw, src.texel_bytes, width, row);
      add_row(sum, (const uint32_t(*)[4])row, width);
   }
   const float scale = 1.0f / (float)num_samples;
   for (uint32_t i = 0; i < width * 4; i++)
      sum[i] = sum[i] == sum[i] ? sum[i] * scale : __builtin_nanf("");
}

/* Depth or stencil. */
static void number_row(const struct resolve *resolve, uint32_t slice, uint32_t src_y, uint8_t *raw, double *numbers)
{
   const uint32_t num_samples = resolve->src.image->num_samples, width = resolve->width;
   const struct rt_format_info *info = resolve->src_info;
   for (uint32_t s = 0; s < num_samples; s++) {
      const struct rt_texels src = rt_slices_at(&resolve->src, slice, s);
      rt_texels_read(&src, resolve->src_x, src_y, width, 1, raw, 0);
      for (uint32_t i = 0; i < width; i++) {
         const double number = rt_depth_number_load(info, raw + (size_t)i * info->texel_bytes);
         numbers[i] = s ? rt_depth_number_add(resolve->mode, numbers[i], number) : number;
      }
   }
   const double divisor = resolve->mode == VK_RESOLVE_MODE_AVERAGE_BIT ? num_samples : 1;
   for (uint32_t i = 0; i < width; i++)
      rt_depth_number_store(info, raw + (size_t)i * info->texel_bytes, numbers[i] / divisor);
}

static void run_resolve(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct resolve *resolve = data;
   const size_t row_bytes = (size_t)resolve->width * 16;
   uint8_t *scratch = rt_worker_scratch(worker, util_size_mul(row_bytes, 3));
   if (!scratch) {
      rt_pool_fail(worker->pool, "out of memory for a resolve");
      return;
   }
   uint8_t *raw = scratch;
   uint32_t(*row)[4] = (uint32_t(*)[4])(scratch + row_bytes);
   float *sum = (float *)(scratch + 2 * row_bytes);

   uint32_t slice, first_y, height;
   rt_bands_item(&resolve->bands, index, &slice, &first_y, &height);
   const struct rt_texels dst = rt_slices_at(&resolve->dst, slice, 0), first = rt_slices_at(&resolve->src, slice, 0);
   const bool is_depth = resolve->src_info->is_depth || resolve->src_info->is_stencil;
   if (resolve->mode != VK_RESOLVE_MODE_SAMPLE_ZERO_BIT && !is_depth && is_in_blocks(resolve, &first, &dst, first_y, height)) {
      average_blocks(resolve, &first, &dst, first_y, height);
      return;
   }
   for (uint32_t y = first_y; y < first_y + height; y++) {
      const uint32_t src_y = y - resolve->dst_y + resolve->src_y;
      if (resolve->mode == VK_RESOLVE_MODE_SAMPLE_ZERO_BIT) {
         rt_texels_read(&first, resolve->src_x, src_y, resolve->width, 1, raw, 0);
      } else if (is_depth) {
         number_row(resolve, slice, src_y, raw, (double *)sum);
      } else {
         average_row(resolve, slice, src_y, raw, row, sum);
         resolve->dst_info->pack(raw, dst.texel_bytes, resolve->width, (const uint32_t(*)[4])sum);
      }
      rt_texels_write(&dst, resolve->dst_x, y, resolve->width, 1, raw, 0);
   }
}

static uint32_t cut(uint32_t size, int32_t src, uint32_t src_have, int32_t dst, uint32_t dst_have)
{
   const int64_t left = UTIL_MIN((int64_t)src_have - src, (int64_t)dst_have - dst);
   return (uint32_t)UTIL_CLAMP(left, 0, (int64_t)size);
}

/* Integers have no average, and colours neither minimum nor maximum. */
static VkResolveModeFlagBits mode_of(VkResolveModeFlagBits mode, const struct rt_format_info *info)
{
   const bool is_depth = info->is_depth || info->is_stencil;
   const bool is_known = mode == VK_RESOLVE_MODE_AVERAGE_BIT ? !info->is_int :
                         is_depth && (mode == VK_RESOLVE_MODE_MIN_BIT || mode == VK_RESOLVE_MODE_MAX_BIT);
   return is_known ? mode : VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
}

static void resolve_aspect(struct rt_executor *executor, const struct rt_cmd_resolve_image *cmd, const VkImageResolve *region,
                           VkImageAspectFlags aspect, VkResolveModeFlagBits mode)
{
   const VkImageSubresourceLayers *src = &region->srcSubresource, *dst = &region->dstSubresource;
   uint32_t num_slices = UTIL_MAX(rt_num_layers(cmd->src, src), rt_num_layers(cmd->dst, dst));
   num_slices = UTIL_MAX(num_slices, region->extent.depth);

   struct resolve resolve = {
      .src = rt_slices_of(cmd->src, aspect, src->mipLevel, src->baseArrayLayer, region->srcOffset.z, num_slices),
      .dst = rt_slices_of(cmd->dst, aspect, dst->mipLevel, dst->baseArrayLayer, region->dstOffset.z, num_slices),
      .src_x = (uint32_t)region->srcOffset.x,
      .src_y = (uint32_t)region->srcOffset.y,
      .dst_x = (uint32_t)region->dstOffset.x,
      .dst_y = (uint32_t)region->dstOffset.y,
   };
   resolve.src_info = cmd->src->planes[resolve.src.plane].info;
   resolve.dst_info = cmd->dst->planes[resolve.dst.plane].info;
   resolve.mode = mode_of(mode, resolve.src_info);
   const bool is_depth = resolve.src_info->is_depth || resolve.src_info->is_stencil;
   const bool is_supported = is_depth ? resolve.src_info == resolve.dst_info : resolve.src_info->unpack && resolve.dst_info->pack;
   if (resolve.mode != VK_RESOLVE_MODE_SAMPLE_ZERO_BIT && !is_supported) {
      rt_device_lose(executor->device, "a resolve of formats without resolve support");
      return;
   }
   if (cmd->is_encoded) {
      resolve.src_info = rt_format_encoded(resolve.src_info);
      resolve.dst_info = rt_format_encoded(resolve.dst_info);
   }
   const struct rt_texels from = rt_slices_at(&resolve.src, 0, 0), to = rt_slices_at(&resolve.dst, 0, 0);
   resolve.width = cut(region->extent.width, region->srcOffset.x, from.width, region->dstOffset.x, to.width);
   const uint32_t height = cut(region->extent.height, region->srcOffset.y, from.height, region->dstOffset.y, to.height);
   const uint32_t count = UTIL_MIN(resolve.src.count, resolve.dst.count);
   if (!resolve.width)
      return;

   resolve.bands = rt_bands_of(resolve.dst_y, height, count, (uint64_t)resolve.width * 16);
   rt_add_bands(executor, &resolve.bands, run_resolve, &resolve, sizeof(resolve), TEXELS_PER_NS,
                (uint64_t)resolve.width * height * count, "resolve of an image");
}

static void resolve_region(struct rt_executor *executor, const struct rt_cmd_resolve_image *cmd, const VkImageResolve *region)
{
   const VkImageAspectFlags aspects = region->srcSubresource.aspectMask;
   const VkImageAspectFlags others = aspects & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT;
   if (others && cmd->mode != VK_RESOLVE_MODE_NONE)
      resolve_aspect(executor, cmd, region, others, cmd->mode);
   if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT && cmd->stencil_mode != VK_RESOLVE_MODE_NONE)
      resolve_aspect(executor, cmd, region, VK_IMAGE_ASPECT_STENCIL_BIT, cmd->stencil_mode);
}

void rt_execute_resolve_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_resolve_image *resolve = (const struct rt_cmd_resolve_image *)cmd;
   for (struct rt_parts parts = rt_parts_of(&executor->worker, resolve->num_regions); rt_parts_next(&parts);)
      resolve_region(executor, resolve, &resolve->regions[parts.index]);
}
