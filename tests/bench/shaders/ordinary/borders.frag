#version 450
// Distances to the borders of moving cells: two passes over the neighbours.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
vec2 random2(vec2 p)
{
   uvec2 u = uvec2(ivec2(p)) * uvec2(1597334673u, 3812015801u);
   uint n = (u.x ^ u.y) * 1597334673u;
   n ^= n >> 15;
   return vec2(uvec2(n, n * 3812015801u) >> 8) * (1.0 / 16777216.0);
}
vec2 seed(vec2 cell) { return 0.5 + 0.4 * sin(1.7 + 6.2831 * random2(cell)); }
void main()
{
   vec2 x = place() * vec2(16.0, 9.0), cell = floor(x), part = x - cell, nearest, to_nearest;
   float least = 8.0;
   for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++) {
         vec2 g = vec2(i, j), r = g + seed(cell + g) - part;
         float d = dot(r, r);
         if (d < least) {
            least = d;
            to_nearest = r;
            nearest = g;
         }
      }
   float border = 8.0;
   for (int j = -2; j <= 2; j++)
      for (int i = -2; i <= 2; i++) {
         vec2 g = nearest + vec2(i, j), r = g + seed(cell + g) - part, apart = r - to_nearest;
         if (dot(apart, apart) > 0.00001)
            border = min(border, dot(0.5 * (to_nearest + r), normalize(apart)));
      }
   vec3 c = border * (0.5 + 0.5 * sin(64.0 * border)) * vec3(1.0);
   c = mix(vec3(1.0, 0.6, 0.0), c, smoothstep(0.04, 0.07, border));
   color = vec4(mix(vec3(0.1, 0.6, 0.9), c, smoothstep(0.1, 0.12, sqrt(least))), 1.0);
}
