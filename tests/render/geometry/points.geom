#version 450
/* A row of texels an invocation, as long as the vertex's number says, or `length` tries. */
layout(points, invocations = 4) in;
layout(points, max_vertices = 8) out;
layout(constant_id = 0) const int length = 0;
layout(location = 0) flat in int number[];
layout(location = 0) flat out vec4 colour;

void main()
{
   const int n = length != 0 ? length : number[0];
   for (int i = 0; i < n; i++) {
      gl_Position = vec4((vec2(i, number[0] * 4 + gl_InvocationID) + 0.5) / 16 - 1, 0.5, 1);
      gl_PointSize = 1;
      gl_PrimitiveID = 1000;
      colour = vec4(float(i + 1), float(number[0]), float(gl_InvocationID), 255) / 255;
      EmitVertex();
   }
}
