#version 450
// A lens: taps on a disc as large as the pixel is out of focus.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place();
   float radius = abs(textureLod(depths, uv, 0.0).r - 0.2) * 0.02;
   vec4 sum = vec4(0.0);
   for (int i = 0; i < 24; i++) {
      float a = 2.39996 * float(i);
      sum += vec4(textureLod(bright, uv + radius * sqrt(float(i) / 24.0) * vec2(cos(a), sin(a)), 0.0).rgb, 1.0);
   }
   color = sum / sum.w;
}
