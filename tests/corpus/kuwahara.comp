#version 450
// Of four quadrants the mean of the one with the least variance.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float best = 1e9, result = 0.0;
   for (int q = 0; q < 4; q++) {
      ivec2 corner = p + ivec2((q & 1) * 3 - 3, (q >> 1) * 3 - 3);
      float sum = 0.0, squares = 0.0;
      for (int i = 0; i < 16; i++) {
         float v = pixel(corner + ivec2(i & 3, i >> 2));
         sum += v;
         squares += v * v;
      }
      float mean = sum / 16.0, variance = squares / 16.0 - mean * mean;
      if (variance < best) {
         best = variance;
         result = mean;
      }
   }
   put(place(p), result);
}
