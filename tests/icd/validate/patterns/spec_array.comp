// SPDX-License-Identifier: MIT
// Arrays in blocks whose length is a specialization constant: members keep the offsets that the default length gave them.
#version 450
layout(local_size_x = 4) in;
layout(constant_id = 0) const uint N = 4;
struct Inner { uint head; uint list[N]; };
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) buffer Storage { Inner inner; uint tail; } storages[2];
layout(push_constant) uniform Push { uint pushed[N]; };

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   uint sum = 0u;
   for (uint i = 0u; i < N; i++)
      sum += storages[0].inner.list[i] * pushed[i];
   results[lane] = sum + (storages[0].tail << 16) + (uint(storages[0].inner.list.length()) << 24) + lane;
}
