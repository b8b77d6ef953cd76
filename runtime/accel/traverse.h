/* SPDX-License-Identifier: MIT
 * Takes rays through a top level and the bottom levels of its instances, from candidate to candidate. Compiled once
 * a level; ray.c chooses. Threads: a ray belongs to one thread. */
#pragma once

#include "runtime/accel/ray.h"
#include "runtime/accel/table.h"

#include "abi/ray.h"

/* From rays that begin or go on to their next candidates or ends; returns the lanes with a candidate. `cancel`: non-zero ends them. `decider`, which may
 * be NULL, is asked about candidates of rays that go together. */
typedef uint32_t rt_ray_run_fn(const struct rt_accel_table *structures, struct abi_ray *const *rays, uint32_t mask,
                               const struct rt_ray_decider *decider, const uint32_t *cancel);
rt_ray_run_fn rt_ray_run, rt_ray_run_v3, rt_ray_run_v4;
