#version 450
// Gravity between all pairs, positions staged in shared memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

shared vec4 bodies[64];
void main()
{
   uint t = thread(), l = gl_LocalInvocationIndex;
   vec3 p = vec3(floats[t * 4u], floats[t * 4u + 1u], floats[t * 4u + 2u]), acceleration = vec3(0.0);
   for (uint tile = 0u; tile < 8u; tile++) {
      uint j = (tile * 64u + l) * 4u;
      bodies[l] = vec4(floats[j], floats[j + 1u], floats[j + 2u], abs(floats[j + 3u]));
      barrier();
      for (uint i = 0u; i < 64u; i++) {
         vec3 d = bodies[i].xyz - p;
         float r = inversesqrt(dot(d, d) + 0.01);
         acceleration += d * (bodies[i].w * r * r * r);
      }
      barrier();
   }
   for (uint i = 0u; i < 3u; i++)
      put(t * 3u + i, p[i] + acceleration[i] * 0.001);
}
