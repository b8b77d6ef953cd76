#version 450
// Spheres against six planes; keeps a bit for 32 of them.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
#include "corpus.glsl"

shared uint visible;
void main()
{
   uint t = thread();
   if (gl_LocalInvocationIndex == 0u)
      visible = 0u;
   barrier();
   vec4 ball = vec4(floats[t], floats[t + 512u], floats[t + 1024u], abs(floats[t + 1536u]) * 0.2);
   bool is_inside = true;
   for (uint i = 0u; i < 6u; i++) {
      vec4 plane = vec4(floats[i * 4u], floats[i * 4u + 1u], floats[i * 4u + 2u], 0.5);
      is_inside = is_inside && dot(plane.xyz, ball.xyz) + plane.w * length(plane.xyz) > -ball.w;
   }
   if (is_inside)
      atomicOr(visible, 1u << gl_LocalInvocationIndex);
   barrier();
   if (gl_LocalInvocationIndex == 0u)
      results[t / 32u] = visible;
}
