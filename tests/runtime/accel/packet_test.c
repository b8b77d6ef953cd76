/* SPDX-License-Identifier: MIT
 * Rays side by side that go much the same path: each finds what it finds alone, bit by bit, at every level of instructions. */
#include "tests/runtime/accel/scene.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A camera somewhere, of so many rays; `spread`: how far they go apart. */
struct camera {
   float origin[3], direction[3], spread, tmin, tmax;
   uint32_t flags, cull_mask;
   bool is_parallel; /* origins apart, one direction */
};

static struct abi_ray camera_ray(const struct scene *scene, const struct camera *camera, uint32_t i, uint64_t *seed)
{
   float o[3], d[3];
   for (uint32_t k = 0; k < 3; k++) {
      const float offset = (scene_random(seed) - 0.5f) * camera->spread;
      o[k] = camera->origin[k] + (camera->is_parallel ? offset : 0.0f);
      d[k] = camera->direction[k] + (camera->is_parallel ? 0.0f : offset);
   }
   struct abi_ray ray = scene_ray(scene, o, d, camera->tmin, camera->tmax);
   ray.flags = camera->flags;
   ray.cull_mask = i % 13 == 12 ? 0x0f : camera->cull_mask; /* one among them that is not like the others */
   return ray;
}

/* Returns how many hits there are. */
static uint32_t compare(const struct scene *scene, const struct camera *camera, uint64_t seed)
{
   rt_ray_run_fn *levels[SCENE_MAX_LEVELS];
   const uint32_t num_levels = scene_levels(levels), cancel = 0;
   struct abi_ray *together = scene_alloc(sizeof(*together) * ABI_RAY_LANES), *alone = scene_alloc(sizeof(*alone)), *rays[ABI_RAY_LANES],
                  first[ABI_RAY_LANES];
   uint32_t num_hits = 0;
   for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
      first[i] = camera_ray(scene, camera, i, &seed);
      rays[i] = &together[i];
   }
   for (uint32_t l = 0; l < num_levels; l++) {
      memcpy(together, first, sizeof(first));
      CHECK_EQ(levels[l](scene->table, rays, UINT32_MAX, NULL, &cancel), 0);
      for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
         *alone = first[i];
         scene_trace(scene, alone);
         num_hits += alone->committed.type != ABI_HIT_NONE;
         CHECK_EQ(together[i].status, ABI_RAY_ENDED);
         CHECK(memcmp(&together[i].committed, &alone->committed, sizeof(alone->committed)) == 0);
         CHECK(memcmp(&together[i].tmax, &alone->tmax, sizeof(float)) == 0);
      }
   }
   free(together);
   free(alone);
   return num_hits;
}

static struct camera random_camera(uint64_t *seed, uint32_t i)
{
   static const float spreads[] = {0.0f, 1e-3f, 0.05f, 0.3f, 2.0f};
   struct camera camera = {.spread = spreads[i % 5], .tmin = i % 7 ? 0.0f : 0.5f, .tmax = i % 3 ? FLT_MAX : 2.0f,
                           .flags = i % 11 == 0   ? ABI_RAY_CULL_BACK_FACING_TRIANGLES
                                    : i % 11 == 1 ? ABI_RAY_CULL_FRONT_FACING_TRIANGLES
                                    : i % 11 == 2 ? ABI_RAY_OPAQUE
                                    : i % 11 == 3 ? ABI_RAY_TERMINATE_ON_FIRST_HIT
                                                  : 0,
                           .cull_mask = 0xff, .is_parallel = i % 4 == 0};
   for (uint32_t k = 0; k < 3; k++) {
      camera.origin[k] = (scene_random(seed) - 0.5f) * (i % 2 ? 1.0f : 4.0f);
      camera.direction[k] = i % 10 == k ? 0.0f : scene_random(seed) - 0.5f;
   }
   return camera;
}

TEST(one_level)
{
   const uint32_t counts[] = {1, 9, 300, 5000};
   for (uint32_t c = 0; c < UTIL_ARRAY_SIZE(counts); c++) {
      struct scene scene;
      uint64_t seed = c + 1;
      uint32_t num_hits = 0;
      scene_init(&scene);
      scene_add_random(&scene, counts[c], 3.0f / cbrtf((float)counts[c]), c);
      scene_build(&scene);
      for (uint32_t i = 0; i < 300; i++) {
         const struct camera camera = random_camera(&seed, i);
         num_hits += compare(&scene, &camera, i);
      }
      CHECK(num_hits > 100);
      scene_finish(&scene);
   }
}

/* Turned and mirrored ones: in some the rays of a packet have other signs and longest axes. */
TEST(many_instances)
{
   struct scene scene;
   uint64_t seed = 5;
   uint32_t num_hits = 0;
   scene_init(&scene);
   scene_build_bottom(&scene, scene_add_random(&scene, 400, 0.3f, 1), NULL);
   scene_build_bottom(&scene, scene_add_random(&scene, 7, 1.0f, 2), NULL);
   for (uint32_t i = 0; i < 60; i++) {
      float m[12];
      for (uint32_t k = 0; k < 12; k++)
         m[k] = k % 4 == 3 ? (scene_random(&seed) - 0.5f) * 4.0f : scene_random(&seed) - 0.5f;
      VkAccelerationStructureInstanceKHR *instance = scene_add_instance(&scene, &scene.bottoms[i % 2], m);
      instance->mask = i % 7 ? 0xff : 0x10;
      instance->flags = i % 5 == 0   ? VK_GEOMETRY_INSTANCE_TRIANGLE_FLIP_FACING_BIT_KHR
                        : i % 5 == 1 ? VK_GEOMETRY_INSTANCE_TRIANGLE_FACING_CULL_DISABLE_BIT_KHR
                                     : 0;
   }
   scene_build_top(&scene);
   for (uint32_t i = 0; i < 1000; i++) {
      const struct camera camera = random_camera(&seed, i);
      num_hits += compare(&scene, &camera, i);
   }
   CHECK(num_hits > 1000);
   scene_finish(&scene);
}

/* The same triangles again and again, in two instances: of hits as near as each other the one with the lowest numbers counts. */
TEST(as_near_as_each_other)
{
   enum { COPIES = 40, TRIANGLES = 50 };
   struct scene scene;
   uint64_t seed = 17;
   uint32_t num_hits = 0;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_random(&scene, COPIES * TRIANGLES, 0.8f, 3);
   for (uint32_t i = TRIANGLES; i < COPIES * TRIANGLES; i++)
      memcpy(bottom->positions + i * 9, bottom->positions + i % TRIANGLES * 9, 9 * sizeof(float));
   scene_build_bottom(&scene, bottom, NULL);
   scene_add_instance(&scene, bottom, NULL);
   scene_add_instance(&scene, bottom, NULL);
   scene_build_top(&scene);
   for (uint32_t i = 0; i < 300; i++) {
      struct camera camera = random_camera(&seed, i);
      camera.flags = 0;
      num_hits += compare(&scene, &camera, i);
      struct abi_ray ray = camera_ray(&scene, &camera, 0, &seed);
      scene_trace(&scene, &ray);
      if (ray.committed.type) {
         CHECK(ray.committed.primitive_index < TRIANGLES);
         CHECK_EQ(ray.committed.instance_index, 0);
      }
   }
   CHECK(num_hits > 1000);
   scene_finish(&scene);
}

/* Triangles of all sizes in one plane: many are as near as each other, and those with low numbers are not met first. */
TEST(in_one_plane)
{
   struct scene scene;
   uint64_t seed = 23;
   uint32_t num_hits = 0;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_random(&scene, 500, 0.8f, 4);
   for (uint32_t i = 2; i < 500 * 9; i += 3)
      bottom->positions[i] = 0.0f;
   scene_build(&scene);
   for (uint32_t i = 0; i < 300; i++) {
      struct camera camera = random_camera(&seed, i);
      camera.flags = 0;
      camera.origin[2] = 2.0f;
      camera.direction[2] = -4.0f;
      num_hits += compare(&scene, &camera, i);
   }
   CHECK(num_hits > 1000);
   scene_finish(&scene);
}

/* Through vertices and along edges of a grid. */
TEST(edges)
{
   enum { N = 16 };
   struct scene scene;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_bottom(&scene, N * N * 2, false);
   float *p = bottom->positions;
   for (uint32_t i = 0; i < N * N * 2; i++) {
      for (uint32_t v = 0; v < 3; v++, p += 3) {
         const uint32_t corner = i % 2 ? 3 - v : v;
         p[0] = (float)(i / 2 % N) + (float)(corner & 1) - N / 2;
         p[1] = (float)(i / 2 / N) + (float)(corner >> 1) - N / 2;
         p[2] = 0.0f;
      }
   }
   scene_build(&scene);
   for (uint32_t i = 0; i < 200; i++) {
      const struct camera camera = {.origin = {(float)(i % 10) * 0.5f, (float)(i / 10 % 5), 8.0f}, .direction = {(float)(i % 3), 0.0f, -8.0f},
                                    .spread = i % 2 ? 0.0f : 0.01f, .tmax = 100.0f, .cull_mask = 0xff, .is_parallel = i % 4 == 0};
      CHECK(compare(&scene, &camera, i) > 0);
   }
   scene_finish(&scene);
}

/* What is not opaque is shown in the same order together as alone, and boxes are. */
TEST(candidates_in_order)
{
   for (uint32_t which = 0; which < 3; which++) {
      struct scene scene;
      uint64_t seed = 3;
      uint32_t num_candidates = 0;
      const uint32_t cancel = 0;
      scene_init(&scene);
      if (which == 2) {
         struct scene_bottom *boxes = scene_add_bottom(&scene, 200, true);
         for (uint32_t i = 0; i < 200 * 6; i++)
            boxes->positions[i] = i % 6 < 3 ? scene_random(&seed) - 0.5f : boxes->positions[i - 3] + 0.1f;
      } else {
         scene_add_random(&scene, 400, 0.3f, 8)->is_opaque = which == 0;
      }
      scene_add_random(&scene, 400, 0.3f, 9);
      if (which == 0) {
         for (uint32_t i = 0; i < 2; i++) {
            scene_build_bottom(&scene, &scene.bottoms[i], NULL);
            scene_add_instance(&scene, &scene.bottoms[i], NULL)->flags = i ? VK_GEOMETRY_INSTANCE_FORCE_NO_OPAQUE_BIT_KHR : 0;
         }
         scene_build_top(&scene);
      } else {
         scene_build(&scene);
      }
      struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
      struct abi_ray *together = scene_alloc(sizeof(*together) * ABI_RAY_LANES), *alone = scene_alloc(sizeof(*alone)), *rays[ABI_RAY_LANES];
      const struct camera camera = {.direction = {0.1f, 0.05f, 1.0f}, .origin = {0.0f, 0.0f, -2.0f}, .spread = 0.1f, .tmax = 100.0f, .cull_mask = 0xff};
      for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
         together[i] = camera_ray(&scene, &camera, 0, &seed);
         rays[i] = &together[i];
      }
      uint32_t hash[ABI_RAY_LANES] = {0};
      struct abi_ray begun[ABI_RAY_LANES];
      memcpy(begun, together, sizeof(begun));
      for (uint32_t left; (left = rt_ray_proceed(&worker, rays, UINT32_MAX));)
         for (uint32_t i = 0; i < ABI_RAY_LANES; i++)
            hash[i] = left >> i & 1 ? hash[i] * 31 + rays[i]->candidate.primitive_index + 1 : hash[i];
      for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
         uint32_t expected = 0;
         for (*alone = begun[i]; rt_ray_proceed(&worker, &alone, 1); num_candidates++)
            expected = expected * 31 + alone->candidate.primitive_index + 1;
         CHECK_EQ(hash[i], expected);
         CHECK(memcmp(&alone->committed, &together[i].committed, sizeof(alone->committed)) == 0);
      }
      CHECK(num_candidates > 10);
      free(together);
      free(alone);
      scene_finish(&scene);
   }
}

/* Decides by what each ray was shown so far. */
struct decisions {
   struct abi_ray *rays[ABI_RAY_LANES];
   uint32_t shown[ABI_RAY_LANES]; /* hash of each ray's candidates in their order */
   uint32_t num_calls, num_shown;
};

static void decide(void *data, uint32_t mask)
{
   struct decisions *decisions = data;
   decisions->num_calls++;
   for (; mask; mask &= mask - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(mask);
      struct abi_ray *ray = decisions->rays[i];
      const struct abi_ray_hit *hit = &ray->candidate;
      const uint32_t hash = ((decisions->shown[i] * 31 + hit->primitive_index) * 31 + hit->instance_index) * 31 + hit->type + hit->geometry_index;
      const float t = ray->tmin + (float)(hash % 61) * 0.05f;
      CHECK_EQ(ray->status, ABI_RAY_GOES_ON);
      CHECK(hit->type == ABI_HIT_BOX || !hit->is_opaque);
      decisions->shown[i] = hash;
      decisions->num_shown++;
      if (hash % 4 == 0)
         rt_ray_commit(&ray, 1, hit->type == ABI_HIT_BOX ? &t : NULL, NULL);
      if (hash % 29 == 0)
         ray->status = ABI_RAY_ENDED;
   }
}

/* Returns how many candidates were shown to more than one ray a call, in the mean times a thousand. */
static uint32_t compare_decided(const struct scene *scene, const struct camera *camera, uint64_t seed)
{
   rt_ray_run_fn *levels[SCENE_MAX_LEVELS];
   const uint32_t num_levels = scene_levels(levels), cancel = 0;
   struct abi_ray *memory = scene_alloc(sizeof(*memory) * ABI_RAY_LANES), first[ABI_RAY_LANES], ended[ABI_RAY_LANES];
   struct decisions alone = {.num_calls = 0};
   uint32_t together = 0;
   for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
      first[i] = camera_ray(scene, camera, i, &seed);
      alone.rays[i] = &memory[i];
      memory[i] = first[i];
      while (levels[0](scene->table, alone.rays, 1u << i, NULL, &cancel))
         decide(&alone, 1u << i);
      ended[i] = memory[i];
   }
   for (uint32_t l = 0; l < num_levels; l++) {
      struct decisions decisions = {.num_calls = 0};
      const struct rt_ray_decider decider = {decide, &decisions};
      uint32_t mask = UINT32_MAX;
      memcpy(memory, first, sizeof(first));
      memcpy(decisions.rays, alone.rays, sizeof(decisions.rays));
      while ((mask = levels[l](scene->table, decisions.rays, mask, &decider, &cancel)))
         decide(&decisions, mask);
      for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
         CHECK_EQ(memory[i].status, ABI_RAY_ENDED);
         CHECK_EQ(decisions.shown[i], alone.shown[i]);
         CHECK(memcmp(&memory[i].committed, &ended[i].committed, sizeof(ended[i].committed)) == 0);
         CHECK(memcmp(&memory[i].tmax, &ended[i].tmax, sizeof(float)) == 0);
      }
      together += decisions.num_shown - decisions.num_calls;
   }
   free(memory);
   return together;
}

/* Decided about on the path, rays are shown what they are shown alone, in the same order: triangles, boxes, those that are opaque among them; and those that end
 * with their first hit find the same one. */
TEST(decisions_on_the_path)
{
   static const uint32_t flags[] = {0, ABI_RAY_TERMINATE_ON_FIRST_HIT, ABI_RAY_NO_OPAQUE, ABI_RAY_CULL_OPAQUE, ABI_RAY_CULL_NO_OPAQUE,
                                    ABI_RAY_SKIP_TRIANGLES, ABI_RAY_SKIP_AABBS, ABI_RAY_OPAQUE | ABI_RAY_TERMINATE_ON_FIRST_HIT,
                                    ABI_RAY_CULL_BACK_FACING_TRIANGLES, ABI_RAY_NO_OPAQUE | ABI_RAY_TERMINATE_ON_FIRST_HIT};
   struct scene scene;
   uint64_t seed = 31;
   uint32_t together = 0;
   scene_init(&scene);
   scene_build_bottom(&scene, scene_add_random(&scene, 300, 0.4f, 1), NULL);
   struct scene_bottom *clear = scene_add_random(&scene, 300, 0.4f, 2);
   clear->is_opaque = false;
   scene_build_bottom(&scene, clear, NULL);
   struct scene_bottom *boxes = scene_add_bottom(&scene, 120, true);
   for (uint32_t i = 0; i < 120 * 6; i++)
      boxes->positions[i] = i % 6 < 3 ? scene_random(&seed) - 0.5f : boxes->positions[i - 3] + 0.1f;
   scene_build_bottom(&scene, boxes, NULL);
   for (uint32_t i = 0; i < 24; i++) {
      float m[12];
      for (uint32_t k = 0; k < 12; k++)
         m[k] = k % 4 == 3 ? (scene_random(&seed) - 0.5f) * 3.0f : k % 5 == 0 ? 1.0f : scene_random(&seed) - 0.5f;
      scene_add_instance(&scene, &scene.bottoms[i % 3], m)->flags = i % 5 == 4 ? VK_GEOMETRY_INSTANCE_FORCE_NO_OPAQUE_BIT_KHR : 0;
   }
   scene_build_top(&scene);
   for (uint32_t i = 0; i < 600; i++) {
      struct camera camera = random_camera(&seed, i);
      camera.flags = flags[i % UTIL_ARRAY_SIZE(flags)];
      together += compare_decided(&scene, &camera, i);
   }
   CHECK(together > 10000);
   scene_finish(&scene);
}

/* Together or alone, whatever stands in a structure's memory, nothing beyond is read and there is an end. */
TEST(bytes_that_lie)
{
   uint64_t seed = 78;
   const uint32_t cancel = 0;
   struct abi_ray *rays = scene_alloc(sizeof(*rays) * ABI_RAY_LANES), *lanes[ABI_RAY_LANES];
   for (uint32_t round = 0; round < 300; round++) {
      struct scene scene;
      scene_init(&scene);
      scene_add_random(&scene, 60, 0.4f, round);
      scene_build(&scene);
      scene_corrupt(&scene, &seed);
      for (uint32_t i = 0; i < 5; i++) {
         struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
         struct camera camera = random_camera(&seed, i * 5 + 1);
         camera.flags = i % 2 ? ABI_RAY_OPAQUE : 0;
         for (uint32_t k = 0; k < ABI_RAY_LANES; k++) {
            rays[k] = camera_ray(&scene, &camera, 0, &seed);
            lanes[k] = &rays[k];
         }
         for (uint32_t k = 0; k < 1000 && rt_ray_proceed(&worker, lanes, UINT32_MAX); k++)
            ;
      }
      scene_finish(&scene);
   }
   free(rays);
}

TEST_MAIN
