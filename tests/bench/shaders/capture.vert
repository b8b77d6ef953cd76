#version 450
/* What a transformed vertex is made of, captured: 32 bytes. */
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(push_constant) uniform Push { mat4 transform; };
layout(xfb_buffer = 0, xfb_stride = 32) out;
layout(xfb_buffer = 0) out gl_PerVertex
{
   layout(xfb_offset = 0) vec4 gl_Position;
};
layout(location = 1, xfb_buffer = 0, xfb_offset = 16) out vec4 shade;

void main()
{
   shade = vec4(normal * 0.5 + 0.5, 1.0);
   gl_Position = transform * vec4(position, 1.0);
}
