#version 450
// Ambient occlusion of sixteen samples around a pixel.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place();
   ivec2 size = textureSize(depths, 0);
   float here = texelFetch(depths, ivec2(uv * vec2(size)), 0).r, angle = noise(gl_FragCoord.xy) * 6.28, sum = 0.0;
   for (int i = 0; i < 16; i++) {
      float r = 0.02 * sqrt((float(i) + 0.5) / 16.0), a = angle + 2.4 * float(i);
      ivec2 at = clamp(ivec2((uv + r * vec2(cos(a), sin(a))) * vec2(size)), ivec2(0), size - 1);
      float d = here - texelFetch(depths, at, 0).r;
      sum += d > 0.001 ? 1.0 / (1.0 + d * d * 100.0) : 0.0;
   }
   color = vec4(vec3(1.0 - sum / 16.0), 1.0);
}
