/* SPDX-License-Identifier: MIT
 * The formats that shaders name for storage images, and what their texels are. Spec: SPIR-V, "Image Format"; Vulkan, "Compatibility Between SPIR-V
 * Image Formats And Vulkan Formats". */
#pragma once

#include <stdint.h>

enum abi_texel_numeric { ABI_TEXEL_UNORM, ABI_TEXEL_SNORM, ABI_TEXEL_UINT, ABI_TEXEL_SINT, ABI_TEXEL_FLOAT, ABI_TEXEL_UFLOAT };

/* X(SPIR-V's name, Vulkan's, numeric, bits of R, G, B, A from the texel's lowest bit on), in SPIR-V's order from 1 on. */
#define ABI_TEXEL_FORMATS(X)                                              \
   X(Rgba32f, R32G32B32A32_SFLOAT, FLOAT, 32, 32, 32, 32)                 \
   X(Rgba16f, R16G16B16A16_SFLOAT, FLOAT, 16, 16, 16, 16)                 \
   X(R32f, R32_SFLOAT, FLOAT, 32, 0, 0, 0)                                \
   X(Rgba8, R8G8B8A8_UNORM, UNORM, 8, 8, 8, 8)                            \
   X(Rgba8Snorm, R8G8B8A8_SNORM, SNORM, 8, 8, 8, 8)                       \
   X(Rg32f, R32G32_SFLOAT, FLOAT, 32, 32, 0, 0)                           \
   X(Rg16f, R16G16_SFLOAT, FLOAT, 16, 16, 0, 0)                           \
   X(R11fG11fB10f, B10G11R11_UFLOAT_PACK32, UFLOAT, 11, 11, 10, 0)        \
   X(R16f, R16_SFLOAT, FLOAT, 16, 0, 0, 0)                                \
   X(Rgba16, R16G16B16A16_UNORM, UNORM, 16, 16, 16, 16)                   \
   X(Rgb10A2, A2B10G10R10_UNORM_PACK32, UNORM, 10, 10, 10, 2)             \
   X(Rg16, R16G16_UNORM, UNORM, 16, 16, 0, 0)                             \
   X(Rg8, R8G8_UNORM, UNORM, 8, 8, 0, 0)                                  \
   X(R16, R16_UNORM, UNORM, 16, 0, 0, 0)                                  \
   X(R8, R8_UNORM, UNORM, 8, 0, 0, 0)                                     \
   X(Rgba16Snorm, R16G16B16A16_SNORM, SNORM, 16, 16, 16, 16)              \
   X(Rg16Snorm, R16G16_SNORM, SNORM, 16, 16, 0, 0)                        \
   X(Rg8Snorm, R8G8_SNORM, SNORM, 8, 8, 0, 0)                             \
   X(R16Snorm, R16_SNORM, SNORM, 16, 0, 0, 0)                             \
   X(R8Snorm, R8_SNORM, SNORM, 8, 0, 0, 0)                                \
   X(Rgba32i, R32G32B32A32_SINT, SINT, 32, 32, 32, 32)                    \
   X(Rgba16i, R16G16B16A16_SINT, SINT, 16, 16, 16, 16)                    \
   X(Rgba8i, R8G8B8A8_SINT, SINT, 8, 8, 8, 8)                             \
   X(R32i, R32_SINT, SINT, 32, 0, 0, 0)                                   \
   X(Rg32i, R32G32_SINT, SINT, 32, 32, 0, 0)                              \
   X(Rg16i, R16G16_SINT, SINT, 16, 16, 0, 0)                              \
   X(Rg8i, R8G8_SINT, SINT, 8, 8, 0, 0)                                   \
   X(R16i, R16_SINT, SINT, 16, 0, 0, 0)                                   \
   X(R8i, R8_SINT, SINT, 8, 0, 0, 0)                                      \
   X(Rgba32ui, R32G32B32A32_UINT, UINT, 32, 32, 32, 32)                   \
   X(Rgba16ui, R16G16B16A16_UINT, UINT, 16, 16, 16, 16)                   \
   X(Rgba8ui, R8G8B8A8_UINT, UINT, 8, 8, 8, 8)                            \
   X(R32ui, R32_UINT, UINT, 32, 0, 0, 0)                                  \
   X(Rgb10a2ui, A2B10G10R10_UINT_PACK32, UINT, 10, 10, 10, 2)             \
   X(Rg32ui, R32G32_UINT, UINT, 32, 32, 0, 0)                             \
   X(Rg16ui, R16G16_UINT, UINT, 16, 16, 0, 0)                             \
   X(Rg8ui, R8G8_UINT, UINT, 8, 8, 0, 0)                                  \
   X(R16ui, R16_UINT, UINT, 16, 0, 0, 0)                                  \
   X(R8ui, R8_UINT, UINT, 8, 0, 0, 0)

/* Their numbers, which are SPIR-V's. */
enum abi_texel_format {
   ABI_TEXEL_FORMAT_UNKNOWN,
#define X(name, ...) ABI_TEXEL_FORMAT_##name,
   ABI_TEXEL_FORMATS(X)
#undef X
   ABI_NUM_TEXEL_FORMATS
};
