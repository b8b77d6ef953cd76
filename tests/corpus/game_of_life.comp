#version 450
// Cells are bits: 32 at once by full adders.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint row(uint y) { return words[y % 1024u]; }
void main()
{
   uint y = thread(), counts0 = 0u, counts1 = 0u, counts2 = 0u, own = row(y);
   for (uint i = 0u; i < 9u; i++) {
      if (i == 4u)
         continue;
      uint r = row(y + i / 3u + 1023u), shift = i % 3u;
      uint bits = shift == 0u ? r << 1 | r >> 31 : shift == 2u ? r >> 1 | r << 31 : r;
      uint carry = counts0 & bits;
      counts0 ^= bits;
      uint carry2 = counts1 & carry;
      counts1 ^= carry;
      counts2 |= carry2;
   }
   results[y] = ~counts2 & counts1 & (counts0 | own);
}
