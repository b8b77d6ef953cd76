/* SPDX-License-Identifier: MIT */
#include "icd/instrument/instrument.h"

#include "icd/resource/buffer.h"
#include "icd/resource/image.h"
#include "runtime/instrument/instrument.h"

#include <stdio.h>

void icd_instrument_add_buffer(const struct icd_buffer *buffer)
{
   if (!icd_checks())
      return;
   const bool has_address = buffer->usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT;
   const uint64_t begin = (uintptr_t)buffer->data;
   rt_range_add(&(struct rt_range){begin, begin + buffer->size_bytes, has_address ? RT_RANGE_ADDRESSED_BUFFER : RT_RANGE_BUFFER, buffer});
}

void icd_instrument_add_image(const struct icd_image *image)
{
   if (!icd_checks())
      return;
   const uint64_t begin = (uintptr_t)image->rt.planes[0].data;
   rt_range_add(&(struct rt_range){begin, begin + image->rt.size_bytes, RT_RANGE_IMAGE, image});
}

void icd_instrument_remove(const void *object)
{
   if (icd_checks() && object)
      rt_range_remove(object);
}

static uint32_t level_of(const struct rt_plane *plane, uint32_t num_levels, uint64_t offset)
{
   uint32_t level = 0;
   while (level + 1 < num_levels && offset >= plane->levels[level + 1].offset_bytes)
      level++;
   return level;
}

void icd_instrument_subresource(const void *object, uint64_t address, char *text, size_t size)
{
   const struct rt_image *image = &((const struct icd_image *)object)->rt;
   for (uint32_t p = 0; p < image->num_planes; p++) {
      const struct rt_plane *plane = &image->planes[p];
      const uint64_t begin = (uintptr_t)plane->data;
      if (!begin || address < begin || address >= begin + plane->layer_bytes * image->num_layers)
         continue;
      const uint64_t layer = (address - begin) / plane->layer_bytes, offset = (address - begin) % plane->layer_bytes;
      const uint32_t level = level_of(plane, image->num_levels, offset);
      const struct rt_texel_position at = rt_level_texel(&plane->levels[level], image->is_tiled, plane->texel_bytes, image->num_samples, offset);
      int used = snprintf(text, size, " level %u, layer %llu, texel (%u, %u", level, (unsigned long long)layer, at.x * plane->info->block_width,
                          at.y * plane->info->block_height);
      if (image->type == VK_IMAGE_TYPE_3D && used > 0 && (size_t)used < size)
         used += snprintf(text + used, size - (size_t)used, ", %u", at.z * plane->info->block_depth);
      if (used > 0 && (size_t)used < size)
         snprintf(text + used, size - (size_t)used, ")");
   }
}
