// SPDX-License-Identifier: MIT
// Reads what retyped.vert writes with other types, as programs of Direct3D may.
#version 450
layout(location = 0) flat in vec2 integers;
layout(location = 1) flat in uvec2 floats;
layout(location = 2) flat in uint negative;
layout(location = 3) flat in vec2 halves;
layout(location = 4) flat in uvec4 doubles;
layout(set = 0, binding = 0) buffer Results { uint results[]; };

void main()
{
   if (ivec2(gl_FragCoord.xy) != ivec2(1, 2))
      return;
   results[0] = floatBitsToUint(integers.x);
   results[1] = floatBitsToUint(integers.y);
   results[2] = floats.x;
   results[3] = floats.y;
   results[4] = negative;
   results[5] = floatBitsToUint(halves.x);
   results[6] = floatBitsToUint(halves.y);
   results[7] = doubles.x;
   results[8] = doubles.y;
   results[9] = doubles.z;
   results[10] = doubles.w;
}
