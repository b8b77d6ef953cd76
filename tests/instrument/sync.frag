#version 460
layout(set = 0, binding = 0) buffer Input { uint in_data[]; };
layout(set = 0, binding = 1) buffer Output { uint out_data[]; };
layout(set = 0, binding = 3) uniform usampler2D picture;
layout(push_constant) uniform Push { uint mode; uint offset; };
layout(location = 0) out uvec4 color;
void main()
{
   color = uvec4(1);
   if (mode == 1)
      color.x = in_data[offset];
   else if (mode == 4)
      color.x = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).x;
   else if (mode == 5)
      out_data[uint(gl_FragCoord.y) * 16 + uint(gl_FragCoord.x)] = 7;
   else if (mode == 6)
      color.x = atomicAdd(out_data[0], 1);
}
