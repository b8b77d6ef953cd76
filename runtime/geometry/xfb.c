/* SPDX-License-Identifier: MIT
 * Transform feedback: capturing from rows of lanes. */
#include "runtime/geometry/xfb.h"

#include "runtime/geometry/packet.h"

#include <string.h>

/* Rows of the words of a stream: a lane's word w is lane[rows[w]], but for words that nobody writes. */
static inline uint32_t load(const uint32_t *lane, int16_t row, uint32_t stride)
{
   return row >= 0 ? lane[(size_t)(uint16_t)row * stride] : 0;
}

void rt_xfb_capture_prim(const struct rt_xfb_layout *layout, uint32_t stream, const uint32_t *const *corners, uint32_t stride,
                         struct rt_xfb_store *store)
{
   const uint32_t num_words = layout->streams[stream].num_words;
   const int16_t *rows = layout->rows + layout->streams[stream].first_word;
   uint32_t *to = rt_xfb_store_add(store, stream, (size_t)num_words * layout->corners);
   for (uint32_t k = 0; to && k < layout->corners; k++, to += num_words) {
      for (uint32_t w = 0; w < num_words; w++)
         to[w] = load(corners[k], rows[w], stride);
   }
}

/* The packet's captured vertices in the order in which they are written: primitives as the topology has them, but for the
 * provoking vertex, which is the last where that mode is set. */
struct walk {
   const struct rt_packet *packet;
   const uint32_t *outputs;
   uint32_t call_words; /* of the calls' outputs */
   bool has_turns;
};

static inline uint32_t first_corner(const struct walk *walk, uint32_t prim)
{
   return walk->has_turns ? (walk->packet->turns[prim] + 1u) % 3 : 0;
}

static inline const uint32_t *lane_of(const struct walk *walk, uint32_t prim, uint32_t corners, uint32_t k)
{
   const uint32_t slot = walk->packet->corners[prim * corners + k];
   return walk->outputs + (size_t)(slot / ABI_VERTEX_BATCH) * walk->call_words + slot % ABI_VERTEX_BATCH;
}

/* A run whose words stand in rows one after the other. */
static inline __attribute__((always_inline)) void write_rows(const struct walk *walk, uint8_t *to, size_t stride, uint32_t num_prims,
                                                             uint32_t corners, uint32_t row, uint32_t count)
{
   for (uint32_t i = 0; i < num_prims; i++) {
      uint32_t k = first_corner(walk, i);
      for (uint32_t c = 0; c < corners; c++, to += stride, k = k + 1 == corners ? 0 : k + 1) {
         const uint32_t *lane = lane_of(walk, i, corners, k) + (size_t)row * ABI_VERTEX_BATCH;
         for (uint32_t w = 0; w < count; w++)
            memcpy(to + w * sizeof(uint32_t), lane + (size_t)w * ABI_VERTEX_BATCH, sizeof(uint32_t));
      }
   }
}

static void write_any(const struct walk *walk, uint8_t *to, size_t stride, uint32_t num_prims, uint32_t corners, const int16_t *rows,
                      uint32_t count)
{
   for (uint32_t i = 0; i < num_prims; i++) {
      uint32_t k = first_corner(walk, i);
      for (uint32_t c = 0; c < corners; c++, to += stride, k = k + 1 == corners ? 0 : k + 1) {
         const uint32_t *lane = lane_of(walk, i, corners, k);
         for (uint32_t w = 0; w < count; w++) {
            const uint32_t word = load(lane, rows[w], ABI_VERTEX_BATCH);
            memcpy(to + w * sizeof(uint32_t), &word, sizeof(word));
         }
      }
   }
}

static bool are_in_a_row(const int16_t *rows, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      if (rows[i] < 0 || rows[i] != rows[0] + (int32_t)i)
         return false;
   }
   return true;
}

static void write_run(const struct walk *walk, uint8_t *to, size_t stride, uint32_t num_prims, uint32_t corners, const int16_t *rows,
                      uint32_t count)
{
   if (!are_in_a_row(rows, count))
      write_any(walk, to, stride, num_prims, corners, rows, count);
   else if (corners == 3 && count == 4)
      write_rows(walk, to, stride, num_prims, 3, (uint32_t)rows[0], 4);
   else if (corners == 1 && count == 4)
      write_rows(walk, to, stride, num_prims, 1, (uint32_t)rows[0], 4);
   else if (corners == 3 && count == 3)
      write_rows(walk, to, stride, num_prims, 3, (uint32_t)rows[0], 3);
   else
      write_rows(walk, to, stride, num_prims, corners, (uint32_t)rows[0], count);
}

/* Stream 0 alone: others are of geometry shaders. */
static void write_packet(const struct rt_xfb_layout *layout, const struct walk *walk, uint64_t number, const struct rt_xfb_target *target)
{
   const struct rt_xfb_stream *stream = &layout->streams[0];
   if (number >= target->num_prims)
      return;
   const uint32_t count = (uint32_t)UTIL_MIN(target->num_prims - number, (uint64_t)walk->packet->num_prims);
   for (uint32_t i = 0; i < stream->num_runs; i++) {
      const struct rt_xfb_run *run = &layout->runs[stream->first_run + i];
      const size_t stride = layout->strides[run->buffer];
      if (target->data[run->buffer])
         write_run(walk, target->data[run->buffer] + number * layout->corners * stride + run->offset_bytes, stride, count,
                   layout->corners, layout->rows + stream->first_word + run->first, run->count);
   }
}

static void keep_packet(const struct rt_xfb_layout *layout, const struct walk *walk, struct rt_xfb_store *store)
{
   for (uint32_t i = 0; layout->streams[0].num_words && i < walk->packet->num_prims; i++) {
      const uint32_t *corners[3];
      uint32_t k = first_corner(walk, i);
      for (uint32_t c = 0; c < layout->corners; c++, k = k + 1 == layout->corners ? 0 : k + 1)
         corners[c] = lane_of(walk, i, layout->corners, k);
      rt_xfb_capture_prim(layout, 0, corners, ABI_VERTEX_BATCH, store);
   }
}

void rt_xfb_capture(const struct rt_context *c, const struct rt_packet *packet, uint64_t number, const struct rt_xfb_target *target,
                    struct rt_xfb_store *store)
{
   const struct walk walk = {packet, packet->batch.outputs, c->last_rows * ABI_VERTEX_BATCH, c->turns_last};
   if (c->xfb->is_counted)
      write_packet(c->xfb, &walk, number, target);
   else
      keep_packet(c->xfb, &walk, store);
}
