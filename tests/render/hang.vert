#version 450
// Never ends for a start that is even but no multiple of 4; else a triangle that covers the target.
layout(push_constant) uniform Push { uint start; };

void main()
{
   uint n = start;
   while (n % 4u == 2u)
      n += 4u;
   vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
   gl_Position = vec4(p, n == 1u ? 0.5 : 0.25, 1.0); // else the loop is dead code
}
