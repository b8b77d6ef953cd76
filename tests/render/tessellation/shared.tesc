#version 450
layout(vertices = 5) out;
layout(location = 0) in int number[];
layout(location = 0) out int own[];
layout(location = 1) out int neighbour[];
layout(location = 2) patch out int sums[3];
layout(location = 5) out dvec2 wide[];

void main()
{
   #define i gl_InvocationID
   own[i] = number[i] * 10 + i; // the last ones are beyond the patch
   wide[i] = dvec2(number[i], i) / 3.0;
   gl_out[i].gl_Position = gl_in[(i + 1) % gl_PatchVerticesIn].gl_Position;
   if (i < 3)
      sums[i] = gl_PrimitiveID * 100 + i;
   barrier();
   neighbour[i] = own[(i + 1) % 5] + sums[i % 3];
   if (i == 4) {
      gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1;
      gl_TessLevelInner[0] = gl_PrimitiveID % 3 == 2 ? 2.5 : 1;
   }
}
