#version 450
// Collision of nine velocities a cell.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   const vec2 directions[9] = vec2[9](vec2(0), vec2(1, 0), vec2(0, 1), vec2(-1, 0), vec2(0, -1), vec2(1, 1), vec2(-1, 1), vec2(-1, -1), vec2(1, -1));
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float f[9], density = 0.0;
   vec2 momentum = vec2(0.0);
   for (int i = 0; i < 9; i++) {
      float weight = i == 0 ? 4.0 / 9.0 : i < 5 ? 1.0 / 9.0 : 1.0 / 36.0;
      f[i] = weight * (1.0 + 0.1 * pixel(p - ivec2(directions[i]) + ivec2(i * 8, 0)));
      density += f[i];
      momentum += f[i] * directions[i];
   }
   vec2 u = momentum / density;
   for (int i = 0; i < 9; i++) {
      float weight = i == 0 ? 4.0 / 9.0 : i < 5 ? 1.0 / 9.0 : 1.0 / 36.0, along = dot(directions[i], u);
      float balance = weight * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * dot(u, u));
      put((uint(p.y) * 32u + uint(p.x)) * 9u + uint(i), mix(f[i], balance, 0.6));
   }
}
