#version 450
// A colour made of a texel, the seed and the place; adds to a buffer.
layout(binding = 0) uniform sampler2D picture;
layout(binding = 2) buffer Out { uint words[]; } result;
layout(push_constant) uniform Push { uint number; uint adds; };
layout(location = 0) flat in uint seed;
layout(location = 0) out vec4 color;

void main()
{
   ivec2 p = ivec2(gl_FragCoord.xy);
   uint word = packUnorm4x8(texelFetch(picture, p % textureSize(picture, 0), 0));
   word = (word ^ seed ^ number * 2654435761u) * 747796405u + uint(p.x * 3 + p.y);
   if (adds != 0u)
      atomicAdd(result.words[(p.x + p.y) % 64], word >> 7);
   color = unpackUnorm4x8(word ^ word >> 15);
}
