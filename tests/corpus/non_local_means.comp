#version 450
// Weights pixels by how alike their surroundings are.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float sum = 0.0, weights = 0.0;
   for (int sy = -3; sy <= 3; sy++) {
      for (int sx = -3; sx <= 3; sx++) {
         float distance2 = 0.0;
         for (int y = -1; y <= 1; y++) {
            for (int x = -1; x <= 1; x++) {
               float difference = pixel(p + ivec2(x, y)) - pixel(p + ivec2(sx + x, sy + y));
               distance2 += difference * difference;
            }
         }
         float w = exp(-distance2 / 0.5);
         sum += w * pixel(p + ivec2(sx, sy));
         weights += w;
      }
   }
   put(place(p), sum / weights);
}
