/* SPDX-License-Identifier: MIT
 * Copies whose parameters stand in memory: as many plain copies.
 * Spec: Copy Commands, "Indirect Copies". */
#include "runtime/parts.h"
#include "runtime/queue/executor.h"

#include <string.h>

static void copy_memory(struct rt_executor *executor, const struct rt_cmd_copy_indirect *indirect, uint64_t index)
{
   const struct rt_memory_copy it = rt_indirect_copy(indirect, index);
   const VkBufferCopy region = {.size = it.size_bytes};
   const struct rt_cmd_copy_buffer copy = {
      .src = (const uint8_t *)(uintptr_t)it.src,
      .dst = (uint8_t *)(uintptr_t)it.dst,
      .num_regions = it.src && it.dst && it.size_bytes,
      .regions = &region,
   };
   rt_execute_copy_buffer(executor, &copy.cmd);
}

static bool fits(int64_t offset, uint64_t size, uint64_t limit)
{
   return offset >= 0 && size <= limit && (uint64_t)offset <= limit - size;
}

/* Whatever stands in memory, nothing outside of the level is written. */
static bool is_inside(const struct rt_image *image, const VkImageSubresourceLayers *layers, const struct rt_image_copy *it)
{
   if (layers->mipLevel >= image->num_levels || !it->src || !it->extent.width || !it->extent.height || !it->extent.depth)
      return false;
   const struct rt_plane *plane = &image->planes[rt_image_plane(image, layers->aspectMask)];
   const struct abi_level *level = &plane->levels[layers->mipLevel];
   const bool is_3d = image->type == VK_IMAGE_TYPE_3D;
   return it->offset.x % plane->info->block_width == 0 && it->offset.y % plane->info->block_height == 0 &&
          (!is_3d || it->offset.z % plane->info->block_depth == 0) &&
          fits(it->offset.x, it->extent.width, level->width) && fits(it->offset.y, it->extent.height, level->height) &&
          fits(is_3d ? it->offset.z : 0, it->extent.depth, is_3d ? level->depth : 1) &&
          fits(layers->baseArrayLayer, layers->layerCount, image->num_layers);
}

bool rt_indirect_region(const struct rt_cmd_copy_indirect *indirect, uint64_t index, VkBufferImageCopy *region, const uint8_t **src)
{
   struct rt_image_copy it;
   memcpy(&it, indirect->args + index * indirect->stride_bytes, sizeof(it));
   VkImageSubresourceLayers layers = indirect->layers[index];
   if (indirect->image->type == VK_IMAGE_TYPE_3D) { /* layers are its slices */
      it.offset.z = (int32_t)UTIL_MIN(layers.baseArrayLayer, (uint32_t)INT32_MAX);
      it.extent.depth = layers.layerCount;
      layers.baseArrayLayer = 0;
      layers.layerCount = 1;
   }
   *region = (VkBufferImageCopy){
      .bufferRowLength = it.row_length,
      .bufferImageHeight = it.image_height,
      .imageSubresource = layers,
      .imageOffset = it.offset,
      .imageExtent = it.extent,
   };
   *src = (const uint8_t *)(uintptr_t)it.src;
   return is_inside(indirect->image, &layers, &it);
}

static void copy_to_image(struct rt_executor *executor, const struct rt_cmd_copy_indirect *indirect, uint64_t index)
{
   VkBufferImageCopy region;
   struct rt_cmd_copy_buffer_to_image copy = {.dst = indirect->image, .regions = &region};
   copy.num_regions = rt_indirect_region(indirect, index, &region, &copy.src);
   rt_execute_copy_buffer_to_image(executor, &copy.cmd);
}

void rt_execute_copy_indirect(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_indirect *it = (const struct rt_cmd_copy_indirect *)cmd;
   if (!rt_executor_is_free(executor)) /* earlier commands write the parameters */
      rt_executor_sync_but_late(executor);
   for (struct rt_parts parts = rt_parts_of(&executor->worker, it->count); rt_parts_next(&parts);)
      (it->image ? copy_to_image : copy_memory)(executor, it, parts.index);
}
