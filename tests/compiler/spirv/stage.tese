#version 450
layout(quads, fractional_odd_spacing, cw, point_mode) in;
layout(location = 1) in vec3 shade[];
layout(location = 2) patch in float sums[2];
layout(location = 5) out vec3 colour;

void main()
{
   colour = shade[int(gl_TessCoord.x * 3.0)] * sums[1] + gl_TessLevelInner[1];
   gl_Position = vec4(gl_TessCoord, 1);
}
