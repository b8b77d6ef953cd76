#version 450
// A shadow whose taps are chosen from a disc of constant points, different ones in neighbouring pixels.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
const vec2 disc[16] = vec2[](vec2(-0.94, -0.4), vec2(0.95, -0.77), vec2(-0.09, -0.93), vec2(0.34, 0.29), vec2(-0.92, 0.46), vec2(-0.82, -0.88), vec2(-0.38, 0.28),
   vec2(0.97, 0.76), vec2(0.44, -0.98), vec2(0.54, -0.47), vec2(-0.26, -0.42), vec2(0.79, 0.19), vec2(-0.24, 1.0), vec2(-0.81, 0.91), vec2(0.2, 0.79), vec2(0.14, -0.14));
void main()
{
   vec2 uv = place();
   int first = int(16.0 * noise(floor(gl_FragCoord.xy * 0.5)));
   float lit = 0.0;
   for (int i = 0; i < 6; i++)
      lit += texture(shadows, vec3(uv + disc[(first + i * 5) & 15] * 0.004, 0.3));
   color = vec4(vec3(lit / 6.0), 1.0);
}
