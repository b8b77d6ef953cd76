#version 450
// Rows of 1024 numbers: the greatest, exponentials, their sum, quotients.
layout(local_size_x = 128) in;
layout(binding = 9, std430) buffer Numbers { float numbers[]; };
shared float parts[128];
void main()
{
   uint base = gl_WorkGroupID.x * 1024u, i = gl_LocalInvocationID.x;
   float most = -1e30;
   for (uint k = i; k < 1024u; k += 128u)
      most = max(most, numbers[base + k]);
   parts[i] = most;
   for (uint d = 64u; d > 0u; d >>= 1) {
      barrier();
      if (i < d)
         parts[i] = max(parts[i], parts[i + d]);
   }
   barrier();
   most = parts[0];
   barrier();
   float sum = 0.0;
   for (uint k = i; k < 1024u; k += 128u) {
      float e = exp(numbers[base + k] - most);
      numbers[base + k] = e;
      sum += e;
   }
   parts[i] = sum;
   for (uint d = 64u; d > 0u; d >>= 1) {
      barrier();
      if (i < d)
         parts[i] += parts[i + d];
   }
   barrier();
   float scale = 1.0 / parts[0];
   for (uint k = i; k < 1024u; k += 128u)
      numbers[base + k] *= scale;
}
