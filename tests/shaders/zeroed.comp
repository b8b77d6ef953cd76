#version 450
#extension GL_EXT_null_initializer : require
// Shared memory that starts as zeros, and ends as anything else: each invocation stores how much was set before.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) buffer Out { uint results[]; };
const uint COUNT = 1003;
shared uint words[COUNT] = {};
shared uint last = {};

void main()
{
   uint num_set = last;
   for (uint i = gl_LocalInvocationIndex; i < COUNT; i += 64)
      num_set += uint(words[i] != 0);
   results[gl_GlobalInvocationID.x] = num_set;
   barrier();
   for (uint i = gl_LocalInvocationIndex; i < COUNT; i += 64)
      words[i] = ~values[gl_GlobalInvocationID.x];
   if (gl_LocalInvocationIndex == 0)
      last = 1000000;
   barrier();
   results[gl_GlobalInvocationID.x] += uint(words[(gl_LocalInvocationIndex * 7) % COUNT] == 0) << 16; // what was written is there
}
