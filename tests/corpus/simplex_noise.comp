#version 450
// Four octaves of two-dimensional simplex noise.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

vec2 gradient(ivec2 p)
{
   uint h = (uint(p.x) * 0x8da6b343u ^ uint(p.y) * 0xd8163841u) * 0x7feb352du;
   float a = float(h >> 16) * (6.2831853 / 65536.0);
   return vec2(cos(a), sin(a));
}
float corner(ivec2 i, vec2 d)
{
   float t = max(0.5 - dot(d, d), 0.0);
   return t * t * t * t * dot(gradient(i), d);
}
float simplex(vec2 p)
{
   vec2 i = floor(p + (p.x + p.y) * 0.36602540), d = p - i + (i.x + i.y) * 0.21132487;
   ivec2 middle = d.x > d.y ? ivec2(1, 0) : ivec2(0, 1), at = ivec2(i);
   return 70.0 * (corner(at, d) + corner(at + middle, d - vec2(middle) + 0.21132487) + corner(at + 1, d - 0.57735027));
}
void main()
{
   vec2 p = vec2(gl_GlobalInvocationID.xy) / 10.0;
   float sum = 0.0;
   for (int o = 0; o < 4; o++)
      sum += simplex(p * float(1 << o)) / float(1 << o);
   put(place(ivec2(gl_GlobalInvocationID.xy)), sum);
}
