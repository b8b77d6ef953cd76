#version 450
// Sorts 256 keys in shared memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 128) in;
#include "corpus.glsl"

shared uint keys[256];
void main()
{
   uint l = gl_LocalInvocationIndex, base = thread() / 128u * 256u;
   keys[l] = words[base + l];
   keys[l + 128u] = words[base + l + 128u];
   for (uint size = 2u; size <= 256u; size *= 2u) {
      for (uint stride = size / 2u; stride > 0u; stride /= 2u) {
         barrier();
         uint a = 2u * l - (l & (stride - 1u)), b = a + stride;
         bool ascends = (a & size) == 0u;
         uint x = keys[a], y = keys[b];
         if ((x > y) == ascends) {
            keys[a] = y;
            keys[b] = x;
         }
      }
   }
   barrier();
   results[base + l] = keys[l];
   results[base + l + 128u] = keys[l + 128u];
}
