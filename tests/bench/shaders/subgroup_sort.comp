#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_ballot : require
// Sorts each 16 values by exchanges between lanes, and ranks them by ballots, so that the work does not depend on the subgroups' size.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) writeonly buffer B { uint b[]; };

void main()
{
   uint lane = gl_SubgroupInvocationID & 15u, value = a[gl_GlobalInvocationID.x];
   for (uint round = 0u; round < 8u; round++) {
      value = value * 747796405u + 2891336453u;
      for (uint size = 2u; size <= 16u; size *= 2u) {
         for (uint step = size / 2u; step > 0u; step /= 2u) {
            uint other = subgroupShuffleXor(value, step);
            bool is_low = (lane & step) == 0u, is_up = (lane & size) == 0u;
            value = is_low == is_up ? min(value, other) : max(value, other);
         }
      }
      value += subgroupBallotBitCount(subgroupBallot((value & 1u) != 0u) & uvec4(0xffffu, 0u, 0u, 0u));
   }
   b[gl_GlobalInvocationID.x] = value;
}
