#version 450
// Distances to the nearest two of random points.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   vec2 p = vec2(gl_GlobalInvocationID.xy) / 8.0, nearest = vec2(9.0);
   ivec2 cell = ivec2(floor(p));
   for (int y = -1; y <= 1; y++) {
      for (int x = -1; x <= 1; x++) {
         ivec2 c = cell + ivec2(x, y);
         uint w = words[uint(c.y * 64 + c.x + 4096) & 16383u];
         vec2 d = vec2(c) + vec2(w & 0xffffu, w >> 16) / 65536.0 - p;
         float r = length(d);
         nearest = r < nearest.x ? vec2(r, nearest.x) : vec2(nearest.x, min(nearest.y, r));
      }
   }
   put(place(ivec2(gl_GlobalInvocationID.xy)), nearest.y - nearest.x);
}
