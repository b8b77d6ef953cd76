#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv[2];
layout(location = 2) flat in int id;
layout(location = 3) in Block {
   vec3 normal;
   layout(location = 7) noperspective centroid float w;
} block;
layout(location = 0) out vec4 color;
layout(location = 2) out ivec2 number;
layout(depth_less) out float gl_FragDepth;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2DArrayShadow shadow_map;
layout(binding = 2, rgba8) uniform writeonly image2D target;
layout(binding = 3, r32ui) uniform uimage2D counters[2];
layout(input_attachment_index = 0, binding = 5) uniform subpassInput before;
layout(binding = 6) uniform texture2D plain;
layout(binding = 7) uniform sampler filtering;
layout(push_constant) uniform Push {
   int n;
} push;

void cut(float x)
{
   if (x < 0.0)
      discard;
}

void main()
{
   cut(block.w);
   color = texture(image, uv[push.n]) + textureLod(image, uv[0], 1.0) + texelFetch(image, ivec2(id), 0);
   color += textureGather(image, uv[0], 2) + textureProj(image, block.normal) + subpassLoad(before);
   color += textureGrad(sampler2D(plain, filtering), uv[0], uv[1], uv[0]) + dFdxFine(color) + fwidth(color);
   color.x += texture(shadow_map, vec4(block.normal, 0.5)) + textureOffset(image, uv[0], ivec2(1, -1), 0.5).x;
   number = textureSize(image, 0) + ivec2(textureQueryLevels(image), int(textureQueryLod(image, uv[0]).x));
   imageStore(target, ivec2(gl_FragCoord.xy), color);
   number.x += int(imageAtomicAdd(counters[1], ivec2(0), 3u) + imageLoad(counters[push.n], ivec2(1)).x);
   color.y += interpolateAtOffset(block.normal, vec2(0.25)).z + interpolateAtSample(uv[push.n], 2).x;
   gl_FragDepth = gl_FragCoord.z * 0.5;
   if (gl_HelperInvocation || !gl_FrontFacing)
      color.z = gl_PointCoord.x;
}
