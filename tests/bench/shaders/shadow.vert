#version 450
// A shadow map has depth alone.
layout(location = 0) in vec3 position;
layout(push_constant) uniform Push { mat4 transform; };

void main()
{
   gl_Position = transform * vec4(position, 1.0);
}
