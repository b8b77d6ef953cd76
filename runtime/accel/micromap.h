/* SPDX-License-Identifier: MIT
 * Opacity micromaps: triangles are divided into 4^level small ones, each of which is transparent, opaque or to be decided about by shaders.
 * Spec: Micromaps; Ray Traversal, "Ray Opacity Micromap". A micromap is built into memory of its own; bottom levels name it by its address,
 * which is looked up in the device's table when a triangle is hit. Threads: as those of builds, and of traversal. */
#pragma once

#include "runtime/accel/build.h"

/* What four-state formats have; the special index of a triangle is ~ of it. */
enum rt_opacity { RT_OPACITY_TRANSPARENT, RT_OPACITY_OPAQUE, RT_OPACITY_UNKNOWN_TRANSPARENT, RT_OPACITY_UNKNOWN_OPAQUE };

enum {
   RT_MICROMAP_MAX_LEVEL = 12,
   RT_OPACITY_NONE = INT32_MIN, /* of a triangle whose geometry has no micromap */
};

/* ---- micromaps ---- */

/* Bytes of a triangle's data; 0 of formats and levels that are not known. */
uint64_t rt_micromap_data_bytes(uint32_t format, uint32_t level);
/* Bytes of a micromap, saturating. */
uint64_t rt_micromap_bytes(uint64_t num_triangles, uint64_t data_bytes);
/* False, and a structure without anything, if it does not fit. Triangles that are not known, or whose data does not fit into what the input
 * says of it, are all of RT_OPACITY_UNKNOWN_OPAQUE. */
UTIL_MUST_CHECK bool rt_micromap_build(const struct rt_accel_geometry *input, const struct rt_accel_target *target, const uint32_t *cancel);
/* What is at the barycentrics of vertices 1 and 2 in a triangle. */
enum rt_opacity rt_micromap_read(const struct rt_accel_view *micromap, uint32_t triangle, float u, float v);

/* ---- bottom levels that name them ---- */

/* Bytes that a structure needs in addition if any of its geometries has a micromap. */
uint64_t rt_accel_opacity_bytes(uint64_t num_leaves, uint64_t num_geometries);
/* How many addresses of micromaps a structure of the input has: none, or one a geometry. */
uint32_t rt_accel_num_micromaps(const struct rt_accel_input *input);
/* Which triangles of micromaps belong to those of a block: special indices, or RT_OPACITY_NONE. Others keep what they have. */
void rt_accel_read_opacity(const struct rt_accel_input *input, const struct rt_accel_block *block, int32_t opacity[RT_ACCEL_BLOCK]);
/* What a hit of a block's lane is; RT_OPACITY_NONE: as the geometry says. */
int32_t rt_accel_opacity(const struct rt_accel_table *structures, const struct rt_accel_view *bottom, uint32_t block, uint32_t lane, float u, float v);
