/* SPDX-License-Identifier: MIT
 * Pixels as windows have them, and conversion of texels to them.
 * Threads: pure functions. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* A pixel: a little-endian number of up to 32 bits with a field a colour. */
struct wsi_pixel {
   uint32_t bytes;                   /* 2 or 4 */
   struct { uint8_t bits, shift; } channels[4]; /* R G B A; bits 0: absent. Bits of no channel are written as 1 */
   bool is_opaque;                   /* alpha, where there is one, is written as 1 */
};

/* 8 bits a channel as R, G, B, A bytes, and as B, G, R, A (X and Wayland call it ARGB). */
extern const struct wsi_pixel wsi_pixel_rgba8, wsi_pixel_bgra8;

/* Bytes of a texel of a presentable format; 0 if the format is none. */
uint32_t wsi_texel_bytes(VkFormat format);
/* True if the bytes of the format are the bytes of the pixel: nothing to convert. */
bool wsi_is_same_layout(VkFormat format, const struct wsi_pixel *pixel);
/* Converts `count` texels. Normalized values scale to the number of bits; floats are clamped to 0..1. sRGB formats keep
 * their encoding; `is_linear` asks to encode linear colour as sRGB. */
void wsi_convert(VkFormat format, bool is_linear, const void *texels, const struct wsi_pixel *pixel, void *pixels,
                 uint32_t count);
