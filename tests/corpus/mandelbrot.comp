#version 450
// Escape time with a smooth count.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

void main()
{
   vec2 c = vec2(gl_GlobalInvocationID.xy) / 64.0 * vec2(3.0, 2.4) - vec2(2.2, 1.2), z = vec2(0.0);
   float count = 0.0;
   for (int i = 0; i < 200; i++) {
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
      if (dot(z, z) > 256.0) {
         count = float(i) + 1.0 - log2(log2(dot(z, z)) * 0.5);
         break;
      }
   }
   put(place(ivec2(gl_GlobalInvocationID.xy)), count);
}
