#version 450
/* A triangle in the middle of the window. */
const vec2 corners[3] = vec2[](vec2(-0.7, 0.6), vec2(0.7, 0.6), vec2(0, -0.8));
layout(location = 0) out vec3 shade;

void main()
{
   gl_Position = vec4(corners[gl_VertexIndex], 0, 1);
   shade = vec3(gl_VertexIndex == 0, gl_VertexIndex == 1, gl_VertexIndex == 2);
}
