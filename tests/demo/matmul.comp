#version 450
// C = A * B for square matrices, 16x16 tiles through shared memory.
layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint N = 256;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
shared float tile_a[16][16], tile_b[16][16];

void main()
{
   uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
   float sum = 0.0;
   for (uint t = 0u; t < N; t += 16u) {
      tile_a[l.y][l.x] = a[g.y * N + t + l.x];
      tile_b[l.y][l.x] = b[(t + l.y) * N + g.x];
      barrier();
      for (uint k = 0u; k < 16u; k++)
         sum += tile_a[l.y][k] * tile_b[k][l.x];
      barrier();
   }
   c[g.y * N + g.x] = sum;
}
