#version 450
// Gradient: magnitude and direction.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float a = pixel(p + ivec2(-1, -1)), b = pixel(p + ivec2(0, -1)), c = pixel(p + ivec2(1, -1));
   float d = pixel(p + ivec2(-1, 0)), f = pixel(p + ivec2(1, 0));
   float g = pixel(p + ivec2(-1, 1)), h = pixel(p + ivec2(0, 1)), i = pixel(p + ivec2(1, 1));
   vec2 gradient = vec2(c + 2.0 * f + i - a - 2.0 * d - g, g + 2.0 * h + i - a - 2.0 * b - c);
   put(place(p) * 2u, length(gradient));
   put(place(p) * 2u + 1u, atan(gradient.y, gradient.x));
}
