#version 450
// A march through a field of distances, with a shadow.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
float field(vec3 p) { return min(length(mod(p, 4.0) - 2.0) - 0.8 + 0.1 * sin(6.0 * p.x) * sin(6.0 * p.y), p.y + 1.5); }
void main()
{
   vec3 from = vec3(0.0, 0.5, -5.0), way = normalize(vec3(place() * 2.0 - 1.0, 1.4));
   float t = 0.0, lit = 1.0;
   for (int i = 0; i < 64; i++) {
      float d = field(from + way * t);
      if (d < 0.002 || t > 40.0)
         break;
      t += d * 0.8;
   }
   vec3 at = from + way * t, sun = normalize(vec3(0.4, 0.8, -0.3));
   for (float s = 0.05; s < 6.0 && lit > 0.01;) {
      float d = field(at + sun * s);
      lit = min(lit, 8.0 * d / s);
      s += clamp(d, 0.05, 0.5);
   }
   color = vec4(vec3(max(lit, 0.1) * exp(-0.05 * t)), 1.0);
}
