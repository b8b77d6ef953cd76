/* SPDX-License-Identifier: MIT
 * Packing and unpacking against a plain reference in double precision; every instruction set gives the same bits. */
#include "runtime/format/codec.h"
#include "tests/random.h"
#include "tests/test.h"
#include "util/cpu.h"

#include <math.h>
#include <stdlib.h>

static uint64_t random_state = 1;

static uint32_t random_bits(void)
{
   return (uint32_t)(random_step(&random_state) >> 32);
}

/* The formats that have codecs, by VkFormat; returns 0 at the end. */
static const VkFormat extension_formats[] = {VK_FORMAT_A4R4G4B4_UNORM_PACK16, VK_FORMAT_A4B4G4R4_UNORM_PACK16,
                                             VK_FORMAT_A1B5G5R5_UNORM_PACK16_KHR, VK_FORMAT_A8_UNORM_KHR};

static VkFormat format_at(uint32_t i)
{
   return i < 185 ? (VkFormat)i : extension_formats[i - 185];
}
enum { NUM_FORMATS = 189 };

static uint32_t texel_bits(const uint8_t *texel, struct rt_channel channel)
{
   uint64_t value = 0;
   for (int i = 0; i < 8 && channel.shift / 8 + i < 16; i++)
      value |= (uint64_t)texel[channel.shift / 8 + i] << (8 * i);
   value >>= channel.shift % 8;
   return (uint32_t)(value & ((1ull << channel.bits) - 1));
}

static float half_reference(uint32_t h, int mantissa_bits)
{
   const int exponent = (int)(h >> mantissa_bits & 31), mantissa = (int)(h & ((1u << mantissa_bits) - 1));
   if (exponent == 31)
      return mantissa ? NAN : INFINITY;
   return exponent ? (float)ldexp(mantissa + (1 << mantissa_bits), exponent - 15 - mantissa_bits)
                   : (float)ldexp(mantissa, -14 - mantissa_bits);
}

static double srgb_to_linear(double c)
{
   return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* What the bits of one channel mean; float or integer bits. */
static uint32_t reference_decode(uint32_t v, struct rt_channel channel)
{
   const int32_t s = (int32_t)(v << (32 - channel.bits)) >> (32 - channel.bits);
   const double max = ldexp(1.0, channel.bits) - 1, smax = ldexp(1.0, channel.bits - 1) - 1;
   switch (channel.numeric) {
   case RT_UNORM: return rt_as_bits((float)(v / max));
   case RT_SNORM: return rt_as_bits((float)fmax(s / smax, -1.0));
   case RT_USCALED: return rt_as_bits((float)v);
   case RT_SSCALED: return rt_as_bits((float)s);
   case RT_UINT: return v;
   case RT_SINT: return (uint32_t)s;
   case RT_UFLOAT: return rt_as_bits(half_reference(v, channel.bits - 5));
   case RT_SFLOAT:
      if (channel.bits == 32)
         return v;
      return rt_as_bits((v & 0x8000 ? -1.0f : 1.0f) * half_reference(v & 0x7fff, 10));
   case RT_SRGB: return rt_as_bits((float)srgb_to_linear(v / 255.0));
   default: return 0;
   }
}

static bool same_value(uint32_t a, uint32_t b, bool is_int)
{
   const float fa = rt_as_float(a), fb = rt_as_float(b);
   return a == b || (!is_int && isnan(fa) && isnan(fb));
}

static void check_texel(const struct rt_format_info *info, const uint8_t *texel)
{
   uint32_t rgba[1][4];
   info->unpack(texel, info->texel_bytes, 1, rgba);
   if (info->channels[0].bits == 64) { /* halves */
      CHECK(!memcmp(rgba, texel, info->texel_bytes));
      return;
   }
   const bool is_shared = info->format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32;
   const uint32_t channels = info->num_planes > 1 ? 1 : 4;
   for (uint32_t c = 0; c < channels; c++) {
      const struct rt_channel channel = info->channels[c];
      uint32_t expected = c < 3 ? 0 : info->is_int ? 1 : 0x3f800000;
      if (is_shared && c < 3) {
         uint32_t word;
         memcpy(&word, texel, 4);
         expected = rt_as_bits((float)ldexp(word >> (9 * c) & 511, (int)(word >> 27) - 24));
      } else if (channel.bits) {
         expected = reference_decode(texel_bits(texel, channel), channel);
      }
      if (!same_value(rgba[0][c], expected, info->is_int)) {
         fprintf(stderr, "%s component %u: %08x, not %08x\n", info->name, c, rgba[0][c], expected);
         test_fail(__FILE__, __LINE__, "unpack");
         return;
      }
   }

   /* Packing gives the texel back, or another one of the same value. */
   uint8_t again[16] = {0};
   uint32_t rgba2[1][4];
   info->pack(again, info->texel_bytes, 1, (const uint32_t(*)[4])rgba);
   info->unpack(again, info->texel_bytes, 1, rgba2);
   for (uint32_t c = 0; c < channels; c++)
      if (!same_value(rgba[0][c], rgba2[0][c], info->is_int)) {
         fprintf(stderr, "%s component %u: %08x became %08x\n", info->name, c, rgba[0][c], rgba2[0][c]);
         test_fail(__FILE__, __LINE__, "round trip");
         return;
      }
}

TEST(round_trip_of_every_format)
{
   uint32_t tested = 0;
   for (uint32_t f = 0; f < NUM_FORMATS; f++) {
      const struct rt_format_info *info = rt_format_info(format_at(f));
      if (!info->unpack)
         continue;
      tested++;
      CHECK(info->pack && info->unpack_block && info->pack_block);
      uint8_t texel[16] = {0};
      for (uint32_t i = 0; i < 65536; i++) {
         for (uint32_t j = 0; j < 16; j += 2) {
            const uint16_t v = (uint16_t)(i * (2 * j + 1)); /* every value of every 16-bit part */
            memcpy(texel + j, &v, 2);
         }
         check_texel(info, texel);
         for (uint32_t j = 0; j < 16; j += 4) {
            const uint32_t v = random_bits();
            memcpy(texel + j, &v, 4);
         }
         check_texel(info, texel);
         if (test_failures_in_case > 5)
            return;
      }
   }
   CHECK_EQ(tested, 128);
}

static int compare_codes(const void *a, const void *b)
{
   const double x = *(const double *)a, y = *(const double *)b;
   return (x > y) - (x < y);
}

/* Packs floats and checks that no neighbouring code is nearer. */
static void check_nearest(const struct rt_format_info *info)
{
   const struct rt_channel channel = info->channels[0];
   const uint32_t codes = 1u << channel.bits;
   double *values = malloc(codes * sizeof(double));
   uint32_t count = 0;
   for (uint32_t v = 0; v < codes; v++) {
      const double exact = channel.numeric == RT_SRGB ? v / 255.0 : rt_as_float(reference_decode(v, channel));
      if (isfinite(exact))
         values[count++] = exact;
   }
   qsort(values, count, sizeof(double), compare_codes);
   for (uint32_t i = 0; i < 200000; i++) {
      float x = i < 70000 ? (float)values[i % count]
                          : (float)(values[0] + (values[count - 1] - values[0]) * (random_bits() / 4294967296.0));
      if (i % 3 == 0) /* around the middle between two codes */
         x = (float)((values[i % (count - 1)] + values[i % (count - 1) + 1]) / 2);
      if (channel.numeric == RT_SRGB)
         x = (float)srgb_to_linear(x);
      const uint32_t in[1][4] = {{rt_as_bits(x), 0, 0, 0}};
      uint8_t texel[16] = {0};
      info->pack(texel, info->texel_bytes, 1, in);
      const uint32_t code = texel_bits(texel, channel);
      double got = rt_as_float(reference_decode(code, channel)), target = x;
      if (channel.numeric == RT_SRGB) {
         got = code / 255.0;
         target = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
      }
      uint32_t low = 0, high = count - 1;
      while (high - low > 1) {
         const uint32_t middle = (low + high) / 2;
         if (values[middle] <= target)
            low = middle;
         else
            high = middle;
      }
      const double best = fmin(fabs(values[low] - target), fabs(values[high] - target));
      const double slack = fmax(fabs(target), fabs(values[high] - values[low])) * 1.3e-7;
      if (!(fabs(got - target) <= best + slack)) {
         fprintf(stderr, "%s: %.9g packed to %.9g, nearest differs by %g\n", info->name, target, got, best);
         test_fail(__FILE__, __LINE__, "nearest");
         break;
      }
   }
   free(values);
}

TEST(packing_rounds_to_nearest)
{
   for (uint32_t f = 0; f < NUM_FORMATS; f++) {
      const struct rt_format_info *info = rt_format_info(format_at(f));
      if (info->pack && !info->is_int && info->num_planes == 1 && info->channels[0].bits &&
          info->channels[0].bits <= 16 && info->channels[0].bits != 9)
         check_nearest(info);
   }
}

TEST(special_values)
{
   const struct rt_format_info *unorm = rt_format_info(VK_FORMAT_R8G8B8A8_UNORM);
   const uint32_t in[1][4] = {{0x7fc00000, rt_as_bits(INFINITY), rt_as_bits(-INFINITY), rt_as_bits(0.5f)}};
   uint8_t texel[16];
   unorm->pack(texel, 4, 1, in);
   CHECK(texel[0] == 0 && texel[1] == 255 && texel[2] == 0 && texel[3] == 128);
   rt_format_info(VK_FORMAT_R8G8B8A8_SNORM)->pack(texel, 4, 1, in);
   CHECK(texel[0] == 0 && texel[1] == 127 && texel[2] == 0x81 && texel[3] == 64);
   rt_format_info(VK_FORMAT_R8G8B8A8_SRGB)->pack(texel, 4, 1, in);
   CHECK(texel[0] == 0 && texel[1] == 255 && texel[2] == 0 && texel[3] == 128);

   const uint32_t ints[1][4] = {{300, (uint32_t)-200, 200, 5}};
   rt_format_info(VK_FORMAT_R8G8B8A8_UINT)->pack(texel, 4, 1, ints);
   CHECK(texel[0] == 255 && texel[1] == 255 && texel[2] == 200 && texel[3] == 5);
   rt_format_info(VK_FORMAT_R8G8B8A8_SINT)->pack(texel, 4, 1, ints);
   CHECK(texel[0] == 127 && texel[1] == 0x80 && texel[2] == 127 && texel[3] == 5);

   uint32_t word;
   const uint32_t large[1][4] = {{rt_as_bits(1e30f), rt_as_bits(-1.0f), 0x7fc00000, 0}};
   rt_format_info(VK_FORMAT_B10G11R11_UFLOAT_PACK32)->pack(&word, 4, 1, large);
   CHECK_EQ(word & 0x7ff, 0x7c0);           /* infinity */
   CHECK_EQ(word >> 11 & 0x7ff, 0);         /* negative */
   CHECK((word >> 22 & 0x3ff) > 0x3e0);     /* NaN */
   rt_format_info(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)->pack(&word, 4, 1, large);
   CHECK_EQ(word, 0xf80001ff);
}

TEST(shared_exponent_is_near)
{
   const struct rt_format_info *info = rt_format_info(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32);
   for (uint32_t i = 0; i < 100000; i++) {
      uint32_t in[1][4], out[1][4], word;
      float max = 0;
      for (int c = 0; c < 3; c++) {
         const float x = (float)ldexp((double)random_bits(), -32 + (int)(random_bits() % 40) - 24);
         in[0][c] = rt_as_bits(x);
         max = fmaxf(max, x);
      }
      info->pack(&word, 4, 1, (const uint32_t(*)[4])in);
      info->unpack(&word, 4, 1, out);
      max = fmaxf(max, 0x1p-16f);
      for (int c = 0; c < 3; c++)
         CHECK(fabsf(rt_as_float(in[0][c]) - rt_as_float(out[0][c])) <= max / 511 &&
               fabsf(rt_as_float(in[0][c]) - rt_as_float(out[0][c])) <= ldexpf(1, ilogbf(max) - 8));
   }
}

static void check_blocks(const struct rt_codec_block *blocks)
{
   for (uint32_t f = 0; f < NUM_FORMATS; f++) {
      const struct rt_format_info *info = rt_format_info(format_at(f));
      uint32_t id = 0;
      while (info->unpack && rt_codecs[id].unpack != info->unpack)
         id++;
      if (!id)
         continue;
      for (uint32_t round = 0; round < 2000; round++) {
         uint8_t texels[16 * 16], packed[16 * 16], packed_block[16 * 16];
         uint32_t rgba[16][4], planes[4][16];
         for (uint32_t i = 0; i < sizeof(texels); i++)
            texels[i] = (uint8_t)random_bits();
         info->unpack(texels, info->texel_bytes, 16, rgba);
         blocks[id].unpack(texels, planes);
         bool same = true;
         for (uint32_t i = 0; i < 64; i++)
            same &= rgba[i / 4][i % 4] == planes[i % 4][i / 4];
         for (uint32_t i = 0; i < 64; i++) {
            const uint32_t v = round % 2 ? random_bits() : rt_as_bits((float)(random_bits() / 3e9 - 0.2));
            rgba[i / 4][i % 4] = planes[i % 4][i / 4] = v;
         }
         info->pack(packed, info->texel_bytes, 16, (const uint32_t(*)[4])rgba);
         blocks[id].pack(packed_block, (const uint32_t(*)[16])planes);
         same &= memcmp(packed, packed_block, 16 * info->texel_bytes) == 0;
         if (!same) {
            fprintf(stderr, "%s\n", info->name);
            test_fail(__FILE__, __LINE__, "blocks differ");
            break;
         }
      }
   }
}

TEST(blocks_equal_texels)
{
   check_blocks(rt_codec_blocks_v1);
   if (util_cpu_level() >= UTIL_CPU_V3)
      check_blocks(rt_codec_blocks_v3);
   if (util_cpu_level() >= UTIL_CPU_V4)
      check_blocks(rt_codec_blocks_v4);
}

TEST_MAIN
