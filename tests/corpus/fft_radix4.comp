#version 450
// 64 complex numbers, three stages of four.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16) in;
#include "corpus.glsl"

shared vec2 data[64];
vec2 times(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
vec2 turned(uint k, uint n) { float a = -6.2831853 * float(k) / float(n); return vec2(cos(a), sin(a)); }
void main()
{
   uint l = gl_LocalInvocationIndex, base = thread() / 16u * 64u;
   for (uint i = l; i < 64u; i += 16u)
      data[i] = vec2(floats[base + i], floats[base + i + 8192u]);
   for (uint n = 64u; n >= 4u; n /= 4u) {
      barrier();
      uint quarter = n / 4u, k = l % quarter, at = l / quarter * n + k;
      vec2 a = data[at], b = data[at + quarter], c = data[at + 2u * quarter], d = data[at + 3u * quarter];
      vec2 s = a + c, t = a - c, u = b + d, v = b - d, w = vec2(v.y, -v.x);
      data[at] = s + u;
      data[at + quarter] = times(t + w, turned(k, n));
      data[at + 2u * quarter] = times(s - u, turned(2u * k, n));
      data[at + 3u * quarter] = times(t - w, turned(3u * k, n));
   }
   barrier();
   for (uint i = l; i < 64u; i += 16u) {
      uint from = (i & 3u) << 4 | (i & 12u) | i >> 4;
      put((base + i) * 2u, data[from].x);
      put((base + i) * 2u + 1u, data[from].y);
   }
}
