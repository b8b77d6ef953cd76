#version 450
// How far two words of 32 letters are from each other: a table of dynamic programming, a row of it in an array of one's own.
layout(local_size_x = 64) in;
layout(binding = 10, std430) buffer Words { uint words[]; };
uint letter(uint word, uint i) { return words[(word * 8u + (i >> 2)) & 524287u] >> (8u * (i & 3u)) & 7u; }
void main()
{
   uint self = gl_GlobalInvocationID.x, row[33];
   for (uint i = 0u; i <= 32u; i++)
      row[i] = i;
   for (uint y = 1u; y <= 32u; y++) {
      uint diagonal = row[0], a = letter(self, y - 1u);
      row[0] = y;
      for (uint x = 1u; x <= 32u; x++) {
         uint above = row[x];
         row[x] = min(min(above, row[x - 1u]) + 1u, diagonal + (a == letter(self + 1u, x - 1u) ? 0u : 1u));
         diagonal = above;
      }
   }
   words[524288u + (self & 262143u)] = row[32];
}
