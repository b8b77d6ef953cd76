#version 450
// Triangles that cover all, one after the other; as many instances as one likes.
void main()
{
   const int corner = gl_VertexIndex % 3;
   gl_Position = vec4(vec2(corner & 1, corner >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
