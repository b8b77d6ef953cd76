/* SPDX-License-Identifier: MIT
 * Copies between images, and between buffers and images.
 * Spec: Copy Commands. Texels are moved as bytes: formats are of one size, and a combined format's planes are stored as
 * the specification lays them out in buffers (depth apart from stencil, 24-bit depth in the low bits of 32). */
#include "runtime/device.h"
#include "runtime/parts.h"
#include "runtime/transfer/region.h"
#include "util/size.h"

#define BYTES_PER_NS 4.0

static uint32_t cut(uint32_t size, uint32_t offset, uint32_t have)
{
   return offset < have ? UTIL_MIN(size, have - offset) : 0;
}

static struct rt_rect rect_of(const struct rt_slices *slices, VkOffset3D offset, uint32_t width, uint32_t height)
{
   const struct rt_format_info *info = slices->image->planes[slices->plane].info;
   const struct rt_texels texels = rt_texels_of(slices->image, slices->plane, slices->level, 0, 0, 0);
   const uint32_t x = (uint32_t)offset.x / info->block_width, y = (uint32_t)offset.y / info->block_height;
   return (struct rt_rect){x, y, cut(width, x, texels.width), cut(height, y, texels.height)};
}

/* ---- buffers ---- */

struct buffer_copy {
   uint8_t *buffer; /* of the region's first texel */
   uint64_t row_bytes, slice_bytes;
   struct rt_slices slices;
   struct rt_rect rect;
   struct rt_bands bands;
   bool is_to_image;
};

static void run_buffer_copy(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct buffer_copy *copy = data;
   const struct rt_rect *rect = &copy->rect;
   uint32_t slice, y, height;
   rt_bands_item(&copy->bands, index, &slice, &y, &height);
   const struct rt_texels texels = rt_slices_at(&copy->slices, slice, 0);
   uint8_t *rows = copy->buffer + slice * copy->slice_bytes + (y - rect->y) * copy->row_bytes;
   if (copy->is_to_image)
      rt_texels_write(&texels, rect->x, y, rect->width, height, rows, copy->row_bytes);
   else
      rt_texels_read(&texels, rect->x, y, rect->width, height, rows, copy->row_bytes);
}

static void copy_buffer_region(struct rt_executor *executor, const struct rt_image *image, uint8_t *buffer,
                               const VkBufferImageCopy *region, bool is_to_image)
{
   const VkImageSubresourceLayers *layers = &region->imageSubresource;
   const VkExtent3D extent = region->imageExtent;
   struct buffer_copy copy = {.is_to_image = is_to_image};
   copy.slices =
      rt_slices_of(image, layers->aspectMask, layers->mipLevel, layers->baseArrayLayer, region->imageOffset.z,
                   image->type == VK_IMAGE_TYPE_3D ? rt_num_slices(image, extent.depth) : rt_num_layers(image, layers));

   const struct rt_format_info *info = image->planes[copy.slices.plane].info;
   const uint32_t width = UTIL_DIV_ROUND_UP(extent.width, info->block_width);
   const uint32_t height = UTIL_DIV_ROUND_UP(extent.height, info->block_height);
   copy.rect = rect_of(&copy.slices, region->imageOffset, width, height);

   const uint32_t row_length = region->bufferRowLength ? region->bufferRowLength : extent.width;
   const uint32_t image_height = region->bufferImageHeight ? region->bufferImageHeight : extent.height;
   copy.row_bytes = (uint64_t)UTIL_DIV_ROUND_UP(row_length, info->block_width) * info->texel_bytes;
   copy.slice_bytes = copy.row_bytes * UTIL_DIV_ROUND_UP(image_height, info->block_height);
   copy.buffer = buffer + region->bufferOffset;

   const uint64_t row_bytes = (uint64_t)copy.rect.width * info->texel_bytes;
   copy.bands = rt_bands_of(copy.rect.y, copy.rect.height, copy.slices.count, row_bytes);
   rt_add_bands(executor, &copy.bands, run_buffer_copy, &copy, sizeof(copy), BYTES_PER_NS,
                row_bytes * copy.rect.height * copy.slices.count,
                is_to_image ? "copy of a buffer to an image" : "copy of an image to a buffer");
}

void rt_execute_copy_buffer_to_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_buffer_to_image *copy = (const struct rt_cmd_copy_buffer_to_image *)cmd;
   for (struct rt_parts parts = rt_parts_of(&executor->worker, copy->num_regions); rt_parts_next(&parts);)
      copy_buffer_region(executor, copy->dst, (uint8_t *)copy->src, &copy->regions[parts.index], true);
}

void rt_execute_copy_image_to_buffer(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_image_to_buffer *copy = (const struct rt_cmd_copy_image_to_buffer *)cmd;
   for (struct rt_parts parts = rt_parts_of(&executor->worker, copy->num_regions); rt_parts_next(&parts);)
      copy_buffer_region(executor, copy->src, copy->dst, &copy->regions[parts.index], false);
}

/* ---- images ---- */

struct image_copy {
   struct rt_slices src, dst;
   uint32_t src_x, src_y;
   struct rt_rect rect; /* in dst */
   struct rt_bands bands;
};

/* Through memory, a row of blocks at a time: tiled images whose blocks do not line up. */
static void copy_through_scratch(const struct rt_texels *src, uint32_t src_x, uint32_t src_y,
                                 const struct rt_texels *dst, const struct rt_rect *rect, struct rt_worker *worker)
{
   const uint64_t pitch_bytes = (uint64_t)rect->width * src->texel_bytes;
   uint8_t *scratch = rt_worker_scratch(worker, util_size_mul(pitch_bytes, 4));
   if (!scratch) {
      rt_pool_fail(worker->pool, "out of memory for a copy of an image");
      return;
   }
   uint32_t num;
   for (uint32_t y = 0; y < rect->height; y += num) {
      num = UTIL_MIN(4 - ((rect->y + y) & 3), rect->height - y);
      rt_texels_read(src, src_x, src_y + y, rect->width, num, scratch, pitch_bytes);
      rt_texels_write(dst, rect->x, rect->y + y, rect->width, num, scratch, pitch_bytes);
   }
}

static void copy_sample(const struct rt_texels *src, uint32_t src_x, uint32_t src_y, const struct rt_texels *dst,
                        const struct rt_rect *rect, struct rt_worker *worker)
{
   if (!src->is_tiled)
      rt_texels_write(dst, rect->x, rect->y, rect->width, rect->height, rt_texels_at(src, src_x, src_y),
                      src->level->row_pitch_bytes);
   else if (!dst->is_tiled)
      rt_texels_read(src, src_x, src_y, rect->width, rect->height, rt_texels_at(dst, rect->x, rect->y),
                     dst->level->row_pitch_bytes);
   else
      copy_through_scratch(src, src_x, src_y, dst, rect, worker);
}

static void run_image_copy(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct image_copy *copy = data;
   struct rt_rect rect = copy->rect;
   uint32_t slice;
   rt_bands_item(&copy->bands, index, &slice, &rect.y, &rect.height);
   const uint32_t src_x = copy->src_x, src_y = copy->src_y + rect.y - copy->rect.y;

   const struct rt_texels src = rt_slices_at(&copy->src, slice, 0), dst = rt_slices_at(&copy->dst, slice, 0);
   if (rt_texels_are_blocks(&src, src_x, src_y, &dst, rect.x, rect.y, rect.width, rect.height)) {
      rt_texels_copy_blocks(&src, src_x, src_y, &dst, rect.x, rect.y, rect.width, rect.height);
      return;
   }
   /* The one sample of a source goes to all that the other has. */
   for (uint32_t s = 0; s < copy->dst.image->num_samples; s++) {
      const uint32_t from = UTIL_MIN(s, copy->src.image->num_samples - 1);
      const struct rt_texels src_s = rt_slices_at(&copy->src, slice, from), dst_s = rt_slices_at(&copy->dst, slice, s);
      copy_sample(&src_s, src_x, src_y, &dst_s, &rect, worker);
   }
}

void rt_copy_slices(struct rt_executor *executor, const struct rt_slices *src, uint32_t src_x, uint32_t src_y, const struct rt_slices *dst,
                    const struct rt_rect *rect, uint32_t count)
{
   struct image_copy copy = {.src = *src, .dst = *dst, .src_x = src_x, .src_y = src_y, .rect = *rect};
   const uint64_t row_bytes = (uint64_t)rect->width * src->image->planes[src->plane].texel_bytes * src->image->num_samples;
   copy.bands = rt_bands_of(rect->y, rect->height, count, row_bytes);
   rt_add_bands(executor, &copy.bands, run_image_copy, &copy, sizeof(copy), BYTES_PER_NS, row_bytes * rect->height * count, "copy of an image");
}

static void copy_aspect(struct rt_executor *executor, const struct rt_cmd_copy_image *cmd, const VkImageCopy *region,
                        VkImageAspectFlags src_aspect, VkImageAspectFlags dst_aspect)
{
   const VkImageSubresourceLayers *src = &region->srcSubresource, *dst = &region->dstSubresource;
   /* Layers of one may be slices of the other. */
   uint32_t num_slices = UTIL_MAX(rt_num_layers(cmd->src, src), rt_num_layers(cmd->dst, dst));
   num_slices = UTIL_MAX(num_slices, rt_num_slices(cmd->src, region->extent.depth));

   const struct rt_slices src_slices = rt_slices_of(cmd->src, src_aspect, src->mipLevel, src->baseArrayLayer, region->srcOffset.z, num_slices);
   const struct rt_slices dst_slices = rt_slices_of(cmd->dst, dst_aspect, dst->mipLevel, dst->baseArrayLayer, region->dstOffset.z, num_slices);
   /* The extent is in texels of the source; both sides are of as many blocks. */
   const struct rt_plane *plane = &cmd->src->planes[src_slices.plane];
   const struct rt_rect from =
      rect_of(&src_slices, region->srcOffset, UTIL_DIV_ROUND_UP(region->extent.width, plane->info->block_width),
              UTIL_DIV_ROUND_UP(region->extent.height, plane->info->block_height));
   const struct rt_rect to = rect_of(&dst_slices, region->dstOffset, from.width, from.height);
   if (plane->texel_bytes != cmd->dst->planes[dst_slices.plane].texel_bytes) {
      rt_device_lose(executor->device, "a copy between images of different texel sizes");
      return;
   }

   rt_copy_slices(executor, &src_slices, from.x, from.y, &dst_slices, &to, UTIL_MIN(src_slices.count, dst_slices.count));
}

void rt_execute_copy_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_image *copy = (const struct rt_cmd_copy_image *)cmd;
   for (struct rt_parts parts = rt_parts_of(&executor->worker, copy->num_regions); rt_parts_next(&parts);) {
      const VkImageCopy *region = &copy->regions[parts.index];
      const VkImageAspectFlags src = region->srcSubresource.aspectMask, dst = region->dstSubresource.aspectMask;
      if (src != dst) { /* one each: a plane of a multi-planar image on one side */
         copy_aspect(executor, copy, region, src, dst);
         continue;
      }
      for (VkImageAspectFlags left = src; left; left &= left - 1)
         copy_aspect(executor, copy, region, left & -left, left & -left);
   }
}
