/* SPDX-License-Identifier: MIT
 * Opacity micromaps: where small triangles stand, what rays see of each state, data that lies. */
#include "runtime/accel/micromap.h"
#include "tests/runtime/accel/scene.h"
#include "tests/test.h"
#include "util/macros.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRIANGLES = 8, MICROMAP_BYTES = 1 << 20, DATA_BYTES = 1 << 16 };

/* A micromap and what it is built of. */
struct map {
   VkMicromapTriangleEXT triangles[MAX_TRIANGLES];
   uint8_t data[DATA_BYTES];
   void *structure;
};

static void map_build(struct map *map, struct scene *scene, uint32_t count, uint64_t data_bytes)
{
   struct rt_accel_geometry input = {.num_primitives = count};
   input.micromap.data = map->data;
   input.micromap.triangles = (const uint8_t *)map->triangles;
   input.micromap.stride_bytes = sizeof(map->triangles[0]);
   input.micromap.data_bytes = data_bytes;
   map->structure = scene_alloc(MICROMAP_BYTES);
   const struct rt_accel_target target = {map->structure, rt_micromap_bytes(count, data_bytes), NULL};
   CHECK(target.structure_bytes <= MICROMAP_BYTES);
   CHECK(rt_micromap_build(&input, &target, NULL));
   CHECK_EQ(((uint8_t *)map->structure)[target.structure_bytes], 0xa5);
   if (scene)
      CHECK(rt_accel_table_add(scene->table, (uintptr_t)map->structure, target.structure_bytes));
}

static struct rt_accel_view map_view(const struct map *map)
{
   return rt_accel_view(map->structure, ((const struct rt_accel_head *)map->structure)->size_bytes);
}

/* ---- the curve ---- */

/* The barycentrics of the middle of a small triangle: column and row of its square of 2^level, and which half of that. */
static void middle(uint32_t column, uint32_t row, bool is_inverted, uint32_t level, float *u, float *v)
{
   const float third = is_inverted ? 2.0f / 3.0f : 1.0f / 3.0f, side = (float)(1u << level);
   *u = ((float)column + third) / side;
   *v = ((float)row + third) / side;
}

/* Which bit of a map of two states is read: found by setting one after the other. */
static uint32_t find_index(uint32_t level, float u, float v)
{
   const uint32_t count = 1u << level * 2;
   static struct map map;
   uint32_t index = 0;
   for (uint32_t bit = 1; bit < count; bit *= 2) {
      memset(&map, 0, sizeof(map));
      map.triangles[0] = (VkMicromapTriangleEXT){0, (uint16_t)level, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
      for (uint32_t i = 0; i < count; i++)
         map.data[i / 8] |= (uint8_t)((i & bit ? 1 : 0) << i % 8);
      map_build(&map, NULL, 1, DATA_BYTES);
      const struct rt_accel_view view = map_view(&map);
      index |= rt_micromap_read(&view, 0, u, v) == RT_OPACITY_OPAQUE ? bit : 0;
      free(map.structure);
   }
   return index;
}

TEST(first_level)
{
   CHECK_EQ(find_index(1, 0.1f, 0.1f), 0);
   CHECK_EQ(find_index(1, 0.35f, 0.35f), 1);
   CHECK_EQ(find_index(1, 0.8f, 0.1f), 2);
   CHECK_EQ(find_index(1, 0.1f, 0.8f), 3);
   /* Corners and beyond. */
   CHECK_EQ(find_index(1, 0.0f, 0.0f), 0);
   CHECK_EQ(find_index(1, 1.0f, 0.0f), 2);
   CHECK_EQ(find_index(1, 0.0f, 1.0f), 3);
   CHECK_EQ(find_index(1, -1.0f, 7.0f), 3);
}

/* In the middle and at vertex 2 the curve runs from vertex 1 to vertex 0. */
TEST(second_level)
{
   static const uint8_t expected[][4] = {/* column, row, half, index */
                                         {0, 0, 0, 0}, {0, 0, 1, 1}, {1, 0, 0, 2},  {0, 1, 0, 3},  {1, 0, 1, 7},  {0, 1, 1, 4},
                                         {1, 1, 0, 5}, {1, 1, 1, 6}, {2, 0, 0, 8},  {2, 0, 1, 9},  {3, 0, 0, 10}, {2, 1, 0, 11},
                                         {0, 2, 0, 14}, {0, 2, 1, 13}, {1, 2, 0, 12}, {0, 3, 0, 15}};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(expected); i++) {
      float u, v;
      middle(expected[i][0], expected[i][1], expected[i][2], 2, &u, &v);
      CHECK_EQ(find_index(2, u, v), expected[i][3]);
   }
}

TEST(each_small_triangle_once_and_within_its_parent)
{
   const uint32_t level = 4, side = 1u << level;
   uint8_t seen[256] = {0};
   for (uint32_t column = 0; column < side; column++) {
      for (uint32_t row = 0; row + column < side; row++) {
         for (uint32_t half = 0; half < (row + column + 1 < side ? 2 : 1); half++) {
            float u, v;
            middle(column, row, half, level, &u, &v);
            const uint32_t index = find_index(level, u, v);
            CHECK(index < 256 && !seen[index]);
            seen[index & 255] = 1;
            CHECK_EQ(find_index(level - 1, u, v), index / 4);
         }
      }
   }
}

/* ---- rays ---- */

enum answer { MISS, COMMITTED, CANDIDATE };

static enum answer ask(const struct scene *scene, float x, float y, uint32_t flags)
{
   static const uint32_t cancel = 0;
   struct abi_worker worker = {.cancel = &cancel, .structures = scene->table};
   struct abi_ray ray = scene_ray(scene, (const float[3]){x, y, 1}, (const float[3]){0, 0, -1}, 0, FLT_MAX), *pointer = &ray;
   ray.flags = flags;
   if (rt_ray_proceed(&worker, &pointer, 1))
      return CANDIDATE;
   return ray.committed.type ? COMMITTED : MISS;
}

/* A triangle with each of the four states at one of its corners or in its middle. */
static const float points[4][2] = {{0.1f, 0.1f}, {0.3f, 0.35f}, {0.8f, 0.1f}, {0.1f, 0.8f}};

struct map_scene {
   struct scene scene;
   struct map map;
   int32_t index;
   struct rt_accel_geometry geometry;
   struct rt_accel_input input;
};

static void map_scene_init(struct map_scene *it, VkIndexType index_type, int32_t index, uint32_t instance_flags)
{
   static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
   memset(it, 0, sizeof(*it));
   scene_init(&it->scene);
   it->map.triangles[0] = (VkMicromapTriangleEXT){7, 1, VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT};
   it->map.data[7] = 0 | 1 << 2 | 2 << 4 | 3 << 6;
   map_build(&it->map, &it->scene, 1, 1);
   struct scene_bottom *bottom = scene_add_bottom(&it->scene, 1, false);
   memcpy(bottom->positions, corners, sizeof(corners));
   it->index = index;
   it->input = scene_bottom_input(bottom);
   it->geometry = bottom->geometry;
   it->geometry.opacity.is_there = true;
   it->geometry.opacity.micromap = (uintptr_t)it->map.structure;
   it->geometry.opacity.index_type = index_type;
   it->geometry.opacity.indices = (const uint8_t *)&it->index;
   it->geometry.opacity.stride_bytes = 4;
   it->input.geometries = &it->geometry;
   const struct rt_accel_sizes sizes = rt_accel_sizes_of(RT_LEAF_TRIANGLES, 1, 1);
   void *scratch = scene_alloc(sizes.build_scratch);
   bottom->structure = scene_alloc(sizes.structure);
   bottom->structure_bytes = sizes.structure;
   const struct rt_accel_target target = {bottom->structure, sizes.structure, scratch};
   CHECK(rt_accel_build(&it->input, &target, NULL));
   free(scratch);
   CHECK(rt_accel_table_add(it->scene.table, (uintptr_t)bottom->structure, bottom->structure_bytes));
   scene_add_instance(&it->scene, bottom, NULL)->flags = (VkGeometryInstanceFlagsKHR)instance_flags & 0xff;
   scene_build_top(&it->scene);
}

static void map_scene_finish(struct map_scene *it)
{
   free(it->map.structure);
   scene_finish(&it->scene);
}

TEST(states_and_flags)
{
   static const struct {
      uint32_t instance_flags, ray_flags;
      enum answer answers[4];
   } rows[] = {
      {0, 0, {MISS, COMMITTED, CANDIDATE, CANDIDATE}},
      {VK_GEOMETRY_INSTANCE_FORCE_OPACITY_MICROMAP_2_STATE_EXT, 0, {MISS, COMMITTED, MISS, COMMITTED}},
      {0, ABI_RAY_FORCE_TWO_STATES, {MISS, COMMITTED, MISS, COMMITTED}},
      {VK_GEOMETRY_INSTANCE_DISABLE_OPACITY_MICROMAPS_EXT, 0, {COMMITTED, COMMITTED, COMMITTED, COMMITTED}},
      {0, ABI_RAY_OPAQUE, {MISS, COMMITTED, COMMITTED, COMMITTED}},
      {0, ABI_RAY_NO_OPAQUE, {MISS, CANDIDATE, CANDIDATE, CANDIDATE}},
      {0, ABI_RAY_CULL_NO_OPAQUE, {MISS, COMMITTED, MISS, MISS}},
      {0, ABI_RAY_CULL_OPAQUE, {MISS, MISS, CANDIDATE, CANDIDATE}},
      {VK_GEOMETRY_INSTANCE_FORCE_OPAQUE_BIT_KHR, 0, {MISS, COMMITTED, COMMITTED, COMMITTED}},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      struct map_scene it;
      map_scene_init(&it, VK_INDEX_TYPE_UINT32, 0, rows[i].instance_flags);
      for (uint32_t k = 0; k < 4; k++)
         CHECK_EQ(ask(&it.scene, points[k][0], points[k][1], rows[i].ray_flags), rows[i].answers[k]);
      map_scene_finish(&it);
   }
}

TEST(special_indices_and_updates)
{
   static const enum answer answers[4] = {MISS, COMMITTED, CANDIDATE, CANDIDATE};
   static const VkIndexType types[] = {VK_INDEX_TYPE_UINT8, VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32};
   struct map_scene it;
   for (uint32_t t = 0; t < 3; t++) {
      for (int32_t special = 0; special < 4; special++) {
         map_scene_init(&it, types[t], ~special, 0);
         CHECK_EQ(ask(&it.scene, 0.2f, 0.2f, 0), answers[special]);
         map_scene_finish(&it);
      }
   }
   map_scene_init(&it, VK_INDEX_TYPE_NONE_KHR, 0, 0);
   CHECK_EQ(ask(&it.scene, points[0][0], points[0][1], 0), MISS);
   struct scene_bottom *bottom = &it.scene.bottoms[0];
   const struct rt_accel_target target = {bottom->structure, bottom->structure_bytes,
                                          scene_alloc(rt_accel_sizes(RT_LEAF_TRIANGLES, 1).update_scratch)};
   it.geometry.opacity.index_type = VK_INDEX_TYPE_UINT32;
   it.index = VK_OPACITY_MICROMAP_SPECIAL_INDEX_FULLY_OPAQUE_EXT;
   CHECK(rt_accel_update(&it.input, bottom->structure, bottom->structure_bytes, &target, NULL));
   CHECK_EQ(ask(&it.scene, points[0][0], points[0][1], 0), COMMITTED);
   free(target.scratch);
   map_scene_finish(&it);
}

/* ---- what is wrong ---- */

TEST(data_that_lies)
{
   static struct map map;
   struct scene scene;
   const struct rt_accel_view nothing = {0};
   scene_init(&scene);
   memset(&map, 0, sizeof(map));
   map.triangles[0] = (VkMicromapTriangleEXT){0, 13, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT}; /* too fine */
   map.triangles[1] = (VkMicromapTriangleEXT){0, 1, 9};                                       /* no format */
   map.triangles[2] = (VkMicromapTriangleEXT){0, 3, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
   map.triangles[3] = (VkMicromapTriangleEXT){0, 3, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT}; /* more than was given */
   map_build(&map, NULL, 4, 12);
   struct rt_accel_view view = map_view(&map);
   static const enum rt_opacity expected[] = {RT_OPACITY_UNKNOWN_OPAQUE, RT_OPACITY_UNKNOWN_OPAQUE, RT_OPACITY_TRANSPARENT,
                                              RT_OPACITY_UNKNOWN_OPAQUE, RT_OPACITY_UNKNOWN_OPAQUE};
   for (uint32_t i = 0; i < 5; i++)
      CHECK_EQ(rt_micromap_read(&view, i, 0.3f, 0.3f), expected[i]);
   CHECK_EQ(rt_micromap_read(&view, 2, __builtin_nanf(""), __builtin_nanf("")), RT_OPACITY_TRANSPARENT);
   struct rt_micromap_triangle *triangle = (struct rt_micromap_triangle *)view.leaves;
   triangle[2].offset = UINT64_MAX - 3; /* bytes that somebody else has written */
   CHECK_EQ(rt_micromap_read(&view, 2, 0.3f, 0.3f), RT_OPACITY_UNKNOWN_OPAQUE);
   CHECK_EQ(rt_micromap_read(&nothing, 0, 0.3f, 0.3f), RT_OPACITY_UNKNOWN_OPAQUE);
   free(map.structure);
   scene_finish(&scene);
   /* A micromap that is gone, and one whose address a structure has. */
   struct map_scene it;
   map_scene_init(&it, VK_INDEX_TYPE_UINT32, 0, 0);
   rt_accel_table_remove(it.scene.table, (uintptr_t)it.map.structure);
   CHECK_EQ(ask(&it.scene, points[0][0], points[0][1], 0), CANDIDATE);
   memcpy(it.map.structure, it.scene.bottoms[0].structure, 512);
   CHECK(rt_accel_table_add(it.scene.table, (uintptr_t)it.map.structure, 512));
   CHECK_EQ(ask(&it.scene, points[0][0], points[0][1], 0), CANDIDATE);
   map_scene_finish(&it);
   CHECK_EQ(rt_micromap_bytes(UINT64_MAX, 1), UINT64_MAX);
   CHECK_EQ(rt_micromap_bytes(1, UINT64_MAX), UINT64_MAX);
}

TEST_MAIN
