/* SPDX-License-Identifier: MIT
 * Spheres and swept spheres, against a search in double precision that knows of no quadratic: a swept sphere is all spheres between its ends, and how far
 * a point of the ray is outside of the nearest of them is a convex function of where on the ray and which sphere. */
#include "tests/runtime/accel/scene.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the search ---- */

struct swept {
   double ends[2][3], radii[2];
};

static double outside(const struct swept *swept, const double point[3], double s)
{
   double square = 0.0;
   for (uint32_t i = 0; i < 3; i++) {
      const double d = point[i] - (swept->ends[0][i] + s * (swept->ends[1][i] - swept->ends[0][i]));
      square += d * d;
   }
   return sqrt(square) - (swept->radii[0] + s * (swept->radii[1] - swept->radii[0]));
}

/* Of the nearest sphere, which *s is. */
static double nearest(const struct swept *swept, const double o[3], const double d[3], double t, double *s)
{
   const double point[3] = {o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]};
   double lo = 0.0, hi = 1.0;
   for (uint32_t i = 0; i < 70; i++) {
      const double a = lo + (hi - lo) * 0.4, b = lo + (hi - lo) * 0.6;
      if (outside(swept, point, a) < outside(swept, point, b))
         hi = b;
      else
         lo = a;
   }
   *s = 0.5 * (lo + hi);
   return outside(swept, point, *s);
}

enum where { NOWHERE, FIRST_END, MIDDLE, LAST_END, UNSURE };

/* Where the line enters, and the sphere there. */
static enum where find_entry(const struct swept *swept, const double o[3], const double d[3], double *t, double *s)
{
   double lo = -64.0, hi = 64.0;
   for (uint32_t i = 0; i < 90; i++) {
      const double a = lo + (hi - lo) * 0.4, b = lo + (hi - lo) * 0.6;
      if (nearest(swept, o, d, a, s) < nearest(swept, o, d, b, s))
         hi = b;
      else
         lo = a;
   }
   const double depth = nearest(swept, o, d, 0.5 * (lo + hi), s);
   if (depth > -1e-4)
      return depth > 1e-4 ? NOWHERE : UNSURE;
   hi = 0.5 * (lo + hi);
   lo = -64.0;
   for (uint32_t i = 0; i < 90; i++) {
      const double middle = 0.5 * (lo + hi);
      if (nearest(swept, o, d, middle, s) < 0.0)
         hi = middle;
      else
         lo = middle;
   }
   *t = hi;
   return *s < 1e-7 ? FIRST_END : *s > 1.0 - 1e-7 ? LAST_END : *s < 1e-3 || *s > 1.0 - 1e-3 ? UNSURE : MIDDLE;
}

static struct swept swept_of(const struct scene_bottom *bottom, uint32_t i)
{
   struct swept swept;
   for (uint32_t end = 0; end < 2; end++) {
      const float *p = bottom->positions + i * 8 + (bottom->has_spheres ? 0 : end * 4);
      for (uint32_t axis = 0; axis < 3; axis++)
         swept.ends[end][axis] = p[axis];
      swept.radii[end] = p[3];
   }
   return swept;
}

struct found {
   bool is_sure, is_hit;
   double t, u;
   uint32_t primitive;
};

/* Neither end may decide: what enters or ends near there, or is as near as another one, is not sure. */
static struct found search(const struct scene_bottom *bottom, const float origin[3], const float direction[3], double tmax)
{
   const double o[3] = {origin[0], origin[1], origin[2]}, d[3] = {direction[0], direction[1], direction[2]};
   struct found found = {.is_sure = true, .t = INFINITY};
   for (uint32_t i = 0; i < bottom->count; i++) {
      const struct swept swept = swept_of(bottom, i);
      double t = 0.0, s;
      const enum where where = find_entry(&swept, o, d, &t, &s);
      found.is_sure &= where != UNSURE && (where == NOWHERE || (fabs(t) > 1e-3 && fabs(t - tmax) > 1e-3));
      if (where == NOWHERE || t < 0.0 || t > tmax || (where != MIDDLE && !bottom->has_caps && !bottom->has_spheres))
         continue;
      found.is_sure &= fabs(t - found.t) > 1e-3;
      if (t < found.t)
         found = (struct found){found.is_sure, true, t, bottom->has_spheres ? 0.0 : where == MIDDLE ? s : where == LAST_END, i};
   }
   return found;
}

/* ---- scenes ---- */

static struct scene_bottom *add_swept(struct scene *scene, uint32_t count, float size, uint64_t seed)
{
   struct scene_bottom *bottom = scene_add_bottom(scene, count, false);
   bottom->has_swept = true;
   for (uint32_t i = 0; i < count * 2; i++) {
      float *p = bottom->positions + i * 4;
      for (uint32_t axis = 0; axis < 3; axis++)
         p[axis] = (i % 2 ? p[(int)axis - 4] : 0.0f) + (scene_random(&seed) - 0.5f) * (i % 2 ? size : 1.0f);
      p[3] = (0.05f + scene_random(&seed)) * size * 0.3f;
   }
   return bottom;
}

static struct abi_ray random_ray(const struct scene *scene, uint64_t *seed)
{
   float o[3], d[3];
   for (uint32_t k = 0; k < 3; k++) {
      o[k] = (scene_random(seed) - 0.5f) * 3.0f;
      d[k] = scene_random(seed) - 0.5f - o[k] * 0.5f;
   }
   return scene_ray(scene, o, d, 0.0f, 3.0f);
}

TEST(random_scenes)
{
   double worst_t = 0.0, worst_u = 0.0;
   uint32_t num_sure = 0, num_hits = 0;
   for (uint32_t which = 0; which < 3; which++) {
      for (uint32_t round = 0; round < 4; round++) {
         struct scene scene;
         uint64_t seed = which * 10 + round;
         scene_init(&scene);
         struct scene_bottom *bottom = add_swept(&scene, 1 + round * 6, round % 2 ? 0.3f : 1.0f, seed);
         bottom->has_caps = which == 1;
         bottom->has_spheres = which == 2;
         scene_build(&scene);
         for (uint32_t i = 0; i < 80; i++) {
            struct abi_ray ray = random_ray(&scene, &seed);
            const struct found found = search(bottom, ray.origin, ray.direction, ray.tmax);
            scene_trace(&scene, &ray);
            num_sure += found.is_sure;
            if (!found.is_sure)
               continue;
            CHECK_EQ(ray.committed.type, found.is_hit ? ABI_HIT_TRIANGLE : ABI_HIT_NONE);
            if (!found.is_hit || !ray.committed.type)
               continue;
            num_hits++;
            CHECK_EQ(ray.committed.primitive_index, found.primitive);
            CHECK_EQ(ray.committed.hit_kind, which == 2 ? ABI_HIT_KIND_SPHERE : ABI_HIT_KIND_SWEPT);
            CHECK((ray.committed.barycentrics[0] == 0.0f || ray.committed.barycentrics[0] == 1.0f) == (found.u == 0.0 || found.u == 1.0));
            CHECK(ray.committed.barycentrics[1] == 0.0f);
            worst_t = fmax(worst_t, fabs(ray.committed.t - found.t) / found.t);
            worst_u = fmax(worst_u, fabs(ray.committed.barycentrics[0] - found.u));
         }
         scene_finish(&scene);
      }
   }
   printf("worst error of t %.2g, of u %.2g; %u sure, %u hits\n", worst_t, worst_u, num_sure, num_hits);
   CHECK(num_sure > 300 && num_hits > 80 && worst_t < 1e-6 && worst_u < 1e-5);
}

/* Many in turned instances: what the tree leaves out is not hit, against every one of them alone. */
TEST(nothing_is_lost)
{
   enum { COUNT = 400 };
   struct scene all, one;
   uint64_t seed = 9;
   uint32_t num_hits = 0;
   scene_init(&all);
   struct scene_bottom *bottom = add_swept(&all, COUNT, 0.2f, 4);
   bottom->has_caps = true;
   scene_build_bottom(&all, bottom, NULL);
   float m[12];
   for (uint32_t k = 0; k < 12; k++)
      m[k] = k % 5 == 0 ? 1.5f : scene_random(&seed) - 0.5f;
   scene_add_instance(&all, bottom, m);
   scene_build_top(&all);
   struct abi_ray rays[200], closest[200];
   for (uint32_t i = 0; i < 200; i++) {
      rays[i] = random_ray(&all, &seed);
      closest[i].committed.type = ABI_HIT_NONE;
   }
   for (uint32_t k = 0; k < COUNT; k++) {
      scene_init(&one);
      struct scene_bottom *single = add_swept(&one, 1, 0.2f, 4);
      single->has_caps = true;
      memcpy(single->positions, bottom->positions + k * 8, 8 * sizeof(float));
      scene_build_bottom(&one, single, NULL);
      scene_add_instance(&one, single, m);
      scene_build_top(&one);
      for (uint32_t i = 0; i < 200; i++) {
         struct abi_ray ray = rays[i];
         ray.structure = (uintptr_t)one.top;
         scene_trace(&one, &ray);
         ray.committed.primitive_index = k;
         if (ray.committed.type && (!closest[i].committed.type || ray.committed.t < closest[i].committed.t))
            closest[i] = ray;
      }
      scene_finish(&one);
   }
   for (uint32_t i = 0; i < 200; i++) {
      scene_trace(&all, &rays[i]);
      num_hits += rays[i].committed.type != ABI_HIT_NONE;
      CHECK_EQ(rays[i].committed.type, closest[i].committed.type);
      if (rays[i].committed.type && closest[i].committed.type)
         CHECK(rays[i].committed.t == closest[i].committed.t && rays[i].committed.primitive_index == closest[i].committed.primitive_index);
   }
   CHECK(num_hits > 50);
   scene_finish(&all);
}

TEST(same_bits_at_every_level)
{
   rt_ray_run_fn *levels[SCENE_MAX_LEVELS];
   const uint32_t num_levels = scene_levels(levels);
   struct scene scene;
   uint64_t seed = 31;
   const uint32_t cancel = 0;
   uint32_t num_hits = 0;
   scene_init(&scene);
   add_swept(&scene, 500, 0.2f, 8)->has_caps = true;
   add_swept(&scene, 100, 0.2f, 9)->has_spheres = true;
   scene_add_random(&scene, 200, 0.2f, 10); /* so that opaque triangles are beside them */
   scene_build(&scene);
   struct abi_ray *rays = scene_alloc(sizeof(*rays) * ABI_RAY_LANES), *lanes[ABI_RAY_LANES];
   static struct abi_ray begun[ABI_RAY_LANES], first[ABI_RAY_LANES];
   for (uint32_t round = 0; round < 100; round++) {
      const struct abi_ray camera = random_ray(&scene, &seed);
      for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
         begun[i] = round % 2 ? random_ray(&scene, &seed) : camera;
         begun[i].direction[i % 3] += (float)i * 1e-3f; /* every other round they could go together */
         lanes[i] = &rays[i];
      }
      for (uint32_t level = 0; level < num_levels; level++) {
         memcpy(rays, begun, sizeof(begun));
         CHECK_EQ(levels[level](scene.table, lanes, UINT32_MAX, NULL, &cancel), 0);
         if (level == 0)
            memcpy(first, rays, sizeof(first));
         for (uint32_t i = 0; i < ABI_RAY_LANES; i++) {
            num_hits += rays[i].committed.hit_kind == ABI_HIT_KIND_SWEPT;
            CHECK(memcmp(&rays[i].committed, &first[i].committed, sizeof(first[i].committed)) == 0);
         }
      }
   }
   CHECK(num_hits > 500);
   free(rays);
   scene_finish(&scene);
}

/* ---- one at a time ---- */

static struct abi_ray shoot(const float swept[8], bool has_caps, const float o[3], const float d[3])
{
   struct scene scene;
   scene_init(&scene);
   struct scene_bottom *bottom = add_swept(&scene, 1, 1.0f, 0);
   memcpy(bottom->positions, swept, 8 * sizeof(float));
   bottom->has_caps = has_caps;
   scene_build(&scene);
   struct abi_ray ray = scene_ray(&scene, o, d, 0.0f, 100.0f);
   scene_trace(&scene, &ray);
   scene_finish(&scene);
   return ray;
}

static bool is_hit(const struct abi_ray *ray, float t, float u)
{
   return ray->committed.type == ABI_HIT_TRIANGLE && fabsf(ray->committed.t - t) < 1e-6f && ray->committed.barycentrics[0] == u;
}

TEST(ends)
{
   static const float rod[8] = {0, 0, 0, 1, 4, 0, 0, 1}, nested[8] = {0, 0, 0, 2, 0.5f, 0, 0, 1}, reversed[8] = {0.5f, 0, 0, 1, 0, 0, 0, 2};
   struct abi_ray ray = shoot(rod, true, (float[3]){-5, 0, 0}, (float[3]){1, 0, 0});
   CHECK(is_hit(&ray, 4.0f, 0.0f));
   ray = shoot(rod, true, (float[3]){9, 0, 0}, (float[3]){-1, 0, 0});
   CHECK(is_hit(&ray, 4.0f, 1.0f));
   ray = shoot(rod, true, (float[3]){2, 5, 0}, (float[3]){0, -2, 0});
   CHECK(is_hit(&ray, 2.0f, 0.5f));
   /* Without caps: through an end there is nothing, neither there nor on the inner side. */
   ray = shoot(rod, false, (float[3]){-5, 0, 0}, (float[3]){1, 0, 0});
   CHECK_EQ(ray.committed.type, ABI_HIT_NONE);
   ray = shoot(rod, false, (float[3]){-1, 0, 0}, (float[3]){1, 0.5f, 0});
   CHECK_EQ(ray.committed.type, ABI_HIT_NONE);
   ray = shoot(rod, false, (float[3]){2, 5, 0}, (float[3]){0, -2, 0});
   CHECK(is_hit(&ray, 2.0f, 0.5f));
   /* From within: nothing. */
   ray = shoot(rod, true, (float[3]){2, 0, 0}, (float[3]){0, 1, 0});
   CHECK_EQ(ray.committed.type, ABI_HIT_NONE);
   ray = shoot(rod, true, (float[3]){2, 0, 0}, (float[3]){1, 0, 0});
   CHECK_EQ(ray.committed.type, ABI_HIT_NONE);
   /* One end within the other: the outer one alone. */
   ray = shoot(nested, true, (float[3]){5, 0, 0}, (float[3]){-1, 0, 0});
   CHECK(is_hit(&ray, 3.0f, 0.0f));
   ray = shoot(reversed, true, (float[3]){5, 0, 0}, (float[3]){-1, 0, 0});
   CHECK(is_hit(&ray, 3.0f, 1.0f));
}

TEST(numbers_that_are_none)
{
   static const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, -1.0f, 0.0f, 1e-42f, 1.0f};
   struct scene scene;
   uint64_t seed = 3;
   scene_init(&scene);
   struct scene_bottom *bottom = add_swept(&scene, 500, 0.3f, 4);
   bottom->has_caps = true;
   for (uint32_t i = 0; i < 500 * 8; i++)
      if (i % 3 == 0)
         bottom->positions[i] = odd[(uint32_t)(scene_random(&seed) * 9.0f)];
   scene_build(&scene);
   for (uint32_t i = 0; i < 5000; i++) {
      struct abi_ray ray = random_ray(&scene, &seed);
      for (uint32_t k = 0; k < 3; k++) {
         if (i & 1u << k)
            ray.origin[k] = odd[(uint32_t)(scene_random(&seed) * 9.0f)];
         if (i & 8u << k)
            ray.direction[k] = odd[(uint32_t)(scene_random(&seed) * 9.0f)];
      }
      scene_trace(&scene, &ray);
      CHECK_EQ(ray.status, ABI_RAY_ENDED);
      CHECK(ray.committed.type == ABI_HIT_NONE || (ray.committed.t > 0.0f && ray.committed.t < INFINITY && ray.committed.barycentrics[0] >= 0.0f &&
                                                    ray.committed.barycentrics[0] <= 1.0f));
   }
   scene_finish(&scene);
   for (uint32_t i = 0; i < 6; i++) { /* inactive: no number, an infinity, a negative radius */
      float single[8] = {0, 0, 0, 1, 4, 0, 0, 1};
      single[i < 3 ? 0 : 3] = odd[i == 5 ? 5 : i % 3];
      const struct abi_ray ray = shoot(single, true, (float[3]){2, 5, 0}, (float[3]){0, -2, 0});
      CHECK_EQ(ray.committed.type, ABI_HIT_NONE);
   }
}

TEST(bytes_that_lie)
{
   uint64_t seed = 79;
   for (uint32_t round = 0; round < 100; round++) {
      struct scene scene;
      scene_init(&scene);
      add_swept(&scene, 60, 0.4f, round)->has_caps = true;
      scene_build(&scene);
      scene_corrupt(&scene, &seed);
      for (uint32_t i = 0; i < 20; i++) {
         struct abi_ray ray = random_ray(&scene, &seed);
         const uint32_t cancel = 0;
         struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
         struct abi_ray *rays = &ray;
         for (uint32_t k = 0; k < 1000 && rt_ray_proceed(&worker, &rays, 1); k++)
            ;
      }
      scene_finish(&scene);
   }
}

/* ---- what the API says ---- */

static uint32_t caps(const struct rt_accel_geometry *geometry, uint32_t primitive, float rows[3][3])
{
   CHECK(rt_accel_read_swept(geometry, primitive, rows));
   return (uint32_t)rows[2][2];
}

TEST(indices)
{
   const float vertices[7][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}};
   const uint16_t radii[7] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700}; /* 1 to 7 */
   const uint32_t list[8][2] = {{6}, {5}, {5}, {4}, {4}, {3}, {2}, {1}};
   const uint16_t successive[4] = {0, 1, 2, 4};
   struct rt_accel_geometry geometry = {.num_primitives = 4};
   float rows[3][3];
   geometry.triangles.format = rt_format_info(VK_FORMAT_R32G32_SFLOAT);
   geometry.triangles.vertices = (const uint8_t *)vertices;
   geometry.triangles.stride_bytes = sizeof(vertices[0]);
   geometry.swept.radius_format = rt_format_info(VK_FORMAT_R16_SFLOAT);
   geometry.swept.radii = (const uint8_t *)radii;
   geometry.swept.radius_stride_bytes = 2;
   geometry.swept.has_caps = true;
   CHECK_EQ(caps(&geometry, 2, rows), RT_SWEPT_FIRST_CAP | RT_SWEPT_LAST_CAP); /* pairs */
   CHECK(rows[0][0] == 4.0f && rows[1][0] == 5.0f && rows[0][2] == 0.0f && rows[2][0] == 5.0f && rows[2][1] == 6.0f);
   geometry.triangles.indices = (const uint8_t *)list;
   geometry.triangles.index_type = VK_INDEX_TYPE_UINT32;
   geometry.swept.index_stride_bytes = 8;
   CHECK_EQ(caps(&geometry, 3, rows), RT_SWEPT_FIRST_CAP | RT_SWEPT_LAST_CAP);
   CHECK(rows[0][0] == 2.0f && rows[1][0] == 1.0f && rows[2][0] == 3.0f && rows[2][1] == 2.0f);
   geometry.swept.is_sphere = true;
   CHECK_EQ(caps(&geometry, 3, rows), RT_SWEPT_FIRST_CAP | RT_SWEPT_LAST_CAP | RT_SWEPT_IS_SPHERE);
   CHECK(rows[0][0] == 4.0f && rows[1][0] == 4.0f && rows[2][0] == 5.0f && rows[2][1] == 5.0f);
   geometry.swept.is_sphere = false;
   geometry.swept.is_successive = true;
   geometry.triangles.indices = (const uint8_t *)successive;
   geometry.triangles.index_type = VK_INDEX_TYPE_UINT16;
   geometry.swept.index_stride_bytes = 2;
   for (uint32_t i = 0; i < 4; i++) {
      CHECK_EQ(caps(&geometry, i, rows), i % 3 ? RT_SWEPT_LAST_CAP : RT_SWEPT_FIRST_CAP | RT_SWEPT_LAST_CAP); /* 0, 1, 2 and 4: two chains */
      CHECK(rows[0][0] == successive[i] && rows[1][0] == successive[i] + 1.0f);
   }
   geometry.swept.has_caps = false;
   CHECK_EQ(caps(&geometry, 0, rows), 0);
}

/* Those that are not opaque are shown, one by one; an update moves them. */
TEST(candidates_and_updates)
{
   struct scene scene;
   const uint32_t cancel = 0;
   scene_init(&scene);
   struct scene_bottom *bottom = add_swept(&scene, 9, 1.0f, 0);
   bottom->has_spheres = true;
   bottom->is_opaque = false;
   for (uint32_t i = 0; i < 9; i++)
      memcpy(bottom->positions + i * 8, (const float[4]){0, 0, -(float)i * 3.0f, 1}, 16);
   scene_build(&scene);
   struct abi_worker worker = {.cancel = &cancel, .structures = scene.table};
   for (uint32_t round = 0; round < 2; round++) {
      struct abi_ray ray = scene_ray(&scene, (float[3]){0, 0, 5}, (float[3]){0, 0, -1}, 0.0f, 100.0f), *rays = &ray;
      uint32_t seen = 0;
      while (rt_ray_proceed(&worker, &rays, 1)) {
         CHECK(ray.candidate.type == ABI_HIT_TRIANGLE && !ray.candidate.is_opaque && ray.candidate.hit_kind == ABI_HIT_KIND_SPHERE);
         CHECK(ray.candidate.t == 4.0f + (float)(ray.candidate.primitive_index * (round + 3)));
         seen |= 1u << ray.candidate.primitive_index;
      }
      CHECK_EQ(seen, 0x1ff);
      float words[ABI_RAY_FETCH_WORDS][ABI_RAY_LANES];
      ray = scene_ray(&scene, ray.origin, ray.direction, 0.0f, 100.0f);
      scene_trace(&scene, &ray);
      rt_ray_fetch(&rays, 1, ABI_FETCH_POSITIONS, true, (uint32_t *)words);
      CHECK(words[0][0] == 0.0f && words[2][0] == 0.0f && words[6][0] == 1.0f && words[7][0] == 1.0f);
      ray = scene_ray(&scene, ray.origin, ray.direction, 0.0f, 100.0f);
      ray.flags = ABI_RAY_SKIP_TRIANGLES; /* all that is built in */
      CHECK_EQ(rt_ray_proceed(&worker, &rays, 1), 0);
      ray = scene_ray(&scene, ray.origin, ray.direction, 0.0f, 100.0f);
      ray.flags = ABI_RAY_CULL_BACK_FACING_TRIANGLES | ABI_RAY_CULL_FRONT_FACING_TRIANGLES; /* they have no such sides */
      CHECK_EQ(rt_ray_proceed(&worker, &rays, 1), 1);
      for (uint32_t i = 0; i < 9; i++)
         bottom->positions[i * 8 + 2] = -(float)i * 4.0f;
      const struct rt_accel_input input = scene_bottom_input(bottom);
      void *scratch = scene_alloc(rt_accel_sizes(RT_LEAF_SWEPT, 9).update_scratch);
      const struct rt_accel_target target = {bottom->structure, bottom->structure_bytes, scratch};
      CHECK(rt_accel_update(&input, bottom->structure, bottom->structure_bytes, &target, NULL));
      free(scratch);
      free(scene.top);
      rt_accel_table_remove(scene.table, (uintptr_t)scene.top);
      scene_build_top(&scene);
   }
   scene_finish(&scene);
}

TEST_MAIN
