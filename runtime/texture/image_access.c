/* SPDX-License-Identifier: MIT
 * Storage images and texel buffers: loads, stores and 32-bit atomics in the view's format. Accesses outside do nothing: loads give zeros
 * (alpha 1 where the format has none), stores are dropped, atomics give 0.
 * Spec: Image Operations, "Integer Texel Coordinate Operations", "Texel Output Coordinate Validation". */
#include "runtime/format/convert.h"
#include "runtime/image/image.h"
#include "runtime/texture/texture.h"

#include <string.h>

enum { LANES = 16 };

struct access {
   const struct abi_image *image;
   const struct rt_format_info *info;
   uint8_t *at[LANES]; /* NULL: outside, or not in the mask */
};

static uint8_t *find_texel(const struct abi_image_call *call, const struct abi_image *image, uint32_t lane)
{
   static const uint8_t counts[] = {[ABI_DIM_1D] = 1,   [ABI_DIM_2D] = 2,     [ABI_DIM_3D] = 3,
                                    [ABI_DIM_CUBE] = 2, [ABI_DIM_BUFFER] = 1, [ABI_DIM_SUBPASS] = 2};
   const uint32_t count = counts[call->dim];
   const bool has_layer = call->flags & ABI_TEX_ARRAYED || call->dim == ABI_DIM_CUBE; /* cubes are arrays of six layers */
   const uint32_t x = call->coords[0][lane], y = count > 1 ? call->coords[1][lane] : 0;
   const uint32_t z = count > 2 ? call->coords[2][lane] : 0;
   const uint32_t layer = has_layer ? call->coords[count][lane] : 0;
   const uint32_t sample = call->flags & ABI_TEX_SAMPLE ? call->sample[lane] : 0;
   const uint32_t level_index = call->flags & ABI_TEX_LOD ? call->lod[lane] : 0;
   if (level_index >= image->num_levels || layer >= image->num_layers || sample >= image->num_samples)
      return NULL;
   const struct abi_level *level = &image->levels[level_index];
   if (x >= level->width || y >= level->height || z >= level->depth)
      return NULL;
   return image->data + layer * image->layer_bytes +
          rt_level_offset(level, image->is_tiled, image->texel_bytes, x, y, z, sample, image->num_samples);
}

static void load(const struct abi_image_call *call, const struct access *access, uint32_t first, uint32_t mask)
{
   static const uint8_t zeros[16];
   const uint32_t bytes = access->info->texel_bytes;
   uint8_t raw[LANES * 16] __attribute__((aligned(64)));
   uint32_t planes[4][LANES] __attribute__((aligned(64)));
   for (uint32_t i = 0; i < LANES; i++)
      memcpy(raw + i * bytes, access->at[i] ? access->at[i] : zeros, bytes);
   access->info->unpack_block(raw, planes);
   for (uint32_t c = 0; c < 4; c++) {
      if (!call->result[c])
         continue;
      const uint32_t swizzle = access->image->swizzle[c];
      const uint32_t constant = swizzle == VK_COMPONENT_SWIZZLE_ONE ? (access->info->is_int ? 1 : 0x3f800000) : 0;
      const bool is_channel = swizzle >= VK_COMPONENT_SWIZZLE_R && swizzle <= VK_COMPONENT_SWIZZLE_A;
      for (uint32_t i = 0; i < LANES; i++)
         if (mask >> i & 1)
            call->result[c][first + i] = is_channel ? planes[swizzle - VK_COMPONENT_SWIZZLE_R][i] : constant;
   }
}

static void store(const struct abi_image_call *call, const struct access *access, uint32_t first, uint32_t mask)
{
   const uint32_t bytes = access->info->texel_bytes;
   uint8_t raw[LANES * 16] __attribute__((aligned(64)));
   uint32_t planes[4][LANES] __attribute__((aligned(64)));
   memset(planes, 0, sizeof(planes));
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t i = 0; i < LANES; i++)
         if (mask >> i & 1 && call->data[c])
            planes[c][i] = call->data[c][first + i];
   access->info->pack_block(raw, (const uint32_t(*)[16])planes);
   for (uint32_t i = 0; i < LANES; i++)
      if (access->at[i])
         memcpy(access->at[i], raw + i * bytes, bytes);
}

/* Operations without an instruction of their own. */
static uint32_t combine(uint32_t op, uint32_t old, uint32_t data)
{
   const float a = rt_as_float(old), b = rt_as_float(data);
   switch (op) {
   case ABI_ATOMIC_IMIN: return (int32_t)old < (int32_t)data ? old : data;
   case ABI_ATOMIC_UMIN: return old < data ? old : data;
   case ABI_ATOMIC_IMAX: return (int32_t)old > (int32_t)data ? old : data;
   case ABI_ATOMIC_UMAX: return old > data ? old : data;
   case ABI_ATOMIC_FADD: return rt_as_bits(a + b);
   case ABI_ATOMIC_FMIN: return a != a || b < a ? data : old;
   default: return a != a || b > a ? data : old; /* ABI_ATOMIC_FMAX */
   }
}

static uint32_t do_atomic(uint32_t op, uint32_t *texel, uint32_t data, uint32_t compare)
{
   switch (op) {
   case ABI_ATOMIC_IADD: return __atomic_fetch_add(texel, data, __ATOMIC_SEQ_CST);
   case ABI_ATOMIC_AND: return __atomic_fetch_and(texel, data, __ATOMIC_SEQ_CST);
   case ABI_ATOMIC_OR: return __atomic_fetch_or(texel, data, __ATOMIC_SEQ_CST);
   case ABI_ATOMIC_XOR: return __atomic_fetch_xor(texel, data, __ATOMIC_SEQ_CST);
   case ABI_ATOMIC_XCHG: return __atomic_exchange_n(texel, data, __ATOMIC_SEQ_CST);
   case ABI_ATOMIC_CMPXCHG: {
      uint32_t old = compare;
      __atomic_compare_exchange_n(texel, &old, data, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      return old;
   }
   default: {
      uint32_t old = __atomic_load_n(texel, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(texel, &old, combine(op, old, data), true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
         ;
      return old;
   }
   }
}

static void atomic(const struct abi_image_call *call, const struct access *access, uint32_t first, uint32_t mask)
{
   for (uint32_t i = 0; i < LANES; i++) {
      if (!(mask >> i & 1))
         continue;
      /* Buffers may start at any alignment that the format allows, so texels of 4 bytes are aligned. */
      uint32_t *texel = access->info->texel_bytes == 4 ? (uint32_t *)(void *)access->at[i] : NULL;
      const uint32_t compare = call->atomic == ABI_ATOMIC_CMPXCHG ? call->data[1][first + i] : 0;
      const uint32_t old = texel ? do_atomic(call->atomic, texel, call->data[0][first + i], compare) : 0;
      if (call->result[0])
         call->result[0][first + i] = old;
   }
}

/* Without an image loads and atomics give zeros. */
static void give_zeros(const struct abi_image_call *call, uint32_t first, uint32_t mask)
{
   const uint32_t results = call->op == ABI_IMAGE_LOAD ? 4 : call->op == ABI_IMAGE_ATOMIC ? 1 : 0;
   for (uint32_t c = 0; c < results; c++)
      for (uint32_t i = 0; i < LANES; i++)
         if (call->result[c] && mask >> i & 1)
            call->result[c][first + i] = 0;
}

static void run(const struct abi_image_call *call, const struct abi_image *image, uint32_t first, uint32_t mask)
{
   struct access access = {.image = image};
   const struct rt_format_info *info = image && image->data ? image->format_info : NULL;
   if (!info || !info->unpack_block || call->dim > ABI_DIM_SUBPASS) {
      give_zeros(call, first, mask);
      return;
   }
   access.info = info;
   for (uint32_t i = 0; i < LANES; i++)
      if (mask >> i & 1)
         access.at[i] = find_texel(call, image, first + i);
   switch (call->op) {
   case ABI_IMAGE_LOAD: load(call, &access, first, mask); break;
   case ABI_IMAGE_STORE: store(call, &access, first, mask); break;
   default: atomic(call, &access, first, mask); break;
   }
}

void rt_image_access_call(const struct abi_image_call *call)
{
   for (uint32_t first = 0; first < call->lanes; first += LANES) {
      const uint32_t count = UTIL_MIN(call->lanes - first, (uint32_t)LANES);
      uint32_t pending = call->mask >> first & ((1u << count) - 1);
      if (call->is_uniform) {
         if (pending)
            run(call, call->images[0], first, pending);
         continue;
      }
      while (pending) {
         const struct abi_image *image = call->images[first + (uint32_t)__builtin_ctz(pending)];
         uint32_t group = 0;
         for (uint32_t i = 0; i < count; i++)
            group |= pending >> i & 1 && call->images[first + i] == image ? 1u << i : 0;
         run(call, image, first, group);
         pending &= ~group;
      }
   }
}
