#version 450
// Cumulative counts of a block spread its values.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 256) in;
#include "corpus.glsl"

shared uint counts[256];
void main()
{
   uint i = thread(), local = gl_LocalInvocationIndex, value = words[i] & 63u;
   value = value * value >> 4;
   counts[local] = 0u;
   barrier();
   atomicAdd(counts[value], 1u);
   for (uint step = 1u; step < 256u; step *= 2u) {
      barrier();
      uint before = local >= step ? counts[local - step] : 0u;
      barrier();
      counts[local] += before;
   }
   barrier();
   results[i] = counts[value] * 255u / counts[255];
}
