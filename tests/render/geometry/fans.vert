#version 450
layout(location = 0) out vec3 seed;

void main()
{
   const float i = float(gl_VertexIndex);
   seed = fract(sin(vec3(i, i + 0.5, i * 0.25) * 12.9898) * 43758.5453);
   gl_Position = vec4(seed.xy * 2 - 1, seed.z, 1);
}
