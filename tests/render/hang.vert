#version 450
// Never ends for an even start; else a triangle that covers the target.
layout(push_constant) uniform Push { uint start; };

void main()
{
   uint n = start;
   while (n % 2u == 0u && n != 8u)
      n += 2u * uint(gl_InstanceIndex + 1);
   vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
   gl_Position = vec4(p, 0.5, 1.0);
}
