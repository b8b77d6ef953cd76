#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Input { uint in_data[]; };
layout(set = 0, binding = 1) buffer Output { uint out_data[]; };
layout(set = 0, binding = 2, r32ui) uniform uimage2D pixels;
layout(set = 0, binding = 3) uniform usampler2D picture;
layout(push_constant) uniform Push { uint mode; uint offset; };
void main()
{
   const uint at = offset + gl_GlobalInvocationID.x;
   const ivec2 texel = ivec2(gl_GlobalInvocationID.x % 16, gl_GlobalInvocationID.x / 16);
   if (mode == 0)
      out_data[at] = 1;
   else if (mode == 1)
      atomicAdd(out_data[0], in_data[at]);
   else if (mode == 2)
      imageStore(pixels, texel, uvec4(at));
   else if (mode == 3)
      atomicAdd(out_data[0], imageLoad(pixels, texel).x);
   else if (mode == 4)
      atomicAdd(out_data[0], textureLod(picture, vec2(0.5), 0.0).x);
   else
      out_data[at] += 1;
}
