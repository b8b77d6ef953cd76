#version 450
layout(location = 0) out vec4 rows[4];

void main()
{
   for (int i = 0; i < 4; i++)
      rows[i] = vec4(gl_VertexIndex * 7 % 5, gl_VertexIndex * 3 % 11, i, gl_VertexIndex * 5 % 3) + 0.25;
   gl_Position = vec4(0, 0, 0, 1);
}
