#version 450
// Separation, alignment and cohesion with near neighbours.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

void main()
{
   uint t = thread();
   vec2 p = vec2(floats[t], floats[t + 1024u]), v = vec2(floats[t + 2048u], floats[t + 3072u]);
   vec2 apart = vec2(0.0), heading = vec2(0.0), centre = vec2(0.0);
   float near = 0.0;
   for (uint j = 0u; j < 512u; j++) {
      vec2 d = vec2(floats[j], floats[j + 1024u]) - p;
      float r2 = dot(d, d);
      if (j == t || r2 > 0.09)
         continue;
      near += 1.0;
      centre += d;
      heading += vec2(floats[j + 2048u], floats[j + 3072u]);
      if (r2 < 0.01)
         apart -= d / (r2 + 1e-4);
   }
   if (near > 0.0)
      v += 0.02 * apart + 0.1 * (heading / near - v) + 0.05 * centre / near;
   float speed = max(length(v), 1e-6);
   v *= clamp(speed, 0.2, 1.0) / speed;
   put(t * 2u, p.x + v.x * 0.1);
   put(t * 2u + 1u, p.y + v.y * 0.1);
}
