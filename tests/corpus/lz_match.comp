#version 450
// Longest earlier match of each position in a window.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint letter(uint i) { return words[i & 16383u] >> 31; }
void main()
{
   uint t = thread(), best = 0u, distance_ = 0u, at = 64u + t;
   for (uint d = 1u; d <= 64u; d++) {
      uint n = 0u;
      while (n < 16u && letter(at + n) == letter(at + n - d))
         n++;
      if (n > best) {
         best = n;
         distance_ = d;
      }
   }
   results[t] = best << 16 | distance_;
}
