#version 450
// Nothing of it is seen, so that no memory for primitives, which does not depend on threads, hides that of the vertices.
layout(location = 0) out vec4 color;
void main()
{
   gl_Position = vec4(float(gl_VertexIndex & 1), 2.0, 0.0, 1.0);
   color = vec4(1.0);
}
