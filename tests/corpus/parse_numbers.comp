#version 450
// Reads decimal numbers with sign, fraction and exponent from digits.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint symbol(uint i) { return words[i & 16383u] % 14u; } // 0-9, '-', '.', 'e', ' '
void main()
{
   uint t = thread(), at = t * 64u, end = at + 64u, count = 0u;
   float sum = 0.0;
   while (at < end) {
      bool is_negative = symbol(at) == 10u, is_small = false;
      at += is_negative ? 1u : 0u;
      float value = 0.0, scale = 1.0;
      uint digits = 0u;
      for (; at < end && symbol(at) < 10u && digits < 7u; at++, digits++)
         value = value * 10.0 + float(symbol(at));
      if (at < end && symbol(at) == 11u) {
         for (at++; at < end && symbol(at) < 10u && digits < 7u; at++, digits++) {
            scale *= 0.1;
            value += float(symbol(at)) * scale;
         }
      }
      if (digits > 0u && at < end && symbol(at) == 12u) {
         at++;
         uint exponent = at < end && symbol(at) < 10u ? symbol(at++) : 0u;
         value *= pow(10.0, -float(exponent));
      }
      if (digits > 0u) {
         sum += is_negative ? -value : value;
         count++;
      } else {
         at++;
      }
   }
   put(t * 2u, sum);
   results[t * 2u + 1u] = count;
}
