#version 450
// Barriers in loops: a bitonic sort of 128 keys a workgroup, then a scan.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
shared uint keys[128];
shared uint sums[128];

void main()
{
   uint l = gl_LocalInvocationIndex;
   keys[l] = values[gl_GlobalInvocationID.x];
   barrier();
   for (uint size = 2u; size <= 128u; size <<= 1) {
      for (uint stride = size >> 1; stride > 0u; stride >>= 1) {
         uint other = l ^ stride;
         if (other > l) {
            bool up = (l & size) == 0u;
            uint a = keys[l], b = keys[other];
            if ((a > b) == up) {
               keys[l] = b;
               keys[other] = a;
            }
         }
         barrier();
      }
   }
   sums[l] = keys[l];
   for (uint step = 1u; step < 128u; step <<= 1) {
      barrier();
      uint add = l >= step ? sums[l - step] : 0u;
      barrier();
      sums[l] += add;
   }
   barrier();
   results[gl_GlobalInvocationID.x] = keys[l] ^ sums[127u - l];
}
