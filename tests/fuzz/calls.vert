#version 450
// Points of a spiral, some of them behind the eye.
layout(location = 0) in vec4 corner;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { uint seed; };
void main()
{
   const float turn = float(gl_VertexIndex % 1000 * 7 + gl_InstanceIndex % 1000) + float(seed % 64u);
   color = corner + vec4(turn * 0.01);
   gl_Position = vec4(cos(turn) * turn * 0.1, sin(turn) * turn * 0.1, fract(turn * 0.37), fract(turn * 0.11) * 2.0 - 0.2);
}
