#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
// What an invocation learns of its subgroup, some of it where only a part of the subgroup is on. The last subgroup is not full.
layout(local_size_x = 84) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) writeonly buffer B { uint b[]; };
layout(push_constant) uniform P { uint num_words; };
uint at;

void put(uint value)
{
   b[at++] = value;
}

void main()
{
   uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
   float x = a[i];
   at = i * num_words;
   put(gl_SubgroupSize);
   put(gl_NumSubgroups);
   put(gl_SubgroupID);
   put(lane);
   put(gl_SubgroupEqMask.x);
   put(gl_SubgroupGeMask.x);
   put(gl_SubgroupGtMask.x);
   put(gl_SubgroupLeMask.x);
   put(gl_SubgroupLtMask.x);
   put(floatBitsToUint(subgroupAdd(x)));
   put(floatBitsToUint(subgroupInclusiveAdd(x)));
   put(floatBitsToUint(subgroupExclusiveMul(x)));
   put(floatBitsToUint(subgroupClusteredAdd(x, 4u)));
   put(subgroupClusteredXor(i, 2u));
   put(floatBitsToUint(subgroupQuadSwapDiagonal(x)));
   put(floatBitsToUint(subgroupQuadBroadcast(x, 2u)));
   put(subgroupShuffleXor(i, 1u));
   put(subgroupShuffle(i, (lane * 3u + 1u) % subgroupBallotBitCount(subgroupBallot(true))));
   put(subgroupBroadcast(i, 3u));
   uvec4 odd = subgroupBallot((i & 1u) != 0u);
   put(odd.x);
   put(odd.y | odd.z | odd.w);
   put(subgroupBallotBitCount(odd));
   put(subgroupBallotExclusiveBitCount(odd));
   put(subgroupBallotFindMSB(odd));
   put(uint(subgroupAny(lane == 5u)) | uint(subgroupAll(lane < 4u)) << 1 | uint(subgroupAllEqual(gl_SubgroupID)) << 2);
   uint inside = 0u;
   if (lane % 3u == 1u) {
      inside = subgroupAdd(i) ^ subgroupBroadcastFirst(lane) << 24;
      inside ^= uint(subgroupElect()) << 31 ^ subgroupBallotBitCount(subgroupBallot(true)) << 16;
   }
   put(inside);
   uint turns = 0u; // lanes leave one after the other
   for (uint turn = 0u; turn <= lane % 7u; turn++)
      turns += subgroupBallotBitCount(subgroupBallot(true)) << (turn * 4u);
   put(turns);
}
