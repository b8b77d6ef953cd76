#version 450
// Horizon of a height field in sixteen directions.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float height = pixel(p), sum = 0.0;
   for (int d = 0; d < 16; d++) {
      float angle = float(d) * 0.39269908, horizon = 0.0;
      vec2 direction = vec2(cos(angle), sin(angle));
      for (int s = 1; s <= 6; s++)
         horizon = max(horizon, (pixel(p + ivec2(round(direction * float(s)))) - height) / float(s));
      sum += 1.0 - horizon * inversesqrt(1.0 + horizon * horizon);
   }
   put(place(p), sum / 16.0);
}
