#version 450
// A row a workgroup, reduced by a tree.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

shared float sums[64];
void main()
{
   uint l = gl_LocalInvocationIndex, row = thread() / 64u;
   float sum = 0.0;
   for (uint i = l; i < 512u; i += 64u)
      sum += floats[row * 512u + i] * floats[8192u + i];
   sums[l] = sum;
   for (uint d = 32u; d > 0u; d /= 2u) {
      barrier();
      if (l < d)
         sums[l] += sums[l + d];
   }
   if (l == 0u)
      put(row, sums[0]);
}
