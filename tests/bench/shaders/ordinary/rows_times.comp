#version 450
// A sparse matrix by a vector: a row an invocation, columns wherever they are, rows of different lengths.
layout(local_size_x = 64) in;
layout(binding = 9, std430) readonly buffer Numbers { float numbers[]; };
layout(binding = 10, std430) buffer Words { uint words[]; };
void main()
{
   uint self = gl_GlobalInvocationID.x, first = self * 16u, count = 4u + (words[self] >> 28);
   float sum = 0.0;
   for (uint i = 0u; i < count; i++) {
      uint column = (self * 7u + i * i * 613u) & 65535u;
      sum += numbers[(first + i) & 1048575u] * numbers[column];
   }
   words[524288u + self] = floatBitsToUint(sum);
}
