#version 450
// Adds what a blur took away, where it is more than noise.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

shared float tile[18][18];
void main()
{
   ivec2 base = ivec2(gl_WorkGroupID.xy) * 16 - 1, local = ivec2(gl_LocalInvocationID.xy);
   for (uint i = gl_LocalInvocationIndex; i < 324u; i += 256u)
      tile[i / 18u][i % 18u] = pixel(base + ivec2(i % 18u, i / 18u));
   barrier();
   float blurred = 0.0;
   for (int y = 0; y < 3; y++)
      for (int x = 0; x < 3; x++)
         blurred += tile[local.y + y][local.x + x] * float((2 - abs(x - 1)) * (2 - abs(y - 1))) / 16.0;
   float centre = tile[local.y + 1][local.x + 1], detail = centre - blurred;
   put(place(ivec2(gl_GlobalInvocationID.xy)), abs(detail) > 0.05 ? clamp(centre + 1.5 * detail, -1.0, 1.0) : centre);
}
