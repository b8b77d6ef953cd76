#version 450
// SPDX-License-Identifier: MIT
// Where members stand: the buffers hold each word's own index.
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x = 1) in;
layout(binding = 0) writeonly buffer Results {
   uint results[];
};

struct Inner {
   uint a;
   uvec3 b;
   uvec2 c[2];
};

layout(binding = 1, std140) uniform Std140 {
   uint first;
   uvec3 v;
   uint after;
   uint array[3];
   layout(row_major) mat3x2 rows;
   layout(column_major) mat2x3 columns;
   Inner inner[2];
} std140_block;

layout(binding = 2, std430) buffer Std430 {
   uvec3 v;
   uint after;
   uint array[3];
   layout(row_major) mat4 rows[2];
   Inner inner[2];
   uvec2 rest[];
} std430_block[2];

layout(binding = 4, scalar) readonly buffer Scalar {
   uint first;
   uvec3 v;
   Inner inner;
} scalar_block;

layout(push_constant) uniform Push {
   uint n;
   uvec4 v;
} push;

uint bits(float x)
{
   return floatBitsToUint(x);
}

void main()
{
   uint i = push.n;
   results[0] = std140_block.v.z;
   results[1] = std140_block.after;
   results[2] = std140_block.array[i];
   results[3] = bits(std140_block.rows[2].y);
   results[4] = bits(std140_block.columns[1].z);
   results[5] = bits(std140_block.columns[i].y);
   results[6] = std140_block.inner[i].b.y;
   results[7] = std140_block.inner[i].c[1][i];
   results[8] = std430_block[0].after;
   results[9] = std430_block[1].array[i];
   results[10] = bits(std430_block[0].rows[1][2].w);
   results[11] = bits(std430_block[i].rows[i][i][i]);
   results[12] = std430_block[0].inner[1].c[i].y;
   results[13] = std430_block[0].rest[i + 1].y;
   results[14] = std430_block[0].rest.length();
   results[15] = scalar_block.v.z;
   results[16] = scalar_block.inner.c[i].x;
   results[17] = push.v.w;

   // whole values
   Inner copy = std430_block[0].inner[i];
   results[18] = copy.b.x + copy.c[1].y;
   std430_block[1].inner[0] = copy;
   mat4 m = std430_block[0].rows[0];
   results[19] = bits(m[3][1]);
   std430_block[1].rows[1] = m;
   std430_block[1].rows[0][2] = m[1];
   std430_block[1].rows[0][0].z = 0.5;
   results[20] = std430_block[1].rest[20].x; // out of bounds
}
