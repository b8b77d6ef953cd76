#version 450
// A patch of any size is a cell; isolines: four of two segments.
layout(vertices = 2) out;
layout(location = 0) in int number[];
layout(location = 0) patch out uvec2 cell; // its number, the patch's vertices

void main()
{
   for (int i = 0; i < 4; i++)
      gl_TessLevelOuter[i] = i == 0 ? 4.0 : 2.0;
   gl_TessLevelInner[0] = gl_TessLevelInner[1] = 2.0;
   if (gl_InvocationID == 0)
      cell = uvec2(number[0] / gl_PatchVerticesIn, gl_PatchVerticesIn);
}
