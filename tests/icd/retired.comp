// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };

void main()
{
   results[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3u + 1u;
}
