// SPDX-License-Identifier: MIT
// A colour of the one set that this stage knows.
#version 450
layout(set = 1, binding = 0) uniform Color { vec4 given; };
layout(location = 0) out vec4 color;
void main()
{
   color = given;
}
