#version 450
// Sphere tracing of a scene of signed distances, with normals and soft shadows.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

float scene(vec3 p)
{
   float ball = length(p - vec3(0.0, 0.5, 0.0)) - 0.5;
   vec3 q = abs(p - vec3(1.1, 0.35, 0.3)) - 0.3;
   float box = length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0) - 0.05;
   float ring = length(vec2(length(p.xz + vec2(1.0, 0.0)) - 0.5, p.y - 0.2)) - 0.15;
   return min(min(ball, box), min(ring, p.y));
}
void main()
{
   vec2 uv = (vec2(gl_GlobalInvocationID.xy) + 0.5) / 16.0 - 1.0;
   vec3 from = vec3(0.0, 1.2, -3.0), direction = normalize(vec3(uv, 1.8)), p = from;
   float t = 0.0, shade = 0.0;
   int steps = 0;
   for (; steps < 80; steps++) {
      p = from + direction * t;
      float d = scene(p);
      if (d < 0.001 * t || t > 20.0)
         break;
      t += d;
   }
   if (t < 20.0) {
      const vec2 e = vec2(0.002, -0.002);
      vec3 n = normalize(e.xyy * scene(p + e.xyy) + e.yyx * scene(p + e.yyx) + e.yxy * scene(p + e.yxy) + e.xxx * scene(p + e.xxx));
      vec3 light = normalize(vec3(-0.6, 0.8, -0.5));
      float lit = 1.0;
      for (float s = 0.02; s < 3.0;) {
         float d = scene(p + light * s);
         lit = min(lit, 8.0 * d / s);
         if (d < 0.001)
            break;
         s += max(d, 0.02);
      }
      shade = 0.1 + max(dot(n, light), 0.0) * clamp(lit, 0.0, 1.0);
   }
   put(place(ivec2(gl_GlobalInvocationID.xy)), shade);
}
