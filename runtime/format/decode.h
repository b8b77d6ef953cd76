/* SPDX-License-Identifier: MIT
 * Decoders of compressed formats: one block to 4 components (float bits) of each texel, row by row, slice by slice.
 * Spec: Khronos Data Format Specification, chapters S3TC, RGTC, BPTC, ETC1, ETC2, ASTC. Results are exact. */
#pragma once

#include <stdint.h>

#define RT_DECODERS(X)                                                                                                 \
   X(bc1_rgb_unorm) X(bc1_rgb_srgb) X(bc1_rgba_unorm) X(bc1_rgba_srgb) X(bc2_unorm) X(bc2_srgb) X(bc3_unorm)           \
   X(bc3_srgb) X(bc4_unorm) X(bc4_snorm) X(bc5_unorm) X(bc5_snorm) X(bc6h_ufloat) X(bc6h_sfloat) X(bc7_unorm)          \
   X(bc7_srgb) X(etc2_rgb_unorm) X(etc2_rgb_srgb) X(etc2_rgba_unorm) X(etc2_rgba_srgb) X(etc2_eac_rgba_unorm)          \
   X(etc2_eac_rgba_srgb) X(eac_r_unorm) X(eac_r_snorm) X(eac_rg_unorm) X(eac_rg_snorm)

enum { RT_MAX_BLOCK_TEXELS = 6 * 6 * 6 };

#define RT_ASTC_SIZES(X)                                                                                               \
   X(4x4, 4, 4, 1) X(5x4, 5, 4, 1) X(5x5, 5, 5, 1) X(6x5, 6, 5, 1) X(6x6, 6, 6, 1) X(8x5, 8, 5, 1) X(8x6, 8, 6, 1)     \
   X(8x8, 8, 8, 1) X(10x5, 10, 5, 1) X(10x6, 10, 6, 1) X(10x8, 10, 8, 1) X(10x10, 10, 10, 1) X(12x10, 12, 10, 1)       \
   X(12x12, 12, 12, 1) X(3x3x3, 3, 3, 3) X(4x3x3, 4, 3, 3) X(4x4x3, 4, 4, 3) X(4x4x4, 4, 4, 4) X(5x4x4, 5, 4, 4)       \
   X(5x5x4, 5, 5, 4) X(5x5x5, 5, 5, 5) X(6x5x5, 6, 5, 5) X(6x6x5, 6, 6, 5) X(6x6x6, 6, 6, 6)

#define X(name) void rt_decode_##name(const void *block, uint32_t (*rgba)[4]);
RT_DECODERS(X)
#undef X
#define X(size, w, h, d)                                                                                               \
   void rt_decode_astc_##size##_unorm(const void *block, uint32_t (*rgba)[4]);                                         \
   void rt_decode_astc_##size##_srgb(const void *block, uint32_t (*rgba)[4]);                                          \
   void rt_decode_astc_##size##_sfloat(const void *block, uint32_t (*rgba)[4]);
RT_ASTC_SIZES(X)
#undef X

/* What decode modes make of texels that were decoded to halves: 8 bits of each component; positive numbers with one exponent, opaque. */
void rt_round_astc_unorm8(uint32_t (*rgba)[4], uint32_t count);
void rt_round_astc_rgb9e5(uint32_t (*rgba)[4], uint32_t count);
