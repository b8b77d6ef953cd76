// SPDX-License-Identifier: MIT
// Each invocation chooses a resource of its own, and nothing says NonUniform.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;

layout(push_constant) uniform Push { uint pushed[4]; };
layout(set = 0, binding = 0) uniform Uniform { uint value; } uniforms[4];
layout(set = 0, binding = 1) buffer Storage { uint value; } storages[4];
layout(set = 0, binding = 2) uniform texture2D textures[4];
layout(set = 0, binding = 3) uniform sampler samplers[4];
layout(set = 0, binding = 4, r32ui) uniform uimage2D images[4];
layout(set = 0, binding = 5) uniform utextureBuffer texels[4];
layout(set = 0, binding = 6, r32ui) uniform uimageBuffer texel_stores[4];
layout(set = 0, binding = 7) buffer Results { uint results[8][64]; };

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   const uint i = (lane * 7u + lane / 8u) & 3u;
   results[0][lane] = pushed[i];
   results[1][lane] = uniforms[i].value;
   results[2][lane] = storages[i].value;
   results[3][lane] = uint(texelFetch(textures[i], ivec2(1), 0).r * 255.0 + 0.5);
   results[4][lane] = uint(textureLod(sampler2D(textures[0], samplers[i]), vec2(3.0), 0.0).r * 255.0 + 0.5);
   results[5][lane] = imageLoad(images[i], ivec2(1)).r;
   results[6][lane] = texelFetch(texels[i], 1).r;
   results[7][lane] = imageLoad(texel_stores[i], 1).r;
}
