// SPDX-License-Identifier: MIT
// The index of a loop chooses the resource, as light-map shaders do; no capability says so.
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) buffer Storage { uint value; } storages[2];
layout(set = 0, binding = 2) uniform Uniform { uint value; } uniforms[2];
layout(set = 0, binding = 3) uniform sampler2D textures[2];
layout(set = 0, binding = 4, r32ui) uniform uimage2D images[2];

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   uint sum = 0u;
   for (uint i = 0u; i < 2u; i++) {
      sum += storages[i].value << (8u * i);
      sum += uniforms[i].value << (8u * i);
      sum += uint(textureLod(textures[i], vec2(0.5), 0.0).r) << (8u * i);
      sum += imageLoad(images[i], ivec2(lane)).r << (8u * i);
   }
   results[lane] = sum + lane;
}
