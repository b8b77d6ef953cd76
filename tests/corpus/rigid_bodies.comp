#version 450
// Integrates positions and unit quaternions, bounces off a floor.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

vec4 multiply(vec4 a, vec4 b) { return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz)); }
void main()
{
   uint t = thread();
   vec3 p = vec3(floats[t], abs(floats[t + 1024u]) + 0.1, floats[t + 2048u]), v = vec3(floats[t + 3072u], 0.0, floats[t + 4096u]);
   vec3 spin = vec3(floats[t + 5120u], floats[t + 6144u], floats[t + 7168u]) * 5.0;
   vec4 q = vec4(0.0, 0.0, 0.0, 1.0);
   for (int i = 0; i < 30; i++) {
      v.y -= 9.81 / 60.0;
      p += v / 60.0;
      if (p.y < 0.0) {
         p.y = -p.y;
         v *= vec3(0.9, -0.6, 0.9);
         spin *= 0.8;
      }
      q = normalize(q + multiply(vec4(spin, 0.0), q) * (0.5 / 60.0));
   }
   for (uint i = 0u; i < 4u; i++)
      put(t * 8u + i, q[i]);
   for (uint i = 0u; i < 3u; i++)
      put(t * 8u + 4u + i, p[i]);
}
