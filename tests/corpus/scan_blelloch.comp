#version 450
// Work-efficient exclusive prefix sum of 512 numbers.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 256) in;
#include "corpus.glsl"

shared uint data[512];
void main()
{
   uint l = gl_LocalInvocationIndex, base = thread() / 256u * 512u;
   data[2u * l] = words[base + 2u * l] & 0xffffu;
   data[2u * l + 1u] = words[base + 2u * l + 1u] & 0xffffu;
   uint offset = 1u;
   for (uint d = 256u; d > 0u; d >>= 1) {
      barrier();
      if (l < d)
         data[offset * (2u * l + 2u) - 1u] += data[offset * (2u * l + 1u) - 1u];
      offset *= 2u;
   }
   barrier();
   if (l == 0u)
      data[511] = 0u;
   for (uint d = 1u; d < 512u; d *= 2u) {
      offset >>= 1;
      barrier();
      if (l < d) {
         uint a = offset * (2u * l + 1u) - 1u, b = offset * (2u * l + 2u) - 1u, t = data[a];
         data[a] = data[b];
         data[b] += t;
      }
   }
   barrier();
   results[base + 2u * l] = data[2u * l];
   results[base + 2u * l + 1u] = data[2u * l + 1u];
}
