#version 450
// Temporal anti-aliasing: the last picture held within what is around in this one.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place(), motion = texture(bright, uv).xy * 0.01;
   vec3 least = vec3(1e9), most = vec3(-1e9), here = vec3(0.0);
   for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++) {
         vec3 c = texelFetch(picture, clamp(ivec2(uv * 1024.0) + ivec2(x, y), ivec2(0), ivec2(1023)), 0).rgb;
         least = min(least, c);
         most = max(most, c);
         here = x == 0 && y == 0 ? c : here;
      }
   color = vec4(mix(here, clamp(textureLod(bright, uv - motion, 0.0).rgb, least, most), 0.9), 1.0);
}
