#version 460
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 shift;
void main()
{
   gl_Position = vec4(position.xy + shift, position.z, 1.0);
}
