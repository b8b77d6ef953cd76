#version 450
/* The last bits of both coordinates. */
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

void main()
{
   uvec2 bits = floatBitsToUint(at) & 0xffff;
   color = unpackUnorm4x8(bits.x | bits.y << 16);
}
