#version 450
layout(location = 0) out int number;

void main()
{
   number = gl_VertexIndex;
   gl_Position = vec4(0);
}
