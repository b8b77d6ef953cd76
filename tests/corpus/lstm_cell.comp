#version 450
// Four gates of a recurrent cell, 32 units, four steps.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
#include "corpus.glsl"

shared float hidden[32];
float sigmoid(float x) { return 1.0 / (1.0 + exp(-x)); }
void main()
{
   uint l = gl_LocalInvocationIndex, group = thread() / 32u;
   float cell = 0.0;
   hidden[l] = 0.0;
   for (uint t = 0u; t < 4u; t++) {
      barrier();
      vec4 gates = vec4(floats[group * 4u + t]);
      for (uint i = 0u; i < 32u; i++) {
         uint w = (l * 32u + i) * 4u;
         gates += vec4(floats[w], floats[w + 1u], floats[w + 2u], floats[w + 3u]) * hidden[i];
      }
      cell = sigmoid(gates.x) * cell + sigmoid(gates.y) * tanh(gates.z);
      barrier();
      hidden[l] = sigmoid(gates.w) * tanh(cell);
   }
   put(thread(), hidden[l]);
}
