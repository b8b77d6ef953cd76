#version 450
// Anti-aliasing that looks for both ends of an edge.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
float luma_at(vec2 uv) { return luma(textureLod(picture, uv, 0.0).rgb); }
void main()
{
   vec2 uv = gl_FragCoord.xy / 1024.0, texel = vec2(1.0 / 1024.0);
   vec3 here = textureLod(picture, uv, 0.0).rgb;
   float m = luma(here), n = luma_at(uv - vec2(0.0, texel.y)), s = luma_at(uv + vec2(0.0, texel.y)), w = luma_at(uv - vec2(texel.x, 0.0)),
         e = luma_at(uv + vec2(texel.x, 0.0)), high = max(max(max(n, s), max(w, e)), m), low = min(min(min(n, s), min(w, e)), m), range = high - low;
   if (range < max(0.006, high * 0.01)) {
      color = vec4(here, 1.0);
      return;
   }
   float nw = luma_at(uv - texel), se = luma_at(uv + texel), ne = luma_at(uv + vec2(texel.x, -texel.y)), sw = luma_at(uv + vec2(-texel.x, texel.y));
   float across = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
   float down = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
   bool flat_edge = down >= across;
   float one = flat_edge ? n : w, two = flat_edge ? s : e, g1 = abs(one - m), g2 = abs(two - m), pace = flat_edge ? texel.y : texel.x;
   float mean = 0.5 * (m + two), threshold = 0.25 * max(g1, g2);
   if (g1 >= g2) {
      pace = -pace;
      mean = 0.5 * (m + one);
   }
   vec2 along = flat_edge ? vec2(texel.x, 0.0) : vec2(0.0, texel.y), start = uv + (flat_edge ? vec2(0.0, 0.5 * pace) : vec2(0.5 * pace, 0.0));
   vec2 a = start - along, b = start + along;
   float end_a = 0.0, end_b = 0.0;
   bool done_a = false, done_b = false;
   for (int i = 0; i < 10 && !(done_a && done_b); i++) {
      if (!done_a)
         end_a = luma_at(a) - mean;
      if (!done_b)
         end_b = luma_at(b) - mean;
      done_a = abs(end_a) >= threshold;
      done_b = abs(end_b) >= threshold;
      if (!done_a)
         a -= along * 1.5;
      if (!done_b)
         b += along * 1.5;
   }
   float to_a = flat_edge ? uv.x - a.x : uv.y - a.y, to_b = flat_edge ? b.x - uv.x : b.y - uv.y;
   bool good = ((to_a < to_b ? end_a : end_b) < 0.0) != (m < mean);
   float shift = good ? 0.5 - min(to_a, to_b) / (to_a + to_b) : 0.0;
   float sub = clamp(abs((2.0 * (n + s + w + e) + nw + ne + sw + se) / 12.0 - m) / range, 0.0, 1.0);
   sub = (3.0 - 2.0 * sub) * sub * sub;
   shift = max(shift, sub * sub * 0.75);
   color = vec4(textureLod(picture, uv + (flat_edge ? vec2(0.0, shift * pace) : vec2(shift * pace, 0.0)), 0.0).rgb, 1.0);
}
