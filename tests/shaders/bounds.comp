#version 450
// Accesses past the end: reads give zero, writes change nothing.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) buffer Out { uint results[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint far = values[i * 16777259u + 4096u];
   if (i < 64u)
      results[i] = far + values.length();
   results[i + 1000000u] = 77u;
}
