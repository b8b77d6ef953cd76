/* SPDX-License-Identifier: MIT
 * Scenes for tests of acceleration structures. */
#include "tests/runtime/accel/scene.h"
#include "tests/random.h"
#include "util/cpu.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

float scene_random(uint64_t *state)
{
   return (float)(random_step(state) >> 40) * 0x1p-24f;
}

uint32_t scene_levels(rt_ray_run_fn *levels[SCENE_MAX_LEVELS])
{
   levels[0] = rt_ray_run;
#ifdef __x86_64__
   levels[1] = rt_ray_run_v3;
   levels[2] = rt_ray_run_v4;
   return util_cpu_level() >= UTIL_CPU_V4 ? 3 : util_cpu_level() >= UTIL_CPU_V3 ? 2 : 1;
#else
   return 1;
#endif
}

void *scene_alloc(uint64_t size)
{
   void *memory = aligned_alloc(RT_ACCEL_ALIGN, (size + RT_ACCEL_ALIGN) / RT_ACCEL_ALIGN * RT_ACCEL_ALIGN);
   memset(memory, 0xa5, size);
   return memory;
}

void scene_init(struct scene *scene)
{
   *scene = (struct scene){.table = rt_accel_table_create()};
}

void scene_finish(struct scene *scene)
{
   for (uint32_t i = 0; i < scene->num_bottoms; i++) {
      free(scene->bottoms[i].positions);
      free(scene->bottoms[i].structure);
   }
   free(scene->top);
   rt_accel_table_destroy(scene->table);
}

struct scene_bottom *scene_add_bottom(struct scene *scene, uint32_t count, bool has_boxes)
{
   struct scene_bottom *bottom = &scene->bottoms[scene->num_bottoms++];
   *bottom = (struct scene_bottom){.count = count, .has_boxes = has_boxes, .is_opaque = true};
   bottom->positions = malloc((size_t)count * 9 * sizeof(float) + 1);
   return bottom;
}

struct scene_bottom *scene_add_random(struct scene *scene, uint32_t count, float size, uint64_t seed)
{
   struct scene_bottom *bottom = scene_add_bottom(scene, count, false);
   for (uint32_t i = 0; i < count; i++) {
      float centre[3];
      for (uint32_t axis = 0; axis < 3; axis++)
         centre[axis] = scene_random(&seed) - 0.5f;
      for (uint32_t k = 0; k < 9; k++)
         bottom->positions[i * 9 + k] = centre[k % 3] + (scene_random(&seed) - 0.5f) * size;
   }
   return bottom;
}

struct rt_accel_input scene_bottom_input(const struct scene_bottom *bottom)
{
   struct rt_accel_geometry *geometry = (struct rt_accel_geometry *)&bottom->geometry;
   *geometry = (struct rt_accel_geometry){.num_primitives = bottom->count, .is_opaque = bottom->is_opaque};
   geometry->triangles.format = rt_format_info(VK_FORMAT_R32G32B32_SFLOAT);
   geometry->triangles.vertices = (const uint8_t *)bottom->positions;
   geometry->triangles.stride_bytes = 12;
   geometry->triangles.max_vertex = bottom->count * 3;
   geometry->boxes.data = (const uint8_t *)bottom->positions;
   geometry->boxes.stride_bytes = 24;
   if (bottom->has_swept) {
      geometry->triangles.stride_bytes = bottom->has_spheres ? 32 : 16;
      geometry->swept.radius_format = rt_format_info(VK_FORMAT_R32_SFLOAT);
      geometry->swept.radii = (const uint8_t *)(bottom->positions + 3);
      geometry->swept.radius_stride_bytes = geometry->triangles.stride_bytes;
      geometry->swept.is_sphere = bottom->has_spheres;
      geometry->swept.has_caps = bottom->has_caps;
   }
   return (struct rt_accel_input){.leaf = bottom->has_swept ? RT_LEAF_SWEPT : bottom->has_boxes ? RT_LEAF_BOXES : RT_LEAF_TRIANGLES,
                                  .flags = bottom->flags,
                                  .geometries = geometry,
                                  .num_geometries = 1};
}

static void *build(const struct rt_accel_input *input, uint64_t count, uint64_t *bytes,
                   const struct rt_accel_loop *loop)
{
   const struct rt_accel_sizes sizes = rt_accel_sizes(input->leaf, count);
   /* As odd as the host's may be; what stands behind it stays. */
   uint8_t *scratch = scene_alloc(sizes.build_scratch + 128), *structure = scene_alloc(sizes.structure + 64);
   const struct rt_accel_target target = {structure, sizes.structure, scratch + 1};
   *bytes = sizes.structure;
   if (!rt_accel_build(input, &target, loop))
      abort();
   for (uint32_t i = 0; i < 64; i++)
      if (scratch[1 + sizes.build_scratch + i] != 0xa5 || structure[sizes.structure + i] != 0xa5)
         abort();
   free(scratch);
   return structure;
}

void scene_build_bottom(struct scene *scene, struct scene_bottom *bottom, const struct rt_accel_loop *loop)
{
   const struct rt_accel_input input = scene_bottom_input(bottom);
   bottom->structure = build(&input, bottom->count, &bottom->structure_bytes, loop);
   if (!rt_accel_table_add(scene->table, (uintptr_t)bottom->structure, bottom->structure_bytes))
      abort();
}

VkAccelerationStructureInstanceKHR *scene_add_instance(struct scene *scene, const struct scene_bottom *bottom,
                                                       const float *matrix)
{
   static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
   VkAccelerationStructureInstanceKHR *instance = &scene->instances[scene->num_instances++];
   *instance = (VkAccelerationStructureInstanceKHR){.mask = 0xff,
                                                    .accelerationStructureReference = (uintptr_t)bottom->structure};
   memcpy(&instance->transform, matrix ? matrix : identity, sizeof(instance->transform));
   return instance;
}

void scene_build_top(struct scene *scene)
{
   const struct rt_accel_geometry geometry = {.num_primitives = scene->num_instances,
                                              .instances = {.data = (const uint8_t *)scene->instances}};
   const struct rt_accel_input input = {
      .leaf = RT_LEAF_INSTANCES, .geometries = &geometry, .num_geometries = 1, .structures = scene->table};
   scene->top = build(&input, scene->num_instances, &scene->top_bytes, NULL);
   if (!rt_accel_table_add(scene->table, (uintptr_t)scene->top, scene->top_bytes))
      abort();
}

void scene_build(struct scene *scene)
{
   for (uint32_t i = 0; i < scene->num_bottoms; i++)
      scene_build_bottom(scene, &scene->bottoms[i], NULL);
   for (uint32_t i = 0; i < scene->num_bottoms && scene->num_instances < scene->num_bottoms; i++)
      scene_add_instance(scene, &scene->bottoms[i], NULL);
   scene_build_top(scene);
}

void scene_corrupt(struct scene *scene, uint64_t *seed)
{
   uint8_t *bytes[2] = {scene->bottoms[0].structure, scene->top};
   const uint64_t sizes[2] = {scene->bottoms[0].structure_bytes, scene->top_bytes};
   for (uint32_t i = 0; i < 40; i++) {
      const uint32_t which = i % 4 == 0;
      const uint64_t offset = (uint64_t)(scene_random(seed) * (float)(i % 3 ? sizes[which] : 512)) % sizes[which];
      if (offset >= sizeof(((struct rt_accel_head *)0)->magic))
         bytes[which][offset] = (uint8_t)(scene_random(seed) * 256.0f);
   }
}

/* ---- rays ---- */

struct abi_ray scene_ray(const struct scene *scene, const float origin[3], const float direction[3], float tmin,
                         float tmax)
{
   struct abi_ray ray = {
      .tmin = tmin, .tmax = tmax, .structure = (uintptr_t)scene->top, .cull_mask = 0xff, .status = ABI_RAY_BEGINS};
   memcpy(ray.origin, origin, sizeof(ray.origin));
   memcpy(ray.direction, direction, sizeof(ray.direction));
   return ray;
}

void scene_trace(const struct scene *scene, struct abi_ray *ray)
{
   static const uint32_t cancel = 0;
   struct abi_worker worker = {.cancel = &cancel, .structures = scene->table};
   while (rt_ray_proceed(&worker, &ray, 1))
      rt_ray_commit(&ray, 1, ray->candidate.type == ABI_HIT_BOX ? &ray->tmin : NULL, NULL);
}

static void search_triangle(const float *positions, const double o[3], const double d[3], double tmin, double tmax,
                            struct scene_hit *hit, bool *is_closer)
{
   double e1[3], e2[3], p[3], s[3], q[3];
   for (uint32_t i = 0; i < 3; i++) {
      e1[i] = (double)positions[3 + i] - positions[i];
      e2[i] = (double)positions[6 + i] - positions[i];
      s[i] = o[i] - positions[i];
   }
   for (uint32_t i = 0; i < 3; i++) {
      const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
      p[i] = d[j] * e2[k] - d[k] * e2[j];
      q[i] = s[j] * e1[k] - s[k] * e1[j];
   }
   const double det = e1[0] * p[0] + e1[1] * p[1] + e1[2] * p[2];
   *is_closer = false;
   if (det == 0.0)
      return;
   const double u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / det,
                v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det;
   const double t = (e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2]) / det;
   const double inside = fmin(fmin(u, v), 1.0 - u - v);
   if (!(t > tmin && t < tmax))
      return;
   if (fabs(inside) < hit->margin && (!hit->is_hit || t <= hit->t * 1.0001))
      hit->margin = fabs(inside);
   if (inside >= 0.0 && (!hit->is_hit || t < hit->t)) {
      hit->t = t;
      hit->is_hit = *is_closer = true;
   }
}

static bool invert(const float m[3][4], double inverse[3][4])
{
   double det = 0.0;
   for (uint32_t i = 0; i < 3; i++)
      det += (double)m[0][i] *
             ((double)m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - (double)m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
   for (uint32_t r = 0; r < 3; r++) {
      for (uint32_t c = 0; c < 3; c++) {
         const uint32_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
         inverse[c][r] = ((double)m[r1][c1] * m[r2][c2] - (double)m[r1][c2] * m[r2][c1]) / det;
      }
   }
   for (uint32_t r = 0; r < 3; r++)
      inverse[r][3] = -(inverse[r][0] * m[0][3] + inverse[r][1] * m[1][3] + inverse[r][2] * m[2][3]);
   return det != 0.0;
}

struct scene_hit scene_search(const struct scene *scene, const struct abi_ray *ray)
{
   struct scene_hit hit = {.margin = 1.0};
   for (uint32_t i = 0; i < scene->num_instances; i++) {
      const VkAccelerationStructureInstanceKHR *instance = &scene->instances[i];
      double inverse[3][4], o[3], d[3];
      if (!(instance->mask & ray->cull_mask) || !invert(instance->transform.matrix, inverse))
         continue;
      for (uint32_t r = 0; r < 3; r++) {
         o[r] = inverse[r][0] * ray->origin[0] + inverse[r][1] * ray->origin[1] + inverse[r][2] * ray->origin[2] +
                inverse[r][3];
         d[r] =
            inverse[r][0] * ray->direction[0] + inverse[r][1] * ray->direction[1] + inverse[r][2] * ray->direction[2];
      }
      for (uint32_t b = 0; b < scene->num_bottoms; b++) {
         const struct scene_bottom *bottom = &scene->bottoms[b];
         if ((uintptr_t)bottom->structure != instance->accelerationStructureReference)
            continue;
         for (uint32_t k = 0; k < bottom->count; k++) {
            bool is_closer;
            search_triangle(bottom->positions + k * 9, o, d, ray->tmin, ray->tmax, &hit, &is_closer);
            hit.primitive = is_closer ? k : hit.primitive;
            hit.instance = is_closer ? i : hit.instance;
         }
      }
   }
   return hit;
}

/* ---- threads ---- */

struct team {
   rt_accel_body_fn *body;
   void *data;
   uint32_t count;
   _Atomic uint32_t next;
};

static void *take_part(void *data)
{
   struct team *team = data;
   for (uint32_t i; (i = atomic_fetch_add(&team->next, 1)) < team->count;)
      team->body(team->data, team->count - 1 - i);
   return NULL;
}

static void run_loop(void *context, uint32_t count, rt_accel_body_fn *body, void *data)
{
   const uint32_t threads = *(uint32_t *)context;
   struct team team = {body, data, count, 0};
   pthread_t others[8];
   for (uint32_t i = 1; i < threads; i++)
      pthread_create(&others[i], NULL, take_part, &team);
   take_part(&team);
   for (uint32_t i = 1; i < threads; i++)
      pthread_join(others[i], NULL);
}

struct rt_accel_loop scene_loop(uint32_t *threads)
{
   return (struct rt_accel_loop){.run = run_loop, .context = threads};
}
