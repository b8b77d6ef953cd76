#version 450
#extension GL_ARB_sparse_texture2 : require
// Writes n + 1 to word n of a sparse buffer, and to texel n of a sparse image; reads both; what of the image is resident.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Words { uint words[]; };
layout(binding = 1, r32ui) uniform uimage2D stored;
layout(binding = 2) uniform usampler2D sampled;
layout(binding = 3) writeonly buffer Out { uvec4 results[]; };

layout(push_constant) uniform Push { uint is_writing, width, count; };

void main()
{
   const uint n = gl_GlobalInvocationID.x;
   const ivec2 at = ivec2(n % width, n / width);
   if (n >= count)
      return;
   if (is_writing != 0u) {
      words[n] = n + 1u;
      imageStore(stored, at, uvec4(n + 1u));
      return;
   }
   uvec4 texel, loaded, nearest;
   const int codes[3] = int[](sparseTexelFetchARB(sampled, at, 0, texel), sparseImageLoadARB(stored, at, loaded),
                              sparseTextureLodARB(sampled, (vec2(at) + 0.5) / vec2(textureSize(sampled, 0)), 0.0, nearest));
   uint resident = 0u;
   for (int i = 0; i < 3; i++)
      resident |= sparseTexelsResidentARB(codes[i]) ? 1u << i : 0u;
   results[n] = uvec4(words[n], texel.x, loaded.x == nearest.x ? loaded.x : 0xdeadu, resident);
}
