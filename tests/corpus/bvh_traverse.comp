#version 450
// A stack in private memory walks an implicit tree of boxes.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

void main()
{
   uint t = thread();
   vec3 o = vec3(floats[t], floats[t + 1024u], -2.0), d = normalize(vec3(floats[t + 2048u] * 0.3, floats[t + 3072u] * 0.3, 1.0)), inv = 1.0 / d;
   uint stack[12];
   int top = 0;
   float best = 1e9;
   uint leaf = 0u;
   stack[top++] = 1u;
   while (top > 0) {
      uint node = stack[--top];
      uint depth = uint(findMSB(node)), seed = words[node & 1023u];
      float size = 1.2 / (1.0 + float(depth) * 0.3);
      vec3 centre = (vec3(seed & 255u, seed >> 8 & 255u, seed >> 16 & 255u) / 128.0 - 1.0) * (depth == 0u ? 0.0 : 0.7);
      vec3 a = (centre - size - o) * inv, b = (centre + size - o) * inv, low = min(a, b), high = max(a, b);
      float near = max(max(low.x, low.y), max(low.z, 0.0)), far = min(min(high.x, high.y), high.z);
      if (near > far || near > best)
         continue;
      if (depth == 9u) {
         best = near;
         leaf = node;
      } else {
         stack[top++] = node * 2u;
         stack[top++] = node * 2u + 1u;
      }
   }
   results[t * 2u] = leaf;
   put(t * 2u + 1u, best);
}
