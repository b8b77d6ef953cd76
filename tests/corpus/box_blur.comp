#version 450
// Mean of a 5x5 neighbourhood.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
#include "corpus.glsl"

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float sum = 0.0;
   for (int y = -2; y <= 2; y++)
      for (int x = -2; x <= 2; x++)
         sum += pixel(p + ivec2(x, y));
   put(place(p), sum / 25.0);
}
