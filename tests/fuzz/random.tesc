#version 450
layout(vertices = 4) out;
void main()
{
   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 1.0;
   gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0;
}
