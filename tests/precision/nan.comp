#version 460
// What NaNs meet besides single operations. Operands and results stand in 64 bits each, of which the low 32 are used.
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_clustered : enable
layout(local_size_x = 64) in;
layout(constant_id = 0) const int OPERATION = 0;
layout(std430, binding = 0) readonly buffer Operands { uvec2 operands[]; };
layout(std430, binding = 1) writeonly buffer Results { uvec2 results[]; };

uint operation(uint i)
{
   const float x = uintBitsToFloat(operands[i * 3u].x), y = uintBitsToFloat(operands[i * 3u + 1u].x);
   float sum = x;
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
   default: // of two values the computed one is the one NaN, the loaded one keeps its bits
      return floatBitsToUint((i & 1u) != 0u ? x : x * y);
   }
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   results[i] = uvec2(operation(i), 0u);
}
