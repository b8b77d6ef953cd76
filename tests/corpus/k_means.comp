#version 450
// Assigns points to the nearest centre and sums them in fixed point.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

shared int sums[8][3];
void main()
{
   uint l = gl_LocalInvocationIndex;
   if (l < 24u)
      sums[l / 3u][l % 3u] = 0;
   barrier();
   for (uint i = thread(); i < 8192u; i += 1024u) {
      vec2 p = vec2(floats[i], floats[i + 8192u]);
      float best = 1e9;
      uint which = 0u;
      for (uint c = 0u; c < 8u; c++) {
         vec2 d = vec2(floats[c * 100u], floats[c * 100u + 50u]) - p;
         if (dot(d, d) < best) {
            best = dot(d, d);
            which = c;
         }
      }
      atomicAdd(sums[which][0], int(p.x * 65536.0));
      atomicAdd(sums[which][1], int(p.y * 65536.0));
      atomicAdd(sums[which][2], 1);
   }
   barrier();
   if (l < 24u)
      atomicAdd(results[l], uint(sums[l / 3u][l % 3u]));
}
