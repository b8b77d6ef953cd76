#version 450
// Never ends for the values that the buffer starts with.
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Values { uint values[]; };

void main()
{
   uint n = values[gl_LocalInvocationIndex];
   while (n != 1u)
      n = n * 3u + 6u; // a multiple of 3 stays one
   values[gl_LocalInvocationIndex] = n;
}
