/* SPDX-License-Identifier: MIT
 * Gathering vertices. */
#include "runtime/geometry/gather.h"

#include "runtime/draw/lanes.h"

#include <string.h>

enum {
   STEP_PRIMS = 256, /* looked at together */
};

/* Primitives of one instance and segment, as indices of their corners. */
struct run {
   uint32_t base, instance; /* added to each index; gl_InstanceIndex */
   const uint32_t *indices; /* [count]; may be the application's memory, which others may change meanwhile */
   uint32_t count;
   uint16_t *corners; /* [count] */
};

/* Topologies whose primitives take the next vertices each. */
static bool is_list(const struct rt_draw *draw)
{
   switch (draw->topology) {
   case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
   case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
      return true;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
      return draw->corners == 4;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
      return draw->corners == 6;
   default:
      return false;
   }
}

/* `count` vertices in a row, from `index` on. Writes up to the next multiple of 16. */
static void add_vertices(struct rt_batch *batch, uint32_t index, uint32_t instance, uint32_t count)
{
   const rt_u32x16 steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
   for (uint32_t i = 0; i < count; i += 16) {
      rt_store_i(batch->vertex_index + batch->num_vertices + i, (rt_i32x16)(steps + (index + i))); /* indices wrap */
      rt_store_i(batch->instance_index + batch->num_vertices + i, rt_splat_i((int32_t)instance));
   }
   batch->num_vertices += count;
}

struct range {
   uint32_t lo, hi; /* inclusive */
};

static void extend_range(struct range *range, const uint32_t *indices, uint32_t count)
{
   uint32_t lo = range->lo, hi = range->hi;
   for (uint32_t i = 0; i < count; i += 16)
      __builtin_prefetch(indices + count + i); /* the hardware stops at pages */
   for (uint32_t i = 0; i < count; i++) {
      lo = UTIL_MIN(lo, indices[i]);
      hi = UTIL_MAX(hi, indices[i]);
   }
   *range = (struct range){lo, hi};
}

/* Indices from the front of the run, whole primitives, that lie in a range of `limit` at most. */
static uint32_t find_range(const struct run *run, uint32_t corners_per_prim, uint32_t limit, struct range *range)
{
   const uint32_t step = STEP_PRIMS * corners_per_prim;
   *range = (struct range){UINT32_MAX, 0};
   uint32_t done = 0;
   while (done < run->count) {
      const uint32_t n = UTIL_MIN(step, run->count - done);
      struct range next = *range;
      extend_range(&next, run->indices + done, n);
      if (next.hi - next.lo >= limit)
         break;
      *range = next;
      done += n;
   }
   return done;
}

/* All of a range becomes vertices. */
static void gather_all(struct rt_batch *batch, const struct run *run, uint32_t lo, uint32_t size)
{
   const uint32_t first = batch->num_vertices;
   add_vertices(batch, run->base + lo, run->instance, size);
   for (uint32_t i = 0; i < run->count; i++) {
      const uint32_t at = run->indices[i] - lo;
      run->corners[i] = (uint16_t)(first + UTIL_MIN(at, size - 1));
   }
}

/* What occurs of a range: it is marked, so each index becomes one vertex without a search. */
static void gather_marked(struct rt_gather *gather, struct rt_batch *batch, const struct run *run, uint32_t lo,
                          uint32_t size)
{
   memset(gather->marks, 0, size);
   for (uint32_t i = 0; i < run->count; i++) {
      const uint32_t at = run->indices[i] - lo;
      run->corners[i] = (uint16_t)UTIL_MIN(at, size - 1);
      gather->marks[run->corners[i]] = 1;
   }
   uint32_t at = batch->num_vertices;
   for (uint32_t i = 0; i < size; i++) {
      gather->slots[i] = (uint16_t)at;
      batch->vertex_index[at] = run->base + lo + i;
      batch->instance_index[at] = run->instance;
      at += gather->marks[i];
   }
   batch->num_vertices = at;
   for (uint32_t i = 0; i < run->count; i++)
      run->corners[i] = gather->slots[run->corners[i]];
}

/* Indices from anywhere. */
static void gather_scattered(struct rt_gather *gather, struct rt_batch *batch, const struct run *run)
{
   uint32_t num = batch->num_vertices;
   if (gather->stamp == 0) /* few draws come here: the others need no memory for it */
      memset(gather->cache_keys, 0, RT_GATHER_CACHE_ENTRIES * sizeof(*gather->cache_keys));
   const uint64_t stamp = (uint64_t)++gather->stamp << 32;
   for (uint32_t i = 0; i < run->count; i++) {
      const uint32_t index = run->base + run->indices[i], entry = index % RT_GATHER_CACHE_ENTRIES;
      if (gather->cache_keys[entry] != (stamp | index)) {
         gather->cache_keys[entry] = stamp | index;
         gather->cache_slots[entry] = (uint16_t)num;
         batch->vertex_index[num] = index;
         batch->instance_index[num] = run->instance;
         num++;
      }
      run->corners[i] = gather->cache_slots[entry];
   }
   batch->num_vertices = num;
}

/* Vertices that no primitive has may be shaded too: it cannot be observed, and garbage cannot go round for ever. */
static bool can_shade_more(const struct rt_context *c)
{
   return !c->statistics && !c->vs->has_side_effects && !c->vs->has_loops;
}

/* Turns the corners of as many primitives of the run as fit into vertices; returns the number of corners. */
static uint32_t gather_run(struct rt_gather *gather, struct rt_batch *batch, const struct rt_draw *draw,
                           struct run *run, uint32_t corners_per_prim)
{
   const uint32_t limit = RT_PACKET_VERTICES - batch->num_vertices;
   struct range range;
   const uint32_t count = find_range(run, corners_per_prim, limit, &range);
   const uint32_t size = range.hi - range.lo + 1;
   if (!count || size > count * 4) {
      run->count = UTIL_MIN(run->count, limit / corners_per_prim * corners_per_prim);
      gather_scattered(gather, batch, run);
      return run->count;
   }
   run->count = count;
   if (size <= count / 3 && can_shade_more(draw->context))
      gather_all(batch, run, range.lo, size);
   else
      gather_marked(gather, batch, run, range.lo, size);
   return count;
}

/* Gathers `count` primitives, number `first` of the segment on, of one instance, or as many as fit. */
static uint32_t gather_segment(struct rt_gather *gather, struct rt_batch *batch, const struct rt_draw *draw,
                               const struct rt_segment *segment, uint32_t instance, uint32_t first, uint32_t count,
                               uint32_t corners_per_prim, uint16_t *corners)
{
   const bool is_indexed = draw->params.is_indexed;
   const uint32_t first_position = segment->first + first * corners_per_prim;
   struct run run = {
      .base = is_indexed ? (uint32_t)draw->params.vertex_offset : draw->params.first,
      .instance = draw->params.first_instance + instance,
      .indices = gather->positions,
      .count = count * corners_per_prim,
      .corners = corners,
   };
   if (is_list(draw) && !is_indexed) {
      count = UTIL_MIN(count, (RT_PACKET_VERTICES - batch->num_vertices) / corners_per_prim);
      for (uint32_t i = 0; i < count * corners_per_prim; i++)
         corners[i] = (uint16_t)(batch->num_vertices + i);
      add_vertices(batch, run.base + first_position, run.instance, count * corners_per_prim);
      return count;
   }
   if (is_list(draw)) {
      run.indices = rt_index_run(draw, first_position, run.count, gather->positions);
   } else {
      rt_assemble(draw, segment, first, count, gather->positions);
      if (is_indexed)
         rt_index_translate(draw, gather->positions, run.count);
   }
   return gather_run(gather, batch, draw, &run, corners_per_prim) / corners_per_prim;
}

/* Whole calls read defined values, and no other vertices than the draw has: where a vertex buffer is given by its address, some programs (zink) let it begin
 * before its memory, so that the first index of the draw is the first inside. */
static void pad(struct rt_batch *batch)
{
   const uint32_t count = batch->num_vertices;
   rt_store_i(batch->vertex_index + count, rt_splat_i(count ? (int32_t)batch->vertex_index[count - 1] : 0));
   rt_store_i(batch->instance_index + count, rt_splat_i(count ? (int32_t)batch->instance_index[count - 1] : 0));
}

/* What the packet says of its primitives from number `at` on: `count` of an instance, from `first` on in their segment. */
static void describe_prims(struct rt_packet *packet, const struct rt_draw *draw, uint32_t at, uint32_t id, uint32_t first,
                           uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      packet->primitive_ids[at + i] = id + i;
   if (draw->context->turns_last)
      rt_find_turns((VkPrimitiveTopology)draw->topology, first, count, packet->turns + at);
   if (draw->context->continues_lines) {
      memset(packet->starts + at, 0, count);
      packet->starts[at] = first == 0;
   }
}

void rt_gather(struct rt_gather *gather, struct rt_packet *packet, const struct rt_draw *draw, uint64_t first, uint32_t count)
{
   const uint32_t corners = draw->corners;
   count = UTIL_MIN(count, UTIL_MIN((uint32_t)RT_PACKET_PRIMS, RT_PACKET_CORNERS / corners));
   packet->batch.num_vertices = 0;
   packet->corners_per_prim = corners;
   uint32_t done = 0;
   while (done < count) {
      const uint64_t number = first + done;
      const uint32_t instance = number < draw->prims ? 0 : (uint32_t)(number / draw->prims);
      const uint32_t local = (uint32_t)(number - (uint64_t)instance * draw->prims);
      const struct rt_segment *segment = &draw->segments[rt_segments_find(draw, local)];
      const uint32_t in_segment = local - segment->first_prim;
      const uint32_t segment_prims = rt_draw_prims(draw, segment->count);
      const uint32_t run = gather_segment(gather, &packet->batch, draw, segment, instance, in_segment,
                                          UTIL_MIN(count - done, segment_prims - in_segment), corners,
                                          packet->corners + done * corners);
      if (!run)
         break; /* no vertex fits any more */
      describe_prims(packet, draw, done, local, in_segment, run);
      done += run;
   }
   packet->num_prims = done;
   pad(&packet->batch);
   rt_packet_pad(packet);
}
