#version 450
/* Quads on top of each other, each cut to its own columns by distances: the last of a column is what is seen. */
layout(triangles, invocations = 3) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat out vec4 colour;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; float gl_CullDistance[1]; };

void main()
{
   const int id = gl_PrimitiveIDIn * 3 + gl_InvocationID;
   for (int i = 0; i < 4; i++) {
      const float x = (i & 1) != 0 ? 1.0 : -1.0;
      gl_Position = vec4(x, i >= 2 ? 1.0 : -1.0, 0.5, 1);
      gl_ClipDistance[0] = x * 16 + 16 - float(id % 32); /* from column id % 32 on */
      gl_CullDistance[0] = id % 5 == 4 ? -1 : 1;
      colour = vec4(float(id & 255), float(id >> 8), 0, 255) / 255;
      EmitVertex();
   }
}
