/* SPDX-License-Identifier: MIT
 * Vertex attributes: from buffers to the vertex shader's input rows.
 * Spec: Fixed-Function Vertex Processing. What lies outside of its buffer reads as zero. */
#pragma once

#include "runtime/draw/attribute.h"
#include "runtime/draw/draw.h"

/* Fills fetches, at most RT_MAX_VERTEX_ATTRIBUTES, for the locations in `inputs` (bits over slots); returns their number. */
uint32_t rt_fetch_init(struct rt_fetch *fetches, const struct rt_draw_state *state, const uint64_t inputs[3]);

/* rows: [num_rows][ABI_VERTEX_BATCH]. vertex_index: whole multiples of 16 can be read. instance_index: gl_InstanceIndex;
 * first_instance: of the draw. */
void rt_fetch_vertices(const struct rt_fetch *fetches, uint32_t num_fetches, uint32_t *rows,
                       const uint32_t *vertex_index, const uint32_t *instance_index, uint32_t first_instance,
                       uint32_t count);
