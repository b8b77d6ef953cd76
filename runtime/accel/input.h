/* SPDX-License-Identifier: MIT
 * What an acceleration structure is built of: geometries, and the primitives in them as builders read them.
 * Spec: Acceleration Structures, "Geometry", "Inactive Primitives and Instances". Owner: the caller; the memory is the
 * application's. Threads: read only. */
#pragma once

#include "runtime/accel/table.h"
#include "runtime/accel/tree.h"
#include "runtime/format/format.h"

#include <stdbool.h>

typedef float rt_vec4 __attribute__((vector_size(16)));

/* One geometry with its range; pointers are those of the API with the range's offsets added. */
struct rt_accel_geometry {
   uint32_t num_primitives;
   bool is_opaque;
   struct {
      const struct rt_format_info *format;
      const uint8_t *vertices; /* of vertex 0, firstVertex added */
      uint64_t stride_bytes;
      uint32_t max_vertex; /* indices above it make a primitive inactive */
      VkIndexType index_type;
      const uint8_t *indices; /* NULL: none */
      const float *transform; /* 3 rows of 4; NULL: none */
   } triangles; /* and positions and indices of spheres */
   struct {
      const struct rt_format_info *radius_format;
      const uint8_t *radii; /* of vertex 0, firstVertex added */
      uint64_t radius_stride_bytes, index_stride_bytes;
      bool is_sphere;
      bool is_successive; /* an index names its vertex and the next one */
      bool has_caps;
   } swept;
   struct {
      bool is_there;
      uint64_t micromap; /* its address; 0: there are special indices only */
      VkIndexType index_type;
      const uint8_t *indices;
      uint64_t stride_bytes;
      uint32_t first; /* what is added to indices that are not special */
   } opacity; /* of triangles */
   struct {
      const uint8_t *data;
      uint64_t stride_bytes;
   } boxes;
   struct {
      const uint8_t *data, *triangles; /* VkMicromapTriangleEXT, stride_bytes apart: num_primitives */
      uint64_t stride_bytes;
      uint64_t data_bytes; /* that their data may take */
   } micromap;
   struct {
      const uint8_t *data; /* VkAccelerationStructureInstanceKHR, or pointers to them */
      bool is_pointers;
   } instances;
};

/* What one build gets. */
struct rt_accel_input {
   enum rt_accel_leaf leaf; /* of all geometries */
   uint32_t flags;          /* VkBuildAccelerationStructureFlagsKHR */
   const struct rt_accel_geometry *geometries;
   uint32_t num_geometries;
   const struct rt_accel_table *structures; /* that instances name */
   uint64_t (*resolve)(uint64_t reference); /* the address of what an instance names; NULL: it is one */
};

struct rt_accel_box {
   rt_vec4 lo, hi; /* the last is anything */
};

/* Positions of a triangle: vertex, axis. False if it is inactive or cannot be hit: NaN, an infinity, an index too
 * large. */
bool rt_accel_read_triangle(const struct rt_accel_geometry *geometry, uint32_t primitive, float vertices[3][3]);
/* As struct rt_accel_block has a sphere. False if it is inactive or cannot be hit: NaN, an infinity, a negative radius. */
bool rt_accel_read_swept(const struct rt_accel_geometry *geometry, uint32_t primitive, float rows[3][3]);
/* lo and hi; infinities are the largest numbers. */
bool rt_accel_read_box(const struct rt_accel_geometry *geometry, uint32_t primitive, float box[2][3]);
/* Fills what the instance's record has; its bounds in the world. False, with bottom 0, if it is inactive: no structure,
 * one without primitives, a matrix without inverse. */
bool rt_accel_set_instance(const struct rt_accel_input *input, uint32_t primitive, struct rt_accel_instance *instance,
                             struct rt_accel_box *bounds);
/* What a block has of a primitive, instances excepted; false if it is inactive. */
bool rt_accel_read(enum rt_accel_leaf leaf, const struct rt_accel_geometry *geometry, uint32_t primitive, float rows[3][3]);
/* Around a sphere, as rt_accel_read_swept() has it. */
void rt_accel_bound_swept(float rows[3][3], struct rt_accel_box *bounds);
/* The bounds of any primitive; false if it is inactive. */
bool rt_accel_bound(const struct rt_accel_input *input, uint32_t geometry, uint32_t primitive,
                    struct rt_accel_box *bounds);
