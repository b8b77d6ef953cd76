#version 450
// Makes as much as it may of each primitive; VARIANT 1 never ends either.
layout(triangles, invocations = 32) in;
layout(triangle_strip, max_vertices = 256) out;

void main()
{
   int i = 0;
#if VARIANT == 1
   while (gl_in[0].gl_Position.y > 1.0)
      i = i * 3 + 1;
#endif
   for (; i < 256; i++) {
      gl_Position = gl_in[i % 3].gl_Position;
      EmitVertex();
   }
}
