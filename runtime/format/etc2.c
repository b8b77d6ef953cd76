/* SPDX-License-Identifier: MIT
 * ETC2 colours and EAC channels. Blocks are big-endian numbers; texels stand in columns.
 * Spec: Khronos Data Format Specification, "ETC2 Compressed Texture Image Formats". */
#include "runtime/format/blocks.h"
#include "runtime/format/decode.h"

static const uint8_t modifiers[8][2] = {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
/* The magnitudes for indices 0 to 3, which subtract; indices 4 to 7 add one less. */
static const uint8_t eac_modifiers[16][4] = {
   {3, 6, 9, 15}, {3, 7, 10, 13}, {2, 5, 8, 13}, {2, 4, 6, 13}, {3, 6, 8, 12}, {3, 7, 9, 11},
   {4, 7, 8, 11}, {3, 5, 8, 11},  {2, 6, 8, 10}, {2, 5, 8, 10}, {2, 4, 8, 10}, {2, 5, 7, 10},
   {3, 4, 7, 10}, {1, 2, 3, 10},  {4, 6, 8, 9},  {3, 5, 7, 9},
};

struct color {
   int32_t c[3];
};

/* Bits `high` down to `low`. */
static int32_t field(uint64_t block, uint32_t high, uint32_t low)
{
   return (int32_t)(block >> low & ((1ull << (high - low + 1)) - 1));
}

static int32_t clamp_byte(int32_t v)
{
   return v < 0 ? 0 : v > 255 ? 255 : v;
}

static int32_t widen(int32_t v, uint32_t bits)
{
   return v << (8 - bits) | v >> (2 * bits - 8);
}

static struct color offset(struct color color, int32_t by)
{
   for (uint32_t i = 0; i < 3; i++)
      color.c[i] = clamp_byte(color.c[i] + by);
   return color;
}

static uint32_t texel_index(uint64_t block, uint32_t x, uint32_t y)
{
   const uint32_t i = x * 4 + y;
   return (uint32_t)(block >> (16 + i) & 1) << 1 | (uint32_t)(block >> i & 1);
}

static void put(uint32_t rgba[4], const struct color *color, bool is_srgb)
{
   for (uint32_t c = 0; c < 3; c++)
      rgba[c] = rt_byte((uint32_t)color->c[c], is_srgb);
   rgba[3] = RT_FLOAT_ONE;
}

static void clear(uint32_t rgba[4])
{
   memset(rgba, 0, 4 * sizeof(rgba[0]));
}

/* Two halves, each a colour with small differences of brightness. */
static void decode_halves(uint64_t block, const struct color base[2], bool is_opaque, uint32_t (*rgba)[4], bool is_srgb)
{
   const bool is_flipped = field(block, 32, 32);
   const uint8_t *tables[2] = {modifiers[field(block, 39, 37)], modifiers[field(block, 36, 34)]};
   for (uint32_t y = 0; y < 4; y++) {
      for (uint32_t x = 0; x < 4; x++) {
         const uint32_t half = (is_flipped ? y : x) / 2, index = texel_index(block, x, y);
         if (!is_opaque && index == 2) {
            clear(rgba[y * 4 + x]);
            continue;
         }
         const int32_t magnitude = !is_opaque && index == 0 ? 0 : tables[half][index & 1];
         const struct color color = offset(base[half], index & 2 ? -magnitude : magnitude);
         put(rgba[y * 4 + x], &color, is_srgb);
      }
   }
}

static void decode_palette(uint64_t block, const struct color palette[4], bool is_opaque, uint32_t (*rgba)[4],
                           bool is_srgb)
{
   for (uint32_t i = 0; i < 16; i++) {
      const uint32_t index = texel_index(block, i % 4, i / 4);
      if (!is_opaque && index == 2)
         clear(rgba[i]);
      else
         put(rgba[i], &palette[index], is_srgb);
   }
}

static void decode_t(uint64_t block, bool is_opaque, uint32_t (*rgba)[4], bool is_srgb)
{
   const struct color a = {{widen(field(block, 60, 59) << 2 | field(block, 57, 56), 4), widen(field(block, 55, 52), 4),
                            widen(field(block, 51, 48), 4)}};
   const struct color b = {
      {widen(field(block, 47, 44), 4), widen(field(block, 43, 40), 4), widen(field(block, 39, 36), 4)}};
   const int32_t distance = distances[field(block, 35, 34) << 1 | field(block, 32, 32)];
   const struct color palette[4] = {a, offset(b, distance), b, offset(b, -distance)};
   decode_palette(block, palette, is_opaque, rgba, is_srgb);
}

static void decode_h(uint64_t block, bool is_opaque, uint32_t (*rgba)[4], bool is_srgb)
{
   const int32_t r1 = field(block, 62, 59), g1 = field(block, 58, 56) << 1 | field(block, 52, 52);
   const int32_t b1 = field(block, 51, 51) << 3 | field(block, 49, 47);
   const int32_t r2 = field(block, 46, 43), g2 = field(block, 42, 39), b2 = field(block, 38, 35);
   const bool is_ordered = (r1 << 8 | g1 << 4 | b1) >= (r2 << 8 | g2 << 4 | b2);
   const int32_t distance = distances[field(block, 34, 34) << 2 | field(block, 32, 32) << 1 | is_ordered];
   const struct color a = {{widen(r1, 4), widen(g1, 4), widen(b1, 4)}},
                      b = {{widen(r2, 4), widen(g2, 4), widen(b2, 4)}};
   const struct color palette[4] = {offset(a, distance), offset(a, -distance), offset(b, distance),
                                    offset(b, -distance)};
   decode_palette(block, palette, is_opaque, rgba, is_srgb);
}

/* A linear gradient between three corners. */
static void decode_planar(uint64_t block, uint32_t (*rgba)[4], bool is_srgb)
{
   const int32_t origin[3] = {widen(field(block, 62, 57), 6),
                              widen(field(block, 56, 56) << 6 | field(block, 54, 49), 7),
                              widen(field(block, 48, 48) << 5 | field(block, 44, 43) << 3 | field(block, 41, 39), 6)};
   const int32_t across[3] = {widen(field(block, 38, 34) << 1 | field(block, 32, 32), 6),
                              widen(field(block, 31, 25), 7), widen(field(block, 24, 19), 6)};
   const int32_t down[3] = {widen(field(block, 18, 13), 6), widen(field(block, 12, 6), 7),
                            widen(field(block, 5, 0), 6)};
   for (int32_t i = 0; i < 16; i++) {
      struct color color;
      for (uint32_t c = 0; c < 3; c++)
         color.c[c] =
            clamp_byte((i % 4 * (across[c] - origin[c]) + i / 4 * (down[c] - origin[c]) + 4 * origin[c] + 2) >> 2);
      put(rgba[i], &color, is_srgb);
   }
}

/* `can_punch`: the bit that else chooses individual colours says whether texels may be transparent. */
static void decode_color(const void *bytes, uint32_t (*rgba)[4], bool is_srgb, bool can_punch)
{
   const uint64_t block = __builtin_bswap64(rt_load64(bytes));
   const bool bit = field(block, 33, 33), is_opaque = !can_punch || bit;
   struct color base[2];
   if (!can_punch && !bit) {
      for (uint32_t c = 0; c < 3; c++) {
         base[0].c[c] = widen(field(block, 63 - 8 * c, 60 - 8 * c), 4);
         base[1].c[c] = widen(field(block, 59 - 8 * c, 56 - 8 * c), 4);
      }
      decode_halves(block, base, true, rgba, is_srgb);
      return;
   }
   /* A second colour out of range chooses another mode. */
   uint32_t overflow = 3;
   for (uint32_t c = 3; c-- > 0;) {
      const int32_t first = field(block, 63 - 8 * c, 59 - 8 * c), delta = field(block, 58 - 8 * c, 56 - 8 * c);
      const int32_t second = first + (delta < 4 ? delta : delta - 8);
      if (second < 0 || second > 31)
         overflow = c;
      base[0].c[c] = widen(first, 5);
      base[1].c[c] = widen(second & 31, 5);
   }
   switch (overflow) {
   case 0: decode_t(block, is_opaque, rgba, is_srgb); break;
   case 1: decode_h(block, is_opaque, rgba, is_srgb); break;
   case 2: decode_planar(block, rgba, is_srgb); break;
   default: decode_halves(block, base, is_opaque, rgba, is_srgb); break;
   }
}

/* The modifier of texel i, counted by rows. */
static int32_t eac_modifier(uint64_t block, uint32_t i)
{
   const uint32_t column_order = i % 4 * 4 + i / 4, index = (uint32_t)(block >> (45 - 3 * column_order) & 7);
   const int32_t magnitude = eac_modifiers[field(block, 51, 48)][index & 3];
   return index & 4 ? magnitude - 1 : -magnitude;
}

static void decode_alpha(const void *bytes, uint32_t (*rgba)[4])
{
   const uint64_t block = __builtin_bswap64(rt_load64(bytes));
   for (uint32_t i = 0; i < 16; i++)
      rgba[i][3] =
         rt_byte((uint32_t)clamp_byte(field(block, 63, 56) + eac_modifier(block, i) * field(block, 55, 52)), false);
}

/* 11 bits. */
static void decode_channel(const void *bytes, uint32_t (*rgba)[4], uint32_t channel, bool is_signed)
{
   const uint64_t block = __builtin_bswap64(rt_load64(bytes));
   const int32_t multiplier = field(block, 55, 52), scale = multiplier ? multiplier * 8 : 1;
   const int32_t raw = (int8_t)field(block, 63, 56);
   const int32_t base = is_signed ? (raw < -127 ? -127 : raw) * 8 : field(block, 63, 56) * 8 + 4;
   const int32_t low = is_signed ? -1023 : 0, high = is_signed ? 1023 : 2047;
   for (uint32_t i = 0; i < 16; i++) {
      const int32_t v = base + eac_modifier(block, i) * scale;
      rgba[i][channel] = rt_as_bits((float)(v < low ? low : v > high ? high : v) / (float)high);
   }
}

static void clear_to_opaque(uint32_t (*rgba)[4])
{
   for (uint32_t i = 0; i < 16; i++) {
      rgba[i][0] = rgba[i][1] = rgba[i][2] = 0;
      rgba[i][3] = RT_FLOAT_ONE;
   }
}

#define COLOR_DECODERS(suffix, is_srgb)                                                                                \
   void rt_decode_etc2_rgb_##suffix(const void *block, uint32_t (*rgba)[4])                                            \
   {                                                                                                                   \
      decode_color(block, rgba, is_srgb, false);                                                                       \
   }                                                                                                                   \
   void rt_decode_etc2_rgba_##suffix(const void *block, uint32_t (*rgba)[4])                                           \
   {                                                                                                                   \
      decode_color(block, rgba, is_srgb, true);                                                                        \
   }                                                                                                                   \
   void rt_decode_etc2_eac_rgba_##suffix(const void *block, uint32_t (*rgba)[4])                                       \
   {                                                                                                                   \
      decode_color((const uint8_t *)block + 8, rgba, is_srgb, false);                                                  \
      decode_alpha(block, rgba);                                                                                       \
   }
COLOR_DECODERS(unorm, false)
COLOR_DECODERS(srgb, true)

#define CHANNEL_DECODERS(suffix, is_signed)                                                                            \
   void rt_decode_eac_r_##suffix(const void *block, uint32_t (*rgba)[4])                                               \
   {                                                                                                                   \
      clear_to_opaque(rgba);                                                                                           \
      decode_channel(block, rgba, 0, is_signed);                                                                       \
   }                                                                                                                   \
   void rt_decode_eac_rg_##suffix(const void *block, uint32_t (*rgba)[4])                                              \
   {                                                                                                                   \
      clear_to_opaque(rgba);                                                                                           \
      decode_channel(block, rgba, 0, is_signed);                                                                       \
      decode_channel((const uint8_t *)block + 8, rgba, 1, is_signed);                                                  \
   }
CHANNEL_DECODERS(unorm, false)
CHANNEL_DECODERS(snorm, true)
