#version 450
// Colours of a sensor with one filter a pixel.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float c = pixel(p);
   float cross_ = (pixel(p + ivec2(1, 0)) + pixel(p - ivec2(1, 0)) + pixel(p + ivec2(0, 1)) + pixel(p - ivec2(0, 1))) * 0.25;
   float corners = (pixel(p + ivec2(1, 1)) + pixel(p + ivec2(-1, 1)) + pixel(p + ivec2(1, -1)) + pixel(p + ivec2(-1, -1))) * 0.25;
   float sides = (pixel(p + ivec2(1, 0)) + pixel(p - ivec2(1, 0))) * 0.5, poles = (pixel(p + ivec2(0, 1)) + pixel(p - ivec2(0, 1))) * 0.5;
   vec3 rgb;
   switch ((p.x & 1) + (p.y & 1) * 2) {
   case 0: rgb = vec3(c, cross_, corners); break;
   case 1: rgb = vec3(sides, c, poles); break;
   case 2: rgb = vec3(poles, c, sides); break;
   default: rgb = vec3(corners, cross_, c); break;
   }
   results[place(p)] = packSnorm4x8(vec4(rgb, 1.0));
}
