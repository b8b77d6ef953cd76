#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 tone;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec2 offset; };

void main()
{
   color = tone;
   gl_PointSize = 5.0;
   gl_Position = vec4(position.xy + offset, position.z, 1.0);
}
