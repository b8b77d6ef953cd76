#version 450
layout(binding = 2) uniform sampler2D picture;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main()
{
   color = texture(picture, uv);
}
