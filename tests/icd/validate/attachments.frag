// SPDX-License-Identifier: MIT
// Each fragment chooses an input attachment of its own, and nothing says NonUniform.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput attachments[4];
layout(location = 0) out vec4 color;
void main()
{
   const uint i = (uint(gl_FragCoord.x) * 3u + uint(gl_FragCoord.y)) & 3u;
   color = subpassLoad(attachments[i]);
}
