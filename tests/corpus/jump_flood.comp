#version 450
// Nearest seed of every pixel of a tile, by jumps of halving length.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

shared ivec2 seeds[16][16];
void main()
{
   ivec2 l = ivec2(gl_LocalInvocationID.xy);
   bool is_seed = pixel(ivec2(gl_GlobalInvocationID.xy)) > 0.95;
   ivec2 best = is_seed ? l : ivec2(-1000);
   for (int jump = 8; jump >= 1; jump /= 2) {
      barrier();
      seeds[l.y][l.x] = best;
      barrier();
      for (int i = 0; i < 9; i++) {
         ivec2 q = l + ivec2(i % 3 - 1, i / 3 - 1) * jump;
         if (any(lessThan(q, ivec2(0))) || any(greaterThan(q, ivec2(15))))
            continue;
         ivec2 s = seeds[q.y][q.x], d = s - l, e = best - l;
         if (d.x * d.x + d.y * d.y < e.x * e.x + e.y * e.y)
            best = s;
      }
   }
   ivec2 d = best - l;
   put(place(ivec2(gl_GlobalInvocationID.xy)), sqrt(float(d.x * d.x + d.y * d.y)));
}
