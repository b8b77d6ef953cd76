#version 450
// The eight greatest of 128, a list a thread, merged by pairs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16) in;
#include "corpus.glsl"

shared float lists[16][8];
void insert(inout float list[8], float v)
{
   for (int i = 0; i < 8; i++) {
      float low = min(list[i], v);
      list[i] = max(list[i], v);
      v = low;
   }
}
void main()
{
   uint l = gl_LocalInvocationIndex, group = thread() / 16u;
   float list[8] = float[8](-2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0);
   for (uint i = 0u; i < 32u; i++)
      insert(list, floats[group * 512u + i * 16u + l]);
   for (uint d = 8u; d > 0u; d /= 2u) {
      lists[l] = list;
      barrier();
      if (l < d) {
         for (uint i = 0u; i < 8u; i++)
            insert(list, lists[l + d][i]);
      }
      barrier();
   }
   if (l == 0u) {
      for (uint i = 0u; i < 8u; i++)
         put(group * 8u + i, list[i]);
   }
}
