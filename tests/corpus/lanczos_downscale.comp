#version 450
// Windowed sinc over twelve taps a direction.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

float lanczos(float x)
{
   float a = 3.14159265 * x;
   return abs(x) < 1e-4 ? 1.0 : abs(x) >= 3.0 ? 0.0 : 3.0 * sin(a) * sin(a / 3.0) / (a * a);
}
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   vec2 centre = (vec2(p) + 0.5) * 2.0 - 0.5;
   float sum = 0.0, weights = 0.0;
   for (int y = -5; y <= 6; y++) {
      float wy = lanczos((floor(centre.y) + float(y) - centre.y) * 0.5);
      for (int x = -5; x <= 6; x++) {
         float w = wy * lanczos((floor(centre.x) + float(x) - centre.x) * 0.5);
         sum += w * pixel(ivec2(floor(centre)) + ivec2(x, y));
         weights += w;
      }
   }
   put(place(p), sum / weights);
}
