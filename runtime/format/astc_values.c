/* SPDX-License-Identifier: MIT
 * ASTC's integer sequences (bits, trits and quints), their scaling, and colour end points.
 * Spec: Khronos Data Format Specification, "Integer Sequence Encoding", "Endpoint Unquantization", "Weight
 * Unquantization", "LDR Endpoint Decoding". */
#include "runtime/format/astc.h"

static const struct {
   uint8_t bits, trits, quints;
} ranges[RT_ASTC_NUM_RANGES] = {
   {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {0, 0, 1}, {1, 1, 0}, {3, 0, 0}, {1, 0, 1},
   {2, 1, 0}, {4, 0, 0}, {2, 0, 1}, {3, 1, 0}, {5, 0, 0}, {3, 0, 1}, {4, 1, 0},
   {6, 0, 0}, {4, 0, 1}, {5, 1, 0}, {7, 0, 0}, {5, 0, 1}, {6, 1, 0}, {8, 0, 0},
};

uint32_t rt_astc_size_bits(enum rt_astc_range range, uint32_t count)
{
   return count * ranges[range].bits + (ranges[range].trits ? (8 * count + 4) / 5 : 0) +
          (ranges[range].quints ? (7 * count + 2) / 3 : 0);
}

int32_t rt_astc_largest_range(uint32_t count, uint32_t bits)
{
   int32_t range = RT_ASTC_NUM_RANGES - 1;
   while (range >= 0 && rt_astc_size_bits((enum rt_astc_range)range, count) > bits)
      range--;
   return range;
}

/* Five trits from 8 bits. */
static void split_trits(uint32_t t, uint8_t trits[5])
{
   uint32_t c;
   if ((t >> 2 & 7) == 7) {
      c = (t >> 5 & 7) << 2 | (t & 3);
      trits[3] = trits[4] = 2;
   } else {
      c = t & 31;
      trits[3] = (t >> 5 & 3) == 3 ? t >> 7 & 1 : t >> 5 & 3;
      trits[4] = (t >> 5 & 3) == 3 ? 2 : t >> 7 & 1;
   }
   if ((c & 3) == 3) {
      trits[2] = 2;
      trits[1] = c >> 4 & 1;
      trits[0] = (uint8_t)((c >> 3 & 1) << 1 | (c >> 2 & 1 & ~(c >> 3)));
   } else if ((c >> 2 & 3) == 3) {
      trits[2] = trits[1] = 2;
      trits[0] = c & 3;
   } else {
      trits[2] = c >> 4 & 1;
      trits[1] = c >> 2 & 3;
      trits[0] = (uint8_t)((c >> 1 & 1) << 1 | (c & 1 & ~(c >> 1)));
   }
}

/* Three quints from 7 bits. */
static void split_quints(uint32_t q, uint8_t quints[3])
{
   if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0) {
      const uint32_t low = q & 1;
      quints[2] = (uint8_t)(low << 2 | (q >> 4 & 1 & ~low) << 1 | (q >> 3 & 1 & ~low));
      quints[0] = quints[1] = 4;
      return;
   }
   uint32_t c;
   if ((q >> 1 & 3) == 3) {
      quints[2] = 4;
      c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
   } else {
      quints[2] = q >> 5 & 3;
      c = q & 31;
   }
   quints[1] = (c & 7) == 5 ? 4 : c >> 3 & 3;
   quints[0] = (c & 7) == 5 ? c >> 3 & 3 : c & 7;
}

/* Groups of five values share 8 bits of trits, groups of three 7 bits of quints, spread between the values' own bits.
 */
void rt_astc_read_values(struct rt_bits *bits, enum rt_astc_range range, uint32_t count, uint8_t *values)
{
   static const uint8_t trit_parts[5] = {2, 2, 1, 2, 1}, quint_parts[3] = {3, 2, 2};
   const uint32_t own_bits = ranges[range].bits;
   const uint32_t group = ranges[range].trits ? 5 : ranges[range].quints ? 3 : 1;
   const uint32_t end = bits->position + rt_astc_size_bits(range, count);
   if (group == 1) {
      for (uint32_t i = 0; i < count; i++)
         values[i] = (uint8_t)rt_bits_take(bits, own_bits);
      return;
   }
   for (uint32_t first = 0; first < count; first += group) {
      uint32_t own[5] = {0}, shared = 0, shift = 0;
      for (uint32_t i = 0; i < group; i++) {
         const uint32_t part = group == 5 ? trit_parts[i] : quint_parts[i];
         own[i] = rt_bits_take(bits, own_bits);
         /* The last group may end early; what lies behind reads as 0. */
         const uint32_t left = end > bits->position ? end - bits->position : 0;
         shared |= (rt_bits_take(bits, part) & ((1u << UTIL_MIN(left, part)) - 1)) << shift;
         shift += part;
      }
      uint8_t digits[5] = {0};
      if (group == 5)
         split_trits(shared, digits);
      else
         split_quints(shared, digits);
      for (uint32_t i = 0; i < group && first + i < count; i++)
         values[first + i] = (uint8_t)((uint32_t)digits[i] << own_bits | own[i]);
   }
   bits->position = end;
}

/* Repeats the `bits` of a value until `width` are filled. */
static uint32_t repeat(uint32_t value, uint32_t bits, uint32_t width)
{
   uint32_t result = 0;
   for (int32_t shift = (int32_t)width - (int32_t)bits; shift > -(int32_t)bits; shift -= (int32_t)bits)
      result |= shift >= 0 ? value << shift : value >> -shift;
   return result;
}

/* Scales trits and quints: D * C + B, where B spreads the value's own bits but the lowest, which mirrors the result.
 * The spreads are given as where each bit of B comes from, highest first: a letter's bit of the value, or '0'. */
static uint32_t spread(const char *pattern, uint32_t own)
{
   uint32_t b = 0;
   for (; *pattern; pattern++)
      b = b << 1 | (*pattern == '0' ? 0 : own >> (*pattern - 'a') & 1);
   return b;
}

struct scale {
   const char *b;
   uint32_t c;
};

uint8_t rt_astc_color(enum rt_astc_range range, uint8_t value)
{
   static const struct scale trits[7] = {{NULL, 0},          {"000000000", 204}, {"b000b0bb0", 93}, {"cb000cbcb", 44},
                                         {"dcb000dcb", 22},  {"edcb000ed", 11},  {"fedcb000f", 5}};
   static const struct scale quints[6] = {{NULL, 0},         {"000000000", 113}, {"b0000bb00", 54},
                                          {"cb0000cbc", 26}, {"dcb0000dc", 13},  {"edcb0000e", 6}};
   const uint32_t bits = ranges[range].bits, own = value & ((1u << bits) - 1), digit = value >> bits;
   if (!ranges[range].trits && !ranges[range].quints)
      return (uint8_t)repeat(value, bits, 8);
   const struct scale *scale = ranges[range].trits ? &trits[bits] : &quints[bits];
   const uint32_t a = own & 1 ? 0x1ff : 0;
   const uint32_t t = (digit * scale->c + spread(scale->b, own)) ^ a;
   return (uint8_t)((a & 0x80) | t >> 2);
}

static uint8_t scale_weight(enum rt_astc_range range, uint8_t value)
{
   static const struct scale trits[4] = {{NULL, 0}, {"0000000", 50}, {"b000b0b", 23}, {"cb000cb", 11}};
   static const struct scale quints[3] = {{NULL, 0}, {"0000000", 28}, {"b0000b0", 13}};
   static const uint8_t three[3] = {0, 32, 63}, five[5] = {0, 16, 32, 47, 63};
   const uint32_t bits = ranges[range].bits, own = value & ((1u << bits) - 1), digit = value >> bits;
   uint32_t weight;
   if (!ranges[range].trits && !ranges[range].quints) {
      weight = repeat(value, bits, 6);
   } else if (bits == 0) {
      weight = ranges[range].trits ? three[digit] : five[digit];
   } else {
      const struct scale *scale = ranges[range].trits ? &trits[bits] : &quints[bits];
      const uint32_t a = own & 1 ? 0x7f : 0;
      weight = (a & 0x20) | ((digit * scale->c + spread(scale->b, own)) ^ a) >> 2;
   }
   return (uint8_t)(weight > 32 ? weight + 1 : weight);
}

void rt_astc_scale_weights(enum rt_astc_range range, uint32_t count, uint8_t *weights)
{
   uint8_t scaled[32];
   const uint32_t num = (ranges[range].trits ? 3u : ranges[range].quints ? 5u : 1u) << ranges[range].bits;
   for (uint32_t i = 0; i < num; i++)
      scaled[i] = scale_weight(range, (uint8_t)i);
   for (uint32_t i = 0; i < count; i++)
      weights[i] = scaled[weights[i]];
}

/* ---- end points ---- */

static uint8_t clamp_byte(int32_t v)
{
   return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void set(uint16_t end[4], int32_t r, int32_t g, int32_t b, int32_t a)
{
   end[0] = clamp_byte(r);
   end[1] = clamp_byte(g);
   end[2] = clamp_byte(b);
   end[3] = clamp_byte(a);
}

/* Blue contraction: red and green move halfway to blue. */
static void set_contracted(uint16_t end[4], int32_t r, int32_t g, int32_t b, int32_t a)
{
   set(end, (r + b) >> 1, (g + b) >> 1, b, a);
}

/* Moves the top bit of v[1] into v[0]: v[0] becomes the base, v[1] a signed offset of 6 bits. */
static void split_offset(const uint8_t v[2], int32_t out[2])
{
   out[0] = v[0] >> 1 | (v[1] & 0x80);
   out[1] = v[1] >> 1 & 0x3f;
   if (out[1] & 0x20)
      out[1] -= 0x40;
}

static void direct_rgb(const uint8_t *v, int32_t alpha0, int32_t alpha1, uint16_t ends[2][4])
{
   if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
      set(ends[0], v[0], v[2], v[4], alpha0);
      set(ends[1], v[1], v[3], v[5], alpha1);
   } else {
      set_contracted(ends[0], v[1], v[3], v[5], alpha1);
      set_contracted(ends[1], v[0], v[2], v[4], alpha0);
   }
}

static void offset_rgb(const uint8_t *v, const int32_t alpha[2], uint16_t ends[2][4])
{
   int32_t r[2], g[2], b[2];
   split_offset(v, r);
   split_offset(v + 2, g);
   split_offset(v + 4, b);
   if (r[1] + g[1] + b[1] >= 0) {
      set(ends[0], r[0], g[0], b[0], alpha[0]);
      set(ends[1], r[0] + r[1], g[0] + g[1], b[0] + b[1], alpha[0] + alpha[1]);
   } else {
      set_contracted(ends[0], r[0] + r[1], g[0] + g[1], b[0] + b[1], alpha[0] + alpha[1]);
      set_contracted(ends[1], r[0], g[0], b[0], alpha[0]);
   }
}

bool rt_astc_end_points(uint32_t mode, const uint8_t *v, struct rt_astc_ends *out)
{
   uint16_t(*ends)[4] = out->color;
   static const int32_t opaque[2] = {255, 0};
   int32_t a[2], b[2];
   out->is_hdr = out->has_hdr_alpha = false;
   switch (mode) {
   case 0: /* luminance */
      set(ends[0], v[0], v[0], v[0], 255);
      set(ends[1], v[1], v[1], v[1], 255);
      return true;
   case 1: /* luminance, base and offset */
      a[0] = v[0] >> 2 | (v[1] & 0xc0);
      a[1] = a[0] + (v[1] & 0x3f);
      set(ends[0], a[0], a[0], a[0], 255);
      set(ends[1], a[1], a[1], a[1], 255);
      return true;
   case 4: /* luminance and alpha */
      set(ends[0], v[0], v[0], v[0], v[2]);
      set(ends[1], v[1], v[1], v[1], v[3]);
      return true;
   case 5: /* luminance and alpha, base and offset */
      split_offset(v, a);
      split_offset(v + 2, b);
      set(ends[0], a[0], a[0], a[0], b[0]);
      set(ends[1], a[0] + a[1], a[0] + a[1], a[0] + a[1], b[0] + b[1]);
      return true;
   case 6:    /* RGB and scale */
   case 10: { /* with two alphas */
      const bool has_alpha = mode == 10;
      set(ends[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, has_alpha ? v[4] : 255);
      set(ends[1], v[0], v[1], v[2], has_alpha ? v[5] : 255);
      return true;
   }
   case 8: direct_rgb(v, 255, 255, ends); return true;
   case 9: offset_rgb(v, opaque, ends); return true;
   case 12: direct_rgb(v, v[6], v[7], ends); return true;
   case 13:
      split_offset(v + 6, a);
      offset_rgb(v, a, ends);
      return true;
   default: return false;
   }
}
