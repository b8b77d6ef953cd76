#version 450
/* A triangle that covers everything: layer by number, viewport and number of the primitive with it. */
layout(points) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in int number[];

void main()
{
   for (int i = 0; i < 3; i++) {
      gl_Position = vec4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0.5, 1);
      gl_Layer = number[0] < 4 ? number[0] : number[0] * 0x1234567 - 0x7000000;
      gl_ViewportIndex = number[0] < 4 ? number[0] % 2 : -number[0];
      gl_PrimitiveID = number[0] + 10;
      EmitVertex();
   }
}
