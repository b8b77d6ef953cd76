#version 460
/* Captures which vertex it is. */
layout(xfb_buffer = 0, xfb_stride = 8) out;
layout(location = 0, xfb_buffer = 0, xfb_offset = 0) flat out int number;
layout(location = 1, xfb_buffer = 0, xfb_offset = 4) flat out int instance;

void main()
{
   number = gl_VertexIndex + 1;
   instance = gl_InstanceIndex;
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
}
