#version 450
// Index of the greatest element by a tree; the lower index wins.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 256) in;
#include "corpus.glsl"

shared float values[256];
shared uint places[256];
void main()
{
   uint l = gl_LocalInvocationIndex, group = thread() / 256u;
   float best = -2.0;
   uint at = 0u;
   for (uint i = l; i < 1024u; i += 256u) {
      float v = floats[group * 1024u + i];
      if (v > best) {
         best = v;
         at = i;
      }
   }
   values[l] = best;
   places[l] = at;
   for (uint d = 128u; d > 0u; d /= 2u) {
      barrier();
      if (l < d && (values[l + d] > values[l] || (values[l + d] == values[l] && places[l + d] < places[l]))) {
         values[l] = values[l + d];
         places[l] = places[l + d];
      }
   }
   if (l == 0u) {
      results[group * 2u] = places[0];
      put(group * 2u + 1u, values[0]);
   }
}
