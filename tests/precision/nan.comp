#version 460
// What NaNs meet besides single operations. Operands and results stand in 64 bits each, of which the low 32 are used.
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_clustered : enable
layout(local_size_x = 64) in;
layout(constant_id = 0) const int OPERATION = 0;
layout(std430, binding = 0) readonly buffer Operands { uvec2 operands[]; };
layout(std430, binding = 1) writeonly buffer Results { uvec2 results[]; };
layout(std430, binding = 0) readonly buffer Floats { float floats[]; };
layout(std430, binding = 1) writeonly buffer Sums { float sums[]; };
layout(rgba8, binding = 2) uniform image2D texels;
shared float of_all[64];

uint operation(uint i)
{
   const float x = uintBitsToFloat(operands[i * 3u].x), y = uintBitsToFloat(operands[i * 3u + 1u].x);
   float sum = x, some[8];
   switch (OPERATION) {
   case 0: return floatBitsToUint(subgroupClusteredAdd(x, 4u));
   case 1: return floatBitsToUint(subgroupClusteredMul(x, 4u));
   case 2: return floatBitsToUint(subgroupClusteredMin(x, 4u));
   case 3: return floatBitsToUint(subgroupClusteredAdd(x * y, 2u));
   case 4: // the select stands behind the loop
      for (uint k = 0u; k < operands[i * 3u + 2u].x % 7u; k++)
         sum = sum * y + x;
      return floatBitsToUint(sum * y);
   case 5: return floatBitsToUint(x);
   case 6: // a variable that holds computed floats alone
      for (uint k = 0u; k < 8u; k++)
         some[k] = x * y;
      for (uint k = 0u; k < operands[i * 3u + 2u].x % 7u; k++)
         some[(k + i) & 7u] = min(some[k] * y, some[(k + 1u) & 7u]);
      return floatBitsToUint(some[i & 7u]);
   case 7: // and shared memory
      of_all[gl_LocalInvocationIndex] = x * y;
      barrier();
      sum = of_all[gl_LocalInvocationIndex ^ 1u] - x;
      barrier();
      of_all[gl_LocalInvocationIndex] = sum * y;
      barrier();
      return floatBitsToUint(of_all[gl_LocalInvocationIndex ^ 2u]);
   case 8: // a variable that loaded bits come into
      for (uint k = 0u; k < 8u; k++)
         some[k] = (k & 1u) != 0u ? x : x * y;
      some[(i * 3u) & 7u] = y;
      return floatBitsToUint(some[i & 7u]);
   case 9: // and shared memory
      of_all[gl_LocalInvocationIndex] = (i & 1u) != 0u ? x : x * y;
      barrier();
      return floatBitsToUint(of_all[gl_LocalInvocationIndex ^ 1u]);
   case 10: // what an image of normalized integers makes of them
      const ivec2 at = ivec2(gl_LocalInvocationIndex, gl_WorkGroupID.x);
      imageStore(texels, at, vec4(x, y, x * y, 0.5));
      return packUnorm4x8(min(imageLoad(texels, at), vec4(x, 0.75, 0.75, 0.75)));
   default: // of two values the computed one is the one NaN, the loaded one keeps its bits
      return floatBitsToUint((i & 1u) != 0u ? x : x * y);
   }
}

/* Sums beside loaded floats, of which no reduction makes anything but a number. */
float reduction(uint i)
{
   const uint l = gl_LocalInvocationIndex;
   of_all[l] = floats[i * 6u];
   for (uint s = 16u; s > 0u; s >>= 1) {
      barrier();
      if (l < s)
         of_all[l] += of_all[l + s];
   }
   barrier();
   return of_all[l ^ 5u];
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   if (OPERATION == 12) {
      sums[i * 2u] = reduction(i);
      return;
   }
   results[i] = uvec2(operation(i), 0u);
}
