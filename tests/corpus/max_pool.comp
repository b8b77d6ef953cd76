#version 450
// Greatest of 3x3 with a stride of two, and where it was.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float best = -2.0;
   int at = 0;
   for (int i = 0; i < 9; i++) {
      float v = pixel(p * 2 + ivec2(i % 3, i / 3) - 1);
      if (v > best) {
         best = v;
         at = i;
      }
   }
   put(place(p) * 2u, best);
   results[place(p) * 2u + 1u] = uint(at);
}
