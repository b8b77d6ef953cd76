#version 450
// A triangle over everything, red.
#ifdef VERT
void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
}
#else
layout(location = 0) out vec4 color;

void main()
{
   color = vec4(1, 0, 0, 1);
}
#endif
