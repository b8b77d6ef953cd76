#version 450
// Verlet steps and distance constraints of a 16x16 cloth in shared memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

shared vec3 points[16][16];
void main()
{
   ivec2 l = ivec2(gl_LocalInvocationID.xy);
   float bump = pixel(ivec2(gl_GlobalInvocationID.xy)) * 0.05;
   vec3 p = vec3(vec2(l) * 0.1, bump), before = p;
   for (int step_ = 0; step_ < 4; step_++) {
      vec3 next = p + (p - before) * 0.99 + vec3(0.0, -0.002, 0.001);
      before = p;
      p = l.y == 0 ? p : next;
      for (int pass = 0; pass < 3; pass++) {
         barrier();
         points[l.y][l.x] = p;
         barrier();
         vec3 correction = vec3(0.0);
         for (int n = 0; n < 4; n++) {
            ivec2 q = l + ivec2(n == 0 ? 1 : n == 1 ? -1 : 0, n == 2 ? 1 : n == 3 ? -1 : 0);
            if (all(greaterThanEqual(q, ivec2(0))) && all(lessThan(q, ivec2(16)))) {
               vec3 d = points[q.y][q.x] - p;
               float size = length(d);
               correction += d * ((size - 0.1) / size);
            }
         }
         if (l.y != 0)
            p += correction * 0.2;
      }
   }
   uint at = place(ivec2(gl_GlobalInvocationID.xy)) * 3u;
   for (uint i = 0u; i < 3u; i++)
      put(at + i, p[i]);
}
