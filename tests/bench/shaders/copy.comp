#version 450
// b = a * 2 + b, one float an invocation.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) buffer B { float b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   b[i] = a[i] * 2.0 + b[i];
}
