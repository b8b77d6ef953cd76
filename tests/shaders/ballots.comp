#version 450
#extension GL_KHR_shader_subgroup_ballot : require
// What is asked of ballots that come from memory: bits above the subgroup's size are nobody's.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { uvec4 ballots[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 results[]; };

void main()
{
   const uint id = gl_GlobalInvocationID.x;
   const uvec4 ballot = ballots[id];
   results[id] = uvec4(gl_SubgroupSize, subgroupBallotFindLSB(ballot), subgroupBallotFindMSB(ballot), subgroupBallotBitCount(ballot));
}
