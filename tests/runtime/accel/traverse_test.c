/* SPDX-License-Identifier: MIT
 * Rays through scenes, against a search of every triangle in double precision. */
#include "tests/runtime/accel/scene.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static void random_direction(uint64_t *seed, float d[3])
{
   for (uint32_t i = 0; i < 3; i++)
      d[i] = scene_random(seed) - 0.5f;
}

/* Rays from around and within a cube of the size around the origin. Returns the largest relative error of t that was
 * found. */
static double check_rays(const struct scene *scene, uint32_t count, float size, uint64_t seed)
{
   double worst = 0.0;
   uint32_t num_hits = 0;
   for (uint32_t i = 0; i < count; i++) {
      float o[3], d[3];
      for (uint32_t k = 0; k < 3; k++)
         o[k] = (scene_random(&seed) - 0.5f) * size * (i % 2 ? 1.0f : 4.0f);
      random_direction(&seed, d);
      if (i % 5 == 0) /* along an axis or a plane */
         d[i / 5 % 3] = 0.0f;
      if (i % 10 == 0)
         d[(i / 5 + 1) % 3] = 0.0f;
      struct abi_ray ray = scene_ray(scene, o, d, 0.0f, i % 3 ? FLT_MAX : 1.5f);
      const struct scene_hit expected = scene_search(scene, &ray);
      scene_trace(scene, &ray);
      const bool is_sure = expected.margin > 1e-4;
      num_hits += expected.is_hit;
      if (is_sure) {
         CHECK_EQ(ray.committed.type != ABI_HIT_NONE, expected.is_hit);
         if (expected.is_hit && ray.committed.type) {
            const double error = fabs(ray.committed.t - expected.t) / (expected.t + size);
            worst = error > worst ? error : worst;
            if (error > 1e-5)
               CHECK_EQ(ray.committed.primitive_index, expected.primitive);
         }
      }
   }
   CHECK(num_hits > 0);
   return worst;
}

TEST(random_triangles)
{
   const float sizes[] = {0.02f, 0.1f, 1.0f};
   const uint32_t counts[] = {1, 3, 4, 5, 9, 33, 300, 5000};
   for (uint32_t s = 0; s < 3; s++) {
      for (uint32_t c = 0; c < 8; c++) {
         struct scene scene;
         scene_init(&scene);
         scene_add_random(&scene, counts[c], sizes[s] * 30.0f / (float)cbrt(counts[c]), counts[c] + s);
         scene_build(&scene);
         const double worst = check_rays(&scene, counts[c] > 1000 ? 300 : 1000, 1.0f, 7);
         CHECK(worst < 1e-5);
         scene_finish(&scene);
      }
   }
}

TEST(instances)
{
   struct scene scene;
   uint64_t seed = 5;
   scene_init(&scene);
   scene_build_bottom(&scene, scene_add_random(&scene, 40, 0.5f, 1), NULL);
   scene_build_bottom(&scene, scene_add_random(&scene, 7, 1.0f, 2), NULL);
   for (uint32_t i = 0; i < 40; i++) {
      float m[12];
      for (uint32_t k = 0; k < 12; k++)
         m[k] = k % 4 == 3 ? (scene_random(&seed) - 0.5f) * 4.0f : scene_random(&seed) - 0.5f;
      scene_add_instance(&scene, &scene.bottoms[i % 2], m)->mask = i % 7 ? 0xff : 0x10;
   }
   scene_build_top(&scene);
   CHECK(check_rays(&scene, 2000, 4.0f, 9) < 1e-4);
   scene_finish(&scene);
}

/* A closed surface, every ray from inside hits it, wherever it goes: through edges and vertices too. */
TEST(watertight)
{
   enum { N = 24 };
   struct scene scene;
   uint64_t seed = 11;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_bottom(&scene, N * N * 2, false);
   float *p = bottom->positions;
   float grid[N + 1][N + 1][3];
   for (uint32_t i = 0; i <= N; i++) {
      for (uint32_t j = 0; j <= N; j++) {
         const double a = M_PI * i / N, b = 2.0 * M_PI * (j % N) / N,
                      r = i == 0 || i == N ? 1.0 : 1.0 + 0.1 * ((i * 7 + j % N * 3) % 5);
         grid[i][j][0] = (float)(i == 0 || i == N ? 0.0 : r * sin(a) * cos(b));
         grid[i][j][1] = (float)(i == 0 || i == N ? 0.0 : r * sin(a) * sin(b));
         grid[i][j][2] = (float)(i == 0 ? 1.0 : i == N ? -1.0 : r * cos(a));
      }
   }
   for (uint32_t i = 0; i < N; i++) {
      for (uint32_t j = 0; j < N; j++, p += 18) {
         const float *corners[6] = {grid[i][j],         grid[i + 1][j], grid[i][j + 1],
                                    grid[i + 1][j + 1], grid[i][j + 1], grid[i + 1][j]};
         for (uint32_t k = 0; k < 6; k++)
            memcpy(p + k * 3, corners[k], 12);
      }
   }
   scene_build(&scene);
   uint32_t num_misses = 0;
   for (uint32_t n = 0; n < 200000; n++) {
      const uint32_t i = n % N + (n % N == 0), j = n / N % N;
      float o[3] = {0}, d[3];
      const float w = n % 3 == 0 ? 0.0f : n % 3 == 1 ? 0.5f : scene_random(&seed);
      for (uint32_t k = 0; k < 3; k++) {
         o[k] = n % 2 ? (scene_random(&seed) - 0.5f) * 0.5f : 0.0f;
         d[k] = grid[i][j][k] * (1.0f - w) + grid[i][j + 1][k] * w - o[k];
      }
      struct abi_ray ray = scene_ray(&scene, o, d, 0.0f, INFINITY);
      scene_trace(&scene, &ray);
      num_misses += ray.committed.type != ABI_HIT_TRIANGLE;
   }
   CHECK_EQ(num_misses, 0);
   scene_finish(&scene);
}

/* Triangles side by side, in either order of vertices: through their edges and vertices too a ray hits one of them and no second. */
TEST(neighbours_are_hit_once)
{
   enum { N = 16 };
   struct scene scene;
   uint64_t seed = 31;
   const uint32_t cancel = 0;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_bottom(&scene, N * N * 2, false);
   bottom->is_opaque = false;
   float z[(N + 1) * (N + 1)], *p = bottom->positions;
   for (uint32_t i = 0; i < (N + 1) * (N + 1); i++)
      z[i] = scene_random(&seed);
   for (uint32_t i = 0; i < N * N * 6; i++, p += 3) {
      static const uint8_t order[2][6][2] = {{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 1}}, {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}};
      const uint32_t square = i / 6, x = square % N + order[square % 3 == 0][i % 6][0], y = square / N + order[square % 3 == 0][i % 6][1];
      memcpy(p, (const float[3]){(float)x, (float)y, z[y * (N + 1) + x]}, 12);
   }
   scene_build(&scene);
   struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
   struct abi_ray *ray = scene_alloc(sizeof(*ray));
   for (uint32_t n = 0; n < 20000; n++) {
      const uint32_t axis = n % 2, i = 1 + n / 2 % (N - 1), j = 1 + n / 32 % (N - 1);
      const float along = n % 5 < 2 ? 0.0f : n % 5 == 2 ? 0.5f : scene_random(&seed);
      const float target[3] = {(float)i + (axis ? along : 0), (float)j + (axis ? 0 : along), 0};
      const float d[3] = {n % 3 ? 0.0f : 0.25f, n % 3 ? 0.0f : -0.125f, 1}; /* too steep for one triangle to hide another */
      const float o[3] = {target[0] - d[0] * 8, target[1] - d[1] * 8, -8};
      uint32_t count = 0;
      *ray = scene_ray(&scene, o, d, 0.0f, INFINITY);
      while (rt_ray_proceed(&worker, &ray, 1))
         count++;
      CHECK_EQ(count, 1);
   }
   free(ray);
   scene_finish(&scene);
}

/* Rays of one call go side by side; each finds what it would find alone, candidate by candidate. */
TEST(rays_together)
{
   struct scene scene;
   uint64_t seed = 21;
   const uint32_t cancel = 0;
   scene_init(&scene);
   scene_add_random(&scene, 2000, 0.2f, 8)->is_opaque = false;
   scene_add_random(&scene, 2000, 0.2f, 9);
   scene_build(&scene);
   struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
   struct abi_ray *together = scene_alloc(sizeof(*together) * ABI_RAY_LANES), *alone = scene_alloc(sizeof(*alone)),
                  *rays[ABI_RAY_LANES];
   uint32_t hash[ABI_RAY_LANES] = {0}, num_candidates = 0;
   for (uint32_t round = 0; round < 30; round++) {
      const uint32_t mask = round % 3 ? UINT32_MAX : 0x80f0a5c3;
      float directions[ABI_RAY_LANES][3];
      for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
         random_direction(&seed, directions[i]);
         rays[i] = mask >> i & 1 ? &together[i] : NULL;
         together[i] = scene_ray(&scene, (float[3]){0}, directions[i], 0.0f, 10.0f);
         hash[i] = 0;
      }
      for (uint32_t step = 0, left; (left = rt_ray_proceed(&worker, rays, mask)); step++) {
         for (uint32_t i = 0; i < ABI_RAY_LANES; i++)
            hash[i] = left >> i & 1 ? hash[i] * 31 + rays[i]->candidate.primitive_index + 1 : hash[i];
         if (step % 4 == 3)
            num_candidates += rt_ray_commit(rays, left, NULL, NULL) != 0;
      }
      for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
         uint32_t expected = 0;
         if (!(mask >> i & 1))
            continue;
         *alone = scene_ray(&scene, (float[3]){0}, directions[i], 0.0f, 10.0f);
         for (uint32_t step = 0; rt_ray_proceed(&worker, &alone, 1); step++) {
            expected = expected * 31 + alone->candidate.primitive_index + 1;
            if (step % 4 == 3)
               rt_ray_commit(&alone, 1, NULL, NULL);
         }
         CHECK_EQ(hash[i], expected);
         CHECK(memcmp(&alone->committed, &rays[i]->committed, sizeof(alone->committed)) == 0 ||
               alone->committed.type == ABI_HIT_NONE);
      }
   }
   CHECK(num_candidates > 10);
   free(together);
   free(alone);
   scene_finish(&scene);
}

/* Every level of instructions that the machine has gives the same bits. */
TEST(same_bits_at_every_level)
{
   rt_ray_run_fn *levels[SCENE_MAX_LEVELS];
   const uint32_t num_levels = scene_levels(levels);
   struct scene scene;
   uint64_t seed = 31;
   const uint32_t cancel = 0;
   scene_init(&scene);
   scene_build_bottom(&scene, scene_add_random(&scene, 3000, 0.2f, 8), NULL);
   for (uint32_t i = 0; i < 20; i++) {
      float m[12];
      for (uint32_t k = 0; k < 12; k++)
         m[k] = scene_random(&seed) - 0.5f;
      scene_add_instance(&scene, &scene.bottoms[0], m);
   }
   scene_build_top(&scene);
   struct abi_ray *ray = scene_alloc(sizeof(*ray)), *first = scene_alloc(sizeof(*first));
   uint32_t num_hits = 0;
   for (uint32_t i = 0; i < 5000; i++) {
      float o[3], d[3];
      random_direction(&seed, o);
      random_direction(&seed, d);
      for (uint32_t level = 0; level < num_levels; level++) {
         *ray = scene_ray(&scene, o, d, 0.0f, 100.0f);
         CHECK_EQ(levels[level](scene.table, &ray, 1, NULL, &cancel), 0);
         if (level == 0)
            *first = *ray;
         num_hits += ray->committed.type != ABI_HIT_NONE;
         CHECK(memcmp(&ray->committed, &first->committed, sizeof(ray->committed)) == 0);
      }
   }
   CHECK(num_hits > 1000);
   free(ray);
   free(first);
   scene_finish(&scene);
}

static const float square[] = {-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0, -1, 1, 0, 1, -1, 0};

static void add_square(struct scene *scene, bool is_opaque)
{
   struct scene_bottom *bottom = scene_add_bottom(scene, 2, false);
   memcpy(bottom->positions, square, sizeof(square));
   bottom->is_opaque = is_opaque;
}

static struct abi_ray shoot(struct scene *scene, float z, float dz, uint32_t flags, float tmin, float tmax)
{
   struct abi_ray ray = scene_ray(scene, (float[3]){-0.5f, -0.25f, z}, (float[3]){0.0f, 0.0f, dz}, tmin, tmax);
   ray.flags = flags;
   scene_trace(scene, &ray);
   return ray;
}

TEST(faces_and_ends)
{
   struct scene scene;
   scene_init(&scene);
   add_square(&scene, true);
   scene_build(&scene);
   /* Counterclockwise as seen from +z, whose rays go against the normal: front. */
   struct abi_ray ray = shoot(&scene, 2.0f, -1.0f, 0, 0.0f, 10.0f);
   CHECK(ray.committed.type == ABI_HIT_TRIANGLE && ray.committed.hit_kind == ABI_HIT_KIND_FRONT &&
         ray.committed.t == 2.0f);
   CHECK(fabsf(ray.committed.barycentrics[0] - 0.25f) < 1e-6f && fabsf(ray.committed.barycentrics[1] - 0.375f) < 1e-6f);
   CHECK_EQ(ray.committed.primitive_index, 0);
   CHECK_EQ(shoot(&scene, -2.0f, 1.0f, 0, 0.0f, 10.0f).committed.hit_kind, ABI_HIT_KIND_BACK);
   CHECK_EQ(shoot(&scene, 2.0f, -1.0f, ABI_RAY_CULL_FRONT_FACING_TRIANGLES, 0.0f, 10.0f).committed.type, ABI_HIT_NONE);
   CHECK_EQ(shoot(&scene, 2.0f, -1.0f, ABI_RAY_CULL_BACK_FACING_TRIANGLES, 0.0f, 10.0f).committed.type,
            ABI_HIT_TRIANGLE);
   CHECK_EQ(shoot(&scene, -2.0f, 1.0f, ABI_RAY_CULL_BACK_FACING_TRIANGLES, 0.0f, 10.0f).committed.type, ABI_HIT_NONE);
   CHECK_EQ(shoot(&scene, 2.0f, -1.0f, ABI_RAY_CULL_OPAQUE, 0.0f, 10.0f).committed.type, ABI_HIT_NONE);
   CHECK_EQ(shoot(&scene, 2.0f, -1.0f, ABI_RAY_SKIP_TRIANGLES, 0.0f, 10.0f).committed.type, ABI_HIT_NONE);
   CHECK_EQ(shoot(&scene, 2.0f, -1.0f, ABI_RAY_SKIP_AABBS, 0.0f, 10.0f).committed.type, ABI_HIT_TRIANGLE);
   /* Of triangles neither end counts. */
   CHECK_EQ(shoot(&scene, 2.0f, -1.0f, 0, 0.0f, 2.0f).committed.type, ABI_HIT_NONE);
   CHECK_EQ(shoot(&scene, 2.0f, -1.0f, 0, 2.0f, 3.0f).committed.type, ABI_HIT_NONE);
   CHECK_EQ(shoot(&scene, 2.0f, -1.0f, 0, 1.9999f, 2.0001f).committed.type, ABI_HIT_TRIANGLE);
   CHECK_EQ(shoot(&scene, 2.0f, 0.0f, 0, 0.0f, 10.0f).committed.type, ABI_HIT_NONE);
   scene_finish(&scene);
}

TEST(candidates)
{
   struct scene scene;
   const uint32_t cancel = 0;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_bottom(&scene, 9, false);
   for (uint32_t i = 0; i < 9; i++) {
      memcpy(bottom->positions + i * 9, square, 9 * sizeof(float));
      for (uint32_t v = 0; v < 3; v++)
         bottom->positions[i * 9 + v * 3 + 2] = -(float)i;
   }
   bottom->is_opaque = false;
   scene_build(&scene);
   struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
   struct abi_ray ray = scene_ray(&scene, (float[3]){-0.5f, -0.5f, 1.0f}, (float[3]){0, 0, -1}, 0.0f, 100.0f),
                  *rays = &ray;
   uint32_t seen = 0;
   while (rt_ray_proceed(&worker, &rays, 1)) {
      CHECK(ray.candidate.type == ABI_HIT_TRIANGLE && !ray.candidate.is_opaque);
      CHECK_EQ(seen >> ray.candidate.primitive_index & 1, 0);
      CHECK(ray.candidate.t == (float)ray.candidate.primitive_index + 1.0f);
      seen |= 1u << ray.candidate.primitive_index;
   }
   CHECK_EQ(seen, 0x1ff);
   CHECK_EQ(ray.committed.type, ABI_HIT_NONE);
   ray = scene_ray(&scene, ray.origin, ray.direction, 0.0f, 100.0f);
   scene_trace(&scene, &ray);
   CHECK(ray.committed.t == 1.0f && !ray.committed.is_opaque && ray.tmax == 1.0f);
   ray = scene_ray(&scene, ray.origin, ray.direction, 0.0f, 100.0f);
   ray.flags = ABI_RAY_OPAQUE;
   CHECK_EQ(rt_ray_proceed(&worker, &rays, 1), 0);
   CHECK(ray.committed.t == 1.0f && ray.committed.is_opaque);
   ray = scene_ray(&scene, ray.origin, ray.direction, 0.0f, 100.0f);
   ray.flags = ABI_RAY_TERMINATE_ON_FIRST_HIT;
   CHECK_EQ(rt_ray_proceed(&worker, &rays, 1), 1);
   CHECK_EQ(rt_ray_commit(&rays, 1, NULL, NULL), 1);
   CHECK_EQ(ray.status, ABI_RAY_ENDED);
   scene_finish(&scene);
}

TEST(boxes)
{
   struct scene scene;
   const uint32_t cancel = 0;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_bottom(&scene, 100, true);
   for (uint32_t i = 0; i < 100; i++) {
      const float box[6] = {(float)(i % 10),        (float)(i / 10),        0.0f,
                            (float)(i % 10) + 0.5f, (float)(i / 10) + 0.5f, i == 44 ? NAN : 1.0f};
      memcpy(bottom->positions + i * 6, box, sizeof(box));
   }
   bottom->positions[45 * 6] = NAN;
   scene_build(&scene);
   struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
   for (uint32_t along = 0; along < 2; along++) {
      struct abi_ray ray = scene_ray(&scene, (float[3]){-1.0f, 4.25f, 0.5f},
                                     (float[3]){1.0f, along ? 1e-3f : 0.0f, 0.0f}, 0.0f, 100.0f),
                     *rays = &ray;
      uint32_t seen = 0;
      while (rt_ray_proceed(&worker, &rays, 1)) {
         CHECK(ray.candidate.type == ABI_HIT_BOX && ray.candidate.is_opaque);
         seen |= 1u << (ray.candidate.primitive_index - 40);
      }
      CHECK_EQ(seen, 0x3cf);
      ray = scene_ray(&scene, (float[3]){3.25f, 4.25f, 0.5f}, (float[3]){1.0f, 0.0f, 0.0f}, 0.0f, 0.0f);
      CHECK_EQ(rt_ray_proceed(&worker, &rays, 1), 1); /* begins within, both ends count */
      const float t = 0.0f;
      const uint32_t hit_class = 7;
      CHECK_EQ(rt_ray_commit(&rays, 1, &t, &hit_class), 1);
      CHECK(ray.committed.type == ABI_HIT_BOX && ray.committed.hit_kind == 7 && ray.committed.t == 0.0f);
      CHECK_EQ(rt_ray_proceed(&worker, &rays, 1), 0);
   }
   scene_finish(&scene);
}

TEST(numbers_that_are_none)
{
   struct scene scene;
   uint64_t seed = 3;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_random(&scene, 500, 0.3f, 4);
   for (uint32_t i = 0; i < 500; i += 5)
      bottom->positions[i * 9 + i % 9] = i % 2 ? NAN : INFINITY;
   for (uint32_t i = 1; i < 500; i += 5)
      for (uint32_t k = 0; k < 9; k++)
         bottom->positions[i * 9 + k] *= 1e30f;
   for (uint32_t i = 2; i < 500; i += 5)
      memcpy(bottom->positions + i * 9 + 3, bottom->positions + i * 9, 12);
   scene_build(&scene);
   const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -0.0f, 1e-42f, 1.0f};
   for (uint32_t i = 0; i < 5000; i++) {
      float o[3], d[3];
      for (uint32_t k = 0; k < 3; k++) {
         o[k] = i & 1u << k ? odd[(uint32_t)(scene_random(&seed) * 7.0f)] : scene_random(&seed);
         d[k] = i & 8u << k ? odd[(uint32_t)(scene_random(&seed) * 7.0f)] : scene_random(&seed);
      }
      struct abi_ray ray = scene_ray(&scene, o, d, odd[i % 7], odd[i / 7 % 7]);
      scene_trace(&scene, &ray);
      CHECK_EQ(ray.status, ABI_RAY_ENDED);
      CHECK(ray.committed.type == ABI_HIT_NONE || (ray.committed.primitive_index % 5 != 0 && ray.committed.t > 0.0f));
   }
   scene_finish(&scene);
}

TEST(addresses_of_nothing)
{
   struct scene scene;
   scene_init(&scene);
   add_square(&scene, true);
   scene_build(&scene);
   const uint64_t address = (uintptr_t)scene.top,
                  wrong[] = {0, 1, 256, address + 256, address + 1, UINT64_MAX, (uintptr_t)scene.bottoms[0].structure};
   for (uint32_t i = 0; i < 7; i++) {
      struct abi_ray ray = scene_ray(&scene, (float[3]){-0.5f, -0.5f, 1.0f}, (float[3]){0, 0, -1}, 0.0f, 10.0f);
      ray.structure = wrong[i];
      scene_trace(&scene, &ray);
      CHECK_EQ(ray.committed.type, ABI_HIT_NONE);
   }
   rt_accel_table_remove(scene.table, (uintptr_t)scene.bottoms[0].structure);
   CHECK_EQ(shoot(&scene, 1.0f, -1.0f, 0, 0.0f, 10.0f).committed.type, ABI_HIT_NONE);
   scene_finish(&scene);
}

/* Whatever stands in a structure's memory, nothing beyond is read: valgrind or the sanitizer sees it. */
TEST(bytes_that_lie)
{
   uint64_t seed = 77;
   for (uint32_t round = 0; round < 300; round++) {
      struct scene scene;
      scene_init(&scene);
      scene_add_random(&scene, 60, 0.4f, round);
      scene_build(&scene);
      scene_corrupt(&scene, &seed);
      for (uint32_t i = 0; i < 20; i++) {
         float d[3];
         random_direction(&seed, d);
         struct abi_ray ray = scene_ray(&scene, (float[3]){0}, d, 0.0f, 100.0f);
         const uint32_t cancel = 0;
         struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
         struct abi_ray *rays = &ray;
         for (uint32_t k = 0; k < 1000 && rt_ray_proceed(&worker, &rays, 1); k++)
            ;
      }
      scene_finish(&scene);
   }
}

TEST(fetches)
{
   struct scene scene;
   scene_init(&scene);
   scene_build_bottom(&scene, scene_add_random(&scene, 1, 1.0f, 6), NULL);
   memcpy(scene.bottoms[0].positions, square, 36);
   free(scene.bottoms[0].structure);
   rt_accel_table_remove(scene.table, (uintptr_t)scene.bottoms[0].structure);
   scene_build_bottom(&scene, &scene.bottoms[0], NULL);
   const float m[12] = {2, 0, 0, 5, 0, 4, 0, 0, 0, 0, -1, 1};
   VkAccelerationStructureInstanceKHR *instance = scene_add_instance(&scene, &scene.bottoms[0], m);
   instance->instanceCustomIndex = 0xabcdef;
   instance->instanceShaderBindingTableRecordOffset = 0x123456;
   scene_build_top(&scene);
   struct abi_ray ray = scene_ray(&scene, (float[3]){4.0f, -1.0f, 3.0f}, (float[3]){0.0f, 0.0f, -1.0f}, 0.0f, 100.0f),
                  *rays = &ray;
   scene_trace(&scene, &ray);
   CHECK(ray.committed.custom_index == 0xabcdef && ray.committed.record_offset == 0x123456 && ray.committed.t == 2.0f);
   float words[ABI_RAY_FETCH_WORDS][ABI_RAY_LANES];
   rt_ray_fetch(&rays, 1, ABI_FETCH_OBJECT_TO_WORLD, true, (uint32_t *)words);
   CHECK(words[0][0] == 2.0f && words[4][0] == 4.0f && words[8][0] == -1.0f && words[9][0] == 5.0f &&
         words[11][0] == 1.0f);
   rt_ray_fetch(&rays, 1, ABI_FETCH_WORLD_TO_OBJECT, true, (uint32_t *)words);
   CHECK(words[0][0] == 0.5f && words[4][0] == 0.25f && words[8][0] == -1.0f && words[9][0] == -2.5f &&
         words[11][0] == 1.0f);
   rt_ray_fetch(&rays, 1, ABI_FETCH_OBJECT_ORIGIN, true, (uint32_t *)words);
   CHECK(words[0][0] == -0.5f && words[1][0] == -0.25f && words[2][0] == -2.0f);
   rt_ray_fetch(&rays, 1, ABI_FETCH_OBJECT_DIRECTION, true, (uint32_t *)words);
   CHECK(words[0][0] == 0.0f && words[2][0] == 1.0f);
   rt_ray_fetch(&rays, 1, ABI_FETCH_POSITIONS, true, (uint32_t *)words);
   for (uint32_t i = 0; i < 9; i++)
      CHECK(words[i][0] == square[i]);
   rt_ray_fetch(&rays, 1, ABI_FETCH_POSITIONS, false, (uint32_t *)words);
   CHECK(words[0][0] == 0.0f && words[3][0] == 0.0f);
   scene_finish(&scene);
}

TEST_MAIN
