#version 450
// One head: scores against keys, softmax on the way, weighted values.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
#include "corpus.glsl"

void main()
{
   uint t = thread();
   vec4 query[4], sums[4];
   for (uint i = 0u; i < 16u; i++) {
      query[i / 4u][i % 4u] = floats[t * 16u + i];
      sums[i / 4u][i % 4u] = 0.0;
   }
   float top = -1e9, total = 0.0;
   for (uint k = 0u; k < 64u; k++) {
      float score = 0.0;
      for (uint i = 0u; i < 4u; i++)
         score += dot(query[i], vec4(floats[8192u + k * 16u + i * 4u], floats[8193u + k * 16u + i * 4u], floats[8194u + k * 16u + i * 4u], floats[8195u + k * 16u + i * 4u]));
      float next = max(top, score * 0.25), keep = exp(top - next), weight = exp(score * 0.25 - next);
      total = total * keep + weight;
      for (uint i = 0u; i < 4u; i++)
         sums[i] = sums[i] * keep + weight * vec4(floats[12288u + k * 16u + i * 4u], floats[12289u + k * 16u + i * 4u], floats[12290u + k * 16u + i * 4u], floats[12291u + k * 16u + i * 4u]);
      top = next;
   }
   for (uint i = 0u; i < 16u; i++)
      put(t * 16u + i, sums[i / 4u][i % 4u] / total);
}
