#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(push_constant) uniform Push { mat4 transform; };
layout(location = 1) out vec4 shade;

void main()
{
   shade = vec4(normal * 0.5 + 0.5, 1.0);
   gl_Position = transform * vec4(position, 1.0);
}
