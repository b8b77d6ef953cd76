// SPDX-License-Identifier: MIT
// A triangle over everything; integers in a structure in a block, which GLSL lets no one decorate one by one.
#version 450
struct Numbers { int a; uint b[2]; };
layout(location = 0) out Block { Numbers numbers; vec4 place; };
layout(location = 6) out vec4 wide;
layout(set = 0, binding = 0) buffer Results { uint results[]; };

void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
   numbers.a = -7 - gl_VertexIndex;
   numbers.b[0] = 100u + gl_VertexIndex;
   numbers.b[1] = 200u + gl_VertexIndex;
   place = gl_Position;
   wide = vec4(5.0, 6.0, 7.0, 8.0);
   atomicAdd(results[32], 1u);
}
