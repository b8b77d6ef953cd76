#version 450
// A mix of transcendental functions.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out { float values[]; };

void main()
{
   float x = values[gl_GlobalInvocationID.x] + float(gl_GlobalInvocationID.x) * 1e-3;
   float sum = 0.0;
   for (int i = 0; i < 16; i++) {
      sum += sin(x) * cos(x * 0.5) + exp2(-x) + log2(x + 2.0) + sqrt(x + 1.0) + pow(x + 1.0, 0.3) + atan(x);
      x += 0.25;
   }
   values[gl_GlobalInvocationID.x] = sum;
}
