// SPDX-License-Identifier: MIT
// An inline uniform block of the largest size: its last elements, and some that the result chooses.
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) uniform Block { uvec4 values[65536]; };
layout(binding = 1) buffer Result { uint results[16]; };

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   results[lane] = values[65535 - lane].w + values[results[lane]].x;
}
