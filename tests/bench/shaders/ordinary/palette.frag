#version 450
// Ordered dither by a matrix of thresholds, then the nearest colours of a palette: arrays of constants, indexed by what is computed.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
const int thresholds[64] = int[](0, 32, 8, 40, 2, 34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26, 12, 44, 4, 36, 14, 46, 6, 38, 60, 28, 52, 20, 62, 30, 54, 22, 3, 35,
   11, 43, 1, 33, 9, 41, 51, 19, 59, 27, 49, 17, 57, 25, 15, 47, 7, 39, 13, 45, 5, 37, 63, 31, 55, 23, 61, 29, 53, 21);
const vec3 colors[16] = vec3[](vec3(0.0), vec3(0.11, 0.17, 0.33), vec3(0.49, 0.15, 0.33), vec3(0.0, 0.53, 0.32), vec3(0.67, 0.32, 0.21), vec3(0.37, 0.34, 0.31),
   vec3(0.76, 0.76, 0.78), vec3(1.0, 0.95, 0.91), vec3(1.0, 0.0, 0.3), vec3(1.0, 0.64, 0.0), vec3(1.0, 0.93, 0.15), vec3(0.0, 0.89, 0.21),
   vec3(0.16, 0.68, 1.0), vec3(0.51, 0.46, 0.61), vec3(1.0, 0.47, 0.66), vec3(1.0, 0.8, 0.67));
int nearest(vec3 c)
{
   int best = 0;
   float least = 1e9;
   for (int i = 0; i < 16; i++) {
      vec3 d = c - colors[i];
      float far = dot(d, d);
      best = far < least ? i : best;
      least = min(far, least);
   }
   return best;
}
void main()
{
   ivec2 at = ivec2(gl_FragCoord.xy) & 7;
   vec3 c = texture(picture, place()).rgb;
   int low = nearest(c), high = nearest(2.0 * c - colors[low]);
   float part = clamp(dot(c - colors[low], colors[high] - colors[low]) / max(dot(colors[high] - colors[low], colors[high] - colors[low]), 1e-4), 0.0, 1.0);
   color = vec4(colors[part * 64.0 > float(thresholds[at.y * 8 + at.x]) ? high : low], 1.0);
}
