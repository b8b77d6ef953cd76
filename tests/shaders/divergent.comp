#version 450
#extension GL_NV_compute_shader_derivatives : require
#extension GL_EXT_nonuniform_qualifier : require
// Implicit levels of detail where the lanes of a quad sample images of different sizes: each gets the level that its own image has for the
// derivatives of the quad.
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(binding = 0) uniform sampler2D images[2]; // texel (x, y) of level l is 100 l + 8 y + x; 8 x 8 and 4 x 4 texels
layout(std430, binding = 1) writeonly buffer Out { vec4 results[64]; };

layout(push_constant) uniform Push { float scale; };

void main()
{
   const uvec2 id = gl_LocalInvocationID.xy;
   const uint which = (id.x + id.y) & 1u;
   results[id.y * 8u + id.x] = texture(images[nonuniformEXT(which)], (vec2(id) + 0.5) * scale / 8.0);
}
