#version 450
// Dot products of four bytes, scaled back at the end.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

int dot4(uint a, uint b)
{
   int sum = 0;
   for (int i = 0; i < 4; i++)
      sum += bitfieldExtract(int(a), i * 8, 8) * bitfieldExtract(int(b), i * 8, 8);
   return sum;
}
void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   int sum = 0;
   for (uint k = 0u; k < 32u; k++)
      sum += dot4(words[p.y * 32u + k], words[8192u + p.x * 32u + k]);
   results[p.y * 32u + p.x] = uint(clamp(sum * 83 >> 14, -128, 127));
}
