#version 450
// Keeps the elements that pass a test, in order.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 256) in;
#include "corpus.glsl"

shared uint positions[256];
void main()
{
   uint l = gl_LocalInvocationIndex, value = words[thread()], base = thread() - l;
   bool keeps = value % 3u == 0u;
   uint own = keeps ? 1u : 0u;
   positions[l] = own;
   for (uint step = 1u; step < 256u; step *= 2u) {
      barrier();
      uint before = l >= step ? positions[l - step] : 0u;
      barrier();
      own += before;
      positions[l] = own;
   }
   barrier();
   if (keeps)
      results[base + own - 1u] = value;
   if (l == 255u)
      results[8192u + base / 256u] = own;
}
