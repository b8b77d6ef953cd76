// SPDX-License-Identifier: MIT
// A triangle over everything, at the depth where the viewport's range begins.
#version 450
void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
