// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 4) in;
layout(constant_id = 3) const uint factor = 7;
layout(binding = 0) writeonly buffer Result { uint results[]; };

void main()
{
   results[gl_LocalInvocationIndex] = gl_LocalInvocationIndex * factor + 1;
}
