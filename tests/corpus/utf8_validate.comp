#version 450
// Counts code points and finds malformed sequences.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint byte_at(uint i) { return words[i / 4u & 16383u] >> (i % 4u * 8u) & 255u; }
void main()
{
   uint t = thread(), at = t * 64u, end = at + 64u, points = 0u, errors = 0u;
   while (at < end) {
      uint b = byte_at(at++), need = b < 0x80u ? 0u : b >= 0xc2u && b < 0xe0u ? 1u : b >= 0xe0u && b < 0xf0u ? 2u : b >= 0xf0u && b < 0xf5u ? 3u : 4u;
      if (need == 4u) {
         errors++;
         continue;
      }
      uint point = need == 0u ? b : b & (0x3fu >> need);
      for (; need > 0u && at < end; need--) {
         uint next = byte_at(at);
         if ((next & 0xc0u) != 0x80u)
            break;
         point = point << 6 | (next & 0x3fu);
         at++;
      }
      errors += need > 0u || (point >= 0xd800u && point < 0xe000u) ? 1u : 0u;
      points++;
   }
   results[t * 2u] = points;
   results[t * 2u + 1u] = errors;
}
