#version 450
// A fractal by iteration, smoothly coloured: as many rounds as the pixel takes, no texture.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 c = (place() - vec2(0.7, 0.5)) * vec2(3.2, 2.2), z = vec2(0.0);
   float rounds = 0.0;
   for (int i = 0; i < 200 && dot(z, z) < 64.0; i++) {
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
      rounds += 1.0;
   }
   float smoothed = rounds - log2(log2(max(dot(z, z), 2.0)));
   color = vec4(0.5 + 0.5 * cos(vec3(0.0, 0.6, 1.0) + 0.15 * smoothed), 1.0);
}
