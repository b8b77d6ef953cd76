#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint which = 0;
layout(binding = 0) buffer Words {
   uint words[];
};
#include "decided.inc"

void main()
{
   uint x = words[0];
   words[1] = by_mode(x);
   words[2] = by_loops(x);
   words[3] = by_steps(x);
}
