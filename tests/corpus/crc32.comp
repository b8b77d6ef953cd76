#version 450
// Four bits at a time from a table that the workgroup makes.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

shared uint table[16];
void main()
{
   uint l = gl_LocalInvocationIndex, t = thread();
   if (l < 16u) {
      uint c = l;
      for (int i = 0; i < 4; i++)
         c = (c & 1u) != 0u ? 0xedb88320u ^ c >> 1 : c >> 1;
      table[l] = c;
   }
   barrier();
   uint crc = ~0u;
   for (uint i = 0u; i < 16u; i++) {
      uint w = words[(t * 16u + i) & 16383u];
      for (uint n = 0u; n < 8u; n++)
         crc = table[(crc ^ w >> (n * 4u)) & 15u] ^ crc >> 4;
   }
   results[t] = ~crc;
}
