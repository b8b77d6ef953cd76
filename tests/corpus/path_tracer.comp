#version 450
// Diffuse and mirror spheres, four bounces, a sample a thread.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

uint state;
float random()
{
   state = state * 747796405u + 2891336453u;
   uint w = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
   return float((w >> 22 ^ w) >> 8) / 16777216.0;
}
float hit(vec3 o, vec3 d, vec4 sphere)
{
   vec3 oc = o - sphere.xyz;
   float b = dot(oc, d), disc = b * b - dot(oc, oc) + sphere.w * sphere.w;
   if (disc < 0.0)
      return 1e9;
   float s = sqrt(disc), t = -b - s;
   t = t > 0.001 ? t : -b + s;
   return t > 0.001 ? t : 1e9;
}
void main()
{
   const vec4 spheres[5] = vec4[5](vec4(0, -100.5, 2, 100), vec4(0, 0, 2, 0.5), vec4(-1.1, 0, 2.2, 0.5), vec4(1.1, 0, 1.8, 0.5), vec4(0.3, -0.35, 1.2, 0.15));
   uvec2 pixel_ = gl_GlobalInvocationID.xy;
   state = pixel_.x * 1973u + pixel_.y * 9277u + 26699u;
   vec3 sum = vec3(0.0);
   for (int s = 0; s < 4; s++) {
      vec3 o = vec3(0.0), d = normalize(vec3((vec2(pixel_) + vec2(random(), random())) / 16.0 - 1.0, 1.5)), weight = vec3(1.0);
      for (int bounce = 0; bounce < 4; bounce++) {
         float t = 1e9;
         int which = -1;
         for (int i = 0; i < 5; i++) {
            float h = hit(o, d, spheres[i]);
            if (h < t) {
               t = h;
               which = i;
            }
         }
         if (which < 0) {
            sum += weight * mix(vec3(1.0), vec3(0.5, 0.7, 1.0), 0.5 * d.y + 0.5);
            break;
         }
         o += d * t;
         vec3 n = (o - spheres[which].xyz) / spheres[which].w;
         if (which == 2) {
            d = reflect(d, n);
            weight *= vec3(0.9, 0.8, 0.6);
         } else {
            float z = random() * 2.0 - 1.0, a = random() * 6.2831853, r = sqrt(max(1.0 - z * z, 0.0));
            d = normalize(n + vec3(r * cos(a), r * sin(a), z) * 0.999);
            weight *= which == 0 ? vec3(0.5) : vec3(0.7, 0.3, 0.3);
         }
      }
   }
   results[place(ivec2(pixel_))] = packUnorm4x8(vec4(sqrt(sum * 0.25), 1.0));
}
