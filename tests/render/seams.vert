#version 450
/* Four rectangles of two triangles each, whose corners come in several orders. A coordinate along each side. */
layout(location = 0) out vec2 at;

const int orders[4][6] = int[4][6](int[](0, 1, 2, 2, 1, 3), int[](0, 1, 3, 3, 2, 0), int[](3, 2, 1, 0, 1, 2), int[](1, 3, 0, 2, 0, 3));

void main()
{
   int rectangle = gl_VertexIndex / 6, corner = orders[rectangle][gl_VertexIndex % 6];
   vec2 side = vec2(corner & 1, corner >> 1), first = vec2(rectangle & 1, rectangle >> 1) * 16.0 + 0.3, size = vec2(15.1, 13.7);
   at = side * vec2(0.731, -1.37) + vec2(0.113, 0.859);
   gl_Position = vec4((first + side * size) / 16.0 - 1.0, 0.5, 1.0);
}
