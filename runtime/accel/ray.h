/* SPDX-License-Identifier: MIT
 * What compiled shaders call for their rays, and what the runtime calls for those of pipelines: see abi/ray.h.
 * Spec: Ray Traversal. Threads: all functions are thread-safe; a ray belongs to one thread. */
#pragma once

#include "abi/shader.h"

struct rt_accel_instance;

abi_ray_proceed_fn rt_ray_proceed;
abi_ray_commit_fn rt_ray_commit;
abi_ray_fetch_fn rt_ray_fetch;
/* Decides about the candidates of the rays in `mask`: commits some, ends some. */
struct rt_ray_decider {
   void (*decide)(void *data, uint32_t mask);
   void *data;
};

/* As rt_ray_proceed(); candidates may be decided about on the path already, each ray's in the order in which rt_ray_proceed() would show them. */
uint32_t rt_ray_trace(struct abi_worker *worker, struct abi_ray *const *rays, uint32_t mask, const struct rt_ray_decider *decider);
/* By gl_InstanceID, of the top level at the address; NULL: there is none. */
const struct rt_accel_instance *rt_ray_find_instance(const struct rt_accel_table *structures, uint64_t address, uint32_t index);
