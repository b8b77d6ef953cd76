/* SPDX-License-Identifier: MIT
 * ASTC's high dynamic range: colour end points of 12 bits, and the logarithmic scale on which they are mixed.
 * Spec: Khronos Data Format Specification, "HDR Endpoint Decoding", "HDR Luminance", "HDR RGB", "HDR RGB, base and
 * scale", "HDR alpha", "Weight Application". */
#include "runtime/format/astc.h"

enum { MAX = 0xfff, OPAQUE = 0x780 /* 1.0 */ };

static uint16_t clamp(int32_t v)
{
   return (uint16_t)(v < 0 ? 0 : v > MAX ? MAX : v);
}

static void set(uint16_t end[4], int32_t r, int32_t g, int32_t b)
{
   end[0] = clamp(r);
   end[1] = clamp(g);
   end[2] = clamp(b);
   end[3] = OPAQUE;
}

/* The largest component was stored first: `major` is its index. */
static void swap_major(uint16_t end[4], uint32_t major)
{
   const uint16_t first = end[0];
   end[0] = end[major];
   end[major] = first;
}

static uint32_t bit(uint32_t v, uint32_t i)
{
   return v >> i & 1;
}

static int32_t sign_extend(uint32_t v, uint32_t bits)
{
   return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static void luminance_large(const uint8_t *v, uint16_t ends[2][4])
{
   const bool is_plain = v[1] >= v[0];
   const int32_t y0 = is_plain ? v[0] << 4 : (v[1] << 4) + 8, y1 = is_plain ? v[1] << 4 : (v[0] << 4) - 8;
   set(ends[0], y0, y0, y0);
   set(ends[1], y1, y1, y1);
}

static void luminance_small(const uint8_t *v, uint16_t ends[2][4])
{
   const bool is_wide = v[0] & 0x80;
   const int32_t base = is_wide ? (v[1] & 0xe0) << 4 | (v[0] & 0x7f) << 2 : (v[1] & 0xf0) << 4 | (v[0] & 0x7f) << 1;
   const int32_t step = is_wide ? (v[1] & 0x1f) << 2 : (v[1] & 0x0f) << 1;
   set(ends[0], base, base, base);
   set(ends[1], base + step, base + step, base + step);
}

/* Bits that modes give to one value or another: `to` gains bit `from` at `shift` in the modes of the set. */
struct spare {
   uint8_t modes, from, to, shift;
};

static void spread_spares(const struct spare *spares, uint32_t count, uint32_t mode, const uint8_t *bits,
                          uint32_t *values)
{
   for (uint32_t i = 0; i < count; i++)
      if (spares[i].modes >> mode & 1)
         values[spares[i].to] |= (uint32_t)bits[spares[i].from] << spares[i].shift;
}

static void base_and_scale(const uint8_t *v, uint16_t ends[2][4])
{
   enum { RED, GREEN, BLUE, SCALE };
   static const struct spare spares[] = {
      {0x30, 0, GREEN, 6}, {0x3a, 1, GREEN, 5}, {0x30, 2, BLUE, 6}, {0x3a, 3, BLUE, 5}, {0x3d, 6, SCALE, 5},
      {0x2d, 5, SCALE, 6}, {0x04, 4, SCALE, 7}, {0x3b, 4, RED, 6},  {0x04, 3, RED, 6},  {0x10, 5, RED, 7},
      {0x0f, 2, RED, 7},   {0x05, 1, RED, 8},   {0x0a, 0, RED, 8},  {0x05, 0, RED, 9},  {0x02, 6, RED, 9},
      {0x01, 3, RED, 10},  {0x02, 5, RED, 10}};
   static const uint8_t shifts[6] = {1, 1, 2, 3, 4, 5};
   const uint32_t code = bit(v[0], 6) | bit(v[0], 7) << 1 | bit(v[1], 7) << 2 | bit(v[2], 7) << 3;
   const uint32_t major = (code & 12) != 12 ? code >> 2 : code != 15 ? code & 3 : 0;
   const uint32_t mode = (code & 12) != 12 ? code & 3 : code != 15 ? 4 : 5;
   const uint8_t bits[7] = {(uint8_t)bit(v[1], 6), (uint8_t)bit(v[1], 5), (uint8_t)bit(v[2], 6), (uint8_t)bit(v[2], 5),
                            (uint8_t)bit(v[3], 7), (uint8_t)bit(v[3], 6), (uint8_t)bit(v[3], 5)};
   uint32_t x[4] = {v[0] & 0x3f, v[1] & 0x1f, v[2] & 0x1f, v[3] & 0x1f};
   spread_spares(spares, UTIL_ARRAY_SIZE(spares), mode, bits, x);
   int32_t c[4];
   for (uint32_t i = 0; i < 4; i++)
      c[i] = (int32_t)(x[i] << shifts[mode]);
   if (mode != 5) {
      c[GREEN] = c[RED] - c[GREEN];
      c[BLUE] = c[RED] - c[BLUE];
   }
   set(ends[1], c[RED], c[GREEN], c[BLUE]);
   set(ends[0], c[RED] - c[SCALE], c[GREEN] - c[SCALE], c[BLUE] - c[SCALE]);
   swap_major(ends[0], major);
   swap_major(ends[1], major);
}

static void direct(const uint8_t *v, uint16_t ends[2][4])
{
   enum { A, B0, B1, C };
   static const struct spare spares[] = {{0xa4, 0, A, 9}, {0x08, 2, A, 9},  {0x50, 4, A, 9},  {0x50, 5, A, 10},
                                         {0xa0, 1, A, 10}, {0xc0, 2, A, 11}, {0x04, 1, C, 6},  {0xe8, 3, C, 6},
                                         {0x20, 2, C, 7}, {0x5b, 0, B0, 6}, {0x5b, 1, B1, 6}, {0x12, 2, B0, 7},
                                         {0x12, 3, B1, 7}};
   static const uint8_t difference_bits[8] = {7, 6, 7, 6, 5, 6, 5, 6};
   const uint32_t major = bit(v[4], 7) | bit(v[5], 7) << 1;
   if (major == 3) {
      set(ends[0], v[0] << 4, v[2] << 4, (v[4] & 0x7f) << 5);
      set(ends[1], v[1] << 4, v[3] << 4, (v[5] & 0x7f) << 5);
      return;
   }
   const uint32_t mode = bit(v[1], 7) | bit(v[2], 7) << 1 | bit(v[3], 7) << 2;
   const uint8_t bits[6] = {(uint8_t)bit(v[2], 6), (uint8_t)bit(v[3], 6), (uint8_t)bit(v[4], 6),
                            (uint8_t)bit(v[5], 6), (uint8_t)bit(v[4], 5), (uint8_t)bit(v[5], 5)};
   uint32_t x[4] = {v[0] | bit(v[1], 6) << 8, v[2] & 0x3f, v[3] & 0x3f, v[1] & 0x3f};
   spread_spares(spares, UTIL_ARRAY_SIZE(spares), mode, bits, x);
   const int32_t unit = 1 << ((mode >> 1) ^ 3);
   const int32_t a = (int32_t)x[A] * unit, b0 = (int32_t)x[B0] * unit, b1 = (int32_t)x[B1] * unit,
                 c = (int32_t)x[C] * unit;
   const int32_t d0 = sign_extend(v[4] & 0x7f, difference_bits[mode]) * unit;
   const int32_t d1 = sign_extend(v[5] & 0x7f, difference_bits[mode]) * unit;
   set(ends[1], a, a - b0, a - b1);
   set(ends[0], a - c, a - b0 - c - d0, a - b1 - c - d1);
   swap_major(ends[0], major);
   swap_major(ends[1], major);
}

static void alpha(const uint8_t *v, uint16_t ends[2][4])
{
   const uint32_t mode = bit(v[0], 7) | bit(v[1], 7) << 1;
   int32_t base = v[0] & 0x7f, step = v[1] & 0x7f;
   if (mode == 3) {
      ends[0][3] = (uint16_t)(base << 5);
      ends[1][3] = (uint16_t)(step << 5);
      return;
   }
   base |= (step << (mode + 1)) & 0x780;
   step = ((step & (0x3f >> mode)) ^ (0x20 >> mode)) - (0x20 >> mode);
   base *= 1 << (4 - mode);
   ends[0][3] = clamp(base);
   ends[1][3] = clamp(base + step * (1 << (4 - mode)));
}

bool rt_astc_hdr_end_points(uint32_t mode, const uint8_t *v, struct rt_astc_ends *ends)
{
   ends->is_hdr = true;
   ends->has_hdr_alpha = mode != 14;
   switch (mode) {
   case 2: luminance_large(v, ends->color); return true;
   case 3: luminance_small(v, ends->color); return true;
   case 7: base_and_scale(v, ends->color); return true;
   case 11: direct(v, ends->color); return true;
   case 14: /* alpha as of the low range: 8 bits */
      direct(v, ends->color);
      ends->color[0][3] = v[6];
      ends->color[1][3] = v[7];
      return true;
   case 15:
      direct(v, ends->color);
      alpha(v + 6, ends->color);
      return true;
   default: return false;
   }
}

/* Five bits of exponent and eleven of a mantissa that is bent towards a logarithm, to a half. */
uint32_t rt_astc_hdr_half(uint32_t value)
{
   const uint32_t exponent = value >> 11, m = value & 0x7ff;
   const uint32_t mantissa = m < 512 ? 3 * m : m < 1536 ? 4 * m - 512 : 5 * m - 2048;
   const uint32_t half = exponent << 10 | mantissa >> 3;
   return UTIL_MIN(half, 0x7bffu);
}
