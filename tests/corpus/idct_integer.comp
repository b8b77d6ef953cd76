#version 450
// Inverse cosine transform in fixed point, a row a thread, then a column.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8) in;
#include "corpus.glsl"

shared int block[8][8];
void transform(inout int v[8])
{
   int a0 = v[0] + v[4], a1 = v[0] - v[4], a2 = (v[2] * 139 >> 8) - (v[6] * 334 >> 8), a3 = (v[2] * 334 >> 8) + (v[6] * 139 >> 8);
   int b0 = a0 + a3, b3 = a0 - a3, b1 = a1 + a2, b2 = a1 - a2;
   int c0 = (v[1] * 355 + v[3] * 301 + v[5] * 201 + v[7] * 71) >> 8, c1 = (v[1] * 301 - v[3] * 71 - v[5] * 355 - v[7] * 201) >> 8;
   int c2 = (v[1] * 201 - v[3] * 355 + v[5] * 71 + v[7] * 301) >> 8, c3 = (v[1] * 71 - v[3] * 201 + v[5] * 301 - v[7] * 355) >> 8;
   v = int[8](b0 + c0, b1 + c1, b2 + c2, b3 + c3, b3 - c3, b2 - c2, b1 - c1, b0 - c0);
}
void main()
{
   uint row = gl_LocalInvocationID.x, base = thread() * 8u;
   int v[8];
   for (uint i = 0u; i < 8u; i++)
      v[i] = int(words[base + i] & 1023u) - 512;
   transform(v);
   for (uint i = 0u; i < 8u; i++)
      block[row][i] = v[i];
   barrier();
   for (uint i = 0u; i < 8u; i++)
      v[i] = block[i][row];
   transform(v);
   for (uint i = 0u; i < 8u; i++)
      results[base + i] = uint(clamp((v[i] >> 3) + 128, 0, 255));
}
