#version 450
// Corners come with the draw.
layout(push_constant) uniform Push { vec4 corners[3]; };
layout(location = 0) out vec4 own;

void main()
{
   own = corners[gl_VertexIndex];
   gl_Position = own;
   gl_PointSize = 1.0;
}
