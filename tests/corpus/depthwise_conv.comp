#version 450
// 3x3 a channel, bias, and a clipped rectifier.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   for (uint c = 0u; c < 4u; c++) {
      float sum = floats[9000u + c];
      for (uint k = 0u; k < 9u; k++) {
         ivec2 q = clamp(ivec2(p) + ivec2(k % 3u, k / 3u) - 1, ivec2(0), ivec2(31));
         sum += floats[(uint(q.y) * 32u + uint(q.x)) * 4u + c] * floats[8192u + c * 9u + k];
      }
      put((p.y * 32u + p.x) * 4u + c, clamp(sum, 0.0, 6.0));
   }
}
