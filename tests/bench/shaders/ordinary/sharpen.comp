#version 450
// A filter of five by five texels, from image to image, through shared memory.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 7, rgba8) uniform readonly image2D from;
layout(binding = 8, rgba8) uniform writeonly image2D to;
shared vec3 tile[20][20];
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy), corner = ivec2(gl_WorkGroupID.xy) * 16 - 2;
   for (uint i = gl_LocalInvocationIndex; i < 400u; i += 256u)
      tile[i / 20u][i % 20u] = imageLoad(from, clamp(corner + ivec2(i % 20u, i / 20u), ivec2(0), ivec2(1023))).rgb;
   barrier();
   vec3 sum = vec3(0.0);
   for (int y = 0; y < 5; y++)
      for (int x = 0; x < 5; x++)
         sum += tile[gl_LocalInvocationID.y + y][gl_LocalInvocationID.x + x];
   vec3 here = tile[gl_LocalInvocationID.y + 2][gl_LocalInvocationID.x + 2];
   imageStore(to, p, vec4(here + 0.7 * (here - sum / 25.0), 1.0));
}
