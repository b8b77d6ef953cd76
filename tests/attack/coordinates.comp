#version 450
// Texels at coordinates, levels, offsets and derivatives that are any bits.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uvec4 numbers[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 results[]; };
layout(binding = 2) uniform sampler2D repeated;
layout(binding = 3) uniform sampler2D mirrored;
layout(binding = 4, rgba8) uniform image2D stored;
uvec4 sum = uvec4(0);
void add(vec4 texel)
{
   sum = sum * 3u + floatBitsToUint(texel);
}
void main()
{
   uint i = gl_GlobalInvocationID.x;
   uvec4 n = numbers[i];
   vec4 f = uintBitsToFloat(n);
   ivec2 at = ivec2(n.xy);
   add(textureLod(repeated, f.xy, f.z));
   add(textureLod(mirrored, f.xy, f.z));
   add(textureGrad(repeated, f.xy, f.zw, f.wx));
   add(textureGrad(mirrored, f.yx, f.zz, f.ww));
   add(textureGather(repeated, f.xy, 1));
   add(textureGather(mirrored, f.yx, 2));
   add(textureProjLod(repeated, f.xyz, f.w));
   add(texelFetch(repeated, at, int(n.z & 3u)));
   add(texelFetch(mirrored, at & ivec2(63), 0));
   add(texelFetch(repeated, ivec2(n.z), 1));
   if ((n.w & 1u) != 0u)
      add(textureLod(repeated, vec2(at), float(int(n.z))));
   add(imageLoad(stored, at));
   imageStore(stored, at | ivec2(0x40000000), vec4(1)); // outside
   imageStore(stored, ivec2(at.x, -1 - (at.y & 0x7fffffff)), vec4(1));
   add(imageLoad(stored, at & ivec2(63)));
   results[i] = sum;
}
