#version 450
// A step of a bloom chain: thirteen taps of a larger picture.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place(), t = 1.0 / vec2(textureSize(bright, 0));
   vec3 sum = texture(bright, uv).rgb * 0.125;
   for (int y = -1; y <= 1; y += 2)
      for (int x = -1; x <= 1; x += 2) {
         sum += texture(bright, uv + t * vec2(x, y)).rgb * 0.125;
         sum += texture(bright, uv + 2.0 * t * vec2(x, y)).rgb * 0.03125;
         sum += texture(bright, uv + 2.0 * t * vec2(x, 0)).rgb * 0.03125 + texture(bright, uv + 2.0 * t * vec2(0, y)).rgb * 0.03125;
      }
   color = vec4(sum, 1.0);
}
