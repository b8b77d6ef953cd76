#version 450
// Soft discs of light from a table, those that are near: as particles in a tile.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 p = place() * 20.0 - 10.0;
   vec4 sum = vec4(0.0);
   for (int i = 0; i < 48; i++) {
      vec4 light = lights[i];
      vec2 d = p - light.xy;
      float r2 = dot(d, d) / (light.z * light.z);
      if (r2 >= 1.0)
         continue;
      float a = (1.0 - r2) * (1.0 - r2) * 0.6;
      vec3 hue = texture(picture, vec2(light.w, r2)).rgb;
      sum = sum * (1.0 - a) + vec4(hue * a, a);
   }
   color = sum;
}
