/* SPDX-License-Identifier: MIT
 * What compiled shaders call for their rays, and what the runtime calls for those of pipelines: see abi/ray.h.
 * Spec: Ray Traversal. Threads: all functions are thread-safe; a ray belongs to one thread. */
#pragma once

#include "abi/shader.h"

abi_ray_proceed_fn rt_ray_proceed;
abi_ray_commit_fn rt_ray_commit;
abi_ray_fetch_fn rt_ray_fetch;
