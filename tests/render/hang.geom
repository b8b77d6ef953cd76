#version 450
// Passes triangles on; never ends for a start that is 3 more than a multiple of 4: the sum wraps to another one.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(push_constant) uniform Push { uint start; };

void main()
{
   uint n = start;
   while (n % 4u == 3u)
      n += 4u;
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position + vec4(n == 1u ? 0.0 : 0.125); // else the loop is dead code
      EmitVertex();
   }
}
