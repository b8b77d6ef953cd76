// SPDX-License-Identifier: MIT
// A buffer as large as one may be, written and read around a word: neighbours, steps, anywhere, atomics, and behind its end.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Words { uint words[]; };
layout(binding = 1) writeonly buffer Result { uint results[]; };
layout(push_constant) uniform Push { uint at; };

void main()
{
   const uint lane = gl_LocalInvocationIndex, end = uint(words.length());
   words[at + lane] = lane + 1;
   words[at - 1000 - lane * 3] = lane + 1001;
   words[at - 200000 - lane * 7919 % 4096 * 37] = lane + 2001;
   atomicAdd(words[at - 400000], lane);
   words[end + lane * 1000] = 7;
   memoryBarrierBuffer();
   barrier();
   results[lane] = words[at + 63 - lane];
   results[64 + lane] = words[at - 1000 - (63 - lane) * 3];
   results[128 + lane] = words[at - 200000 - (63 - lane) * 7919 % 4096 * 37];
   results[192 + lane] = words[end + lane * 1000];
   if (lane == 0) {
      results[256] = end;
      results[257] = words[at - 400000];
   }
}
