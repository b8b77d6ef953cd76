#version 450
// Catmull-Rom interpolation to three times the size.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

float weight(float x)
{
   x = abs(x);
   return x < 1.0 ? (1.5 * x - 2.5) * x * x + 1.0 : x < 2.0 ? ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0 : 0.0;
}
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   vec2 at = (vec2(p) + 0.5) / 3.0 - 0.5, base = floor(at), fraction = at - base;
   float sum = 0.0;
   for (int y = -1; y <= 2; y++)
      for (int x = -1; x <= 2; x++)
         sum += pixel(ivec2(base) + ivec2(x, y)) * weight(float(x) - fraction.x) * weight(float(y) - fraction.y);
   put(place(p), sum);
}
