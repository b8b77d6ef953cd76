#version 450
// Never ends for an even start.
layout(push_constant) uniform Push { uint start; };
layout(location = 0) out vec4 color;

void main()
{
   uint n = start;
   while (n % 2u == 0u)
      n += 2u;
   color = vec4(float(n));
}
