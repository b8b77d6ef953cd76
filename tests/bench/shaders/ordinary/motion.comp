#version 450
// Motion of 8 x 8 blocks: sums of absolute differences of bytes, four in a word, over a window of places.
layout(local_size_x = 64) in;
layout(binding = 10, std430) buffer Words { uint words[]; };
uint difference(uint a, uint b)
{
   uint sum = 0u;
   for (int k = 0; k < 32; k += 8)
      sum += uint(abs(int(bitfieldExtract(a, k, 8)) - int(bitfieldExtract(b, k, 8))));
   return sum;
}
void main()
{
   uint self = gl_GlobalInvocationID.x, block = (self & 127u) * 2u + (self >> 7 & 127u) * 8u * 256u, best = 0xffffffffu, where = 0u;
   for (uint y = 0u; y < 4u; y++)
      for (uint x = 0u; x < 4u; x++) {
         uint sum = 0u;
         for (uint row = 0u; row < 8u; row++) {
            uint a = block + row * 256u, b = 262144u + block + (row + y) * 256u + x;
            sum += difference(words[a], words[b & 524287u]) + difference(words[a + 1u], words[(b + 1u) & 524287u]);
         }
         if (sum < best) {
            best = sum;
            where = y * 4u + x;
         }
      }
   words[524288u + self] = best << 8 | where;
}
