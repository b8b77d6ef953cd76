#version 450
// Hashes 64 bytes a thread in four lanes.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint turn(uint x, uint n) { return x << n | x >> (32u - n); }
void main()
{
   const uint p1 = 2654435761u, p2 = 2246822519u, p3 = 3266489917u;
   uint t = thread();
   uvec4 lanes = uvec4(p1 + p2, p2, 0u, 0u - p1);
   for (uint i = 0u; i < 4u; i++) {
      uint at = (t * 16u + i * 4u) & 16380u;
      lanes += uvec4(words[at], words[at + 1u], words[at + 2u], words[at + 3u]) * p2;
      lanes = (lanes << 13u | lanes >> 19u) * p1;
   }
   uint h = turn(lanes.x, 1u) + turn(lanes.y, 7u) + turn(lanes.z, 12u) + turn(lanes.w, 18u) + 64u;
   h = (h ^ h >> 15) * p2;
   h = (h ^ h >> 13) * p3;
   results[t] = h ^ h >> 16;
}
