// SPDX-License-Identifier: MIT
// Texels that are copied, beside a NaN that is computed.
#version 450
layout(push_constant) uniform Push { uint number; float negative; };
layout(binding = 0) uniform samplerBuffer texels;
layout(location = 0) out vec4 packed_bits;
layout(location = 1) out vec4 computed;

void main()
{
   const vec4 texel = texelFetch(texels, int(number));
   packed_bits = vec4(texel.xy, sqrt(negative), 1.0);
   computed = vec4(sqrt(negative), -sqrt(negative), 2.0, 3.0);
}
