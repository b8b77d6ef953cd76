#version 450
// A step of jump flooding: the nearest of nine seeds far from each other, by texels without a filter.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   ivec2 self = ivec2(gl_FragCoord.xy) & 1023;
   vec4 best = vec4(0.0, 0.0, 1e9, 0.0);
   for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++) {
         ivec2 at = (self + ivec2(x, y) * 16) & 1023;
         vec4 seed = texelFetch(picture, at, 0);
         vec2 to = seed.xy * 1023.0 - vec2(self);
         float d = dot(to, to);
         if (d < best.z)
            best = vec4(seed.xy, d, 1.0);
      }
   color = vec4(best.xy, sqrt(best.z) / 1024.0, best.w);
}
