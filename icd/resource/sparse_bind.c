/* SPDX-License-Identifier: MIT
 * Binds of ranges, and of blocks of images, become runs of pages. */
#include "icd/resource/sparse_bind.h"

#include "icd/resource/buffer.h"
#include "icd/resource/device_memory.h"
#include "icd/resource/image.h"
#include "runtime/image/sparse_blocks.h"
#include "util/alloc.h"
#include "util/reserved.h"
#include "util/size.h"

struct list {
   struct rt_sparse_bind *binds;
   uint32_t count, room;
   bool is_out_of_memory;
};

static void add(struct list *list, const struct rt_sparse_bind *bind)
{
   if (list->count == list->room) {
      const uint32_t room = list->room ? list->room * 2 : 64;
      struct rt_sparse_bind *binds =
         room > list->room ? util_realloc(list->binds, util_size_mul(room, sizeof(*binds))) : NULL;
      if (!binds) {
         list->is_out_of_memory = true;
         return;
      }
      list->binds = binds;
      list->room = room;
   }
   list->binds[list->count++] = *bind;
}

/* Where `size` bytes of memory from `offset` on are: false if they are not there, or cannot be mapped elsewhere. */
static bool source_of(VkDeviceMemory handle, uint64_t offset, uint64_t size, uint8_t **source)
{
   const struct icd_device_memory *memory = icd_device_memory_from_handle(handle);
   *source = NULL;
   if (!memory)
      return true;
   const bool is_shared = memory->source == ICD_MEMORY_PAGES || memory->source == ICD_MEMORY_SHARED;
   const uint64_t end = util_align(memory->size_bytes, UTIL_PAGE_BYTES);
   if (!is_shared || offset % UTIL_PAGE_BYTES || offset > end || size > end - offset)
      return false;
   *source = memory->data + offset;
   return true;
}

static void add_range(struct list *list, struct rt_sparse *sparse, const VkSparseMemoryBind *bind)
{
   struct rt_sparse_bind out = {sparse, bind->resourceOffset, 0, NULL};
   if (bind->resourceOffset % UTIL_PAGE_BYTES || bind->resourceOffset >= sparse->size_bytes)
      return;
   out.size_bytes = UTIL_MIN(bind->size, sparse->size_bytes - bind->resourceOffset);
   out.size_bytes = util_align(out.size_bytes, UTIL_PAGE_BYTES);
   if (out.size_bytes && source_of(bind->memory, bind->memoryOffset, out.size_bytes, &out.source))
      add(list, &out);
}

/* ---- blocks ---- */

struct blocks {
   VkOffset3D first;
   VkExtent3D count;
};

static uint32_t blocks_along(uint32_t offset, uint32_t extent, uint32_t level_extent, uint32_t granularity)
{
   const uint32_t rest = offset < level_extent ? level_extent - offset : 0;
   return (uint32_t)UTIL_DIV_ROUND_UP((uint64_t)UTIL_MIN(extent, rest), granularity);
}

static struct blocks blocks_of(const struct rt_plane *plane, const VkSparseImageMemoryBind *bind, VkExtent3D granularity)
{
   const struct abi_level *level = &plane->levels[bind->subresource.mipLevel];
   const uint32_t x = (uint32_t)bind->offset.x, y = (uint32_t)bind->offset.y, z = (uint32_t)bind->offset.z;
   return (struct blocks){
      .first = {(int32_t)(x / granularity.width), (int32_t)(y / granularity.height), (int32_t)(z / granularity.depth)},
      .count = {blocks_along(x, bind->extent.width, level->width, granularity.width),
                blocks_along(y, bind->extent.height, level->height, granularity.height),
                blocks_along(z, bind->extent.depth, level->depth, granularity.depth)},
   };
}

static void add_block(struct list *list, const struct icd_image *image, uint32_t plane, const VkSparseImageMemoryBind *bind,
                      uint32_t x, uint32_t y, uint32_t z, uint64_t memory_offset)
{
   struct rt_sparse_run runs[RT_MAX_SPARSE_RUNS];
   uint8_t *source;
   const uint32_t count = rt_sparse_block_runs(&image->rt, plane, bind->subresource.mipLevel, bind->subresource.arrayLayer, x, y, z, runs);
   if (!source_of(bind->memory, memory_offset, RT_SPARSE_BLOCK_BYTES, &source))
      return;
   for (uint32_t i = 0; i < count; i++) {
      const struct rt_sparse_bind out = {image->sparse, runs[i].offset_bytes, runs[i].size_bytes,
                                         source ? source + runs[i].block_bytes : NULL};
      add(list, &out);
   }
}

/* Memory of several blocks goes block by block: x first, then y, then z. */
static void add_blocks(struct list *list, const struct icd_image *image, const VkSparseImageMemoryBind *bind)
{
   if (bind->subresource.mipLevel >= image->rt.num_levels)
      return;
   const uint32_t index = rt_image_plane(&image->rt, bind->subresource.aspectMask);
   const struct rt_plane *plane = &image->rt.planes[index];
   const VkExtent3D granularity = rt_sparse_granularity(plane->info, image->rt.type, image->rt.num_samples);
   if (!plane->sparse_block.width || bind->offset.x < 0 || bind->offset.y < 0 || bind->offset.z < 0)
      return;
   const struct blocks blocks = blocks_of(plane, bind, granularity);
   uint64_t memory_offset = bind->memoryOffset;
   for (uint32_t z = 0; z < blocks.count.depth; z++) {
      for (uint32_t y = 0; y < blocks.count.height; y++) {
         for (uint32_t x = 0; x < blocks.count.width && !list->is_out_of_memory; x++) {
            add_block(list, image, index, bind, (uint32_t)blocks.first.x + x, (uint32_t)blocks.first.y + y,
                      (uint32_t)blocks.first.z + z, memory_offset);
            memory_offset += RT_SPARSE_BLOCK_BYTES;
         }
      }
   }
}

/* ---- all of a batch ---- */

VkResult icd_sparse_collect(const VkBindSparseInfo *info, struct rt_sparse_bind **binds, uint32_t *num_binds)
{
   struct list list = {NULL, 0, 0, false};
   for (uint32_t i = 0; i < info->bufferBindCount; i++) {
      struct icd_buffer *buffer = icd_buffer_from_handle(info->pBufferBinds[i].buffer);
      for (uint32_t j = 0; buffer->sparse && j < info->pBufferBinds[i].bindCount; j++)
         add_range(&list, buffer->sparse, &info->pBufferBinds[i].pBinds[j]);
   }
   for (uint32_t i = 0; i < info->imageOpaqueBindCount; i++) {
      struct icd_image *image = icd_image_from_handle(info->pImageOpaqueBinds[i].image);
      for (uint32_t j = 0; image->sparse && j < info->pImageOpaqueBinds[i].bindCount; j++)
         add_range(&list, image->sparse, &info->pImageOpaqueBinds[i].pBinds[j]);
   }
   for (uint32_t i = 0; i < info->imageBindCount; i++) {
      const struct icd_image *image = icd_image_from_handle(info->pImageBinds[i].image);
      for (uint32_t j = 0; image->sparse && j < info->pImageBinds[i].bindCount; j++)
         add_blocks(&list, image, &info->pImageBinds[i].pBinds[j]);
   }
   if (list.is_out_of_memory) {
      util_mfree(list.binds);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   *binds = list.binds;
   *num_binds = list.count;
   return VK_SUCCESS;
}
