#version 450
// Mixes a picture and a buffer into another picture or buffer.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) readonly buffer In { uint words[]; } data;
layout(binding = 2) buffer Out { uint words[]; } result;
layout(binding = 3, rgba8) uniform writeonly image2D target;
layout(push_constant) uniform Push { uint number; uint to_buffer; };

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   uint i = gl_LocalInvocationIndex;
   uint word = packUnorm4x8(texelFetch(picture, p % textureSize(picture, 0), 0));
   word = (word + data.words[i]) * 277803737u + number;
   if (to_buffer == 0u && any(greaterThanEqual(p, imageSize(target))))
      return;
   if (to_buffer == 0u)
      imageStore(target, p, unpackUnorm4x8(word ^ word >> 16));
   else if (gl_WorkGroupID.xy == uvec2(0))
      result.words[i] = word;
}
