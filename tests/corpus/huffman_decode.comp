#version 450
// Reads codes of a fixed prefix code bit by bit.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

void main()
{
   uint t = thread(), position = 0u, sum = 0u, symbols = 0u;
   while (position < 480u) {
      uint symbol = 0u, ones = 0u;
      while (ones < 7u && position < 511u) {
         uint bit = words[(t * 16u + position / 32u) & 16383u] >> (position % 32u) & 1u;
         position++;
         if (bit == 0u)
            break;
         ones++;
      }
      symbol = ones;
      if (ones > 3u) {
         for (uint i = 0u; i < 2u; i++, position++)
            symbol = symbol << 1 | (words[(t * 16u + position / 32u) & 16383u] >> (position % 32u) & 1u);
      }
      sum = sum * 31u + symbol;
      symbols++;
   }
   results[t * 2u] = sum;
   results[t * 2u + 1u] = symbols;
}
