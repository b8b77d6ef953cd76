#version 450
// Levenshtein distance of two strings of 24 letters, a row of the table in private memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint letter(uint i) { return words[i & 16383u] % 5u; }
void main()
{
   uint t = thread(), row[25];
   for (uint i = 0u; i <= 24u; i++)
      row[i] = i;
   for (uint y = 1u; y <= 24u; y++) {
      uint diagonal = row[0];
      row[0] = y;
      for (uint x = 1u; x <= 24u; x++) {
         uint change = diagonal + (letter(t * 48u + x) == letter(t * 48u + 24u + y) ? 0u : 1u);
         diagonal = row[x];
         row[x] = min(change, min(row[x], row[x - 1u]) + 1u);
      }
   }
   results[t] = row[24];
}
