/* SPDX-License-Identifier: MIT
 * Transfers between buffers: copy, fill, update.
 * Spec: Copy Commands, "Copying Data Between Buffers"; Clear Commands, "Filling Buffers", "Updating Buffers". */
#include "runtime/parts.h"
#include "runtime/queue/executor.h"
#include "runtime/sparse.h"

#include <string.h>
#include <wchar.h>

#define PIECE_BYTES (256u << 10) /* what one item moves: about a second-level cache's worth */
#define BYTES_PER_NS 8.0

/* Items of at least PIECE_BYTES each, few enough to count in 32 bits. */
static uint32_t split(uint64_t size_bytes, uint64_t *piece_bytes)
{
   *piece_bytes = UTIL_MAX(PIECE_BYTES, util_align(size_bytes / 65536, 4096));
   return (uint32_t)UTIL_DIV_ROUND_UP(size_bytes, *piece_bytes);
}

struct copy {
   const uint8_t *src;
   uint8_t *dst;
   uint64_t size_bytes, piece_bytes;
};

static void run_copy(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct copy *copy = data;
   const uint64_t begin = index * copy->piece_bytes;
   /* Parameters that stand in memory may say that both overlap. */
   memmove(copy->dst + begin, copy->src + begin, UTIL_MIN(copy->piece_bytes, copy->size_bytes - begin));
}

static void add_copy(struct rt_executor *executor, const uint8_t *src, uint8_t *dst, uint64_t size_bytes,
                     const char *describe)
{
   struct copy copy = {src, dst, size_bytes, 0};
   const uint32_t count = split(size_bytes, &copy.piece_bytes);
   const struct rt_job job = {run_copy, &copy, sizeof(copy), count, (double)size_bytes / BYTES_PER_NS, describe};
   rt_executor_add(executor, &job);
}

void rt_execute_copy_buffer(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_buffer *copy = (const struct rt_cmd_copy_buffer *)cmd;
   for (struct rt_parts parts = rt_parts_of(&executor->worker, copy->num_regions); rt_parts_next(&parts);) {
      const VkBufferCopy *region = &copy->regions[parts.index];
      add_copy(executor, copy->src + region->srcOffset, copy->dst + region->dstOffset, region->size,
               "copy of a buffer");
   }
}

void rt_execute_update_buffer(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_update_buffer *update = (const struct rt_cmd_update_buffer *)cmd;
   add_copy(executor, update->data, update->dst, update->size_bytes, "update of a buffer");
}

struct fill {
   uint8_t *dst;
   uint64_t size_bytes, piece_bytes;
   uint32_t value;
   const struct rt_sparse *sparse; /* whose addresses these are; NULL: all have memory */
};

_Static_assert(sizeof(wchar_t) == 4, "wmemset() fills words");

/* Aligned to 4 bytes, as the specification has it. */
static void fill_words(uint8_t *dst, uint64_t size_bytes, uint32_t value)
{
   wmemset((wchar_t *)(void *)dst, (wchar_t)value, size_bytes / 4);
}

static void run_fill(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct fill *fill = data;
   uint8_t *begin = fill->dst + index * fill->piece_bytes, *run_end;
   uint8_t *end = begin + UTIL_MIN(fill->piece_bytes, fill->size_bytes - index * fill->piece_bytes);
   if (!fill->sparse) {
      fill_words(begin, (size_t)(end - begin), fill->value);
      return;
   }
   for (; (begin = rt_sparse_next_run(fill->sparse, begin, end, &run_end)) < end; begin = run_end)
      fill_words(begin, (size_t)(run_end - begin), fill->value);
}

void rt_execute_fill_buffer(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_fill_buffer *it = (const struct rt_cmd_fill_buffer *)cmd;
   struct fill fill = {it->dst, it->size_bytes, 0, it->value, rt_sparse_set_find(executor->sparses, it->dst)};
   const uint32_t count = split(it->size_bytes, &fill.piece_bytes);
   const struct rt_job job = {run_fill,          &fill, sizeof(fill), count, (double)it->size_bytes / BYTES_PER_NS,
                              "fill of a buffer"};
   rt_executor_add(executor, &job);
}
