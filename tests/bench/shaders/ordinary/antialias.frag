#version 450
// Anti-aliasing by luma: nine taps at offsets, a walk along the edge.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place(), texel = 1.0 / vec2(textureSize(picture, 0));
   float m = luma(textureLod(picture, uv, 0.0).rgb);
   float n = textureLodOffset(picture, uv, 0.0, ivec2(0, -1)).g, s = textureLodOffset(picture, uv, 0.0, ivec2(0, 1)).g;
   float w = textureLodOffset(picture, uv, 0.0, ivec2(-1, 0)).g, e = textureLodOffset(picture, uv, 0.0, ivec2(1, 0)).g;
   float nw = textureLodOffset(picture, uv, 0.0, ivec2(-1, -1)).g, ne = textureLodOffset(picture, uv, 0.0, ivec2(1, -1)).g;
   float sw = textureLodOffset(picture, uv, 0.0, ivec2(-1, 1)).g, se = textureLodOffset(picture, uv, 0.0, ivec2(1, 1)).g;
   float range = max(max(max(n, s), max(w, e)), m) - min(min(min(n, s), min(w, e)), m);
   float flat_x = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
   float flat_y = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
   vec2 step = flat_x > flat_y ? vec2(texel.x, 0.0) : vec2(0.0, texel.y);
   vec4 sum = vec4(0.0);
   for (int i = -2; i <= 2; i++)
      sum += textureLod(picture, uv + step * (float(i) + 0.25 * range), 0.0);
   color = range < 0.05 ? textureLod(picture, uv, 0.0) : sum * 0.2;
}
