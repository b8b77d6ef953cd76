/* SPDX-License-Identifier: MIT
 * The shaders and groups of a ray pipeline, its own and those of linked libraries.
 * Spec: Pipelines, "Ray Tracing Pipelines". Owns: one reference to each shader. Threads: constant after creation. */
#pragma once

#include "icd/pipeline.h"

struct icd_ray_shaders {
   uint32_t num_shaders, num_groups;
   struct icd_shader **shaders;    /* [num_shaders] */
   struct rt_shader *runs;         /* [num_shaders]: what groups point at */
   char (*labels)[160];            /* [num_shaders] */
   struct rt_ray_group *groups;    /* [num_groups] */
   uint32_t *slots;                /* [rt_ray_num_slots(num_groups)] */
};

/* Releases shaders and memory; NULL is ignored. */
void icd_ray_shaders_destroy(struct icd_ray_shaders *shaders);
/* The id of a new group: that of the handle that was captured of it, wherever that stands, or, of NULL, one that no other group has. */
uint64_t icd_ray_group_id(const struct rt_ray_handle *captured);
