#version 450
// Classifies cells of a field and counts their triangles.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
#include "corpus.glsl"

shared uint total;
float field(uvec3 p) { vec3 q = vec3(p) / 4.0 - 1.0; return dot(q, q) - 0.7 + 0.2 * sin(q.x * 5.0) * cos(q.y * 4.0); }
void main()
{
   if (gl_LocalInvocationIndex == 0u)
      total = 0u;
   barrier();
   uvec3 p = gl_GlobalInvocationID;
   uint kind = 0u;
   for (uint i = 0u; i < 8u; i++)
      kind |= field(p + uvec3(i & 1u, i >> 1 & 1u, i >> 2)) < 0.0 ? 1u << i : 0u;
   uint edges = 0u;
   for (uint i = 0u; i < 12u; i++) {
      uint axis = i / 4u, low = axis == 0u ? (i & 3u) * 2u : axis == 1u ? (i & 1u) | (i & 2u) << 1 : i & 3u;
      edges += (kind >> low & 1u) != (kind >> (low | 1u << axis) & 1u) ? 1u : 0u;
   }
   uint triangles = edges > 2u ? edges - 2u : 0u;
   atomicAdd(total, triangles);
   results[thread()] = kind;
   barrier();
   if (gl_LocalInvocationIndex == 0u)
      results[4096u + thread() / 64u] = total;
}
