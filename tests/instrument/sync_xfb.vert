#version 460
layout(location = 0) in vec2 position;
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 captured;
void main()
{
   gl_Position = vec4(position, 0.0, 1.0);
   captured = position;
}
