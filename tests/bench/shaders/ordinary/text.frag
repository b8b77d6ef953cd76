#version 450
// Text out of signed distances, with an outline and a shadow.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = fract(place() * 12.0) * 0.9 + 0.05;
   float d = texture(picture, uv).r - 0.5, width = fwidth(d) + 1e-4;
   float body = smoothstep(-width, width, d), line = smoothstep(-width, width, d + 0.1);
   float shade = smoothstep(-0.2, 0.2, texture(picture, uv - 0.01).r - 0.5);
   color = mix(vec4(0.0, 0.0, 0.0, shade * 0.5), mix(vec4(0.1, 0.1, 0.4, 1.0), vec4(1.0), body), line);
}
