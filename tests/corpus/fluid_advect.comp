#version 450
// Backtraces and interpolates a field along a swirling velocity.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

float sample_at(vec2 p)
{
   ivec2 i = ivec2(floor(p));
   vec2 f = p - floor(p);
   return mix(mix(pixel(i), pixel(i + ivec2(1, 0)), f.x), mix(pixel(i + ivec2(0, 1)), pixel(i + ivec2(1, 1)), f.x), f.y);
}
void main()
{
   vec2 p = vec2(gl_GlobalInvocationID.xy), c = p / 32.0 * 6.2831853;
   vec2 velocity = vec2(sin(c.y) + 0.3 * cos(3.0 * c.x), cos(c.x) - 0.3 * sin(2.0 * c.y)) * 3.0;
   vec2 middle = p - velocity * 0.5, c2 = middle / 32.0 * 6.2831853;
   vec2 second = vec2(sin(c2.y) + 0.3 * cos(3.0 * c2.x), cos(c2.x) - 0.3 * sin(2.0 * c2.y)) * 3.0;
   put(place(ivec2(p)), sample_at(p - second) * 0.995);
}
