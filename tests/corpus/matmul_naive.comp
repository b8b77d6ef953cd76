#version 450
// A row times a column, no tricks.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   float sum = 0.0;
   for (uint k = 0u; k < 128u; k++)
      sum += floats[p.y * 128u + k] * floats[k * 128u + p.x];
   put(p.y * 128u + p.x, sum);
}
