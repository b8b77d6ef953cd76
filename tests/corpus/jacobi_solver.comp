#version 450
// Ten sweeps over a grid in shared memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

shared float grid[2][18][18];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy + 1u;
   for (uint i = gl_LocalInvocationIndex; i < 648u; i += 256u)
      grid[i / 324u][i % 324u / 18u][i % 18u] = 0.0;
   float source = pixel(ivec2(gl_GlobalInvocationID.xy));
   uint from = 0u;
   for (int sweep = 0; sweep < 10; sweep++) {
      barrier();
      float around = grid[from][l.y - 1u][l.x] + grid[from][l.y + 1u][l.x] + grid[from][l.y][l.x - 1u] + grid[from][l.y][l.x + 1u];
      from = 1u - from;
      grid[from][l.y][l.x] = (around + source) * 0.25;
   }
   put(place(ivec2(gl_GlobalInvocationID.xy)), grid[from][l.y][l.x]);
}
