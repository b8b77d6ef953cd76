// SPDX-License-Identifier: MIT
// A vector of three across 16 bytes and an array of stride 4 in a uniform block, without scalarBlockLayout.
#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(scalar, set = 0, binding = 2) uniform Uniform { uvec2 first; uvec3 triple; uint list[3]; } block;

void main()
{
   results[gl_LocalInvocationIndex] = block.first.x + (block.triple.z << 8) + (block.list[gl_LocalInvocationIndex & 1u] << 16);
}
