#version 450
#extension GL_EXT_multiview : require
// DOMAIN, ORDER; DOWN: where isolines are in their rows of texels.
layout(DOMAIN, equal_spacing, ORDER) in;
layout(location = 0) patch in uvec2 cell;
layout(location = 0) flat out uvec3 facts;

void main()
{
   const vec2 at = vec2(cell.x % 4u, cell.x / 4u) + gl_TessCoord.xy + vec2(0.0, DOWN);
   gl_Position = vec4(at / 2.0 - 1.0, 0.5, 1.0);
   facts = uvec3(cell, gl_ViewIndex);
}
