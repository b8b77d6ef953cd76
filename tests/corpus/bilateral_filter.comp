#version 450
// Smooths but keeps edges: weights of distance and of difference.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float centre = pixel(p), sum = 0.0, weights = 0.0;
   for (int y = -3; y <= 3; y++) {
      for (int x = -3; x <= 3; x++) {
         float value = pixel(p + ivec2(x, y)), difference = value - centre;
         float w = exp(-float(x * x + y * y) * 0.08 - difference * difference * 8.0);
         sum += w * value;
         weights += w;
      }
   }
   put(place(p), sum / weights);
}
