/* SPDX-License-Identifier: MIT
 * Gathering: every corner finds its vertex, whatever the indices look like; packets hold what they can and no more. */
#include "runtime/geometry/gather.h"

#include "tests/test.h"
#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
   struct rt_gather gather;
   struct rt_packet packet;
   struct abi_shader_info vs;
   struct rt_context context;
   struct rt_segment segment;
   struct rt_draw draw;
};

static void fixture_init(struct fixture *f, VkPrimitiveTopology topology, uint32_t count)
{
   memset(f, 0, sizeof(*f));
   f->gather.cache_keys = calloc(RT_GATHER_CACHE_ENTRIES, sizeof(*f->gather.cache_keys));
   f->gather.cache_slots = calloc(RT_GATHER_CACHE_ENTRIES, sizeof(*f->gather.cache_slots));
   f->gather.marks = calloc(RT_PACKET_VERTICES, 1);
   f->gather.slots = calloc(RT_PACKET_VERTICES, sizeof(*f->gather.slots));
   f->gather.positions = calloc(RT_PACKET_CORNERS, sizeof(*f->gather.positions));
   f->packet.corners = calloc(RT_PACKET_CORNERS + 48, sizeof(*f->packet.corners));
   f->packet.primitive_ids = calloc(RT_PACKET_PRIMS, sizeof(*f->packet.primitive_ids));
   f->packet.starts = calloc(RT_PACKET_PRIMS, 1);
   f->packet.turns = calloc(RT_PACKET_PRIMS, 1);
   f->packet.batch.vertex_index = calloc(RT_PACKET_PADDED, sizeof(uint32_t));
   f->packet.batch.instance_index = calloc(RT_PACKET_PADDED, sizeof(uint32_t));
   f->context.vs = &f->vs;
   f->segment.count = count;
   f->draw = (struct rt_draw){.context = &f->context, .num_segments = 1, .segments = &f->segment};
   f->draw.topology = topology;
   f->draw.corners = rt_topology_vertices(topology);
   f->draw.prims = rt_topology_prims(topology, count);
   f->draw.params.count = count;
}

static void fixture_finish(struct fixture *f)
{
   free(f->gather.cache_keys);
   free(f->gather.cache_slots);
   free(f->gather.marks);
   free(f->gather.slots);
   free(f->gather.positions);
   free(f->packet.corners);
   free(f->packet.primitive_ids);
   free(f->packet.starts);
   free(f->packet.turns);
   free(f->packet.batch.vertex_index);
   free(f->packet.batch.instance_index);
}

static void set_indices(struct fixture *f, const uint32_t *indices, uint32_t count)
{
   f->draw.params.is_indexed = true;
   f->draw.index_buffer = (struct rt_vertex_buffer){(const uint8_t *)indices, count * sizeof(*indices)};
   f->draw.index_bytes = sizeof(*indices);
}

/* Gathers all primitives of all instances and checks each corner; returns how many vertices were shaded. */
static uint64_t check_list(struct fixture *f, const uint32_t *indices, uint32_t corners, uint32_t instances)
{
   const uint64_t total = (uint64_t)f->draw.prims * instances;
   const uint32_t base = f->draw.params.is_indexed ? (uint32_t)f->draw.params.vertex_offset : f->draw.params.first;
   uint64_t num_vertices = 0;
   for (uint64_t done = 0; done < total;) {
      const uint32_t wanted = (uint32_t)UTIL_MIN(total - done, 100000u);
      rt_gather(&f->gather, &f->packet, &f->draw, done, wanted);
      const uint32_t run = f->packet.num_prims;
      CHECK(run >= 1 && run <= wanted && run <= RT_PACKET_PRIMS);
      CHECK(f->packet.batch.num_vertices <= RT_PACKET_VERTICES);
      for (uint32_t i = 0; i < run * corners; i++) {
         const uint64_t prim = done + i / corners;
         const uint32_t position = (uint32_t)(prim % f->draw.prims) * corners + i % corners;
         const uint16_t slot = f->packet.corners[i];
         CHECK(slot < f->packet.batch.num_vertices);
         CHECK_EQ(f->packet.batch.vertex_index[slot], base + (indices ? indices[position] : position));
         CHECK_EQ(f->packet.batch.instance_index[slot], f->draw.params.first_instance + (uint32_t)(prim / f->draw.prims));
         CHECK_EQ(f->packet.primitive_ids[i / corners], prim % f->draw.prims);
      }
      for (uint32_t i = 0; i < 16; i++)
         CHECK_EQ(f->packet.batch.vertex_index[f->packet.batch.num_vertices + i], f->packet.batch.vertex_index[f->packet.batch.num_vertices - 1]);
      num_vertices += f->packet.batch.num_vertices;
      done += run;
   }
   return num_vertices;
}

/* A grid of quads, 100 a row. */
TEST(meshes_share_vertices)
{
   enum { COLUMNS = 100, ROWS = 90, COUNT = COLUMNS * ROWS * 6 };
   uint32_t *indices = malloc(COUNT * sizeof(*indices)), *at = indices;
   for (uint32_t y = 0; y < ROWS; y++) {
      for (uint32_t x = 0; x < COLUMNS; x++, at += 6) {
         const uint32_t a = y * (COLUMNS + 1) + x, b = a + COLUMNS + 1;
         memcpy(at, (const uint32_t[]){a, b, a + 1, a + 1, b, b + 1}, 24);
      }
   }
   struct fixture f;
   fixture_init(&f, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, COUNT);
   set_indices(&f, indices, COUNT);
   f.draw.params.vertex_offset = -3; /* wraps */
   f.draw.params.first_instance = 7;
   const uint64_t all = check_list(&f, indices, 3, 1);
   CHECK(all < (COLUMNS + 1) * (ROWS + 1) * 3 / 2);
   f.vs.has_loops = 1; /* only what occurs: here that is all */
   CHECK_EQ(check_list(&f, indices, 3, 1), all);
   f.vs.has_loops = 0;
   f.draw.prims = 30; /* many small instances in a batch */
   f.segment.count = 90;
   check_list(&f, indices, 3, 500);
   fixture_finish(&f);
   free(indices);
}

/* Every third index of a range: those between are shaded only where it cannot be observed and few are shaded in vain. */
TEST(sparse_ranges)
{
   enum { COUNT = 9000 };
   uint32_t indices[COUNT];
   for (uint32_t i = 0; i < COUNT; i++)
      indices[i] = 1000 + (i * 7 % 300) * 3;
   struct fixture f;
   fixture_init(&f, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, COUNT);
   set_indices(&f, indices, COUNT);
   CHECK_EQ(check_list(&f, indices, 3, 1), 299 * 3 + 1);
   f.vs.has_side_effects = 1;
   CHECK_EQ(check_list(&f, indices, 3, 1), 300);
   fixture_finish(&f);
}

TEST(scattered_indices)
{
   enum { COUNT = 30000 };
   uint32_t *indices = malloc(COUNT * sizeof(*indices));
   struct fixture f;
   for (uint32_t shift = 0; shift < 32; shift += 3) {
      uint32_t random = 1;
      for (uint32_t i = 0; i < COUNT; i++)
         indices[i] = (random = random * 1664525 + 1013904223) >> shift;
      indices[COUNT / 2] = UINT32_MAX;
      indices[COUNT / 2 + 1] = 0;
      fixture_init(&f, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, COUNT);
      set_indices(&f, indices, COUNT);
      check_list(&f, indices, 3, 1);
      fixture_finish(&f);
      fixture_init(&f, VK_PRIMITIVE_TOPOLOGY_LINE_LIST, COUNT);
      set_indices(&f, indices, COUNT);
      check_list(&f, indices, 2, 1);
      fixture_finish(&f);
   }
   free(indices);
}

TEST(without_indices)
{
   struct fixture f;
   fixture_init(&f, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 20001);
   f.draw.params.first = 40;
   CHECK_EQ(check_list(&f, NULL, 3, 2), 40002);
   fixture_finish(&f);
   fixture_init(&f, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 10000);
   CHECK_EQ(check_list(&f, NULL, 1, 1), 10000);
   fixture_finish(&f);
   fixture_init(&f, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 5002);
   rt_gather(&f.gather, &f.packet, &f.draw, 0, 5000);
   const uint32_t run = f.packet.num_prims;
   CHECK(run > RT_PACKET_VERTICES * 3 / 4); /* a strip shares two of three vertices */
   for (uint32_t i = 0; i < run; i++)
      CHECK_EQ(f.packet.batch.vertex_index[f.packet.corners[i * 3]], i);
   fixture_finish(&f);
}

/* Spec: Drawing, "Primitive Topologies": what each primitive of a strip of three is made of. */
TEST(adjacent_vertices)
{
   static const struct {
      VkPrimitiveTopology topology;
      uint32_t count, corners, prims;
      uint8_t expected[18];
   } rows[] = {
      {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 8, 4, 2, {0, 1, 2, 3, 4, 5, 6, 7}},
      {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 8, 2, 2, {1, 2, 5, 6}},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 6, 4, 3, {0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5}},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 6, 2, 3, {1, 2, 2, 3, 3, 4}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 12, 6, 2, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 12, 3, 2, {0, 2, 4, 6, 8, 10}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 6, 6, 1, {0, 1, 2, 5, 4, 3}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 8, 6, 2, {0, 1, 2, 6, 4, 3, 2, 5, 6, 7, 4, 0}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 10, 6, 3,
       {0, 1, 2, 6, 4, 3, 2, 5, 6, 8, 4, 0, 4, 2, 6, 9, 8, 7}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 10, 3, 3, {0, 2, 4, 2, 6, 4, 4, 6, 8}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 5, 3, 3, {0, 1, 2, 1, 3, 2, 2, 3, 4}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 5, 3, 3, {1, 2, 0, 2, 3, 0, 3, 4, 0}},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      struct fixture f;
      fixture_init(&f, rows[i].topology, rows[i].count);
      f.draw.corners = rows[i].corners;
      CHECK_EQ(f.draw.prims, rows[i].prims);
      rt_gather(&f.gather, &f.packet, &f.draw, 0, rows[i].prims);
      CHECK_EQ(f.packet.num_prims, rows[i].prims);
      CHECK_EQ(f.packet.corners_per_prim, rows[i].corners);
      for (uint32_t k = 0; k < rows[i].prims * rows[i].corners; k++)
         CHECK_EQ(f.packet.batch.vertex_index[f.packet.corners[k]], rows[i].expected[k]);
      fixture_finish(&f);
   }
}

/* Where indices are found, is where they stand one by one; also beyond the buffer, where they are zeros, and those that no index can be. */
TEST(indices_are_found)
{
   enum { NUM = 500 };
   static uint8_t bytes[NUM * 4 + 1];
   static const uint32_t values[] = {UINT32_MAX, 0xffff, 0xff, 0, 3};
   uint32_t seed = 5, num_found = 0;
   for (uint32_t round = 0; round < 20000; round++) {
      seed = seed * 1664525u + 1013904223u;
      const uint32_t index_bytes = 1u << (seed >> 8) % 3, index = values[(seed >> 12) % 5], is_odd = seed >> 31;
      struct rt_draw draw = {.index_bytes = index_bytes, .params = {.is_indexed = true, .first = (seed >> 16) % 20},
                             .index_buffer = {.data = bytes + is_odd, .size_bytes = index_bytes * ((seed >> 4) % NUM)}};
      const uint32_t first = (seed >> 20) % 300, end = first + (seed >> 10) % 400;
      memset(bytes, 1, sizeof(bytes));
      for (uint32_t i = 0; i < round % 3; i++)
         memcpy(bytes + is_odd + index_bytes * ((seed >> (3 + i)) % NUM), &index, index_bytes);
      uint32_t expected = first;
      while (expected < end && rt_index_fetch(&draw, expected) != index)
         expected++;
      CHECK_EQ(rt_index_find(&draw, first, end, index), expected);
      num_found += expected < end;
   }
   CHECK(num_found > 2000 && num_found < 18000);
}

TEST_MAIN
