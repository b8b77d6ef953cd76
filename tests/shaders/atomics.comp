#version 450
// Atomics on buffers and shared memory; only order-independent results are kept.
layout(local_size_x = 100) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) buffer Out { uint results[]; };
shared uint total, least, most, bits;

void main()
{
   if (gl_LocalInvocationIndex == 0u) {
      total = 0u;
      least = 0xffffffffu;
      most = 0u;
      bits = 0u;
   }
   barrier();
   uint v = values[gl_GlobalInvocationID.x];
   atomicAdd(total, v);
   atomicMin(least, v);
   atomicMax(most, v);
   if ((v & 1u) == 1u)
      atomicOr(bits, 1u << (v >> 27));
   barrier();
   if (gl_LocalInvocationIndex == 0u) {
      atomicAdd(results[0], total);
      atomicMin(results[1], least);
      atomicMax(results[2], most);
      atomicOr(results[3], bits);
   }
   atomicXor(results[4], v);
   atomicAdd(results[8u + (v & 7u)], 1u);
   uint seen = results[5];
   while (true) { // the maximum again, by compare and swap
      if (seen >= v)
         break;
      uint old = atomicCompSwap(results[5], seen, v);
      if (old == seen)
         break;
      seen = old;
   }
}
