#version 450
// Six mip levels in one dispatch through shared memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

shared float levels[16][16];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy, p = gl_GlobalInvocationID.xy;
   ivec2 q = ivec2(p) * 2;
   float v = (pixel(q) + pixel(q + ivec2(1, 0)) + pixel(q + ivec2(0, 1)) + pixel(q + ivec2(1, 1))) * 0.25;
   put(p.y * 64u + p.x, v);
   levels[l.y][l.x] = v;
   uint offset = 4096u, width = 32u;
   for (uint size = 8u; size >= 1u; size /= 2u) {
      barrier();
      bool is_on = l.x < size && l.y < size;
      if (is_on)
         v = (levels[l.y * 2u][l.x * 2u] + levels[l.y * 2u][l.x * 2u + 1u] + levels[l.y * 2u + 1u][l.x * 2u] + levels[l.y * 2u + 1u][l.x * 2u + 1u]) * 0.25;
      barrier();
      if (is_on) {
         levels[l.y][l.x] = v;
         put(offset + (gl_WorkGroupID.y * size + l.y) * width + gl_WorkGroupID.x * size + l.x, v);
      }
      offset += width * width;
      width /= 2u;
   }
}
