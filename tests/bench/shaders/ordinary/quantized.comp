#version 450
// A matrix of 4-bit weights with a scale a block, by a vector.
layout(local_size_x = 64) in;
layout(binding = 9, std430) buffer Numbers { float numbers[]; };
layout(binding = 10, std430) readonly buffer Weights { uint weights[]; };
shared float parts[64];
void main()
{
   uint row = gl_WorkGroupID.x, i = gl_LocalInvocationID.x;
   float sum = 0.0;
   for (uint block = i; block < 128u; block += 64u) {
      uint at = (row & 1023u) * 640u + block * 5u;
      float scale = float(weights[at] & 255u) / 1024.0;
      for (uint w = 0u; w < 4u; w++) {
         uint word = weights[at + 1u + w];
         for (uint n = 0u; n < 8u; n++)
            sum += scale * (float(word >> (4u * n) & 15u) - 8.0) * numbers[block * 32u + w * 8u + n];
      }
   }
   parts[i] = sum;
   for (uint half_size = 32u; half_size > 0u; half_size /= 2u) {
      barrier();
      if (i < half_size)
         parts[i] += parts[i + half_size];
   }
   if (i == 0u)
      numbers[8192u + row] = parts[0];
}
