#version 450
// How often each byte occurs: counts of a workgroup, then of all.
layout(local_size_x = 256) in;
layout(binding = 10, std430) buffer Words { uint words[]; };
shared uint counts[256];
void main()
{
   uint self = gl_LocalInvocationID.x;
   counts[self] = 0u;
   barrier();
   for (uint i = 0u; i < 8u; i++) {
      uint word = words[(gl_WorkGroupID.x * 2048u + i * 256u + self) & 524287u];
      for (uint k = 0u; k < 4u; k++)
         atomicAdd(counts[word >> (8u * k) & 255u], 1u);
   }
   barrier();
   atomicAdd(words[1048320u + self], counts[self]);
}
