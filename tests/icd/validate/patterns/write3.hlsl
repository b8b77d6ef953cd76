// SPDX-License-Identifier: MIT
// Three components are stored in an image whose format has four.
[[vk::binding(0)]] RWStructuredBuffer<uint> results;
[[vk::binding(7)]] RWTexture2D<float3> image;

[numthreads(4, 1, 1)]
void main(uint lane : SV_GroupIndex)
{
   image[uint2(lane, 0)] = float3(lane + 1, lane + 2, lane + 3);
   const float3 texel = image[uint2(lane, 0)];
   results[lane] = uint(texel.x) + (uint(texel.y) << 8) + (uint(texel.z) << 16);
}
