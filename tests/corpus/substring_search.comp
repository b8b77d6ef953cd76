#version 450
// Rolling hash, checked byte by byte where it fits.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint letter(uint i) { return words[i & 16383u] % 4u; }
void main()
{
   const uint needle[6] = uint[6](1u, 0u, 2u, 1u, 3u, 1u);
   uint t = thread(), wanted = 0u, hash = 0u, found = 0u, first = ~0u;
   for (uint i = 0u; i < 6u; i++) {
      wanted = wanted * 257u + needle[i];
      hash = hash * 257u + letter(t * 128u + i);
   }
   const uint top = 257u * 257u * 257u * 257u * 257u;
   for (uint i = 0u; i < 128u; i++) {
      if (hash == wanted) {
         bool is_same = true;
         for (uint j = 0u; j < 6u; j++)
            is_same = is_same && letter(t * 128u + i + j) == needle[j];
         if (is_same) {
            found++;
            first = min(first, i);
         }
      }
      hash = (hash - letter(t * 128u + i) * top) * 257u + letter(t * 128u + i + 6u);
   }
   results[t * 2u] = found;
   results[t * 2u + 1u] = first;
}
