#version 450
// Five times 64 MiB an invocation: with 16 lanes 5 GiB, whose low 32 bits are 1 GiB; COUNT 4 gives just 4 GiB, whose low bits are 0.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(constant_id = 0) const uint SIZE = 16777216;

uint a[SIZE], b[SIZE], c[SIZE], d[SIZE];
#if ARRAYS > 4
uint e[SIZE];
#endif

void main()
{
   const uint index = data[gl_LocalInvocationIndex], value = data[gl_LocalInvocationIndex + 16];
   a[index] = value;
   b[index] = value + 1;
   c[index] = value + 2;
   d[index] = value + 3;
#if ARRAYS > 4
   e[index] = value + 4;
#endif
   const uint other = data[gl_LocalInvocationIndex + 32];
   uint sum = a[other] + b[other] + c[other] + d[other];
#if ARRAYS > 4
   sum += e[other];
#endif
   data[gl_LocalInvocationIndex] = sum;
}
