/* SPDX-License-Identifier: MIT
 * Codecs: unpack and pack functions of each texel layout, written once as inline templates and expanded for the layouts
 * of the generated list runtime/format/format_rows.h. The block functions, which the output merger and the sampler
 * call, exist for several instruction sets; all give the same bits. */
#pragma once

#include "runtime/format/codec_lanes.h"

#include <string.h>

struct rt_codec {
   void (*unpack)(const void *texels, uint32_t stride, uint32_t count, uint32_t (*rgba)[4]);
   void (*pack)(void *texels, uint32_t stride, uint32_t count, const uint32_t (*rgba)[4]);
};

struct rt_codec_block {
   void (*unpack)(const void *texels, uint32_t (*planes)[16]);
   void (*pack)(void *texels, const uint32_t (*planes)[16]);
};

enum rt_codec_id {
   RT_CODEC_none,
#define RT_CODEC(name, ...) RT_CODEC_##name,
#define RT_CODEC_E5B9G9R9 RT_CODEC
#include "runtime/format/format_rows.h"
#undef RT_CODEC
#undef RT_CODEC_E5B9G9R9
   RT_NUM_CODECS
};

extern const struct rt_codec rt_codecs[RT_NUM_CODECS];
extern const struct rt_codec_block rt_codec_blocks_v1[RT_NUM_CODECS], rt_codec_blocks_v3[RT_NUM_CODECS],
   rt_codec_blocks_v4[RT_NUM_CODECS];

/* ---- templates; `layout` is a compile-time constant ---- */

/* Texels are read and written in units of 4, 2 or 1 bytes, none of which a channel crosses. */
RT_INLINE uint32_t rt_codec_unit_bytes(uint32_t texel_bytes)
{
   return texel_bytes % 4 == 0 ? 4 : texel_bytes % 2 == 0 ? 2 : 1;
}

RT_INLINE uint32_t rt_codec_load(const uint8_t *texel, uint32_t unit_bytes)
{
   if (unit_bytes == 4) {
      uint32_t v;
      memcpy(&v, texel, 4);
      return v;
   }
   if (unit_bytes == 2) {
      uint16_t v;
      memcpy(&v, texel, 2);
      return v;
   }
   return *texel;
}

RT_INLINE void rt_codec_store(uint8_t *texel, uint32_t unit_bytes, uint32_t value)
{
   if (unit_bytes == 4) {
      memcpy(texel, &value, 4);
   } else if (unit_bytes == 2) {
      const uint16_t v = (uint16_t)value;
      memcpy(texel, &v, 2);
   } else {
      *texel = (uint8_t)value;
   }
}

/* The value of absent alpha: 1 as the format's numeric type has it. */
RT_INLINE uint32_t rt_codec_one(const struct rt_codec_layout *layout)
{
   const uint32_t n = layout->channels[0].bits ? layout->channels[0].numeric : layout->channels[3].numeric;
   return n == RT_UINT || n == RT_SINT ? 1 : 0x3f800000;
}

RT_INLINE uint32_t rt_codec_get(const struct rt_codec_layout *layout, const uint8_t *texel, uint32_t c)
{
   const struct rt_channel channel = layout->channels[c];
   if (!channel.bits)
      return c == 3 ? rt_codec_one(layout) : 0;
   const uint32_t unit = rt_codec_unit_bytes(layout->bytes), unit_bits = unit * 8;
   const uint32_t value = rt_codec_load(texel + channel.shift / unit_bits * unit, unit);
   if (layout->has_shared_exponent)
      return rt_as_bits(rt_e5b9g9r9_decode(value, c));
   const uint32_t mask = channel.bits == 32 ? UINT32_MAX : (1u << (channel.bits & 31)) - 1;
   return rt_channel_decode(value >> channel.shift % unit_bits & mask, channel.bits, channel.numeric);
}

/* What component `c` adds to unit `u` of a texel. */
RT_INLINE uint32_t rt_codec_bits(const struct rt_codec_layout *layout, uint32_t u, uint32_t c, uint32_t value)
{
   const struct rt_channel channel = layout->channels[c];
   const uint32_t unit_bits = rt_codec_unit_bytes(layout->bytes) * 8;
   if (!channel.bits || channel.shift / unit_bits != u)
      return 0;
   return rt_channel_encode(value, channel.bits, channel.numeric) << channel.shift % unit_bits;
}

/* Unit `u` of a texel of components r, g, b, a. */
RT_INLINE uint32_t rt_codec_put(const struct rt_codec_layout *layout, uint32_t u, uint32_t r, uint32_t g, uint32_t b,
                                uint32_t a)
{
   if (layout->has_shared_exponent)
      return rt_e5b9g9r9_encode(r, g, b);
   return rt_codec_bits(layout, u, 0, r) | rt_codec_bits(layout, u, 1, g) | rt_codec_bits(layout, u, 2, b) |
          rt_codec_bits(layout, u, 3, a);
}

/* Constant indices below, not loops: compilers must see each channel as a constant before they vectorise. */

RT_INLINE void rt_codec_unpack(const struct rt_codec_layout *layout, const void *texels, uint32_t stride,
                               uint32_t count, uint32_t (*restrict rgba)[4])
{
   const uint8_t *restrict texel = texels;
   for (uint32_t i = 0; i < count; i++, texel += stride) {
      rgba[i][0] = rt_codec_get(layout, texel, 0);
      rgba[i][1] = rt_codec_get(layout, texel, 1);
      rgba[i][2] = rt_codec_get(layout, texel, 2);
      rgba[i][3] = rt_codec_get(layout, texel, 3);
   }
}

RT_INLINE void rt_codec_pack_texel_unit(const struct rt_codec_layout *layout, uint8_t *texel, uint32_t u,
                                        const uint32_t rgba[4])
{
   const uint32_t unit = rt_codec_unit_bytes(layout->bytes);
   if (u * unit < layout->bytes)
      rt_codec_store(texel + u * unit, unit, rt_codec_put(layout, u, rgba[0], rgba[1], rgba[2], rgba[3]));
}

RT_INLINE void rt_codec_pack(const struct rt_codec_layout *layout, void *texels, uint32_t stride, uint32_t count,
                             const uint32_t (*restrict rgba)[4])
{
   uint8_t *restrict texel = texels;
   for (uint32_t i = 0; i < count; i++, texel += stride) {
      rt_codec_pack_texel_unit(layout, texel, 0, rgba[i]);
      rt_codec_pack_texel_unit(layout, texel, 1, rgba[i]);
      rt_codec_pack_texel_unit(layout, texel, 2, rgba[i]);
      rt_codec_pack_texel_unit(layout, texel, 3, rgba[i]);
   }
}

RT_INLINE void rt_codec_unpack_plane(const struct rt_codec_layout *layout, const uint8_t *restrict texels, uint32_t c,
                                     uint32_t *restrict plane)
{
   for (uint32_t i = 0; i < 16; i++)
      plane[i] = rt_codec_get(layout, texels + i * layout->bytes, c);
}

RT_INLINE void rt_codec_unpack_block(const struct rt_codec_layout *layout, const void *texels, uint32_t (*planes)[16])
{
   if (rt_codec_unpack_lanes(layout, texels, planes))
      return;
   rt_codec_unpack_plane(layout, texels, 0, planes[0]);
   rt_codec_unpack_plane(layout, texels, 1, planes[1]);
   rt_codec_unpack_plane(layout, texels, 2, planes[2]);
   rt_codec_unpack_plane(layout, texels, 3, planes[3]);
}

/* Units of 8 and 16 bits are made as words first: vectors would have as many lanes as fit of the narrow type, cut into many of floats. */
RT_INLINE void rt_codec_pack_block(const struct rt_codec_layout *layout, void *texels,
                                   const uint32_t (*restrict planes)[16])
{
   if (rt_codec_pack_lanes(layout, texels, planes))
      return;
   uint8_t *restrict bytes = texels;
   const uint32_t unit = rt_codec_unit_bytes(layout->bytes), size = layout->bytes;
   if (size == unit && unit < 4) {
      uint32_t words[16];
      for (uint32_t i = 0; i < 16; i++)
         words[i] = rt_codec_put(layout, 0, planes[0][i], planes[1][i], planes[2][i], planes[3][i]);
      for (uint32_t i = 0; i < 16; i++)
         rt_codec_store(bytes + i * size, unit, words[i]);
      return;
   }
   for (uint32_t i = 0; i < 16; i++) {
      const uint32_t r = planes[0][i], g = planes[1][i], b = planes[2][i], a = planes[3][i];
      rt_codec_store(bytes + i * size, unit, rt_codec_put(layout, 0, r, g, b, a));
      if (size > unit)
         rt_codec_store(bytes + i * size + unit, unit, rt_codec_put(layout, 1, r, g, b, a));
      if (size > 2 * unit)
         rt_codec_store(bytes + i * size + 2 * unit, unit, rt_codec_put(layout, 2, r, g, b, a));
      if (size > 3 * unit)
         rt_codec_store(bytes + i * size + 3 * unit, unit, rt_codec_put(layout, 3, r, g, b, a));
   }
}

/* ---- expansion ---- */

#define RT_CH(bits, shift, numeric) {bits, shift, numeric}

/* Defines the block functions of one layout for the instruction set that the file is compiled for. */
#define RT_CODEC_DEFINE_BLOCK(name, ...)                                                                               \
   static void unpack_block_##name(const void *texels, uint32_t (*planes)[16])                                         \
   {                                                                                                                   \
      static const struct rt_codec_layout layout = __VA_ARGS__;                                                        \
      rt_codec_unpack_block(&layout, texels, planes);                                                                  \
   }                                                                                                                   \
   static void pack_block_##name(void *texels, const uint32_t (*planes)[16])                                           \
   {                                                                                                                   \
      static const struct rt_codec_layout layout = __VA_ARGS__;                                                        \
      rt_codec_pack_block(&layout, texels, planes);                                                                    \
   }
