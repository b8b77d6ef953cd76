#version 450
// Never ends for an uneven multiple of 8.
layout(triangles) in;
layout(push_constant) uniform Push { uint start; };

void main()
{
   uint n = start;
   while (n % 16u == 8u)
      n += 16u;
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z +
                 vec4(n == 1u ? 0.0 : 0.125);
}
