// SPDX-License-Identifier: MIT
// As many dynamic buffers as a set may have, read at constant, uniform and varying elements.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(binding = 0) uniform Uniform { uint value; } uniforms[524288];
layout(binding = 1) readonly buffer Storage { uint value; } storages[524288];
layout(binding = 2) writeonly buffer Result { uint results[]; };
layout(push_constant) uniform Push { uint last; };

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   results[lane * 4] = uniforms[524287].value;
   results[lane * 4 + 1] = storages[last].value;
   results[lane * 4 + 2] = uniforms[nonuniformEXT(last - lane)].value;
   results[lane * 4 + 3] = storages[nonuniformEXT(lane * 7)].value;
}
