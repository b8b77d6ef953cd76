#version 450
// Nine by nine taps with weights, at an explicit level.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place(), t = 1.0 / vec2(textureSize(picture, 0));
   vec4 sum = vec4(0.0);
   float all = 0.0;
   for (int y = -4; y <= 4; y++)
      for (int x = -4; x <= 4; x++) {
         float w = exp(-0.1 * float(x * x + y * y));
         sum += textureLod(picture, uv + t * vec2(x, y), 0.0) * w;
         all += w;
      }
   color = sum / all;
}
