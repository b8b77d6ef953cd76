#version 450
layout(triangles, equal_spacing, cw) in; // as the corners turn, seen from the upper left
layout(location = 1) in vec4 shade_in[];
layout(location = 1) out vec4 shade;

void main()
{
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
   shade = shade_in[0] * gl_TessCoord.x + shade_in[1] * gl_TessCoord.y + shade_in[2] * gl_TessCoord.z;
}
