#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "flow.inc"

layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results {
   int results[];
};

void main()
{
   int x = int(gl_LocalInvocationIndex);
   for (int which = 0; which < 10; which++)
      results[which * 32 + x] = flow_all(which, x);
}
