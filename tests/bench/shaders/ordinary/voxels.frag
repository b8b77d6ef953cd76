#version 450
// A ray through a grid of cells: a step at a time, a texel of a 3D image each.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec3 from = vec3(16.0, 16.0, -20.0), dir = normalize(vec3((place() - 0.5) * vec2(1.6, 0.9), 1.0));
   float enter = (0.001 - from.z) / dir.z;
   vec3 p = from + dir * enter;
   ivec3 cell = ivec3(floor(p)), side = ivec3(sign(dir));
   vec3 delta = abs(1.0 / dir), next = (sign(dir) * (vec3(cell) - p) + sign(dir) * 0.5 + 0.5) * delta;
   vec3 found = vec3(0.1);
   for (int i = 0; i < 96; i++) {
      if (any(lessThan(cell, ivec3(0))) || any(greaterThan(cell, ivec3(31))))
         break;
      vec4 texel = texelFetch(table, cell, 0);
      if (texel.r > 0.8) {
         found = texel.rgb * (1.0 - float(i) / 96.0);
         break;
      }
      bvec3 least = lessThanEqual(next, min(next.yzx, next.zxy));
      next += vec3(least) * delta;
      cell += ivec3(least) * side;
   }
   color = vec4(found, 1.0);
}
