#version 450
// A tone curve from one picture to another.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1, rgba8) uniform writeonly image2D result;

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   if (any(greaterThanEqual(p, imageSize(result))))
      return;
   vec3 c = texelFetch(picture, p, 0).rgb * 1.5;
   imageStore(result, p, vec4(c / (c + 0.5), 1.0));
}
