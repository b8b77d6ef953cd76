#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 1) in vec4 shade_in[];
layout(location = 1) out vec4 shade;

void main()
{
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      shade = shade_in[i];
      EmitVertex();
   }
}
