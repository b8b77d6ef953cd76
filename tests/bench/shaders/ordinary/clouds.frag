#version 450
// Clouds: a march through noise from a table, with a short march to the sun at each step inside.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
float density(vec3 p)
{
   float shape = textureLod(table, p * 0.11, 0.0).r * 0.65 + textureLod(table, p * 0.37, 0.0).g * 0.35;
   return clamp((shape - 0.45 - abs(p.y - 2.0) * 0.12) * 2.5, 0.0, 1.0);
}
void main()
{
   vec3 ray = normalize(vec3(place() * 2.0 - 1.0, 1.2)), sun = normalize(vec3(0.4, 0.7, 0.2)), sum = vec3(0.0);
   float left = 1.0, t = 0.5 + noise(gl_FragCoord.xy) * 0.3, mu = dot(ray, sun);
   float phase = 0.8 * (1.0 - 0.36) / pow(1.36 - 1.2 * mu, 1.5) + 0.2;
   for (int i = 0; i < 32; i++) {
      vec3 at = ray * t;
      float here = density(at);
      if (here > 0.01) {
         float shade = 0.0;
         for (int j = 1; j <= 4; j++)
            shade += density(at + sun * float(j) * 0.35);
         float light = exp(-shade * 1.4) * (1.0 - exp(-here * 4.0)) * phase, kept = exp(-here * 0.5);
         sum += left * (1.0 - kept) * (light * vec3(1.0, 0.9, 0.75) + vec3(0.1, 0.13, 0.18));
         left *= kept;
         if (left < 0.02)
            break;
      }
      t += 0.25;
   }
   color = vec4(sum + left * mix(vec3(0.6, 0.7, 0.9), vec3(0.2, 0.4, 0.8), ray.y * 0.5 + 0.5), 1.0);
}
