/* SPDX-License-Identifier: MIT
 * Builds: the same bytes for any number of threads, within the sizes that were said; trees that hold what they shall;
 * updates. */
#include "tests/runtime/accel/scene.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

struct tree {
   uint32_t num_prims, max_depth;
   bool is_sound; /* boxes contain what is below, indices are in order */
};

static void walk(const struct rt_accel_view *view, uint32_t index, uint32_t depth, const double lo[3],
                 const double hi[3], struct tree *tree)
{
   const struct rt_accel_node *node = &view->nodes[index];
   tree->max_depth = depth + 1 > tree->max_depth ? depth + 1 : tree->max_depth;
   for (uint32_t i = 0; i < RT_ACCEL_WIDTH; i++) {
      const uint32_t child = node->refs[i] & RT_REF_INDEX, class = node->refs[i] >> RT_REF_SHIFT;
      double child_lo[3], child_hi[3];
      for (uint32_t axis = 0; axis < 3; axis++) {
         child_lo[axis] = (double)node->origin[axis] + (double)node->scale[axis] * node->bounds[axis][0][i];
         child_hi[axis] = (double)node->origin[axis] + (double)node->scale[axis] * node->bounds[axis][1][i];
      }
      if (class == RT_REF_NODE) {
         tree->is_sound &= child > index && child < view->num_nodes;
         if (tree->is_sound)
            walk(view, child, depth + 1, child_lo, child_hi, tree);
      } else if (class == RT_REF_LEAF && view->leaf == RT_LEAF_TRIANGLES) {
         const struct rt_accel_block *block = (const struct rt_accel_block *)view->leaves + child;
         for (uint32_t lane = 0; lane < RT_ACCEL_BLOCK; lane++) {
            tree->num_prims += block->primitive[lane] != RT_NO_PRIMITIVE;
            for (uint32_t v = 0; v < 3 && block->primitive[lane] != RT_NO_PRIMITIVE; v++)
               for (uint32_t axis = 0; axis < 3; axis++)
                  tree->is_sound &= block->vertices[v][axis][lane] >= child_lo[axis] &&
                                    block->vertices[v][axis][lane] <= child_hi[axis];
         }
      } else if (class == RT_REF_LEAF) {
         tree->num_prims++;
      }
   }
}

static struct tree look(const void *structure, uint64_t size)
{
   const struct rt_accel_view view = rt_accel_view(structure, size);
   struct tree tree = {.is_sound = view.base != NULL};
   const double lo[3] = {0}, hi[3] = {0};
   if (tree.is_sound && view.num_nodes)
      walk(&view, 0, 0, lo, hi, &tree);
   return tree;
}

static uint64_t used_bytes(const struct scene_bottom *bottom)
{
   return ((const struct rt_accel_head *)bottom->structure)->size_bytes;
}

TEST(same_for_any_number_of_threads)
{
   const uint32_t counts[] = {100, 5000, 262144}; /* the last in as many pieces as there are */
   const uint32_t flags[] = {0, VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR};
   for (uint32_t c = 0; c < 6; c++) {
      struct scene scene;
      scene_init(&scene);
      for (uint32_t i = 0; i < 4; i++) {
         uint32_t threads = i < 3 ? i : 4;
         const struct rt_accel_loop loop = scene_loop(&threads);
         struct scene_bottom *bottom = scene_add_random(&scene, counts[c / 2], 0.01f, 3);
         bottom->flags = flags[c % 2];
         scene_build_bottom(&scene, bottom, i ? &loop : NULL);
         const struct tree tree = look(bottom->structure, bottom->structure_bytes);
         CHECK(tree.is_sound && tree.num_prims == counts[c / 2]);
         CHECK_EQ(used_bytes(bottom), used_bytes(&scene.bottoms[0]));
         CHECK(memcmp(bottom->structure, scene.bottoms[0].structure, used_bytes(bottom)) == 0);
         if (counts[c / 2] > 1000)
            CHECK(used_bytes(bottom) < (uint64_t)counts[c / 2] * 90);
      }
      scene_finish(&scene);
   }
}

/* Scenes that are hard to split: many at one position, one after the other, growing without end. */
TEST(hard_scenes)
{
   for (uint32_t which = 0; which < 5; which++) {
      struct scene scene;
      uint64_t seed = which;
      const uint32_t count = 6000;
      scene_init(&scene);
      struct scene_bottom *bottom = scene_add_bottom(&scene, count, false);
      for (uint32_t i = 0; i < count; i++) {
         for (uint32_t k = 0; k < 9; k++) {
            const float r = scene_random(&seed);
            bottom->positions[i * 9 + k] = which == 0   ? (float)k
                                           : which == 1 ? ldexpf(r, (int)(i % 200) - 100)
                                           : which == 2 ? (k % 3 ? 0.0f : (float)i)
                                           : which == 3 ? (i % 100 ? r : r * 1e6f)
                                                        : ldexpf(r - 0.5f, 127);
         }
      }
      scene_build_bottom(&scene, bottom, NULL);
      const struct tree tree = look(bottom->structure, bottom->structure_bytes);
      CHECK(tree.is_sound && tree.num_prims == count && tree.max_depth <= RT_ACCEL_MAX_DEPTH);
      CHECK(used_bytes(bottom) <= bottom->structure_bytes);
      scene_finish(&scene);
   }
}

TEST(nothing_and_too_little)
{
   struct scene scene;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_random(&scene, 20, 0.1f, 1);
   for (uint32_t i = 0; i < 20; i++)
      bottom->positions[i * 9] = NAN;
   scene_build_bottom(&scene, bottom, NULL);
   CHECK_EQ(look(bottom->structure, bottom->structure_bytes).num_prims, 0);
   bottom = scene_add_random(&scene, 0, 0.1f, 1);
   scene_build_bottom(&scene, bottom, NULL);
   CHECK_EQ(used_bytes(bottom), RT_ACCEL_ALIGN);
   scene_add_instance(&scene, bottom, NULL);
   scene_build_top(&scene);
   struct abi_ray ray = scene_ray(&scene, (float[3]){0}, (float[3]){1, 0, 0}, 0.0f, 10.0f);
   scene_trace(&scene, &ray);
   CHECK_EQ(ray.committed.type, ABI_HIT_NONE);
   const struct rt_accel_sizes sizes = rt_accel_sizes(RT_LEAF_TRIANGLES, 20);
   void *scratch = scene_alloc(sizes.build_scratch), *small = scene_alloc(512);
   const struct rt_accel_input input = scene_bottom_input(&scene.bottoms[0]);
   CHECK(!rt_accel_build(&input, &(struct rt_accel_target){small, 512, scratch}, NULL));
   CHECK_EQ(look(small, 512).num_prims, 0);
   free(scratch);
   free(small);
   CHECK_EQ(rt_accel_sizes(RT_LEAF_TRIANGLES, UINT64_MAX).structure, UINT64_MAX);
   /* As many instances as there may be, in too little memory: none is read. */
   const uint32_t max = 1 << 24;
   const struct rt_accel_geometry crowd = {.num_primitives = max};
   const struct rt_accel_input many = {.leaf = RT_LEAF_INSTANCES, .geometries = &crowd, .num_geometries = 1, .structures = scene.table};
   const struct rt_accel_sizes large = rt_accel_sizes(RT_LEAF_INSTANCES, max);
   small = scene_alloc(512);
   CHECK(large.structure >= (uint64_t)max * sizeof(struct rt_accel_instance) && large.structure < (uint64_t)max * 400);
   CHECK(large.build_scratch < (uint64_t)max * 400 && large.update_scratch < (uint64_t)max * 400);
   CHECK(!rt_accel_build(&many, &(struct rt_accel_target){small, 512, NULL}, NULL));
   CHECK_EQ(look(small, 512).num_prims, 0);
   free(small);
   scene_finish(&scene);
}

/* An update of many triangles is the same for any number of threads, and holds them all. */
TEST(updates_side_by_side)
{
   enum { COUNT = 100000 };
   struct scene scene;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_random(&scene, COUNT, 0.02f, 1);
   scene_build_bottom(&scene, bottom, NULL);
   for (uint32_t i = 0; i < COUNT * 9; i++)
      bottom->positions[i] = bottom->positions[i] * 2.0f + 3.0f * (float)(i % 3) + (float)(i % 7) * 0.01f;
   const struct rt_accel_input input = scene_bottom_input(bottom);
   void *scratch = scene_alloc(rt_accel_sizes(RT_LEAF_TRIANGLES, COUNT).update_scratch), *copies[3];
   for (uint32_t i = 0; i < 3; i++) {
      uint32_t threads = i * 2 + 1;
      const struct rt_accel_loop loop = scene_loop(&threads);
      copies[i] = scene_alloc(bottom->structure_bytes);
      const struct rt_accel_target target = {copies[i], bottom->structure_bytes, scratch};
      CHECK(rt_accel_update(&input, bottom->structure, bottom->structure_bytes, &target, i ? &loop : NULL));
      const struct tree tree = look(copies[i], bottom->structure_bytes);
      CHECK(tree.is_sound && tree.num_prims == COUNT);
      CHECK(((struct rt_accel_head *)copies[i])->num_top_nodes > 0); /* there are parts */
      CHECK(memcmp(copies[i], copies[0], used_bytes(bottom)) == 0);
   }
   for (uint32_t i = 0; i < 3; i++)
      free(copies[i]);
   free(scratch);
   scene_finish(&scene);
}

TEST(updates)
{
   struct scene scene;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_random(&scene, 3000, 0.1f, 1);
   scene_build_bottom(&scene, bottom, NULL);
   for (uint32_t i = 0; i < 3000 * 9; i++)
      bottom->positions[i] = bottom->positions[i] * 2.0f + 3.0f * (float)(i % 3);
   const struct rt_accel_input input = scene_bottom_input(bottom);
   void *scratch = scene_alloc(rt_accel_sizes(RT_LEAF_TRIANGLES, 3000).update_scratch),
        *copy = scene_alloc(bottom->structure_bytes);
   const struct rt_accel_target target = {copy, bottom->structure_bytes, scratch};
   CHECK(rt_accel_update(&input, bottom->structure, bottom->structure_bytes, &target, NULL));
   const struct tree tree = look(copy, bottom->structure_bytes);
   CHECK(tree.is_sound && tree.num_prims == 3000);
   CHECK(((struct rt_accel_head *)copy)->lo[2] > 4.0f && ((struct rt_accel_head *)copy)->hi[2] < 8.0f);
   CHECK(!rt_accel_update(&input, scratch, 64, &target, NULL));
   CHECK_EQ(look(copy, bottom->structure_bytes).num_prims, 0);
   free(scratch);
   free(copy);
   scene_finish(&scene);
}

TEST_MAIN
