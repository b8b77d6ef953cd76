// SPDX-License-Identifier: MIT
// An offset of a texture that is not a gather's. The test makes the operand ConstOffset an Offset, as for one that is computed.
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 3) uniform sampler2D textures[2];

void main()
{
   const vec2 at = (vec2(gl_LocalInvocationIndex, 0.0) + 0.5) / 4.0;
   results[gl_LocalInvocationIndex] = uint(textureLodOffset(textures[1], at, 0.0, ivec2(1, 0)).r);
}
