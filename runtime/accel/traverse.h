/* SPDX-License-Identifier: MIT
 * Takes one ray through a top level and the bottom levels of its instances, from candidate to candidate. Compiled once
 * a level; ray.c chooses. Threads: a ray belongs to one thread. */
#pragma once

#include "runtime/accel/table.h"

#include "abi/ray.h"

/* From a ray that begins or goes on to its next candidate (true) or its end (false). `cancel`: non-zero ends it. */
typedef bool rt_ray_run_fn(const struct rt_accel_table *structures, struct abi_ray *ray, const uint32_t *cancel);
rt_ray_run_fn rt_ray_run_v1, rt_ray_run_v3, rt_ray_run_v4;
