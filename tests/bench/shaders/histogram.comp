#version 450
// Counts the low bytes of 4096 words a workgroup in shared memory, then adds the counts to those of all.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer A { uint words[]; };
layout(std430, binding = 1) buffer B { uint counts[256]; };
shared uint bins[256];

void main()
{
   uint l = gl_LocalInvocationIndex, first = gl_WorkGroupID.x * 4096u + l;
   bins[l] = 0u;
   barrier();
   for (uint i = 0u; i < 16u; i++)
      atomicAdd(bins[words[first + i * 256u] & 255u], 1u);
   barrier();
   atomicAdd(counts[l], bins[l]);
}
