#version 450
layout(location = 0) out int number;

void main()
{
   number = gl_VertexIndex + 1000;
   gl_Position = vec4(gl_VertexIndex, 2, 3, 4);
}
