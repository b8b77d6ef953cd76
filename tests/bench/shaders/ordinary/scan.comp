#version 450
// Sums of all numbers before each, 512 a workgroup, up and down a tree in shared memory.
layout(local_size_x = 256) in;
layout(binding = 9, std430) buffer Numbers { uint numbers[]; };
layout(binding = 10, std430) readonly buffer Flags { uint flags[]; };
shared uint sums[512];
void main()
{
   uint base = gl_WorkGroupID.x * 512u, i = gl_LocalInvocationID.x;
   sums[2u * i] = flags[base + 2u * i] & 7u;
   sums[2u * i + 1u] = flags[base + 2u * i + 1u] & 7u;
   uint gap = 1u;
   for (uint d = 256u; d > 0u; d >>= 1) {
      barrier();
      if (i < d)
         sums[gap * (2u * i + 2u) - 1u] += sums[gap * (2u * i + 1u) - 1u];
      gap *= 2u;
   }
   if (i == 0u)
      sums[511] = 0u;
   for (uint d = 1u; d < 512u; d *= 2u) {
      gap >>= 1;
      barrier();
      if (i < d) {
         uint a = gap * (2u * i + 1u) - 1u, b = gap * (2u * i + 2u) - 1u, t = sums[a];
         sums[a] = sums[b];
         sums[b] += t;
      }
   }
   barrier();
   numbers[base + 2u * i] = sums[2u * i];
   numbers[base + 2u * i + 1u] = sums[2u * i + 1u];
}
