#version 450
// A picture made larger by cubic weights, of sixteen fetches.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
vec4 weights(float f) { float g = 1.0 - f; return vec4(g * g * g, 4.0 - 3.0 * f * f * (2.0 - f), 4.0 - 3.0 * g * g * (2.0 - g), f * f * f) / 6.0; }
void main()
{
   vec2 p = place() * 400.0 - 0.5, base = floor(p);
   vec4 wx = weights(p.x - base.x), wy = weights(p.y - base.y), sum = vec4(0.0);
   for (int y = 0; y < 4; y++)
      for (int x = 0; x < 4; x++)
         sum += texelFetch(picture, clamp(ivec2(base) + ivec2(x - 1, y - 1), ivec2(0), ivec2(1023)), 0) * wx[x] * wy[y];
   color = sum;
}
