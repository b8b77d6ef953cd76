#version 450
// 256 complex numbers in shared memory, a butterfly a thread a stage.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 128) in;
#include "corpus.glsl"

shared vec2 data[256];
vec2 times(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
void main()
{
   uint l = gl_LocalInvocationIndex, base = thread() / 128u * 256u;
   for (uint i = l; i < 256u; i += 128u)
      data[bitfieldReverse(i) >> 24] = vec2(floats[base + i], 0.0);
   for (uint half_size = 1u; half_size < 256u; half_size *= 2u) {
      barrier();
      uint k = l & (half_size - 1u), a = (l - k) * 2u + k, b = a + half_size;
      float angle = -3.14159265 * float(k) / float(half_size);
      vec2 x = data[a], y = times(data[b], vec2(cos(angle), sin(angle)));
      data[a] = x + y;
      data[b] = x - y;
   }
   barrier();
   for (uint i = l; i < 256u; i += 128u) {
      put((base + i) * 2u, data[i].x);
      put((base + i) * 2u + 1u, data[i].y);
   }
}
