#version 450
// Interleaves the bits of positions, both ways.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint spread(uint x)
{
   x &= 0x3ffu;
   x = (x | x << 16) & 0x30000ffu;
   x = (x | x << 8) & 0x300f00fu;
   x = (x | x << 4) & 0x30c30c3u;
   return (x | x << 2) & 0x9249249u;
}
void main()
{
   for (uint i = thread(); i < 5000u; i += 1024u) {
      uvec3 p = uvec3((vec3(floats[i], floats[i + 5000u], floats[i + 10000u]) * 0.5 + 0.5) * 1023.0);
      results[i] = spread(p.x) | spread(p.y) << 1 | spread(p.z) << 2;
   }
}
