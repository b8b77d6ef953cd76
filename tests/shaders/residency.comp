#version 450
#extension GL_ARB_sparse_texture2 : require
#extension GL_ARB_sparse_texture_clamp : require
// Every operation that says whether texels are resident, and least levels of detail; expected_residency() is the same in C.
layout(local_size_x = 16) in;
layout(binding = 0) uniform sampler2D levels; // texel (x, y) of level l is 100 l + 8 y + x
layout(binding = 1) uniform sampler2DShadow depths;
layout(binding = 2, r32f) uniform readonly image2D stored;
layout(std430, binding = 3) writeonly buffer Out { vec4 results[][8]; };

layout(push_constant) uniform Push { float least; };

void main()
{
   const uint n = gl_GlobalInvocationID.x;
   const ivec2 texel = ivec2(n & 7u, n >> 3 & 7u);
   const vec2 at = (vec2(texel) + 0.5) / 8.0, dx = vec2(float(1u << (n & 3u)) / 8.0, 0.0), dy = vec2(0.0, 1.0 / 8.0);
   vec4 t = vec4(-1.0);
   float d = -1.0;
   int codes = 0;

   codes |= sparseTextureLodARB(levels, at, 0.0, t);
   results[n][0] = t;
   codes |= sparseTexelFetchARB(levels, texel >> 1, 1, t);
   results[n][1] = t;
   codes |= sparseTextureGatherARB(levels, vec2(texel.x & ~1, texel.y & ~1) / 8.0 + 1.0 / 8.0, t, 0);
   results[n][2] = t;
   codes |= sparseImageLoadARB(stored, texel, t);
   results[n][3] = t;
   const int lit = sparseTextureLodARB(depths, vec3(at, 0.5), 0.0, d);
   results[n][4] = vec4(d, sparseTexelsResidentARB(lit) ? 1.0 : 0.0, 0.0, 0.0);
   codes |= sparseTextureGradClampARB(levels, at, dx, dy, least, t);
   results[n][5] = t;
   results[n][6] = textureGradClampARB(levels, at, dx, dy, least + float(n >> 4 & 1u));
   results[n][7] = vec4(sparseTexelsResidentARB(codes) ? 1.0 : 0.0, 0.0, 0.0, 0.0);
}
