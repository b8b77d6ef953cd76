#version 450
// Cellular noise: the nearest points of nine cells.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 p = place() * vec2(32.0, 18.0), i = floor(p), f = fract(p);
   float first = 8.0, second = 8.0;
   for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++) {
         vec2 o = vec2(x, y), q = o + vec2(noise(i + o), noise(i + o + 17.0)) - f;
         float d = dot(q, q);
         second = d < first ? first : min(second, d);
         first = min(first, d);
      }
   color = vec4(vec3(sqrt(second) - sqrt(first)), 1.0);
}
