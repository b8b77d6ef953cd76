#version 450
// Counts the low byte of each word: per workgroup in shared memory, then added up with atomics.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Words { uint words[]; };
layout(std430, binding = 1) buffer Counts { uint counts[256]; };
shared uint bins[256];

void main()
{
   bins[gl_LocalInvocationIndex] = 0u;
   barrier();
   uint n = uint(words.length()), stride = gl_NumWorkGroups.x * 256u;
   for (uint i = gl_GlobalInvocationID.x; i < n; i += stride)
      atomicAdd(bins[words[i] & 255u], 1u);
   barrier();
   atomicAdd(counts[gl_LocalInvocationIndex], bins[gl_LocalInvocationIndex]);
}
