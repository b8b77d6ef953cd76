#version 450
// Encodes runs of a row of symbols.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

void main()
{
   uint t = thread(), at = t * 64u, runs = 0u, current = words[at & 16383u] >> 30, run = 1u;
   for (uint i = 1u; i <= 64u; i++) {
      uint symbol = i < 64u ? words[(at + i) & 16383u] >> 30 : 99u;
      if (symbol == current) {
         run++;
      } else {
         results[at + runs++] = current << 16 | run;
         current = symbol;
         run = 1u;
      }
   }
}
