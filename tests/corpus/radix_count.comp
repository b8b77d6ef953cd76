#version 450
// Digit counts a block, for a sort over the whole array.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

shared uint counts[16];
void main()
{
   uint l = gl_LocalInvocationIndex, group = thread() / 64u;
   if (l < 16u)
      counts[l] = 0u;
   barrier();
   for (uint i = 0u; i < 16u; i++)
      atomicAdd(counts[words[group * 1024u + i * 64u + l] >> 12 & 15u], 1u);
   barrier();
   if (l < 16u)
      results[l * 16u + group] = counts[l];
}
