#version 460
/* A point in each of two streams, at two places: which is drawn says the pipeline. */
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0, stream = 0) out vec4 unused;
layout(stream = 1) out gl_PerVertex
{
   vec4 gl_Position;
   float gl_PointSize;
};

void main()
{
   unused = vec4(1);
   EmitStreamVertex(0);
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 4;
   EmitStreamVertex(1);
}
