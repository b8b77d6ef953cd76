// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in uint value;
layout(binding = 0) writeonly buffer Result { uint results[]; };

void main()
{
   results[gl_InstanceIndex * 8 + gl_VertexIndex] = value;
   gl_Position = vec4(0);
}
