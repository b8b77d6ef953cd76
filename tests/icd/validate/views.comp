// SPDX-License-Identifier: MIT
// Images of several kinds, each of which the test may give a view that does not fit.
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(binding = 0) uniform texture2D floats;
layout(binding = 1) uniform utexture2D integers;
layout(binding = 2) uniform texture3D volume;
layout(binding = 3, r32ui) uniform uimage2D stored;

void main()
{
   const int lane = int(gl_LocalInvocationIndex) & 3;
   const uint sum = uint(texelFetch(floats, ivec2(lane, 0), 0).r) + texelFetch(integers, ivec2(lane, 1), 0).r +
                    uint(texelFetch(volume, ivec3(lane, 2, 0), 0).r);
   imageStore(stored, ivec2(lane, 3), uvec4(sum));
}
