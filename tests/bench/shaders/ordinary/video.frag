#version 450
// Luma and chroma to colours.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place();
   float y = 1.1643 * (texture(picture, uv).r - 0.0625);
   vec2 c = texture(picture, uv * 0.5).gb - 0.5;
   color = vec4(y + 1.5748 * c.y, y - 0.1873 * c.x - 0.4681 * c.y, y + 1.8556 * c.x, 1.0);
}
