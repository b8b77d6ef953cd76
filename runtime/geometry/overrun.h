/* SPDX-License-Identifier: MIT
 * The check `bounds` of what draws read without a shader: what lies past the end of vertex and index buffers, which reads as zero, is reported.
 * Threads: thread-safe. */
#pragma once

#include "runtime/draw/draw.h"

/* True if the check is on. */
bool rt_overrun_is_checked(const struct rt_worker *worker);
/* The draw's indices, once its parameters are known. */
void rt_overrun_indices(const struct rt_draw *draw, const struct rt_worker *worker);
/* The attributes of vertices that are about to be shaded. instance_index: gl_InstanceIndex. */
void rt_overrun_vertices(const struct rt_draw *draw, const struct rt_worker *worker, const uint32_t *vertex_index, const uint32_t *instance_index,
                         uint32_t count);
