#version 450
// A point and normal of a bicubic patch by de Casteljau's scheme.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   vec2 uv = vec2(gl_GlobalInvocationID.xy) / 31.0;
   vec3 rows[4], derivative[4];
   for (uint r = 0u; r < 4u; r++) {
      vec3 p[4];
      for (uint c = 0u; c < 4u; c++)
         p[c] = vec3(float(c) / 3.0, floats[r * 4u + c], float(r) / 3.0);
      for (uint n = 3u; n > 1u; n--)
         for (uint c = 0u; c < n; c++)
            p[c] = mix(p[c], p[c + 1u], uv.x);
      derivative[r] = (p[1] - p[0]) * 3.0;
      rows[r] = mix(p[0], p[1], uv.x);
   }
   for (uint n = 3u; n > 1u; n--) {
      for (uint c = 0u; c < n; c++) {
         rows[c] = mix(rows[c], rows[c + 1u], uv.y);
         derivative[c] = mix(derivative[c], derivative[c + 1u], uv.y);
      }
   }
   vec3 point = mix(rows[0], rows[1], uv.y), normal = normalize(cross((rows[1] - rows[0]) * 3.0, mix(derivative[0], derivative[1], uv.y)));
   uint at = place(ivec2(gl_GlobalInvocationID.xy)) * 2u;
   put(at, point.y);
   put(at + 1u, normal.y);
}
