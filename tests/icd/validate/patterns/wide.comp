// SPDX-License-Identifier: MIT
// 64-bit arithmetic, 16-bit and 8-bit storage: what a device offers but the application did not enable.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) buffer Storage { uint16_t half_words[2]; uint8_t bytes[4]; } storages[2];

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   const uint64_t product = uint64_t(storages[0].half_words[1]) * 0x100000000ul + uint64_t(storages[0].bytes[lane & 1u]);
   const double quotient = double(product) / 4294967296.0;
   results[lane] = uint(quotient) + (uint(product & 0xfful) << 16);
}
