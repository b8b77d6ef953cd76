/* SPDX-License-Identifier: MIT
 * Transform feedback: what is captured, how much of it fits, and stores. */
#include "runtime/cmd/query.h"
#include "runtime/draw/context.h"
#include "runtime/geometry/xfb.h"
#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

void rt_xfb_layout_init(struct rt_xfb_layout *layout, const struct rt_context *c)
{
   const struct abi_shader_info *info = c->last;
   uint32_t num_runs = 0;
   memset(layout, 0, sizeof(*layout));
   layout->corners = c->topology_class == RT_CLASS_TRIANGLES ? 3 : c->topology_class == RT_CLASS_LINES ? 2 : 1;
   layout->is_counted = c->last == c->vs;
   memcpy(layout->strides, info->xfb_strides, sizeof(layout->strides));
   for (uint32_t s = 0; s < ABI_MAX_STREAMS; s++) {
      struct rt_xfb_stream *stream = &layout->streams[s];
      stream->first_word = layout->num_words;
      stream->first_run = (uint16_t)num_runs;
      for (uint32_t i = 0; i < info->num_xfb_ranges; i++) {
         const struct abi_xfb_range *range = &info->xfb_ranges[i];
         if (range->stream != s || layout->num_words + range->count > UTIL_ARRAY_SIZE(layout->rows))
            continue;
         layout->runs[num_runs++] =
            (struct rt_xfb_run){(uint16_t)(layout->num_words - stream->first_word), range->count, range->offset_bytes, range->buffer};
         for (uint32_t k = 0; k < range->count; k++)
            layout->rows[layout->num_words++] = rt_output_row(info->outputs, range->slot + k);
         stream->buffers |= (uint8_t)(1u << range->buffer);
      }
      stream->num_words = (uint16_t)(layout->num_words - stream->first_word);
      stream->num_runs = (uint16_t)(num_runs - stream->first_run);
   }
}

struct rt_xfb_target rt_xfb_take(struct rt_xfb *xfb, const struct rt_xfb_layout *layout, uint32_t stream, uint64_t num_prims,
                                struct rt_query *query)
{
   struct rt_xfb_target target = {.num_prims = num_prims};
   const uint32_t buffers = layout->streams[stream].buffers;
   if (!buffers)
      return (struct rt_xfb_target){{NULL}, 0};
   for (uint32_t left = buffers; left; left &= left - 1) {
      const uint32_t b = (uint32_t)__builtin_ctz(left);
      const struct rt_xfb_buffer *buffer = &xfb->buffers[b];
      const uint64_t bytes = (uint64_t)layout->strides[b] * layout->corners;
      const uint64_t room = buffer->at_bytes < buffer->size_bytes ? buffer->size_bytes - buffer->at_bytes : 0;
      if (buffer->data && bytes)
         target.num_prims = UTIL_MIN(target.num_prims, room / bytes);
   }
   for (uint32_t left = buffers; left; left &= left - 1) {
      const uint32_t b = (uint32_t)__builtin_ctz(left);
      struct rt_xfb_buffer *buffer = &xfb->buffers[b];
      if (!buffer->data || !target.num_prims)
         continue;
      target.data[b] = buffer->data + buffer->at_bytes;
      buffer->at_bytes = util_size_array(buffer->at_bytes, target.num_prims, (size_t)layout->strides[b] * layout->corners);
   }
   if (query) {
      rt_query_add(query, RT_XFB_WRITTEN, target.num_prims);
      rt_query_add(query, RT_XFB_NEEDED, num_prims);
   }
   return target;
}

/* ---- stores ---- */

uint32_t *rt_xfb_store_add(struct rt_xfb_store *store, uint32_t stream, size_t num_words)
{
   const size_t count = store->streams[stream].count;
   if (UTIL_UNLIKELY(count + num_words > store->streams[stream].capacity)) {
      const size_t capacity = UTIL_MAX(util_size_mul(store->streams[stream].capacity, 2), UTIL_MAX(count + num_words, (size_t)4096));
      void *grown = util_realloc(store->streams[stream].words, util_size_mul(capacity, sizeof(uint32_t)));
      if (!grown) {
         store->is_out_of_memory = true;
         return NULL;
      }
      store->streams[stream].words = grown;
      store->streams[stream].capacity = capacity;
   }
   store->streams[stream].count += num_words;
   store->streams[stream].num_prims++;
   return store->streams[stream].words + count;
}

void rt_xfb_store_clear(struct rt_xfb_store *store)
{
   for (uint32_t i = 0; i < ABI_MAX_STREAMS; i++)
      store->streams[i].count = store->streams[i].num_prims = 0;
   store->is_out_of_memory = false;
}

void rt_xfb_store_trim(struct rt_xfb_store *store)
{
   for (uint32_t i = 0; i < ABI_MAX_STREAMS; i++) {
      if (store->streams[i].capacity <= 2 * RT_XFB_STORE_BYTES / sizeof(uint32_t))
         continue;
      util_mfree(store->streams[i].words);
      store->streams[i].words = NULL;
      store->streams[i].capacity = 0;
   }
}

void rt_xfb_store_finish(struct rt_xfb_store *store)
{
   for (uint32_t i = 0; i < ABI_MAX_STREAMS; i++)
      util_mfree(store->streams[i].words);
   *store = (struct rt_xfb_store){0};
}

static void write_run(const struct rt_xfb_layout *layout, const struct rt_xfb_run *run, uint32_t num_words, const uint32_t *words,
                      const struct rt_xfb_target *target)
{
   const size_t stride = layout->strides[run->buffer], bytes = run->count * sizeof(uint32_t);
   const uint64_t num_vertices = target->num_prims * layout->corners;
   uint8_t *to = target->data[run->buffer];
   if (!to)
      return;
   words += run->first;
   if (bytes == stride && run->count == num_words) {
      memcpy(to, words, stride * num_vertices);
      return;
   }
   to += run->offset_bytes;
   for (uint64_t i = 0; i < num_vertices; i++, words += num_words, to += stride)
      memcpy(to, words, bytes);
}

void rt_xfb_store_write(const struct rt_xfb_store *store, const struct rt_xfb_layout *layout)
{
   for (uint32_t s = 0; s < ABI_MAX_STREAMS; s++) {
      const struct rt_xfb_stream *stream = &layout->streams[s];
      for (uint32_t i = 0; store->streams[s].num_prims && i < stream->num_runs; i++)
         write_run(layout, &layout->runs[stream->first_run + i], stream->num_words, store->streams[s].words, &store->streams[s].target);
   }
}
