#version 450
// Three bytes to four letters.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint byte_at(uint i) { return words[i / 4u & 16383u] >> (i % 4u * 8u) & 255u; }
uint letter(uint v)
{
   return v < 26u ? 65u + v : v < 52u ? 71u + v : v < 62u ? v - 4u : v == 62u ? 43u : 47u;
}
void main()
{
   for (uint i = thread(); i < 8192u; i += 1024u) {
      uint v = byte_at(i * 3u) << 16 | byte_at(i * 3u + 1u) << 8 | byte_at(i * 3u + 2u);
      results[i] = letter(v >> 18) | letter(v >> 12 & 63u) << 8 | letter(v >> 6 & 63u) << 16 | letter(v & 63u) << 24;
   }
}
