#version 450
layout(location = 0) in vec2 position;
layout(push_constant) uniform Push { vec4 place; vec4 tint; };
layout(location = 1) out vec4 shade;

// A small quad or triangle, moved by push constants.
void main()
{
   shade = tint;
   gl_Position = vec4(position * place.zw + place.xy, 0.5, 1.0);
}
