#version 450
// Eight accesses a pixel, about one texel apart. ACCESS says which; COMPUTE which stage.
#define COUNT 8
#if defined(UNSIGNED)
#define IMAGE uimage2D
#define TEXEL uvec4
#define SCALE 200.0
#else
#define IMAGE image2D
#define TEXEL vec4
#define SCALE 1.0
#endif
#if defined(USE_FETCH_UINT)
layout(binding = 0) uniform usampler2D picture;
#elif defined(USE_FETCH_MS)
layout(binding = 0) uniform sampler2DMS picture;
#elif defined(USE_COMPARE) || defined(USE_GATHER_COMPARE)
layout(binding = 0) uniform sampler2DShadow picture;
#elif defined(USE_CUBE)
layout(binding = 0) uniform samplerCube picture;
#elif defined(USE_ARRAY)
layout(binding = 0) uniform sampler2DArray picture;
#elif defined(USE_VOLUME)
layout(binding = 0) uniform sampler3D picture;
#elif defined(USE_BUFFER)
layout(binding = 0) uniform samplerBuffer picture;
#elif defined(USE_LOAD)
layout(binding = 0, FORMAT) uniform readonly IMAGE picture;
#elif defined(USE_STORE)
layout(binding = 0, FORMAT) uniform writeonly IMAGE picture;
#else
layout(binding = 0) uniform sampler2D picture;
#endif

vec4 reach(ivec2 pixel, int i)
{
   ivec2 p = (pixel + ivec2(3 * i, 5 * i)) & 1023;
   vec2 uv = (vec2(p) + vec2(0.3, 0.4)) / 1024.0;
#if defined(USE_FETCH)
   return texelFetch(picture, p, 0);
#elif defined(USE_FETCH_UINT)
   return vec4(texelFetch(picture, p, 0));
#elif defined(USE_FETCH_MS)
   return texelFetch(picture, p >> 1, i & 3);
#elif defined(USE_COMPARE)
   return vec4(textureLod(picture, vec3(uv, 0.5), 0.0));
#elif defined(USE_GATHER_COMPARE)
   return textureGather(picture, uv, 0.5);
#elif defined(USE_GATHER)
   return textureGather(picture, uv, 1);
#elif defined(USE_OFFSET)
   return textureLodOffset(picture, uv, 0.0, ivec2(1, -1));
#elif defined(USE_CUBE)
   return textureLod(picture, vec3(uv * 1.6 - 0.8, 1.0), 0.0);
#elif defined(USE_ARRAY)
   return textureLod(picture, vec3(uv, 1.0), 0.0);
#elif defined(USE_VOLUME)
   return textureLod(picture, vec3(uv, 0.45), 0.0);
#elif defined(USE_TRILINEAR)
   return textureLod(picture, uv, 0.6);
#elif defined(USE_INCOHERENT)
   return textureLod(picture, fract(sin(uv * (91.7 + float(i))) * 437.5), 0.0);
#elif defined(USE_BUFFER)
   return texelFetch(picture, p.y * 1024 + p.x);
#elif defined(USE_LOAD)
   return vec4(imageLoad(picture, p));
#elif defined(USE_STORE)
   imageStore(picture, p, TEXEL(vec4(uv, 0.25, 1.0) * SCALE));
   return vec4(uv, uv);
#else
   return textureLod(picture, uv, 0.0);
#endif
}

#ifdef COMPUTE
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 1, std430) writeonly buffer Sums { float sums[]; };
void main()
{
   ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
   vec4 sum = vec4(0);
   for (int i = 0; i < COUNT; i++)
      sum += reach(pixel, i);
   sums[pixel.y * 1024 + pixel.x] = sum.x + sum.y + sum.z + sum.w;
}
#else
layout(location = 0) out vec4 color;
void main()
{
   vec4 sum = vec4(0);
   for (int i = 0; i < COUNT; i++)
      sum += reach(ivec2(gl_FragCoord.xy), i);
   color = sum / float(COUNT);
}
#endif
