/* SPDX-License-Identifier: MIT
 * Decoders of compressed formats: one block to 4 components (float bits) of each texel, row by row.
 * Spec: Khronos Data Format Specification, chapters S3TC, RGTC, BPTC, ETC1, ETC2, ASTC. Results are exact. */
#pragma once

#include <stdint.h>

#define RT_DECODERS(X)                                                                                                 \
   X(bc1_rgb_unorm) X(bc1_rgb_srgb) X(bc1_rgba_unorm) X(bc1_rgba_srgb) X(bc2_unorm) X(bc2_srgb) X(bc3_unorm)           \
   X(bc3_srgb) X(bc4_unorm) X(bc4_snorm) X(bc5_unorm) X(bc5_snorm) X(bc6h_ufloat) X(bc6h_sfloat) X(bc7_unorm)          \
   X(bc7_srgb) X(etc2_rgb_unorm) X(etc2_rgb_srgb) X(etc2_rgba_unorm) X(etc2_rgba_srgb) X(etc2_eac_rgba_unorm)          \
   X(etc2_eac_rgba_srgb) X(eac_r_unorm) X(eac_r_snorm) X(eac_rg_unorm) X(eac_rg_snorm)

#define RT_ASTC_SIZES(X)                                                                                               \
   X(4, 4) X(5, 4) X(5, 5) X(6, 5) X(6, 6) X(8, 5) X(8, 6) X(8, 8) X(10, 5) X(10, 6) X(10, 8) X(10, 10) X(12, 10)      \
   X(12, 12)

#define X(name) void rt_decode_##name(const void *block, uint32_t (*rgba)[4]);
RT_DECODERS(X)
#undef X
#define X(w, h)                                                                                                        \
   void rt_decode_astc_##w##x##h##_unorm(const void *block, uint32_t (*rgba)[4]);                                      \
   void rt_decode_astc_##w##x##h##_srgb(const void *block, uint32_t (*rgba)[4]);                                       \
   void rt_decode_astc_##w##x##h##_sfloat(const void *block, uint32_t (*rgba)[4]);
RT_ASTC_SIZES(X)
#undef X
