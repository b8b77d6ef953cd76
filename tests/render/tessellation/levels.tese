#version 450
layout(quads, equal_spacing, point_mode) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };

void main()
{
   atomicAdd(words[gl_PrimitiveID * 8 + 6], 1);
   gl_Position = vec4(gl_TessCoord.xy, 0, 1);
   gl_PointSize = 1;
}
