#version 450
// Atomic operations on images: bins that all invocations share, one a row; a texel of each invocation's own; texels that are not there.
layout(local_size_x = 8, local_size_y = 8) in;
layout(r32ui, binding = 0) uniform uimage2D bins;
layout(r32i, binding = 1) uniform iimage2D signed_bins;
layout(r32ui, binding = 2) uniform uimage2D own;
layout(std430, binding = 3) buffer Out { uint results[]; };

void main()
{
   ivec2 at = ivec2(gl_GlobalInvocationID.xy);
   uint id = uint(at.y * 64 + at.x);
   uint v = id * 2654435761u;
   v ^= v >> 15;
   int bin = int(v & 15u);
   results[id * 4u] = imageAtomicAdd(bins, ivec2(bin, 0), 1u);
   imageAtomicAdd(bins, ivec2(bin, 1), v);
   imageAtomicMin(bins, ivec2(bin, 2), v);
   imageAtomicMax(bins, ivec2(bin, 3), v);
   imageAtomicAnd(bins, ivec2(bin, 4), v | 0xffffu);
   imageAtomicOr(bins, ivec2(bin, 5), v & 0xffff0u);
   imageAtomicXor(bins, ivec2(bin, 6), v);
   if ((v & 0x300u) == 0u)
      imageAtomicAdd(bins, ivec2(bin, 7), 3u);
   imageAtomicMin(signed_bins, ivec2(bin, 0), int(v));
   imageAtomicMax(signed_bins, ivec2(bin, 1), int(v));
   results[id * 4u + 1u] = imageAtomicExchange(own, at, v);
   results[id * 4u + 2u] = imageAtomicCompSwap(own, at, (v & 16u) == 0u ? v : ~v, 7u);
   results[id * 4u + 3u] = imageAtomicAdd(bins, ivec2(16 + at.x, -at.y), 5u);
}
