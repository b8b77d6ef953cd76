#version 450
layout(binding = 0) uniform Tint { vec4 tint; };
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;

void main()
{
   result = color * tint;
}
