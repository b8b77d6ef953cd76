#version 450
layout(triangles, equal_spacing) in;
layout(location = 0) in int own[];
layout(location = 1) in int neighbour[];
layout(location = 2) patch in int sums[3];
layout(location = 5) in dvec2 wide[];
layout(set = 0, binding = 0) buffer Words { int words[]; };

void main()
{
   if (gl_TessCoord.x == 1.0) {
      const int base = gl_PrimitiveID * 32;
      for (int i = 0; i < gl_PatchVerticesIn; i++) {
         words[base + i] = own[i];
         words[base + 5 + i] = neighbour[i];
         words[base + 10 + i] = int(gl_in[i].gl_Position.x);
         words[base + 15 + i] = int(round(wide[i].x * 30.0) + round(wide[i].y * 3.0));
      }
      for (int i = 0; i < 3; i++)
         words[base + 20 + i] = sums[(gl_PrimitiveID + i) % 3];
      words[base + 23] = gl_PatchVerticesIn;
      words[base + 24] = int(gl_TessLevelInner[0] * 2.0);
   }
   gl_Position = vec4(0, 0, 0, 1);
}
