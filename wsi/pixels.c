/* SPDX-License-Identifier: MIT
 * Texels of presentable formats to pixels of windows. */
#include "wsi/pixels.h"

#include <math.h>
#include <string.h>

const struct wsi_pixel wsi_pixel_rgba8 = {.bytes = 4, .channels = {{8, 0}, {8, 8}, {8, 16}, {8, 24}}};
const struct wsi_pixel wsi_pixel_bgra8 = {.bytes = 4, .channels = {{8, 16}, {8, 8}, {8, 0}, {8, 24}}};

/* The presentable formats: packed numbers, or four 16-bit components. */
static const struct presentable {
   VkFormat format;
   struct wsi_pixel pixel; /* bytes 8: components of 16 bits */
   bool is_float;
} presentables[] = {
   {VK_FORMAT_B8G8R8A8_UNORM, {.bytes = 4, .channels = {{8, 16}, {8, 8}, {8, 0}, {8, 24}}}, false},
   {VK_FORMAT_B8G8R8A8_SRGB, {.bytes = 4, .channels = {{8, 16}, {8, 8}, {8, 0}, {8, 24}}}, false},
   {VK_FORMAT_R8G8B8A8_UNORM, {.bytes = 4, .channels = {{8, 0}, {8, 8}, {8, 16}, {8, 24}}}, false},
   {VK_FORMAT_R8G8B8A8_SRGB, {.bytes = 4, .channels = {{8, 0}, {8, 8}, {8, 16}, {8, 24}}}, false},
   {VK_FORMAT_A8B8G8R8_UNORM_PACK32, {.bytes = 4, .channels = {{8, 0}, {8, 8}, {8, 16}, {8, 24}}}, false},
   {VK_FORMAT_A8B8G8R8_SRGB_PACK32, {.bytes = 4, .channels = {{8, 0}, {8, 8}, {8, 16}, {8, 24}}}, false},
   {VK_FORMAT_A2R10G10B10_UNORM_PACK32, {.bytes = 4, .channels = {{10, 20}, {10, 10}, {10, 0}, {2, 30}}}, false},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {.bytes = 4, .channels = {{10, 0}, {10, 10}, {10, 20}, {2, 30}}}, false},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, {.bytes = 2, .channels = {{5, 11}, {6, 5}, {5, 0}, {0, 0}}}, false},
   {VK_FORMAT_R16G16B16A16_UNORM, {.bytes = 8}, false},
   {VK_FORMAT_R16G16B16A16_SFLOAT, {.bytes = 8}, true},
};

static const struct presentable *find(VkFormat format)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(presentables); i++) {
      if (presentables[i].format == format)
         return &presentables[i];
   }
   return NULL;
}

uint32_t wsi_texel_bytes(VkFormat format)
{
   const struct presentable *presentable = find(format);
   return presentable ? presentable->pixel.bytes : 0;
}

bool wsi_is_same_layout(VkFormat format, const struct wsi_pixel *pixel)
{
   const struct presentable *presentable = find(format);
   if (!presentable || presentable->pixel.bytes != pixel->bytes)
      return false;
   for (int i = 0; i < 4; i++) {
      const bool is_dont_care = i == 3 && pixel->channels[3].bits == 0;
      if (!is_dont_care && (presentable->pixel.channels[i].bits != pixel->channels[i].bits ||
                            presentable->pixel.channels[i].shift != pixel->channels[i].shift))
         return false;
   }
   return !pixel->is_opaque || pixel->channels[3].bits == 0;
}

static float half_to_float(uint16_t half)
{
   const uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff;
   float value;
   if (exponent == 31)
      value = mantissa ? 0.0f : 65536.0f; /* NaN shows as black */
   else if (exponent == 0)
      value = ldexpf((float)mantissa, -24);
   else
      value = ldexpf((float)(mantissa | 0x400), (int)exponent - 25);
   return half & 0x8000 ? -value : value;
}

static float encode_srgb(float linear)
{
   return linear <= 0.0031308f ? linear * 12.92f : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
}

/* One texel as four numbers of 16 bits, 0..65535 standing for 0..1. */
static void unpack(const struct presentable *from, bool is_linear, const uint8_t *texel, uint32_t rgba[4])
{
   uint32_t packed = 0;
   uint16_t wide[4];
   if (from->pixel.bytes == 8)
      memcpy(wide, texel, 8);
   else
      memcpy(&packed, texel, from->pixel.bytes);
   for (int i = 0; i < 4; i++) {
      const uint32_t bits = from->pixel.channels[i].bits;
      if (from->is_float) {
         const float value = half_to_float(wide[i]), clamped = UTIL_CLAMP(value, 0.0f, 1.0f);
         rgba[i] = (uint32_t)((is_linear && i < 3 ? encode_srgb(clamped) : clamped) * 65535.0f + 0.5f);
      } else if (from->pixel.bytes == 8) {
         rgba[i] = wide[i];
      } else if (bits) {
         const uint32_t max = (1u << bits) - 1;
         rgba[i] = ((packed >> from->pixel.channels[i].shift & max) * 65535 + max / 2) / max;
      } else {
         rgba[i] = 65535;
      }
   }
}

/* The bits that no colour has: alpha of a window that has none, padding. */
static uint32_t fill_bits(const struct wsi_pixel *pixel)
{
   uint32_t used = 0;
   for (int i = 0; i < (pixel->is_opaque ? 3 : 4); i++)
      used |= (uint32_t)(((UINT64_C(1) << pixel->channels[i].bits) - 1) << pixel->channels[i].shift);
   return ~used;
}

static void convert_any(const struct presentable *from, bool is_linear, const uint8_t *texels,
                        const struct wsi_pixel *pixel, uint8_t *pixels, uint32_t count)
{
   const uint32_t fill = fill_bits(pixel);
   for (uint32_t i = 0; i < count; i++) {
      uint32_t rgba[4], packed = fill;
      unpack(from, is_linear, texels + (size_t)i * from->pixel.bytes, rgba);
      for (int c = 0; c < 4; c++) {
         const uint32_t max = (1u << pixel->channels[c].bits) - 1;
         packed |= (uint32_t)(((uint64_t)rgba[c] * max + 32767) / 65535) << pixel->channels[c].shift;
      }
      memcpy(pixels + (size_t)i * pixel->bytes, &packed, pixel->bytes);
   }
}

static bool is_8888(const struct wsi_pixel *pixel)
{
   bool is = pixel->bytes == 4;
   for (int i = 0; i < 3; i++)
      is = is && pixel->channels[i].bits == 8 && pixel->channels[i].shift % 8 == 0 && pixel->channels[i].shift < 24;
   return is && (pixel->channels[3].bits == 0 || (pixel->channels[3].bits == 8 && pixel->channels[3].shift == 24));
}

/* Four bytes to four bytes: only their order differs. */
static void convert_8888(const struct wsi_pixel *from, const uint8_t *texels, const struct wsi_pixel *pixel,
                         uint8_t *pixels, uint32_t count)
{
   const uint32_t fill = fill_bits(pixel);
   const uint32_t r = from->channels[0].shift, g = from->channels[1].shift, b = from->channels[2].shift;
   const uint32_t to_r = pixel->channels[0].shift, to_g = pixel->channels[1].shift, to_b = pixel->channels[2].shift;
   for (uint32_t i = 0; i < count; i++) {
      uint32_t texel;
      memcpy(&texel, texels + (size_t)i * 4, 4);
      const uint32_t packed = (texel >> r & 255) << to_r | (texel >> g & 255) << to_g | (texel >> b & 255) << to_b |
                              (texel & 0xff000000) | fill;
      memcpy(pixels + (size_t)i * 4, &packed, 4);
   }
}

void wsi_convert(VkFormat format, bool is_linear, const void *texels, const struct wsi_pixel *pixel, void *pixels,
                 uint32_t count)
{
   const struct presentable *from = find(format);
   if (wsi_is_same_layout(format, pixel))
      memcpy(pixels, texels, (size_t)count * pixel->bytes);
   else if (is_8888(&from->pixel) && is_8888(pixel))
      convert_8888(&from->pixel, texels, pixel, pixels, count);
   else
      convert_any(from, is_linear, texels, pixel, pixels, count);
}
