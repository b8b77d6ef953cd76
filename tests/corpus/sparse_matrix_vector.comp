#version 450
// Rows of different lengths in compressed form.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

void main()
{
   uint row = thread(), length_ = 1u + (words[row] & 31u), start = (words[row] >> 5) % 8192u;
   float sum = 0.0;
   for (uint i = 0u; i < length_; i++)
      sum += floats[start + i] * floats[words[start + i] & 16383u];
   put(row, sum);
}
