#version 450
// A tree reduction in shared memory, 256 values a workgroup.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) writeonly buffer B { float b[]; };
shared float partial[256];

void main()
{
   uint l = gl_LocalInvocationIndex;
   partial[l] = a[gl_GlobalInvocationID.x];
   for (uint s = 128u; s > 0u; s >>= 1) {
      barrier();
      if (l < s)
         partial[l] += partial[l + s];
   }
   if (l == 0u)
      b[gl_WorkGroupID.x] = partial[0];
}
