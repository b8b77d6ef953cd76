#version 450
// Median of nine by a sorting network.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16, local_size_y = 8) in;
#include "corpus.glsl"

void order(inout float a, inout float b)
{
   float low = min(a, b);
   b = max(a, b);
   a = low;
}
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float v[9];
   for (int i = 0; i < 9; i++)
      v[i] = pixel(p + ivec2(i % 3 - 1, i / 3 - 1));
   order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
   order(v[0], v[1]); order(v[3], v[4]); order(v[6], v[7]);
   order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
   order(v[0], v[3]); order(v[5], v[8]); order(v[4], v[7]);
   order(v[3], v[6]); order(v[1], v[4]); order(v[2], v[5]);
   order(v[4], v[7]); order(v[4], v[2]); order(v[6], v[4]);
   order(v[4], v[2]);
   put(place(p), v[4]);
}
