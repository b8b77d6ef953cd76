#version 450
// A shadow of sixteen rotated taps.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place();
   float angle = noise(gl_FragCoord.xy) * 6.2831853, lit = 0.0;
   mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
   for (int i = 0; i < 16; i++) {
      float radius = sqrt((float(i) + 0.5) / 16.0);
      vec2 tap = turn * (radius * vec2(cos(2.4 * float(i)), sin(2.4 * float(i))));
      lit += texture(shadows, vec3(uv + tap * 0.01, 0.3));
   }
   color = vec4(vec3(lit / 16.0), 1.0);
}
