#version 450
// Mean and variance of a row, then scale and shift.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 128) in;
#include "corpus.glsl"

shared vec2 partial[128];
void main()
{
   uint l = gl_LocalInvocationIndex, row = thread() / 128u * 512u;
   vec4 v;
   for (uint i = 0u; i < 4u; i++)
      v[i] = floats[row + i * 128u + l];
   partial[l] = vec2(dot(v, vec4(1.0)), dot(v, v));
   for (uint d = 64u; d > 0u; d /= 2u) {
      barrier();
      if (l < d)
         partial[l] += partial[l + d];
   }
   barrier();
   float mean = partial[0].x / 512.0, variance = partial[0].y / 512.0 - mean * mean;
   v = (v - mean) * inversesqrt(variance + 1e-5);
   for (uint i = 0u; i < 4u; i++)
      put(row + i * 128u + l, v[i] * floats[i * 128u + l] + 0.1);
}
