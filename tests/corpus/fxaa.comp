#version 450
// Finds edges by luma and blends along them.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

float luma(ivec2 p) { return pixel(p) * 0.5 + 0.5; }
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float m = luma(p), n = luma(p - ivec2(0, 1)), s = luma(p + ivec2(0, 1)), w = luma(p - ivec2(1, 0)), e = luma(p + ivec2(1, 0));
   float low = min(m, min(min(n, s), min(w, e))), high = max(m, max(max(n, s), max(w, e))), result = m;
   if (high - low >= max(0.0625, high * 0.125)) {
      bool is_horizontal = abs(n + s - 2.0 * m) >= abs(w + e - 2.0 * m);
      ivec2 along = is_horizontal ? ivec2(1, 0) : ivec2(0, 1), across = is_horizontal ? ivec2(0, 1) : ivec2(1, 0);
      float a = is_horizontal ? n : w, b = is_horizontal ? s : e;
      if (abs(a - m) >= abs(b - m))
         across = -across;
      float edge = (m + luma(p + across)) * 0.5, threshold = abs(luma(p + across) - m) * 0.25;
      int back = 1, forth = 1;
      while (back < 8 && abs((luma(p - along * back) + luma(p - along * back + across)) * 0.5 - edge) < threshold)
         back++;
      while (forth < 8 && abs((luma(p + along * forth) + luma(p + along * forth + across)) * 0.5 - edge) < threshold)
         forth++;
      float blend = max(0.5 - float(min(back, forth)) / float(back + forth), 0.0);
      result = mix(m, luma(p + across), blend);
   }
   put(place(p), result);
}
