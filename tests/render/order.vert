#version 450
// A triangle whose corners and colour depend on what a buffer holds.
layout(binding = 1) readonly buffer In { uint words[]; } data;
layout(push_constant) uniform Push { uint number; };
layout(location = 0) flat out uint seed;

void main()
{
   seed = data.words[(number + uint(gl_InstanceIndex)) % 64u];
   float size = 1.0 + float(data.words[number * 7u % 64u] % 8u) * 0.4;
   vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * size - 1.0;
   gl_Position = vec4(p, 0.0, 1.0);
}
