// SPDX-License-Identifier: MIT
// A vector of two at offset 4, on a device of Vulkan 1.0.
#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(scalar, set = 0, binding = 2) uniform Uniform { uint value; uvec2 pair; } block;

void main()
{
   results[gl_LocalInvocationIndex] = block.value + (block.pair.x << 8) + (block.pair.y << 16) + gl_LocalInvocationIndex;
}
