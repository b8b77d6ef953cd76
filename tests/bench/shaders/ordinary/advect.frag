#version 450
// A fluid's step: back along the flow by two steps, pressure's slope from four neighbours, whirls kept.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 at = place(), unit = 1.0 / SIZE;
   vec2 flow = textureLod(bright, at, 0.0).xy - 0.5;
   vec2 middle = at - flow * unit * 3.0;
   vec2 before = at - (textureLod(bright, middle, 0.0).xy - 0.5) * unit * 6.0;
   vec4 moved = textureLod(bright, before, 0.0);
   float l = textureLod(depths, at - vec2(unit.x, 0.0), 0.0).r, r = textureLod(depths, at + vec2(unit.x, 0.0), 0.0).r;
   float d = textureLod(depths, at - vec2(0.0, unit.y), 0.0).r, u = textureLod(depths, at + vec2(0.0, unit.y), 0.0).r;
   vec2 slope = vec2(r - l, u - d);
   float whirl = textureLod(bright, at + vec2(unit.x, 0.0), 0.0).y - textureLod(bright, at - vec2(unit.x, 0.0), 0.0).y;
   color = vec4(moved.xy - slope * 0.5 + vec2(slope.y, -slope.x) * whirl, moved.z * 0.995, 1.0);
}
