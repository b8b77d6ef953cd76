#version 450
// Prices of an option over random paths.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

void main()
{
   uint state = words[thread()];
   float sum = 0.0;
   for (int path = 0; path < 8; path++) {
      float price = 100.0;
      for (int day = 0; day < 16; day++) {
         state = state * 1664525u + 1013904223u;
         float u = (float(state >> 9) + 0.5) / 8388608.0;
         state = state * 1664525u + 1013904223u;
         float v = float(state >> 9) / 8388608.0;
         price *= exp(0.0002 + 0.02 * sqrt(-2.0 * log(u)) * sin(6.2831853 * v));
      }
      sum += max(price - 100.0, 0.0);
   }
   put(thread(), sum / 8.0);
}
