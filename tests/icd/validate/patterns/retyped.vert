// SPDX-License-Identifier: MIT
// A triangle over everything; what retyped.frag reads with other types.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) flat out uvec2 integers;
layout(location = 1) flat out vec2 floats;
layout(location = 2) flat out int negative;
layout(location = 3) flat out f16vec2 halves;
layout(location = 4) flat out dvec2 doubles;

void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
   integers = uvec2(0x7f812345u, 5u); // a signaling NaN, a denormal number
   floats = vec2(-1.5, 2.0);
   negative = -7;
   halves = f16vec2(0.25, -3.0);
   doubles = dvec2(1.0, -2.5);
}
