#version 450
#extension GL_EXT_multiview : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uvec3 before[];
layout(location = 0) flat out uvec3 facts;

void main()
{
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      facts = uvec3(before[i].x, before[i].y + 100u, gl_ViewIndex);
      EmitVertex();
   }
}
