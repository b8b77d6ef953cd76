#version 450
/* In the column of the primitive's number so many strips, with one between them that is too short to be anything:
 * rectangles of 4 x 2 texels; as LINES two segments of two texels. */
layout(points) in;
#ifdef LINES
layout(line_strip, max_vertices = 64) out;
#else
layout(triangle_strip, max_vertices = 64) out;
#endif
layout(location = 0) flat in int number[];
layout(location = 0) flat out vec4 colour;

void corner(vec2 at, int value)
{
   gl_Position = vec4((at + vec2(number[0] * 4, 0)) / 16 - 1, 0.5, 1);
   colour = vec4(float(value), float(number[0]), 0, 255) / 255;
   EmitVertex();
}

void main()
{
   for (int i = 0; i < number[0]; i++) {
      const float y = float(i * 4);
#ifdef LINES
      for (int k = 0; k < 3; k++)
         corner(vec2(k * 2, y + 0.5), i * 4 + k + 1);
      EndPrimitive();
      corner(vec2(0, y + 2), 200);
#else
      for (int k = 0; k < 4; k++)
         corner(vec2((k & 1) * 4, y + float(k & 2)), i * 4 + k + 1);
      EndPrimitive();
      corner(vec2(0, y + 2), 200);
      corner(vec2(4, y + 2), 200);
#endif
      EndPrimitive();
   }
   corner(vec2(0, 31), 201);
}
