#version 450
// Text by its outlines: how often the rays to the right and up cross quadratic curves that a buffer has.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
float crossings(vec2 a, vec2 b, vec2 c, vec2 p)
{
   a -= p, b -= p, c -= p;
   float code = float((0x2e74 >> ((a.y > 0.0 ? 2 : 0) + (b.y > 0.0 ? 4 : 0) + (c.y > 0.0 ? 8 : 0))) & 3);
   if (code == 0.0)
      return 0.0;
   vec2 d = a - 2.0 * b + c, e = a - b;
   float s = sqrt(max(e.y * e.y - d.y * a.y, 0.0)), inverse = 1.0 / d.y, t1 = (e.y - s) * inverse, t2 = (e.y + s) * inverse;
   if (abs(d.y) < 1.0 / 65536.0)
      t1 = t2 = a.y / (2.0 * e.y);
   float x1 = (d.x * t1 - 2.0 * e.x) * t1 + a.x, x2 = (d.x * t2 - 2.0 * e.x) * t2 + a.x, sum = 0.0;
   if (mod(code, 2.0) == 1.0)
      sum += clamp(x1 * 40.0 + 0.5, 0.0, 1.0);
   if (code > 1.0)
      sum -= clamp(x2 * 40.0 + 0.5, 0.0, 1.0);
   return sum;
}
void main()
{
   vec2 p = fract(place() * 24.0) * 20.0 - 10.0;
   float x = 0.0;
   for (int i = 0; i < 12; i++)
      x += crossings(lights[3 * i].xy, lights[3 * i + 1].xy, lights[3 * i + 2].xy, p);
   color = vec4(vec3(1.0 - clamp(abs(x), 0.0, 1.0)), 1.0);
}
