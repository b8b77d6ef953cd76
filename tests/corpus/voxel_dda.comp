#version 450
// Steps from cell to cell of a grid of bits.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

bool is_solid(ivec3 c)
{
   uint i = uint(c.x + c.y * 16 + c.z * 256);
   return (words[i / 32u] & words[i / 32u + 512u] & words[i / 32u + 1024u] & words[i / 32u + 1536u]) >> (i % 32u) % 2u == 1u;
}
void main()
{
   uint t = thread();
   vec3 o = vec3(8.0) + vec3(floats[t], floats[t + 100u], floats[t + 200u]) * 4.0;
   vec3 d = normalize(vec3(floats[t + 300u], floats[t + 400u], floats[t + 500u]) + vec3(0.01, 0.02, 0.03));
   ivec3 cell = ivec3(floor(o)), step_ = ivec3(sign(d));
   vec3 delta = abs(1.0 / d), side = (sign(d) * (vec3(cell) - o) + sign(d) * 0.5 + 0.5) * delta;
   uint steps = 0u;
   for (; steps < 48u; steps++) {
      if (any(lessThan(cell, ivec3(0))) || any(greaterThan(cell, ivec3(15))) || is_solid(cell))
         break;
      if (side.x < side.y && side.x < side.z) {
         side.x += delta.x;
         cell.x += step_.x;
      } else if (side.y < side.z) {
         side.y += delta.y;
         cell.y += step_.y;
      } else {
         side.z += delta.z;
         cell.z += step_.z;
      }
   }
   results[t] = steps << 24 | uint(cell.x & 255) << 16 | uint(cell.y & 255) << 8 | uint(cell.z & 255);
}
