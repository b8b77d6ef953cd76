#version 450
// 3x3 over 8 channels of bytes, requantised with a scale a channel.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

int byte_at(int x, int y, int c)
{
   x = clamp(x, 0, 31);
   y = clamp(y, 0, 31);
   uint i = uint((y * 32 + x) * 8 + c);
   return bitfieldExtract(int(words[i / 4u]), int(i % 4u) * 8, 8);
}
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   for (int channel = 0; channel < 4; channel++) {
      int sum = int(words[8192 + channel] & 1023u);
      for (int ky = 0; ky < 3; ky++) {
         for (int kx = 0; kx < 3; kx++) {
            for (int c = 0; c < 8; c++) {
               uint w = uint(((channel * 3 + ky) * 3 + kx) * 8 + c);
               int weight = bitfieldExtract(int(words[4096u + w / 4u]), int(w % 4u) * 8, 8);
               sum += byte_at(p.x + kx - 1, p.y + ky - 1, c) * weight;
            }
         }
      }
      float scaled = float(sum) * (0.001 + 0.0005 * float(channel));
      results[(p.y * 32 + p.x) * 4 + channel] = uint(clamp(int(roundEven(scaled)), -128, 127));
   }
}
