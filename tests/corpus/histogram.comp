#version 450
// Counts bytes in shared memory, then adds up.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 256) in;
#include "corpus.glsl"

shared uint bins[256];
void main()
{
   bins[gl_LocalInvocationIndex] = 0u;
   barrier();
   for (uint i = thread(); i < 16384u; i += 4096u) {
      uint w = words[i];
      atomicAdd(bins[w & 255u], 1u);
      atomicAdd(bins[w >> 8 & 255u], 1u);
      atomicAdd(bins[w >> 16 & 255u], 1u);
      atomicAdd(bins[w >> 24], 1u);
   }
   barrier();
   atomicAdd(results[gl_LocalInvocationIndex], bins[gl_LocalInvocationIndex]);
}
