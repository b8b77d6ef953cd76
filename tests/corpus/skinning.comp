#version 450
// Four bones a vertex: positions and normals.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

mat4x3 bone(uint i)
{
   mat4x3 m;
   for (uint c = 0u; c < 4u; c++)
      m[c] = vec3(floats[i * 12u + c * 3u], floats[i * 12u + c * 3u + 1u], floats[i * 12u + c * 3u + 2u]);
   return m;
}
void main()
{
   uint t = thread(), indices = words[t];
   vec4 p = vec4(floats[t + 4096u], floats[t + 5120u], floats[t + 6144u], 1.0), weights = abs(vec4(floats[t], floats[t + 1u], floats[t + 2u], floats[t + 3u])) + 0.01;
   weights /= dot(weights, vec4(1.0));
   mat4x3 m = mat4x3(0.0);
   for (uint i = 0u; i < 4u; i++)
      m += bone(indices >> (i * 8u) & 63u) * weights[i];
   vec3 skinned = m * p, normal = normalize(m * vec4(0.0, 1.0, 0.0, 0.0));
   for (uint i = 0u; i < 3u; i++) {
      put(t * 6u + i, skinned[i]);
      put(t * 6u + 3u + i, normal[i]);
   }
}
