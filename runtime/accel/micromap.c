/* SPDX-License-Identifier: MIT
 * Small triangles stand along a curve: that at vertex 0, the one in the middle, that at vertex 1, that at vertex 2, each divided again, and in the
 * second and the last the curve runs backwards. */
#include "runtime/accel/micromap.h"

#include "util/size.h"

#include <math.h>
#include <string.h>

/* ---- the curve ---- */

/* Barycentrics in units of the smallest triangles, of vertices 1, 2 and 0. */
struct cell {
   uint32_t u, v, w;
};

static struct cell find_cell(float u, float v, uint32_t level)
{
   const uint32_t side = 1u << level;
   const float fu = fminf(fmaxf(u, 0.0f), 1.0f) * (float)side, fv = fminf(fmaxf(v, 0.0f), 1.0f) * (float)side;
   struct cell cell = {UTIL_MIN((uint32_t)fu, side - 1), UTIL_MIN((uint32_t)fv, side - 1), 0};
   const uint32_t sum = cell.u + cell.v;
   /* Beyond the diagonal of its square it is one that points down; at the triangle's edge there is none. */
   const bool is_inverted = fu - floorf(fu) + (fv - floorf(fv)) >= 1.0f && sum < side - 1;
   if (sum >= side)
      cell.u -= sum - side + 1;
   cell.w = side - 1 - cell.u - cell.v - is_inverted;
   return cell;
}

static uint32_t curve_index(struct cell cell, uint32_t level)
{
   uint32_t index = 0;
   bool is_reversed = false;
   while (level-- > 0) {
      const uint32_t half = 1u << level;
      uint32_t child = 1;
      if (cell.w >= half) {
         cell.w -= half;
         child = is_reversed ? 2 : 0;
      } else if (cell.u >= half) {
         cell.u -= half;
         child = is_reversed ? 0 : 2;
      } else if (cell.v >= half) {
         cell.v -= half;
         child = 3;
      } else {
         cell = (struct cell){half - 1 - cell.u, half - 1 - cell.v, half - 1 - cell.w};
      }
      is_reversed ^= child & 1;
      index = index * 4 + child;
   }
   return index;
}

/* ---- micromaps ---- */

static uint32_t bits_of(uint32_t format)
{
   return format == VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT ? 1 : format == VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT ? 2 : 0;
}

uint64_t rt_micromap_data_bytes(uint32_t format, uint32_t level)
{
   return level > RT_MICROMAP_MAX_LEVEL || !bits_of(format) ? 0 : ((UINT64_C(1) << level * 2) * bits_of(format) + 7) / 8;
}

uint64_t rt_micromap_bytes(uint64_t num_triangles, uint64_t data_bytes)
{
   const size_t triangles = util_size_mul(num_triangles, sizeof(struct rt_micromap_triangle));
   const size_t size = util_size_add(util_size_add(triangles, data_bytes), sizeof(struct rt_accel_head));
   return size > SIZE_MAX - RT_ACCEL_ALIGN ? UINT64_MAX : util_align(size, RT_ACCEL_ALIGN);
}

bool rt_micromap_build(const struct rt_accel_geometry *input, const struct rt_accel_target *target, const uint32_t *cancel)
{
   uint8_t *base = target->structure;
   struct rt_accel_head *head = target->structure;
   const uint64_t size = rt_micromap_bytes(input->num_primitives, input->micromap.data_bytes);
   if (target->structure_bytes < RT_ACCEL_ALIGN)
      return false;
   *head = (struct rt_accel_head){.magic = RT_ACCEL_MAGIC, .size_bytes = RT_ACCEL_ALIGN, .level = RT_ACCEL_MICROMAP,
                                  .leaf = RT_LEAF_MICROMAP, .leaves_offset = sizeof(*head)};
   if (size > target->structure_bytes)
      return false;
   struct rt_micromap_triangle *triangles = (struct rt_micromap_triangle *)(base + sizeof(*head));
   uint64_t offset = sizeof(*head) + (uint64_t)input->num_primitives * sizeof(*triangles);
   const uint64_t end = offset + input->micromap.data_bytes;
   for (uint64_t i = 0; i < input->num_primitives && !(cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED)); i++) {
      VkMicromapTriangleEXT from;
      memcpy(&from, input->micromap.triangles + i * input->micromap.stride_bytes, sizeof(from));
      const uint64_t bytes = rt_micromap_data_bytes(from.format, from.subdivisionLevel);
      triangles[i] = (struct rt_micromap_triangle){0};
      if (!bytes || bytes > end - offset)
         continue;
      triangles[i] = (struct rt_micromap_triangle){.offset = offset, .level = from.subdivisionLevel, .format = from.format};
      memcpy(base + offset, input->micromap.data + from.dataOffset, bytes);
      offset += bytes;
   }
   head->num_leaves = input->num_primitives;
   head->size_bytes = util_align(offset, RT_ACCEL_ALIGN);
   memset(base + offset, 0, head->size_bytes - offset);
   return true;
}

enum rt_opacity rt_micromap_read(const struct rt_accel_view *micromap, uint32_t triangle, float u, float v)
{
   const struct rt_accel_head *head = (const struct rt_accel_head *)micromap->base;
   if (!head || micromap->level != RT_ACCEL_MICROMAP || triangle >= micromap->num_leaves)
      return RT_OPACITY_UNKNOWN_OPAQUE;
   const struct rt_micromap_triangle *it = (const struct rt_micromap_triangle *)micromap->leaves + triangle;
   const uint64_t bytes = rt_micromap_data_bytes(it->format, it->level);
   if (!bytes || it->offset > micromap->size_bytes || bytes > micromap->size_bytes - it->offset)
      return RT_OPACITY_UNKNOWN_OPAQUE;
   const uint32_t bits = bits_of(it->format), at = curve_index(find_cell(u, v, it->level), it->level) * bits;
   return (enum rt_opacity)(micromap->base[it->offset + at / 8] >> at % 8 & ((1u << bits) - 1));
}

/* ---- bottom levels ---- */

uint64_t rt_accel_opacity_bytes(uint64_t num_leaves, uint64_t num_geometries)
{
   return util_size_align(util_size_add(util_size_mul(num_leaves, sizeof(int32_t[RT_ACCEL_BLOCK])), util_size_mul(num_geometries, sizeof(uint64_t))),
                     RT_ACCEL_ALIGN);
}

uint32_t rt_accel_num_micromaps(const struct rt_accel_input *input)
{
   for (uint32_t i = 0; i < input->num_geometries && input->leaf == RT_LEAF_TRIANGLES; i++) {
      if (input->geometries[i].opacity.is_there)
         return input->num_geometries;
   }
   return 0;
}

/* Special ones are negative, whatever the type. */
static int64_t read_index(const struct rt_accel_geometry *geometry, uint32_t primitive)
{
   const uint8_t *at = geometry->opacity.indices + primitive * geometry->opacity.stride_bytes;
   int8_t byte;
   int16_t half;
   int32_t word;
   switch (geometry->opacity.index_type) {
   case VK_INDEX_TYPE_NONE_KHR: return primitive;
   case VK_INDEX_TYPE_UINT8: memcpy(&byte, at, sizeof(byte)); return byte >= -4 && byte < 0 ? byte : (uint8_t)byte;
   case VK_INDEX_TYPE_UINT16: memcpy(&half, at, sizeof(half)); return half >= -4 && half < 0 ? half : (uint16_t)half;
   default: memcpy(&word, at, sizeof(word)); return word;
   }
}

void rt_accel_read_opacity(const struct rt_accel_input *input, const struct rt_accel_block *block, int32_t opacity[RT_ACCEL_BLOCK])
{
   for (uint32_t lane = 0; lane < RT_ACCEL_BLOCK; lane++) {
      const uint32_t index = block->geometry[lane] & RT_GEOMETRY_INDEX;
      opacity[lane] = RT_OPACITY_NONE;
      if (block->primitive[lane] == RT_NO_PRIMITIVE || index >= input->num_geometries || !input->geometries[index].opacity.is_there)
         continue;
      const struct rt_accel_geometry *geometry = &input->geometries[index];
      const int64_t triangle = read_index(geometry, block->primitive[lane]);
      const uint64_t moved = (uint64_t)triangle + geometry->opacity.first;
      if (triangle < 0)
         opacity[lane] = triangle >= ~(int64_t)RT_OPACITY_UNKNOWN_OPAQUE ? (int32_t)triangle : ~RT_OPACITY_UNKNOWN_OPAQUE;
      else
         opacity[lane] = geometry->opacity.micromap && moved <= INT32_MAX ? (int32_t)moved : ~RT_OPACITY_UNKNOWN_OPAQUE;
   }
}

int32_t rt_accel_opacity(const struct rt_accel_table *structures, const struct rt_accel_view *bottom, uint32_t block, uint32_t lane, float u, float v)
{
   const int32_t triangle = bottom->opacity[block][lane];
   const uint32_t geometry = ((const struct rt_accel_block *)bottom->leaves)[block].geometry[lane] & RT_GEOMETRY_INDEX;
   if (triangle < 0)
      return triangle < ~(int32_t)RT_OPACITY_UNKNOWN_OPAQUE ? RT_OPACITY_NONE : ~triangle;
   const uint64_t address = geometry < bottom->num_micromaps ? bottom->micromaps[geometry] : 0;
   const struct rt_accel_view micromap = rt_accel_view((const void *)(uintptr_t)address, rt_accel_table_find(structures, address));
   return rt_micromap_read(&micromap, (uint32_t)triangle, u, v);
}
