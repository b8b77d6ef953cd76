#version 450
// Five octaves of gradient noise in 3D, whose gradients come out of integers that are hashed.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
uvec3 hash(uvec3 v)
{
   v = v * 1664525u + 1013904223u;
   v.x += v.y * v.z, v.y += v.z * v.x, v.z += v.x * v.y;
   v ^= v >> 16u;
   v.x += v.y * v.z, v.y += v.z * v.x, v.z += v.x * v.y;
   return v;
}
float corner(ivec3 cell, vec3 to)
{
   vec3 gradient = vec3(hash(uvec3(cell))) * (2.0 / 4294967295.0) - 1.0;
   float fade = max(0.6 - dot(to, to), 0.0);
   return fade * fade * fade * fade * dot(gradient, to);
}
float gradient_noise(vec3 p)
{
   vec3 skewed = floor(p + dot(p, vec3(1.0 / 3.0))), a = p - skewed + dot(skewed, vec3(1.0 / 6.0));
   vec3 g = step(a.yzx, a), l = 1.0 - g, one = min(g, l.zxy), two = max(g, l.zxy);
   return 32.0 * (corner(ivec3(skewed), a) + corner(ivec3(skewed + one), a - one + 1.0 / 6.0) + corner(ivec3(skewed + two), a - two + 1.0 / 3.0) +
                  corner(ivec3(skewed + 1.0), a - 0.5));
}
void main()
{
   vec3 p = vec3(place() * 8.0, 0.7);
   float sum = 0.0, scale = 0.5;
   for (int i = 0; i < 5; i++) {
      sum += gradient_noise(p) * scale;
      p *= 2.03;
      scale *= 0.5;
   }
   color = vec4(vec3(0.5 + 0.5 * sum), 1.0);
}
