// SPDX-License-Identifier: MIT
// Reads an image as if it had samples, and as if it had none.
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform texture2DMS with_samples;
layout(set = 0, binding = 1) uniform texture2D without;
layout(set = 0, binding = 2) buffer Results { uint results[8][2]; };

void main()
{
   const int lane = int(gl_LocalInvocationIndex);
   results[lane][0] = uint(texelFetch(with_samples, ivec2(1, lane & 3), lane & 3).r * 255.0 + 0.5);
   results[lane][1] = uint(texelFetch(without, ivec2(1, lane & 3), 0).r * 255.0 + 0.5);
}
