/* SPDX-License-Identifier: MIT
 * wsi/pixels.c: conversions against values worked out by hand. */
#include "tests/test.h"
#include "wsi/pixels.h"

static const struct wsi_pixel rgb565 = {.bytes = 2, .channels = {{5, 11}, {6, 5}, {5, 0}, {0, 0}}};
static const struct wsi_pixel xrgb8 = {.bytes = 4, .channels = {{8, 16}, {8, 8}, {8, 0}, {0, 0}}};
static const struct wsi_pixel xrgb10 = {.bytes = 4, .channels = {{10, 20}, {10, 10}, {10, 0}, {0, 0}}};

static uint32_t convert_one(VkFormat format, const void *texel, const struct wsi_pixel *pixel)
{
   uint32_t out = 0;
   wsi_convert(format, false, texel, pixel, &out, 1);
   return out;
}

TEST(same_layout)
{
   struct wsi_pixel opaque = wsi_pixel_bgra8;
   opaque.is_opaque = true;
   CHECK(wsi_is_same_layout(VK_FORMAT_B8G8R8A8_UNORM, &wsi_pixel_bgra8));
   CHECK(wsi_is_same_layout(VK_FORMAT_B8G8R8A8_SRGB, &xrgb8)); /* nobody looks at X */
   CHECK(!wsi_is_same_layout(VK_FORMAT_B8G8R8A8_UNORM, &opaque));
   CHECK(!wsi_is_same_layout(VK_FORMAT_R8G8B8A8_UNORM, &xrgb8));
   CHECK(wsi_is_same_layout(VK_FORMAT_A2R10G10B10_UNORM_PACK32, &xrgb10));
   CHECK(wsi_is_same_layout(VK_FORMAT_R5G6B5_UNORM_PACK16, &rgb565));
   CHECK(!wsi_is_same_layout(VK_FORMAT_D16_UNORM, &rgb565));
}

TEST(eight_bits)
{
   const uint8_t rgba[4] = {0x11, 0x22, 0x33, 0x44};
   struct wsi_pixel opaque = wsi_pixel_bgra8;
   opaque.is_opaque = true;
   CHECK_EQ(convert_one(VK_FORMAT_R8G8B8A8_UNORM, rgba, &wsi_pixel_bgra8), 0x44112233);
   CHECK_EQ(convert_one(VK_FORMAT_R8G8B8A8_SRGB, rgba, &opaque), 0xff112233);
   CHECK_EQ(convert_one(VK_FORMAT_R8G8B8A8_UNORM, rgba, &wsi_pixel_rgba8), 0x44332211);
   CHECK_EQ(convert_one(VK_FORMAT_B8G8R8A8_UNORM, rgba, &wsi_pixel_rgba8), 0x44112233);
   const uint8_t white[4] = {255, 255, 255, 255}, blue[4] = {255, 0, 0, 255};
   CHECK_EQ(convert_one(VK_FORMAT_B8G8R8A8_UNORM, white, &rgb565), 0xffff);
   CHECK_EQ(convert_one(VK_FORMAT_B8G8R8A8_UNORM, blue, &rgb565), 0x001f);
   CHECK_EQ(convert_one(VK_FORMAT_B8G8R8A8_UNORM, blue, &xrgb10), 0xc00003ff); /* padding is 1 */
}

TEST(more_bits)
{
   const uint32_t ten = 3u << 30 | 1023u << 20 | 0u << 10 | 512u; /* A2R10G10B10: red full, blue half */
   CHECK_EQ(convert_one(VK_FORMAT_A2R10G10B10_UNORM_PACK32, &ten, &wsi_pixel_rgba8), 0xff8000ff);
   const uint16_t wide[4] = {65535, 32768, 0, 65535};
   CHECK_EQ(convert_one(VK_FORMAT_R16G16B16A16_UNORM, wide, &wsi_pixel_rgba8), 0xff0080ff);
   const uint16_t halves[4] = {0x3c00 /* 1 */, 0x3800 /* 0.5 */, 0xbc00 /* -1 */, 0x7c00 /* infinity */};
   CHECK_EQ(convert_one(VK_FORMAT_R16G16B16A16_SFLOAT, halves, &wsi_pixel_rgba8), 0xff0080ff);
   uint32_t out;
   wsi_convert(VK_FORMAT_R16G16B16A16_SFLOAT, true, halves, &wsi_pixel_rgba8, &out, 1);
   CHECK_EQ(out, 0xff00bcff); /* 0.5 linear is 188 encoded */
}

TEST_MAIN
