#version 450
// Inverts a matrix a thread.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
#include "corpus.glsl"

void main()
{
   uint base = thread() * 16u;
   mat4 m;
   for (uint i = 0u; i < 16u; i++)
      m[i / 4u][i % 4u] = floats[base + i] + (i % 5u == 0u ? 3.0 : 0.0);
   m = inverse(m);
   for (uint i = 0u; i < 16u; i++)
      put(base + i, m[i / 4u][i % 4u]);
}
