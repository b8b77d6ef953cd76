#version 450
// Keeps edges where the gradient is greatest across its direction.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

shared vec2 gradients[18][18];
void main()
{
   ivec2 base = ivec2(gl_WorkGroupID.xy) * 16 - 1, local = ivec2(gl_LocalInvocationID.xy) + 1;
   for (uint i = gl_LocalInvocationIndex; i < 324u; i += 256u) {
      ivec2 p = base + ivec2(i % 18u, i / 18u);
      gradients[i / 18u][i % 18u] = vec2(pixel(p + ivec2(1, 0)) - pixel(p - ivec2(1, 0)), pixel(p + ivec2(0, 1)) - pixel(p - ivec2(0, 1)));
   }
   barrier();
   vec2 g = gradients[local.y][local.x];
   float magnitude = dot(g, g);
   ivec2 along = abs(g.x) > 2.0 * abs(g.y) ? ivec2(1, 0) : abs(g.y) > 2.0 * abs(g.x) ? ivec2(0, 1) : ivec2(1, g.x * g.y > 0.0 ? 1 : -1);
   vec2 before = gradients[local.y - along.y][local.x - along.x], after = gradients[local.y + along.y][local.x + along.x];
   bool is_edge = magnitude > 0.1 && magnitude >= dot(before, before) && magnitude > dot(after, after);
   put(place(ivec2(gl_GlobalInvocationID.xy)), is_edge ? sqrt(magnitude) : 0.0);
}
