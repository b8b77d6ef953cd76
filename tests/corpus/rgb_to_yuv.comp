#version 450
// BT.709, chroma at half the resolution.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy * 2u;
   vec2 chroma = vec2(0.0);
   for (uint i = 0u; i < 4u; i++) {
      vec3 rgb = unpackUnorm4x8(words[(p.y + (i >> 1)) * 128u + p.x + (i & 1u)]).rgb;
      float y = dot(rgb, vec3(0.2126, 0.7152, 0.0722));
      chroma += vec2((rgb.b - y) / 1.8556, (rgb.r - y) / 1.5748);
      results[(p.y + (i >> 1)) * 128u + p.x + (i & 1u)] = uint(round(16.0 + 219.0 * y));
   }
   uvec2 uv = uvec2(round(128.0 + 224.0 * chroma * 0.25));
   results[16384u + p.y * 32u + p.x / 2u] = uv.x | uv.y << 8;
}
