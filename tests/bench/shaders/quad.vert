#version 450
// A triangle that covers the target, without vertex input; gl_InstanceIndex moves it away from the eye.
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 shade;

void main()
{
   vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
   uv = p * 0.5 + 0.5;
   shade = vec4(uv, 1.0 - uv.x, 0.5);
   gl_Position = vec4(p, float(gl_InstanceIndex) / 64.0, 1.0);
}
