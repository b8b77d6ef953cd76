#version 450
/* A vertex knows its number; its distances come from that. */
layout(location = 0) flat out int number;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; };

void main()
{
   number = gl_VertexIndex;
   gl_Position = vec4(float(gl_VertexIndex), 0, 0, 1);
   gl_PointSize = 1;
   gl_ClipDistance[0] = 1;
   gl_ClipDistance[1] = float(gl_VertexIndex) + 0.25;
   gl_CullDistance[0] = float(gl_VertexIndex) + 0.5;
}
