#version 450
// A bilateral filter of 7 x 7: weights by distance and by likeness.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec3 centre = texture(picture, place()).rgb, sum = vec3(0.0);
   float weight = 0.0;
   for (int y = -3; y <= 3; y++)
      for (int x = -3; x <= 3; x++) {
         vec3 c = textureLod(picture, place() + vec2(x, y) / SIZE, 0.0).rgb;
         vec3 d = c - centre;
         float w = exp(-float(x * x + y * y) * 0.08 - dot(d, d) * 12.0);
         sum += c * w;
         weight += w;
      }
   color = vec4(sum / weight, 1.0);
}
