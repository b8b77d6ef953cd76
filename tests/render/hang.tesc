#version 450
// Passes triangles on; never ends for an uneven multiple of 4.
layout(vertices = 3) out;
layout(push_constant) uniform Push { uint start; };

void main()
{
   uint n = start;
   while (n % 8u == 4u)
      n += 8u;
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position + vec4(n == 1u ? 0.0 : 0.125); // else the loop is dead code
   gl_TessLevelOuter[gl_InvocationID] = 1;
   gl_TessLevelInner[0] = 1;
}
