#version 450
// A surface with relief: a search along the view through a height map.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place(), way = vec2(0.4, 0.2) * 0.05 / 12.0;
   float depth = 0.0, height = 1.0 - texture(picture, uv).r;
   for (int i = 0; i < 12 && depth < height; i++) {
      uv += way;
      depth += 1.0 / 12.0;
      height = 1.0 - textureLod(picture, uv, 0.0).r;
   }
   color = texture(picture, uv) * (1.0 - 0.5 * depth);
}
