#version 450
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 shade;

/* Two smaller triangles for each. */
void main()
{
   for (int i = 0; i < 3; i++) {
      shade = color[i].bgra * (1.0 - 0.5 * float(gl_InvocationID));
      gl_Position = vec4(gl_in[i].gl_Position.xy * (0.8 - 0.3 * float(gl_InvocationID)), gl_in[i].gl_Position.z, 1.0);
      EmitVertex();
   }
}
