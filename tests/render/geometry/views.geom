#version 450
#extension GL_EXT_multiview : require
layout(points) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat out vec4 colour;

void main()
{
   for (int i = 0; i < 3; i++) {
      gl_Position = vec4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0.5, 1);
      colour = vec4(float(gl_ViewIndex + 1), 0, 0, 255) / 255;
      EmitVertex();
   }
}
