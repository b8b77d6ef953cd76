#version 450
// Nothing is to be seen of it.
void main()
{
   gl_Position = vec4(float(gl_VertexIndex & 1), 2.0, 0.0, 1.0);
}
