#version 450
// Forward cosine transform and quantisation of 8x8 blocks.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

shared float block[8][8], half_done[8][8];
void main()
{
   ivec2 l = ivec2(gl_LocalInvocationID.xy);
   block[l.y][l.x] = pixel(ivec2(gl_GlobalInvocationID.xy)) * 128.0;
   barrier();
   float sum = 0.0;
   for (int x = 0; x < 8; x++)
      sum += block[l.y][x] * cos(float((2 * x + 1) * l.x) * 0.19634954);
   half_done[l.y][l.x] = sum * (l.x == 0 ? 0.35355339 : 0.5);
   barrier();
   sum = 0.0;
   for (int y = 0; y < 8; y++)
      sum += half_done[y][l.x] * cos(float((2 * y + 1) * l.y) * 0.19634954);
   sum *= l.y == 0 ? 0.35355339 : 0.5;
   results[place(ivec2(gl_GlobalInvocationID.xy))] = uint(int(roundEven(sum / float(8 + 3 * (l.x + l.y)))));
}
