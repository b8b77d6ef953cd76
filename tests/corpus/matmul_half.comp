#version 450
// Operands are halves, two a word; sums are 32-bit floats.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   vec2 sum = vec2(0.0);
   for (uint k = 0u; k < 64u; k++) {
      vec2 x = unpackHalf2x16(words[p.y * 64u + k] & 0xbfffbfffu), y = unpackHalf2x16(words[4096u + p.x * 64u + k] & 0x3fff3fffu);
      sum += x * y;
   }
   results[p.y * 64u + p.x] = packHalf2x16(vec2(sum.x + sum.y, sum.x - sum.y) * 0.01);
}
