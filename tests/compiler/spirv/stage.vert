#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(location = 1) in mat2 matrix;
layout(location = 4, component = 1) in ivec2 pair;
layout(location = 0) out vec2 uv[2];
layout(location = 2) flat out int id;
layout(location = 3) out Block {
   vec3 normal;
   layout(location = 7) noperspective float w;
} block;
out float gl_ClipDistance[2];

layout(push_constant) uniform Push {
   uint n;
} push;

void main()
{
   gl_Position = vec4(position, 1.0);
   gl_ClipDistance[0] = matrix[push.n].x;
   gl_ClipDistance[1] = 2.0;
   uv[push.n] = position.xy;
   uv[1 - push.n] = vec2(gl_VertexIndex, gl_InstanceIndex);
   id = pair.y;
   block.normal = position.zyx;
   block.w = 0.25;
}
