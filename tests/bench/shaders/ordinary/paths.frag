#version 450
// Light's paths among spheres: integers as random numbers, a stack of nothing, as many bounces as a path lives.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
uint state;
float random()
{
   state = state * 747796405u + 2891336453u;
   uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
   return float((word >> 22) ^ word) * (1.0 / 4294967296.0);
}
vec3 on_sphere()
{
   float z = random() * 2.0 - 1.0, a = random() * 6.2831853, r = sqrt(1.0 - z * z);
   return vec3(r * cos(a), r * sin(a), z);
}
bool hit(vec3 from, vec3 along, vec4 sphere, inout float t)
{
   vec3 to = from - sphere.xyz;
   float b = dot(to, along), c = dot(to, to) - sphere.w * sphere.w, d = b * b - c;
   if (d < 0.0)
      return false;
   float at = -b - sqrt(d);
   if (at < 0.001 || at >= t)
      return false;
   t = at;
   return true;
}
void main()
{
   state = uint(gl_FragCoord.x) * 1973u + uint(gl_FragCoord.y) * 9277u;
   vec3 from = vec3(0.0, 1.0, -4.0), along = normalize(vec3(place() * 2.0 - 1.0, 1.5)), light = vec3(0.0), kept = vec3(1.0);
   for (int bounce = 0; bounce < 5; bounce++) {
      float t = 1e9;
      vec4 at = vec4(0.0);
      vec3 hue = vec3(0.7);
      for (int i = 0; i < 6; i++) {
         vec4 sphere = vec4(float(i) * 1.1 - 2.8, 0.4 + 0.3 * float(i & 1), float(i % 3), 0.5);
         if (hit(from, along, sphere, t)) {
            at = sphere;
            hue = vec3(0.9, 0.5 + 0.1 * float(i), 0.3 + 0.1 * float(i));
         }
      }
      if (hit(from, along, vec4(0.0, -1000.0, 0.0, 1000.0), t))
         at = vec4(0.0, -1000.0, 0.0, 1000.0);
      if (t > 1e8) {
         light += kept * mix(vec3(1.0), vec3(0.4, 0.6, 1.0), along.y * 0.5 + 0.5);
         break;
      }
      from += along * t;
      along = normalize(normalize(from - at.xyz) + on_sphere() * 0.99);
      kept *= hue;
      if (random() > max(kept.r, max(kept.g, kept.b)))
         break;
   }
   color = vec4(light, 1.0);
}
