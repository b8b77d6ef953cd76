#version 450
// Greatest, exponentials and their sum over a row.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

shared float partial[64];
void main()
{
   uint l = gl_LocalInvocationIndex, row = thread() / 64u * 256u;
   float v[4], top = -1e9, sum = 0.0;
   for (uint i = 0u; i < 4u; i++) {
      v[i] = floats[row + i * 64u + l] * 10.0;
      top = max(top, v[i]);
   }
   partial[l] = top;
   for (uint d = 32u; d > 0u; d /= 2u) {
      barrier();
      if (l < d)
         partial[l] = max(partial[l], partial[l + d]);
   }
   barrier();
   top = partial[0];
   barrier();
   for (uint i = 0u; i < 4u; i++) {
      v[i] = exp(v[i] - top);
      sum += v[i];
   }
   partial[l] = sum;
   for (uint d = 32u; d > 0u; d /= 2u) {
      barrier();
      if (l < d)
         partial[l] += partial[l + d];
   }
   barrier();
   for (uint i = 0u; i < 4u; i++)
      put(row + i * 64u + l, v[i] / partial[0]);
}
