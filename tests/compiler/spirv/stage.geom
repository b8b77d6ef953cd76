#version 450
layout(triangles_adjacency, invocations = 5) in;
layout(line_strip, max_vertices = 7) out;
layout(location = 3) in vec2 uv[];
layout(location = 2) out vec3 shade;
layout(location = 9) out vec4 nobody_writes;

void main()
{
   for (int i = 0; i < gl_PrimitiveIDIn; i++) {
      gl_Position = gl_in[i].gl_Position;
      EmitVertex();
      shade = vec3(uv[2], gl_InvocationID); /* after the first vertex in the code, not in time */
   }
   EndPrimitive();
}
