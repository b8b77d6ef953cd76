#version 450
// Corners come with the draw.
layout(push_constant) uniform Push { vec4 corners[3]; };

void main()
{
   gl_Position = corners[gl_VertexIndex];
   gl_PointSize = 1.0;
}
