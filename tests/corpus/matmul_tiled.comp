#version 450
// Tiles of 16x16 in shared memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

shared float a[16][16], b[16][16];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy, p = gl_GlobalInvocationID.xy;
   float sum = 0.0;
   for (uint tile = 0u; tile < 8u; tile++) {
      a[l.y][l.x] = floats[p.y * 128u + tile * 16u + l.x];
      b[l.y][l.x] = floats[(tile * 16u + l.y) * 128u + p.x];
      barrier();
      for (uint k = 0u; k < 16u; k++)
         sum += a[l.y][k] * b[k][l.x];
      barrier();
   }
   put(p.y * 128u + p.x, sum);
}
