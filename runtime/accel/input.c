/* SPDX-License-Identifier: MIT
 * Reads primitives. */
#include "runtime/accel/input.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- triangles ---- */

static uint32_t index_bytes(VkIndexType type)
{
   return type == VK_INDEX_TYPE_UINT8 ? 1 : type == VK_INDEX_TYPE_UINT16 ? 2 : 4;
}

static uint32_t read_index(const struct rt_accel_geometry *geometry, uint64_t i, uint64_t stride_bytes)
{
   const uint8_t *index = geometry->triangles.indices;
   uint16_t half;
   uint32_t word;
   if (!index)
      return (uint32_t)i;
   index += i * stride_bytes;
   switch (geometry->triangles.index_type) {
   case VK_INDEX_TYPE_UINT8: return *index;
   case VK_INDEX_TYPE_UINT16: memcpy(&half, index, sizeof(half)); return half;
   default: memcpy(&word, index, sizeof(word)); return word;
   }
}

static void read_vertex(const struct rt_accel_geometry *geometry, uint32_t index, float vertex[3])
{
   const uint8_t *texel = geometry->triangles.vertices + index * geometry->triangles.stride_bytes;
   const VkFormat format = geometry->triangles.format->format;
   uint32_t rgba[1][4];
   if (format == VK_FORMAT_R32G32B32_SFLOAT || format == VK_FORMAT_R32G32B32A32_SFLOAT) {
      memcpy(vertex, texel, 3 * sizeof(float));
      return;
   }
   geometry->triangles.format->unpack(texel, 0, 1, rgba);
   memcpy(vertex, rgba[0], 3 * sizeof(float));
}

static void transform_point(const float m[12], float point[3])
{
   const float x = point[0], y = point[1], z = point[2];
   for (uint32_t row = 0; row < 3; row++)
      point[row] = m[row * 4] * x + m[row * 4 + 1] * y + m[row * 4 + 2] * z + m[row * 4 + 3];
}

bool rt_accel_read_triangle(const struct rt_accel_geometry *geometry, uint32_t primitive, float vertices[3][3])
{
   float finite = 0.0f;
   for (uint32_t v = 0; v < 3; v++) {
      const uint32_t index = read_index(geometry, primitive * UINT64_C(3) + v, index_bytes(geometry->triangles.index_type));
      if (geometry->triangles.indices && index > geometry->triangles.max_vertex)
         return false;
      read_vertex(geometry, index, vertices[v]);
      if (geometry->triangles.transform)
         transform_point(geometry->triangles.transform, vertices[v]);
      finite += vertices[v][0] * 0.0f + vertices[v][1] * 0.0f + vertices[v][2] * 0.0f;
   }
   return finite == 0.0f;
}

/* ---- spheres ---- */

static float read_radius(const struct rt_accel_geometry *geometry, uint32_t index)
{
   uint32_t rgba[1][4];
   float radius;
   geometry->swept.radius_format->unpack(geometry->swept.radii + index * geometry->swept.radius_stride_bytes, 0, 1, rgba);
   memcpy(&radius, &rgba[0][0], sizeof(radius));
   return radius;
}

/* Which ends a swept sphere has. In a chain of successive ones those that follow another leave the end between them to it. */
static uint32_t caps_of(const struct rt_accel_geometry *geometry, uint32_t primitive, uint32_t first)
{
   if (!geometry->swept.has_caps)
      return 0;
   const bool follows = geometry->swept.is_successive && primitive > 0 &&
                        read_index(geometry, primitive - 1, geometry->swept.index_stride_bytes) + 1 == first;
   return follows ? RT_SWEPT_LAST_CAP : RT_SWEPT_FIRST_CAP | RT_SWEPT_LAST_CAP;
}

bool rt_accel_read_swept(const struct rt_accel_geometry *geometry, uint32_t primitive, float rows[3][3])
{
   const uint64_t stride = geometry->swept.index_stride_bytes;
   const bool is_single = geometry->swept.is_sphere || geometry->swept.is_successive;
   const uint32_t first = read_index(geometry, is_single ? primitive : primitive * UINT64_C(2), stride);
   const uint32_t last = geometry->swept.is_sphere       ? first
                         : geometry->swept.is_successive ? first + 1
                                                         : read_index(geometry, primitive * UINT64_C(2) + 1, stride);
   float finite = 0.0f;
   if (!geometry->swept.radius_format || !geometry->triangles.format)
      return false; /* the application has not said what they are */
   read_vertex(geometry, first, rows[0]);
   read_vertex(geometry, last, rows[1]);
   rows[2][0] = read_radius(geometry, first);
   rows[2][1] = read_radius(geometry, last);
   rows[2][2] = (float)(geometry->swept.is_sphere ? RT_SWEPT_FIRST_CAP | RT_SWEPT_LAST_CAP | RT_SWEPT_IS_SPHERE : caps_of(geometry, primitive, first));
   for (uint32_t axis = 0; axis < 3; axis++)
      finite += rows[0][axis] * 0.0f + rows[1][axis] * 0.0f + rows[2][axis] * 0.0f;
   return finite == 0.0f && rows[2][0] >= 0.0f && rows[2][1] >= 0.0f;
}

/* ---- boxes ---- */

bool rt_accel_read_box(const struct rt_accel_geometry *geometry, uint32_t primitive, float box[2][3])
{
   memcpy(box, geometry->boxes.data + primitive * geometry->boxes.stride_bytes, 6 * sizeof(float));
   bool is_active = true;
   for (uint32_t axis = 0; axis < 3; axis++) {
      is_active &= box[0][axis] <= box[1][axis];
      box[0][axis] = fmaxf(box[0][axis], -FLT_MAX);
      box[1][axis] = fminf(box[1][axis], FLT_MAX);
   }
   return is_active;
}

/* ---- instances ---- */

static const VkAccelerationStructureInstanceKHR *read_instance(const struct rt_accel_geometry *geometry,
                                                               uint32_t primitive)
{
   const uint8_t *data = geometry->instances.data;
   if (!geometry->instances.is_pointers)
      return (const VkAccelerationStructureInstanceKHR *)data + primitive;
   const VkAccelerationStructureInstanceKHR *instance;
   memcpy(&instance, data + primitive * sizeof(instance), sizeof(instance));
   return instance;
}

/* False if there is no inverse that is finite. Both as 4 columns of 3 rows. */
static bool invert(const float m[12], float inverse[12])
{
   double c[3][3]; /* cofactors, row and column of m */
   for (uint32_t row = 0; row < 3; row++) {
      for (uint32_t column = 0; column < 3; column++) {
         const uint32_t r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
         c[row][column] = (double)m[c1 * 3 + r1] * m[c2 * 3 + r2] - (double)m[c1 * 3 + r2] * m[c2 * 3 + r1];
      }
   }
   const double determinant = m[0] * c[0][0] + m[3] * c[0][1] + m[6] * c[0][2];
   double translation[3] = {0};
   bool is_finite = determinant != 0.0;
   for (uint32_t row = 0; row < 3; row++) {
      for (uint32_t column = 0; column < 3; column++) {
         const double value = c[column][row] / determinant;
         inverse[column * 3 + row] = (float)value;
         translation[row] -= value * m[9 + column];
      }
      inverse[9 + row] = (float)translation[row];
   }
   for (uint32_t i = 0; i < 12; i++)
      is_finite &= isfinite(inverse[i]) && isfinite(m[i]);
   return is_finite;
}

/* What contains the box after the transform, whatever was rounded. */
static struct rt_accel_box transform_box(const float m[12], const struct rt_accel_head *head)
{
   struct rt_accel_box box = {0};
   for (uint32_t row = 0; row < 3; row++) {
      double lo = m[9 + row], hi = lo;
      for (uint32_t column = 0; column < 3; column++) {
         const double a = (double)m[column * 3 + row] * head->lo[column],
                      b = (double)m[column * 3 + row] * head->hi[column];
         lo += a < b ? a : b;
         hi += a < b ? b : a;
      }
      box.lo[row] = fmaxf(nextafterf((float)lo, -INFINITY), -FLT_MAX);
      box.hi[row] = fminf(nextafterf((float)hi, INFINITY), FLT_MAX);
   }
   return box;
}

static uint32_t contents_of(uint32_t contents, uint32_t flags)
{
   if (flags & VK_GEOMETRY_INSTANCE_FORCE_NO_OPAQUE_BIT_KHR)
      contents |= RT_HAS_NO_OPAQUE;
   if (flags & VK_GEOMETRY_INSTANCE_FORCE_OPAQUE_BIT_KHR)
      contents &= ~(uint32_t)RT_HAS_NO_OPAQUE;
   return flags & VK_GEOMETRY_INSTANCE_DISABLE_OPACITY_MICROMAPS_EXT ? contents & ~(uint32_t)RT_HAS_MICROMAPS : contents;
}

bool rt_accel_set_instance(const struct rt_accel_input *input, uint32_t primitive, struct rt_accel_instance *instance,
                             struct rt_accel_box *bounds)
{
   const VkAccelerationStructureInstanceKHR *source = read_instance(&input->geometries[0], primitive);
   *instance = (struct rt_accel_instance){
      .custom_index = source->instanceCustomIndex,
      .mask = source->mask,
      .record_offset = source->instanceShaderBindingTableRecordOffset,
      .flags = source->flags,
   };
   for (uint32_t column = 0; column < 4; column++)
      for (uint32_t row = 0; row < 3; row++)
         instance->object_to_world[column * 3 + row] = source->transform.matrix[row][column];
   const uint64_t reference = source->accelerationStructureReference,
                  address = input->resolve && reference ? input->resolve(reference) : reference;
   const struct rt_accel_view bottom =
      rt_accel_view((const void *)(uintptr_t)address, rt_accel_table_find(input->structures, address));
   const struct rt_accel_head *head = (const struct rt_accel_head *)bottom.base;
   if (!bottom.base || bottom.level != RT_ACCEL_BOTTOM || !(head->lo[0] <= head->hi[0]) ||
       !invert(instance->object_to_world, instance->world_to_object))
      return false;
   *bounds = transform_box(instance->object_to_world, head);
   instance->bottom = address;
   instance->contents = contents_of(bottom.contents, instance->flags);
   return true;
}

/* ---- any ---- */

bool rt_accel_read(enum rt_accel_leaf leaf, const struct rt_accel_geometry *geometry, uint32_t primitive, float rows[3][3])
{
   switch (leaf) {
   case RT_LEAF_BOXES: return rt_accel_read_box(geometry, primitive, rows);
   case RT_LEAF_SWEPT: return rt_accel_read_swept(geometry, primitive, rows);
   default: return rt_accel_read_triangle(geometry, primitive, rows);
   }
}

/* A step outward, as the sum is rounded. */
void rt_accel_bound_swept(float rows[3][3], struct rt_accel_box *bounds)
{
   const float *radius = rows[2];
   bounds->lo[3] = bounds->hi[3] = 0.0f;
   for (uint32_t axis = 0; axis < 3; axis++) {
      const float lo = fminf(rows[0][axis] - radius[0], rows[1][axis] - radius[1]), hi = fmaxf(rows[0][axis] + radius[0], rows[1][axis] + radius[1]);
      bounds->lo[axis] = fmaxf(nextafterf(lo, -INFINITY), -FLT_MAX);
      bounds->hi[axis] = fminf(nextafterf(hi, INFINITY), FLT_MAX);
   }
}

bool rt_accel_bound(const struct rt_accel_input *input, uint32_t geometry_index, uint32_t primitive,
                    struct rt_accel_box *bounds)
{
   const struct rt_accel_geometry *geometry = &input->geometries[geometry_index];
   struct rt_accel_instance instance;
   float v[3][3];
   switch (input->leaf) {
   case RT_LEAF_INSTANCES: return rt_accel_set_instance(input, primitive, &instance, bounds);
   case RT_LEAF_SWEPT:
      if (!rt_accel_read_swept(geometry, primitive, v))
         return false;
      rt_accel_bound_swept(v, bounds);
      return true;
   case RT_LEAF_BOXES:
      if (!rt_accel_read_box(geometry, primitive, v))
         return false;
      bounds->lo = (rt_vec4){v[0][0], v[0][1], v[0][2], 0.0f};
      bounds->hi = (rt_vec4){v[1][0], v[1][1], v[1][2], 0.0f};
      return true;
   case RT_LEAF_TRIANGLES:
   default:
      if (!rt_accel_read_triangle(geometry, primitive, v))
         return false;
      for (uint32_t axis = 0; axis < 3; axis++) {
         const float a = v[0][axis], b = v[1][axis], c = v[2][axis], ab = a < b ? a : b, AB = a < b ? b : a;
         bounds->lo[axis] = ab < c ? ab : c;
         bounds->hi[axis] = AB > c ? AB : c;
      }
      bounds->lo[3] = bounds->hi[3] = 0.0f;
      return true;
   }
}
