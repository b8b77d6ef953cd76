#version 450
// Four by four results a thread in registers.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

shared float a[32][9], b[8][33];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy, base = gl_WorkGroupID.xy * 32u;
   vec4 sums[4] = vec4[4](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
   for (uint tile = 0u; tile < 128u; tile += 8u) {
      for (uint i = gl_LocalInvocationIndex; i < 256u; i += 64u) {
         a[i / 8u][i % 8u] = floats[(base.y + i / 8u) * 128u + tile + i % 8u];
         b[i / 32u][i % 32u] = floats[(tile + i / 32u) * 128u + base.x + i % 32u];
      }
      barrier();
      for (uint k = 0u; k < 8u; k++) {
         vec4 right = vec4(b[k][l.x * 4u], b[k][l.x * 4u + 1u], b[k][l.x * 4u + 2u], b[k][l.x * 4u + 3u]);
         for (uint r = 0u; r < 4u; r++)
            sums[r] += a[l.y * 4u + r][k] * right;
      }
      barrier();
   }
   for (uint r = 0u; r < 4u; r++)
      for (uint c = 0u; c < 4u; c++)
         put((base.y + l.y * 4u + r) * 128u + base.x + l.x * 4u + c, sums[r][c]);
}
