#version 450
/* Tells which vertices each primitive has: IN is its class, COUNT the number of its vertices. */
layout(IN) in;
layout(points, max_vertices = 1) out;
layout(set = 0, binding = 0) buffer Words { int words[]; };
layout(location = 0) flat in int number[];
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; } gl_in[];

void main()
{
   const int at = gl_PrimitiveIDIn * COUNT;
   for (int i = 0; i < COUNT; i++)
      words[at + i] = number[i] + 1;
   /* a vertex that is chosen at run time; all that is built in */
   const int which = gl_PrimitiveIDIn % COUNT;
   const float x = gl_in[which].gl_Position.x;
   const bool is_right = x == float(number[which]) && gl_in[which].gl_PointSize == 1 &&
                         gl_in[which].gl_ClipDistance[1] == x + 0.25 && gl_in[which].gl_CullDistance[0] == x + 0.5;
   if (!is_right)
      words[at] = -1;
}
