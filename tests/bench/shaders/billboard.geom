#version 450
/* A small square around each point. */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 1) in vec4 shade_in[];
layout(location = 1) out vec4 shade;

void main()
{
   for (int i = 0; i < 4; i++) {
      const vec2 corner = vec2(i & 1, i >> 1) * 2.0 - 1.0;
      gl_Position = gl_in[0].gl_Position + vec4(corner * vec2(0.001, 0.002), 0.0, 0.0);
      shade = shade_in[0];
      EmitVertex();
   }
}
