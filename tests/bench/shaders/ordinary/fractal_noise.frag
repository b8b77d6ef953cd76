#version 450
// Six octaves of value noise.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
float value(vec2 p)
{
   vec2 i = floor(p), f = fract(p);
   f = f * f * (3.0 - 2.0 * f);
   return mix(mix(noise(i), noise(i + vec2(1, 0)), f.x), mix(noise(i + vec2(0, 1)), noise(i + vec2(1, 1)), f.x), f.y);
}
void main()
{
   vec2 p = place() * 8.0;
   float sum = 0.0, amount = 0.5;
   for (int i = 0; i < 6; i++, amount *= 0.5, p = p * 2.03 + 1.7)
      sum += amount * value(p);
   color = vec4(vec3(sum), 1.0);
}
