/* SPDX-License-Identifier: MIT
 * Task shaders: workgroups of a draw's grid, each of which asks for a grid of mesh workgroups and gives them a payload. They run before the
 * pieces of the draw are made, many side by side; what they leave stands in a store until those pieces are done.
 * Spec: Mesh Shading. Threads: the queue's alone; uses the pool inside. */
#pragma once

#include "runtime/geometry/chunk.h"

/* Grids and payloads of tasks. All zeros: none, and no memory yet. */
struct rt_task_store {
   uint8_t *data;
   size_t used_bytes;
};
void rt_task_store_finish(struct rt_task_store *store);
/* Forgets them all; the memory stays. */
static inline void rt_task_store_clear(struct rt_task_store *store)
{
   store->used_bytes = 0;
}

/* How many more tasks of the draw have room; VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_task_room(struct rt_task_store *store, const struct rt_context *context, uint32_t *count);
/* Runs `count` tasks, no more than have room, from number `first` on. rt_task_grid(): what they ask for. */
const uint8_t *rt_task_run(struct rt_task_store *store, const struct rt_draw *draw, uint32_t view, uint64_t first, uint32_t count,
                           struct rt_worker *worker);
/* `uninit`: of shared memory in front of the variables all is written but a task's payload, and of a mesh shader's what the task did not write: `given`,
 * NULL: it wrote all. */
void rt_payload_shadow_init(uint8_t *shared, const struct abi_shader_info *info, const uint8_t *given, uint32_t given_bytes);

const struct rt_mesh_grid *rt_task_grid(const uint8_t *tasks, const struct rt_context *context, uint32_t index);

/* Mesh workgroups; 0 for grids beyond what a task may ask for. */
uint64_t rt_mesh_grid_count(const struct rt_mesh_grid *grid);
