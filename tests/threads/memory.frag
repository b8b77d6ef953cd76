#version 450
layout(location = 0) in vec4 smooth_color;
layout(location = 0) out vec4 color;
void main()
{
   color = smooth_color;
}
