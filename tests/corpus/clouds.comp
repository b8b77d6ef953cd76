#version 450
// Marches through layered value noise.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

float lattice(ivec3 p)
{
   uint h = uint(p.x) * 374761393u + uint(p.y) * 668265263u + uint(p.z) * 2147483647u;
   h = (h ^ h >> 13) * 1274126177u;
   return float((h ^ h >> 16) & 0xffffu) / 65535.0;
}
float noise(vec3 p)
{
   vec3 f = fract(p), u = f * f * (3.0 - 2.0 * f);
   ivec3 i = ivec3(floor(p));
   vec4 z;
   for (int k = 0; k < 4; k++)
      z[k] = mix(lattice(i + ivec3(k & 1, k >> 1, 0)), lattice(i + ivec3(k & 1, k >> 1, 1)), u.z);
   return mix(mix(z.x, z.y, u.x), mix(z.z, z.w, u.x), u.y);
}
float density(vec3 p)
{
   float sum = 0.0, weight = 0.5;
   for (int octave = 0; octave < 4; octave++) {
      sum += weight * noise(p);
      p = p * 2.03 + 1.7;
      weight *= 0.5;
   }
   return max(sum - 0.45, 0.0);
}
void main()
{
   vec3 d = normalize(vec3(vec2(gl_GlobalInvocationID.xy) / 16.0 - 1.0, 1.5));
   float through = 1.0, light = 0.0;
   for (int i = 0; i < 16 && through > 0.02; i++) {
      vec3 p = d * (1.0 + 0.25 * float(i)) * 2.0;
      float here = density(p), towards = density(p + vec3(0.2, 0.4, -0.1));
      light += through * here * exp(-3.0 * towards);
      through *= exp(-2.0 * here);
   }
   put(place(ivec2(gl_GlobalInvocationID.xy)), light);
}
