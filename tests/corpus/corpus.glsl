// What the shaders of the corpus share. Each runs in 4 x 4 workgroups.
layout(std430, binding = 0) readonly buffer Floats { float floats[]; }; // 16384 in [-1, 1): also an image of 128 x 128
layout(std430, binding = 1) readonly buffer Words { uint words[]; };    // 16384 random ones
layout(std430, binding = 2) buffer Results { uint results[]; };         // 65536, zero before

// Number of the invocation, workgroup after workgroup.
uint thread()
{
   return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * (gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z) +
          gl_LocalInvocationIndex;
}

float pixel(ivec2 p)
{
   p = clamp(p, ivec2(0), ivec2(127));
   return floats[p.y * 128 + p.x];
}

uint place(ivec2 p)
{
   return uint(p.y * 128 + p.x);
}

void put(uint i, float value)
{
   results[i] = floatBitsToUint(value);
}
