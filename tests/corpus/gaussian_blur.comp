#version 450
// One direction of a separable Gaussian of radius 8, rows staged in shared memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

shared float row[64 + 16];
void main()
{
   uint line = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
   int x = int(gl_LocalInvocationID.x);
   for (int i = x; i < 80; i += 64)
      row[i] = pixel(ivec2(i - 8, line));
   barrier();
   float sum = 0.0, weights = 0.0;
   for (int i = -8; i <= 8; i++) {
      float w = exp(-float(i * i) / 18.0);
      sum += w * row[x + 8 + i];
      weights += w;
   }
   put(line * 128u + uint(x), sum / weights);
}
