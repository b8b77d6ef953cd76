#version 450
// Kernel sums over the neighbours of particles in a line of cells.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

void main()
{
   uint t = thread();
   vec3 p = vec3(floats[t], floats[t + 1024u], floats[t + 2048u]);
   float density = 0.0, radius2 = 0.25;
   int neighbours = 0;
   for (uint i = 0u; i < 256u; i++) {
      uint j = (t & ~255u) + i;
      vec3 d = vec3(floats[j], floats[j + 1024u], floats[j + 2048u]) - p;
      float r2 = dot(d, d);
      if (r2 < radius2) {
         float w = radius2 - r2;
         density += 315.0 / (64.0 * 3.14159265 * 0.001953125) * w * w * w;
         neighbours++;
      }
   }
   put(t * 2u, density);
   results[t * 2u + 1u] = uint(neighbours);
}
