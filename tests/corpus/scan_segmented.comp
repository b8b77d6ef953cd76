#version 450
// Sums that start again at flags.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 256) in;
#include "corpus.glsl"

shared uvec2 data[256];
void main()
{
   uint l = gl_LocalInvocationIndex, word = words[thread()];
   uvec2 own = uvec2(word >> 8 & 255u, (word & 15u) == 0u || l == 0u ? 1u : 0u);
   data[l] = own;
   for (uint step = 1u; step < 256u; step *= 2u) {
      barrier();
      uvec2 before = l >= step ? data[l - step] : uvec2(0u);
      barrier();
      if (l >= step) {
         own = uvec2(own.y != 0u ? own.x : own.x + before.x, own.y | before.y);
         data[l] = own;
      }
   }
   results[thread()] = own.x;
}
