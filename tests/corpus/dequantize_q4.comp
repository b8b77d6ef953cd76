#version 450
// A matrix of four-bit numbers with a scale for 32 of them, times a vector.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
#include "corpus.glsl"

shared float sums[32];
void main()
{
   uint l = gl_LocalInvocationIndex, row = thread() / 32u;
   float sum = 0.0;
   for (uint block = l; block < 64u; block += 32u) {
      float scale = unpackHalf2x16(words[12288u + row * 64u + block] & 0x2fffu).x, part = 0.0;
      for (uint w = 0u; w < 4u; w++) {
         uint packed = words[row * 256u + block * 4u + w];
         for (uint i = 0u; i < 8u; i++)
            part += (float(packed >> (i * 4u) & 15u) - 8.0) * floats[block * 32u + w * 8u + i];
      }
      sum += part * scale;
   }
   sums[l] = sum;
   for (uint d = 16u; d > 0u; d /= 2u) {
      barrier();
      if (l < d)
         sums[l] += sums[l + d];
   }
   if (l == 0u)
      put(row, sums[0]);
}
