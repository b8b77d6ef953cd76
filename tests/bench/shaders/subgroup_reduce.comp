#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// A reduction by subgroups, 256 values a workgroup, whatever the subgroups' size.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) writeonly buffer B { float b[]; };
shared float partial[256];

void main()
{
   float sum = subgroupAdd(a[gl_GlobalInvocationID.x]);
   if (subgroupElect())
      partial[gl_SubgroupID] = sum;
   barrier();
   if (gl_SubgroupID == 0u) {
      sum = 0.0;
      for (uint i = gl_SubgroupInvocationID; i < gl_NumSubgroups; i += gl_SubgroupSize)
         sum += partial[i];
      sum = subgroupAdd(sum);
      if (subgroupElect())
         b[gl_WorkGroupID.x] = sum;
   }
}
