// SPDX-License-Identifier: MIT
// A triangle over everything, or nothing: as the one set says that this stage knows.
#version 450
layout(set = 0, binding = 0) uniform Scale { float scale; };
void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0) * vec4(scale, scale, 1.0, 1.0);
}
