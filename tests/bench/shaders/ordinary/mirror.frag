#version 450
// Reflections on the screen: a march over the depths, and halving steps where it goes behind them.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
float depth_at(vec2 uv) { return textureLod(depths, uv, 0.0).r; }
vec3 position(vec2 uv) { return vec3((uv * 2.0 - 1.0) * 4.0, 1.0) * (2.0 / (1.001 - depth_at(uv))); }
vec2 project(vec3 p) { return p.xy / p.z * 0.125 + 0.5; }
void main()
{
   vec2 uv = place(), texel = 1.0 / SIZE;
   vec3 here = position(uv), dx = position(uv + vec2(texel.x, 0.0)) - here, dy = position(uv + vec2(0.0, texel.y)) - here;
   vec3 normal = normalize(cross(dx, dy)), ray = reflect(normalize(here), normal), at = here, pace = ray * 0.15;
   bool hit = false;
   for (int i = 0; i < 24; i++) {
      at += pace;
      vec2 p = project(at);
      if (at.z <= 0.1 || any(lessThan(p, vec2(0.0))) || any(greaterThan(p, vec2(1.0))))
         break;
      float behind = at.z - 2.0 / (1.001 - depth_at(p));
      if (behind > 0.0 && behind < 0.6) {
         hit = true;
         break;
      }
      pace *= 1.05;
   }
   if (hit) {
      for (int i = 0; i < 5; i++) {
         pace *= 0.5;
         vec2 p = project(at);
         at += at.z > 2.0 / (1.001 - depth_at(p)) ? -pace : pace;
      }
   }
   vec2 p = project(at);
   float edge = smoothstep(0.0, 0.1, min(min(p.x, 1.0 - p.x), min(p.y, 1.0 - p.y)));
   float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(-normalize(here), normal), 0.0), 5.0);
   vec3 base = textureLod(picture, uv, 0.0).rgb, seen = hit ? textureLod(picture, p, 1.0).rgb : vec3(0.3, 0.4, 0.5);
   color = vec4(mix(base, seen, fresnel * (hit ? edge : 0.5)), 1.0);
}
