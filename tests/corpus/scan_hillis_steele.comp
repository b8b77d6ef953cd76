#version 450
// Inclusive prefix maximum, two buffers in turn.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 128) in;
#include "corpus.glsl"

shared float data[2][128];
void main()
{
   uint l = gl_LocalInvocationIndex, which = 0u;
   data[0][l] = floats[thread()];
   for (uint step = 1u; step < 128u; step *= 2u) {
      barrier();
      data[1u - which][l] = l >= step ? max(data[which][l], data[which][l - step]) : data[which][l];
      which = 1u - which;
   }
   barrier();
   put(thread(), data[which][l]);
}
