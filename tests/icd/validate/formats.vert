// SPDX-License-Identifier: MIT
// A triangle over everything, of the color that attributes of three types give.
#version 450
layout(location = 0) in vec4 color;
layout(location = 1) in ivec2 number;
layout(location = 2) in dvec2 wide;
layout(location = 0) out vec4 to_fragment;
void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
   to_fragment = color + vec4(0.0, number, wide.x + wide.y);
}
