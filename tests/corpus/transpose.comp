#version 450
// Through a padded tile, so that both sides are contiguous.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

shared uint tile[16][17];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy, p = gl_GlobalInvocationID.xy;
   tile[l.y][l.x] = words[p.y * 64u + p.x];
   barrier();
   uvec2 q = gl_WorkGroupID.yx * 16u + l;
   results[q.y * 64u + q.x] = tile[l.x][l.y];
}
