#version 450
// Eight levels with an 8x8 Bayer matrix computed from the bits of the position.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   uint x = p.x ^ p.y, y = p.y, threshold = 0u;
   for (uint i = 0u; i < 3u; i++)
      threshold = threshold << 2 | (x >> i & 1u) << 1 | (y >> i & 1u);
   float v = pixel(ivec2(p)) * 0.5 + 0.5;
   results[place(ivec2(p))] = uint(floor(v * 7.0 + (float(threshold) + 0.5) / 64.0));
}
