#version 450
// Four passes of four bits over 256 keys, stable, by split and scan.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 256) in;
#include "corpus.glsl"

shared uint keys[256], sums[256];
void main()
{
   uint l = gl_LocalInvocationIndex;
   keys[l] = words[thread()] & 0xffu;
   for (uint bit = 0u; bit < 8u; bit++) {
      barrier();
      uint key = keys[l], is_zero = 1u - (key >> bit & 1u), own = is_zero;
      sums[l] = own;
      for (uint step = 1u; step < 256u; step *= 2u) {
         barrier();
         uint before = l >= step ? sums[l - step] : 0u;
         barrier();
         own += before;
         sums[l] = own;
      }
      barrier();
      uint zeros = sums[255], place_ = is_zero == 1u ? own - 1u : zeros + l - own;
      barrier();
      keys[place_] = key;
   }
   barrier();
   results[thread()] = keys[l];
}
