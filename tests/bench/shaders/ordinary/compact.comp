#version 450
// Those of many items that are wanted, side by side: by ballots, one addition to a counter a subgroup.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 128) in;
layout(binding = 9, std430) readonly buffer Numbers { float numbers[]; };
layout(binding = 10, std430) buffer Words { uint words[]; };
void main()
{
   uint self = gl_GlobalInvocationID.x;
   float value = numbers[self & 1048575u];
   bool is_wanted = value > 0.35 && value < 0.6;
   uvec4 ballot = subgroupBallot(is_wanted);
   uint base = 0u;
   if (subgroupElect())
      base = atomicAdd(words[1048575u], subgroupBallotBitCount(ballot));
   base = subgroupBroadcastFirst(base);
   if (is_wanted)
      words[524288u + ((base + subgroupBallotExclusiveBitCount(ballot)) & 262143u)] = self;
}
