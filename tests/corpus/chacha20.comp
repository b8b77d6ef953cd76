#version 450
// A block of the key stream a thread.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

#define QUARTER(a, b, c, d) \
   a += b; d ^= a; d = d << 16 | d >> 16; c += d; b ^= c; b = b << 12 | b >> 20; \
   a += b; d ^= a; d = d << 8 | d >> 24; c += d; b ^= c; b = b << 7 | b >> 25;
void main()
{
   uint t = thread(), first[16], s[16];
   first = uint[16](0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u, words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], t, 0u, words[8], words[9]);
   s = first;
   for (int i = 0; i < 10; i++) {
      QUARTER(s[0], s[4], s[8], s[12]) QUARTER(s[1], s[5], s[9], s[13]) QUARTER(s[2], s[6], s[10], s[14]) QUARTER(s[3], s[7], s[11], s[15])
      QUARTER(s[0], s[5], s[10], s[15]) QUARTER(s[1], s[6], s[11], s[12]) QUARTER(s[2], s[7], s[8], s[13]) QUARTER(s[3], s[4], s[9], s[14])
   }
   for (uint i = 0u; i < 16u; i++)
      results[t * 16u + i] = s[i] + first[i];
}
