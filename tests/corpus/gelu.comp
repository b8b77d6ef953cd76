#version 450
// The activation by its tanh formula.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

void main()
{
   for (uint i = thread(); i < 16384u; i += 1024u) {
      float x = floats[i] * 4.0;
      put(i, 0.5 * x * (1.0 + tanh(0.79788456 * (x + 0.044715 * x * x * x))));
   }
}
