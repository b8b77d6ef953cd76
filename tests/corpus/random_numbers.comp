#version 450
// Normally distributed numbers from a counter-based generator.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uvec2 philox(uvec2 counter, uint key)
{
   for (int i = 0; i < 10; i++) {
      uint high, low;
      umulExtended(0xd256d193u, counter.x, high, low);
      counter = uvec2(high ^ key ^ counter.y, low);
      key += 0x9e3779b9u;
   }
   return counter;
}
void main()
{
   for (uint i = 0u; i < 8u; i++) {
      uint at = thread() * 8u + i;
      uvec2 bits = philox(uvec2(at, i), 1234u);
      float u = (float(bits.x >> 8) + 0.5) / 16777216.0, v = float(bits.y >> 8) / 16777216.0;
      put(at, sqrt(-2.0 * log(u)) * cos(6.2831853 * v));
   }
}
