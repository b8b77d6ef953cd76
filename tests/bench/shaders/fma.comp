#version 450
// Chains of dependent fused multiply-adds: 8 an invocation, 256 steps.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out { float values[]; };

void main()
{
   float x = values[gl_GlobalInvocationID.x];
   float a0 = x, a1 = x + 1.0, a2 = x + 2.0, a3 = x + 3.0, a4 = x + 4.0, a5 = x + 5.0, a6 = x + 6.0, a7 = x + 7.0;
   for (int i = 0; i < 256; i++) {
      a0 = fma(a0, 0.999, 0.5); a1 = fma(a1, 0.999, 0.5); a2 = fma(a2, 0.999, 0.5); a3 = fma(a3, 0.999, 0.5);
      a4 = fma(a4, 0.999, 0.5); a5 = fma(a5, 0.999, 0.5); a6 = fma(a6, 0.999, 0.5); a7 = fma(a7, 0.999, 0.5);
   }
   values[gl_GlobalInvocationID.x] = ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7));
}
