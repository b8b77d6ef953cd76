// SPDX-License-Identifier: MIT
// The index of a loop chooses a texel buffer. The test takes the capabilities away that say so: translators from DXIL never declare them.
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 5) uniform usamplerBuffer loads[2];
layout(set = 0, binding = 6, r32ui) uniform uimageBuffer stores[2];

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   uint sum = 0u;
   for (uint i = 0u; i < 2u; i++) {
      sum += texelFetch(loads[i], 0).r << (8u * i);
      sum += imageLoad(stores[i], 0).r << (8u * i);
   }
   results[lane] = sum + lane;
}
