#version 450
// The largest of 7 x 7 pixels: a tile with its borders in shared memory, rows first, then columns.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 7, rgba8) uniform readonly image2D from;
layout(binding = 8, rgba8) uniform writeonly image2D to;
shared vec4 tile[22][22];
shared vec4 rows[22][16];
void main()
{
   ivec2 corner = ivec2(gl_WorkGroupID.xy) * 16 - 3;
   for (uint i = gl_LocalInvocationIndex; i < 484u; i += 256u) {
      ivec2 at = ivec2(i % 22u, i / 22u);
      tile[at.y][at.x] = imageLoad(from, clamp(corner + at, ivec2(0), ivec2(1023)));
   }
   barrier();
   for (uint i = gl_LocalInvocationIndex; i < 352u; i += 256u) {
      uint x = i % 16u, y = i / 16u;
      vec4 largest = tile[y][x];
      for (uint k = 1u; k < 7u; k++)
         largest = max(largest, tile[y][x + k]);
      rows[y][x] = largest;
   }
   barrier();
   uvec2 at = gl_LocalInvocationID.xy;
   vec4 largest = rows[at.y][at.x];
   for (uint k = 1u; k < 7u; k++)
      largest = max(largest, rows[at.y + k][at.x]);
   imageStore(to, ivec2(gl_GlobalInvocationID.xy), largest);
}
