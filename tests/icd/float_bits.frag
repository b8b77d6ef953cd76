// SPDX-License-Identifier: MIT
// Integers that are bits of NaN, and a NaN that is computed.
#version 450
layout(push_constant) uniform Push { uint number; float negative; };
layout(location = 0) out vec4 packed_bits;
layout(location = 1) out vec4 computed;

void main()
{
   packed_bits = vec4(uintBitsToFloat(number), uintBitsToFloat(number + uint(gl_FragCoord.x)), sqrt(negative), 1.0);
   computed = vec4(sqrt(negative), -sqrt(negative), 2.0, 3.0);
}
