/* SPDX-License-Identifier: MIT
 * Scenes for tests of acceleration structures: geometry in memory, structures built of it, and a plain search in double
 * precision through every triangle. */
#pragma once

#include "runtime/accel/build.h"
#include "runtime/accel/ray.h"
#include "runtime/accel/traverse.h"

enum { SCENE_MAX_BOTTOMS = 4, SCENE_MAX_INSTANCES = 64, SCENE_MAX_LEVELS = 3 };

struct scene_bottom {
   float *positions; /* three vertices a triangle, lo and hi of a box, or two positions and radii (x, y, z, r) of a swept sphere */
   uint32_t count;
   bool has_boxes, has_swept, is_opaque;
   bool has_spheres, has_caps; /* of has_swept: the first ends alone; there are caps */
   uint32_t flags; /* of the build */
   struct rt_accel_geometry geometry;
   void *structure;
   uint64_t structure_bytes;
};

struct scene {
   struct rt_accel_table *table;
   struct scene_bottom bottoms[SCENE_MAX_BOTTOMS];
   VkAccelerationStructureInstanceKHR instances[SCENE_MAX_INSTANCES];
   uint32_t num_bottoms, num_instances;
   void *top;
   uint64_t top_bytes;
};

/* Numbers in [0, 1), the same in every run. */
float scene_random(uint64_t *state);
void scene_init(struct scene *scene);
void scene_finish(struct scene *scene);
/* An empty one for `count` triangles or boxes, which the caller fills before scene_build_bottom(). */
struct scene_bottom *scene_add_bottom(struct scene *scene, uint32_t count, bool has_boxes);
/* `count` triangles of about the size in the unit cube around the origin. */
struct scene_bottom *scene_add_random(struct scene *scene, uint32_t count, float size, uint64_t seed);
struct rt_accel_input scene_bottom_input(const struct scene_bottom *bottom);
void scene_build_bottom(struct scene *scene, struct scene_bottom *bottom, const struct rt_accel_loop *loop);
/* `matrix`: 3 rows of 4; NULL: identity. */
VkAccelerationStructureInstanceKHR *scene_add_instance(struct scene *scene, const struct scene_bottom *bottom,
                                                       const float *matrix);
void scene_build_top(struct scene *scene);
/* Builds everything that is there. */
void scene_build(struct scene *scene);

/* Writes random bytes over 40 of the first bottom level and the top level; the magic numbers remain. */
void scene_corrupt(struct scene *scene, uint64_t *seed);

struct abi_ray scene_ray(const struct scene *scene, const float origin[3], const float direction[3], float tmin,
                         float tmax);
/* Runs it to the end; candidates are confirmed, boxes at their entry. */
void scene_trace(const struct scene *scene, struct abi_ray *ray);

/* What runs rays at each level of instructions that the machine has, the least first; returns how many there are. */
uint32_t scene_levels(rt_ray_run_fn *levels[SCENE_MAX_LEVELS]);

struct scene_hit {
   bool is_hit;
   double t;
   uint32_t instance, primitive;
   double margin; /* how far from the nearest edge of any triangle the ray is, where that decides: barycentric */
};
/* The closest hit among all triangles, in double precision. */
struct scene_hit scene_search(const struct scene *scene, const struct abi_ray *ray);

/* A loop that runs its rounds backwards, on `threads` threads. */
struct rt_accel_loop scene_loop(uint32_t *threads);
void *scene_alloc(uint64_t size);
