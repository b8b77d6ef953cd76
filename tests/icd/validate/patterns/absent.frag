// SPDX-License-Identifier: MIT
// Reads inputs that stages.vert does not write.
#version 450
layout(location = 20) in vec4 smooth_input;
layout(location = 21) flat in uvec2 flat_input;
layout(location = 22) noperspective in float numbers[2];
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(location = 0) out vec4 color;

void main()
{
   const uint pixel = uint(gl_FragCoord.y) * 4u + uint(gl_FragCoord.x);
   results[pixel] = floatBitsToUint(smooth_input.x) | floatBitsToUint(smooth_input.w) | flat_input.x | flat_input.y;
   results[16u + pixel] = floatBitsToUint(numbers[0] + numbers[1]) + 9u;
   color = smooth_input;
}
