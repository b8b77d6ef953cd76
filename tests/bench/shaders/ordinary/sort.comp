#version 450
// Bitonic sorts of 512 keys each, in shared memory.
layout(local_size_x = 256) in;
layout(binding = 9, std430) buffer Numbers { uint numbers[]; };
shared uint keys[512];
void main()
{
   uint base = gl_WorkGroupID.x * 512u, i = gl_LocalInvocationID.x;
   keys[i] = numbers[base + i];
   keys[i + 256u] = numbers[base + i + 256u];
   for (uint size = 2u; size <= 512u; size *= 2u)
      for (uint gap = size / 2u; gap > 0u; gap /= 2u) {
         barrier();
         uint a = 2u * i - (i & (gap - 1u)), b = a + gap;
         bool up = (a & size) == 0u;
         uint x = keys[a], y = keys[b];
         keys[a] = up == (x < y) ? x : y;
         keys[b] = up == (x < y) ? y : x;
      }
   barrier();
   numbers[base + i] = keys[i] * 1664525u;
   numbers[base + i + 256u] = keys[i + 256u] * 1664525u;
}
