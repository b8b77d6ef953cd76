/* SPDX-License-Identifier: MIT
 * Storage images and texel buffers: loads, stores and atomics in the view's format. Accesses outside do nothing:
 * loads give zeros (alpha 1 where the format has none), stores are dropped, atomics give 0. Spec: Image Operations,
 * "Integer Texel Coordinate Operations", "Texel Output Coordinate Validation". */
#include "runtime/format/convert.h"
#include "runtime/texture/batch.h"

#include <string.h>

static uint8_t zeros[64]; /* never written */

struct access {
   const struct abi_image *image;
   const struct rt_format_info *info;
   uint32_t found;          /* lanes of the mask that are inside the image */
   uint8_t *at[RT_LANES];   /* others point to zeros */
};

static const uint32_t *pad_lanes(const uint32_t *from, uint32_t first, uint32_t count, uint32_t *room)
{
   if (count == RT_LANES)
      return from + first;
   memset(room, 0, RT_LANES * sizeof(uint32_t));
   memcpy(room, from + first, count * sizeof(uint32_t));
   return room;
}

static void find_texels(const struct abi_image_call *call, struct access *access, uint32_t first, uint32_t count,
                        uint32_t mask)
{
   static const uint8_t dims[] = {[ABI_DIM_1D] = 1,   [ABI_DIM_2D] = 2,     [ABI_DIM_3D] = 3,
                                  [ABI_DIM_CUBE] = 2, [ABI_DIM_BUFFER] = 1, [ABI_DIM_SUBPASS] = 2};
   const uint32_t dim = dims[call->dim];
   /* Cubes are arrays of six layers; an input attachment is read in the fragment's own layer. */
   const bool has_layer = call->flags & ABI_TEX_ARRAYED || call->dim == ABI_DIM_CUBE || call->dim == ABI_DIM_SUBPASS;
   uint32_t room[6][RT_LANES];
   struct rt_tex_location location = {.layer = NULL};
   for (uint32_t a = 0; a < dim; a++)
      location.coords[a] = pad_lanes(call->coords[a], first, count, room[a]);
   if (has_layer)
      location.layer = pad_lanes(call->coords[dim], first, count, room[3]);
   if (call->flags & ABI_TEX_LOD)
      location.level = pad_lanes(call->lod, first, count, room[4]);
   if (call->flags & ABI_TEX_SAMPLE)
      location.sample = pad_lanes(call->sample, first, count, room[5]);
   uint8_t sub[RT_LANES];
   access->found = rt_tex_find(access->image, &location, mask, zeros, access->at, sub);
}

static void load(const struct abi_image_call *call, const struct access *access, uint32_t first, uint32_t mask)
{
   struct rt_tex_refs refs;
   rt_texels planes;
   RT_EACH_LANE(i)
      refs.at[i] = access->at[i];
   rt_tex_load(access->info, &refs, planes);
   for (uint32_t c = 0; c < 4; c++) {
      if (!call->result[c])
         continue;
      const uint32_t swizzle = access->image->swizzle[c];
      const uint32_t constant = swizzle == VK_COMPONENT_SWIZZLE_ONE ? (access->info->is_int ? 1 : 0x3f800000) : 0;
      const bool is_channel = swizzle >= VK_COMPONENT_SWIZZLE_R && swizzle <= VK_COMPONENT_SWIZZLE_A;
      uint32_t *to = call->result[c] + first;
      if (is_channel && mask == RT_ALL_LANES)
         memcpy(to, planes[swizzle - VK_COMPONENT_SWIZZLE_R], sizeof(planes[0]));
      else
         RT_EACH_LANE(i)
            if (mask >> i & 1)
               to[i] = is_channel ? planes[swizzle - VK_COMPONENT_SWIZZLE_R][i] : constant;
   }
}

#define SCATTER(bytes)                                                                                                 \
   case bytes:                                                                                                         \
      RT_EACH_LANE(i)                                                                                                  \
         if (access->found >> i & 1)                                                                                   \
            memcpy(access->at[i], raw + i * bytes, bytes);                                                             \
      break;

static void store(const struct abi_image_call *call, const struct access *access, uint32_t first, uint32_t mask)
{
   uint8_t raw[RT_LANES * 16] __attribute__((aligned(64)));
   rt_texels planes;
   memset(planes, 0, sizeof(planes));
   for (uint32_t c = 0; c < 4; c++) {
      if (!call->data[c])
         continue;
      if (mask == RT_ALL_LANES)
         memcpy(planes[c], call->data[c] + first, sizeof(planes[c]));
      else
         RT_EACH_LANE(i)
            if (mask >> i & 1)
               planes[c][i] = call->data[c][first + i];
   }
   access->info->pack_block(raw, (const uint32_t(*)[RT_LANES])planes);
   switch (access->info->texel_bytes) {
      SCATTER(1)
      SCATTER(2)
      SCATTER(4)
      SCATTER(8)
      SCATTER(16)
   }
}

/* Every NaN has the same bits: see compiler/lower/lower_nan.c. */
static uint32_t one_nan(float value)
{
   return value == value ? rt_as_bits(value) : 0x7fc00000;
}

/* Operations without an instruction of their own. */
static uint32_t combine_32(uint32_t op, uint32_t old, uint32_t data)
{
   const float a = rt_as_float(old), b = rt_as_float(data);
   switch (op) {
   case ABI_ATOMIC_IMIN: return (int32_t)old < (int32_t)data ? old : data;
   case ABI_ATOMIC_UMIN: return old < data ? old : data;
   case ABI_ATOMIC_IMAX: return (int32_t)old > (int32_t)data ? old : data;
   case ABI_ATOMIC_UMAX: return old > data ? old : data;
   case ABI_ATOMIC_FADD: return one_nan(a + b);
   case ABI_ATOMIC_FMIN: return one_nan(a != a || b < a ? b : a);
   default: return one_nan(a != a || b > a ? b : a); /* ABI_ATOMIC_FMAX */
   }
}

static uint64_t combine_64(uint32_t op, uint64_t old, uint64_t data)
{
   switch (op) {
   case ABI_ATOMIC_IMIN: return (int64_t)old < (int64_t)data ? old : data;
   case ABI_ATOMIC_UMIN: return old < data ? old : data;
   case ABI_ATOMIC_IMAX: return (int64_t)old > (int64_t)data ? old : data;
   default: return old > data ? old : data; /* ABI_ATOMIC_UMAX */
   }
}

#define DO_ATOMIC(bits)                                                                                                \
   static uint##bits##_t do_atomic_##bits(uint32_t op, uint##bits##_t *texel, uint##bits##_t data,                     \
                                          uint##bits##_t compare)                                                      \
   {                                                                                                                   \
      switch (op) {                                                                                                    \
      case ABI_ATOMIC_IADD: return __atomic_fetch_add(texel, data, __ATOMIC_SEQ_CST);                                  \
      case ABI_ATOMIC_AND: return __atomic_fetch_and(texel, data, __ATOMIC_SEQ_CST);                                   \
      case ABI_ATOMIC_OR: return __atomic_fetch_or(texel, data, __ATOMIC_SEQ_CST);                                     \
      case ABI_ATOMIC_XOR: return __atomic_fetch_xor(texel, data, __ATOMIC_SEQ_CST);                                   \
      case ABI_ATOMIC_XCHG: return __atomic_exchange_n(texel, data, __ATOMIC_SEQ_CST);                                 \
      case ABI_ATOMIC_CMPXCHG:                                                                                         \
         __atomic_compare_exchange_n(texel, &compare, data, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                \
         return compare;                                                                                               \
      default: {                                                                                                       \
         uint##bits##_t old = __atomic_load_n(texel, __ATOMIC_RELAXED);                                                \
         while (!__atomic_compare_exchange_n(texel, &old, combine_##bits(op, old, data), true, __ATOMIC_SEQ_CST,       \
                                             __ATOMIC_RELAXED))                                                        \
            ;                                                                                                          \
         return old;                                                                                                   \
      }                                                                                                                \
      }                                                                                                                \
   }

DO_ATOMIC(32)
DO_ATOMIC(64)

static void atomic_64(const struct abi_image_call *call, uint8_t *at, uint32_t lane)
{
   const uint64_t *data = (const void *)call->data[0], *compare = (const void *)call->data[1];
   uint64_t *result = (void *)call->result[0];
   const uint64_t expected = call->atomic == ABI_ATOMIC_CMPXCHG ? compare[lane] : 0;
   const uint64_t old = at ? do_atomic_64(call->atomic, (uint64_t *)(void *)at, data[lane], expected) : 0;
   if (result)
      result[lane] = old;
}

static void atomic_32(const struct abi_image_call *call, uint8_t *at, uint32_t lane)
{
   const uint32_t expected = call->atomic == ABI_ATOMIC_CMPXCHG ? call->data[1][lane] : 0;
   const uint32_t old = at ? do_atomic_32(call->atomic, (uint32_t *)(void *)at, call->data[0][lane], expected) : 0;
   if (call->result[0])
      call->result[0][lane] = old;
}

static void atomic(const struct abi_image_call *call, const struct access *access, uint32_t first, uint32_t mask)
{
   const bool is_wide = call->flags & ABI_TEX_64BIT;
   for (uint32_t i = 0; i < RT_LANES; i++) {
      if (!(mask >> i & 1))
         continue;
      /* Buffers start at multiples of 16 (limits.minTexelBufferOffsetAlignment), so texels are aligned. */
      const bool is_valid = access->info->texel_bytes == (is_wide ? 8 : 4) && access->found >> i & 1;
      uint8_t *at = is_valid ? access->at[i] : NULL;
      if (is_wide)
         atomic_64(call, at, first + i);
      else
         atomic_32(call, at, first + i);
   }
}

/* Without an image loads and atomics give zeros. */
static void give_zeros(const struct abi_image_call *call, uint32_t first, uint32_t mask)
{
   const uint32_t results = call->op == ABI_IMAGE_LOAD ? 4 : call->op == ABI_IMAGE_ATOMIC ? 1 : 0;
   for (uint32_t c = 0; c < results; c++)
      for (uint32_t i = 0; i < RT_LANES; i++)
         if (call->result[c] && mask >> i & 1) {
            if (call->op == ABI_IMAGE_ATOMIC && call->flags & ABI_TEX_64BIT)
               ((uint64_t *)(void *)call->result[c])[first + i] = 0;
            else
               call->result[c][first + i] = 0;
         }
}

/* Texels outside of the image are as resident as can be. */
static void give_residency(const struct abi_image_call *call, const struct access *access, uint32_t first, uint32_t mask)
{
   const uint8_t *at[RT_LANES];
   memcpy(at, access->at, sizeof(at));
   const uint32_t absent = access->image->residency ? rt_tex_absent(access->image, at, access->found) : 0;
   RT_EACH_LANE(i)
      if (mask >> i & 1)
         call->result[0][first + i] = absent >> i & 1;
}

static void run(const struct abi_image_call *call, const struct abi_image *image, uint32_t first, uint32_t count,
                uint32_t mask)
{
   const struct rt_format_info *info = image && image->data ? image->format_info : NULL;
   const bool is_storable = info && (call->op != ABI_IMAGE_STORE || (info->pack_block && !info->is_compressed));
   if (!is_storable || !info->unpack_block || call->dim > ABI_DIM_SUBPASS) {
      give_zeros(call, first, mask);
      return;
   }
   struct access access = {.image = image, .info = info};
   find_texels(call, &access, first, count, mask);
   if (call->flags & ABI_TEX_RESIDENCY) {
      give_residency(call, &access, first, mask);
      return;
   }
   switch (call->op) {
   case ABI_IMAGE_LOAD: load(call, &access, first, mask); break;
   case ABI_IMAGE_STORE: store(call, &access, first, mask); break;
   default: atomic(call, &access, first, mask); break;
   }
}

static uint32_t all_lanes(const struct abi_image_call *call)
{
   return call->mask & (uint32_t)((UINT64_C(1) << call->lanes) - 1);
}

/* The lanes of `pending` that have the image of the first of them. */
static uint32_t lanes_of_image(const struct abi_image_call *call, uint32_t pending)
{
   const struct abi_image *image = call->images[__builtin_ctz(pending)];
   uint32_t group = 0;
   for (uint32_t i = 0; i < call->lanes; i++)
      group |= pending >> i & 1 && call->images[i] == image ? 1u << i : 0;
   return group;
}

static void run_image(const struct abi_image_call *call, const struct abi_image *image, uint32_t mask)
{
   for (uint32_t first = 0; first < call->lanes; first += RT_LANES) {
      const uint32_t count = UTIL_MIN(call->lanes - first, (uint32_t)RT_LANES);
      const uint32_t part = mask >> first & ((1u << count) - 1);
      if (part)
         run(call, image, first, count, part);
   }
}

void rt_image_run_general(const struct abi_image_call *call)
{
   if (call->is_uniform) {
      run_image(call, call->images[0], call->mask);
      return;
   }
   for (uint32_t pending = all_lanes(call), group; pending; pending &= ~group) {
      group = lanes_of_image(call, pending);
      run_image(call, call->images[__builtin_ctz(group)], group);
   }
}

void rt_image_run(const struct abi_image_call *call)
{
   if (UTIL_UNLIKELY(call->flags & ABI_TEX_RESIDENCY)) {
      rt_image_run_general(call);
      return;
   }
   if (UTIL_LIKELY(call->is_uniform)) {
      if (!rt_image_run_vectors(call, call->images[0], call->mask))
         run_image(call, call->images[0], call->mask);
      return;
   }
   for (uint32_t pending = all_lanes(call), group; pending; pending &= ~group) {
      group = lanes_of_image(call, pending);
      const struct abi_image *image = call->images[__builtin_ctz(group)];
      if (!rt_image_run_vectors(call, image, group))
         run_image(call, image, group);
   }
}
