// SPDX-License-Identifier: MIT
// Physical addresses. The test names the SPIR-V extension as older compilers do.
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(buffer_reference, std430) readonly buffer Words { uint words[]; };
layout(push_constant) uniform Push { Words from; };

void main()
{
   results[gl_LocalInvocationIndex] = from.words[gl_LocalInvocationIndex] + 1u;
}
