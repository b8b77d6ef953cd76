#version 450
// A triangle over all of the target; stages behind it know vertices by their numbers.
void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
   gl_PointSize = 1.0;
}
