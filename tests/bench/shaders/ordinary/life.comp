#version 450
// Cells that live and die, a bit each in words: neighbours counted by adders of bits.
layout(local_size_x = 64) in;
layout(binding = 9, std430) readonly buffer From { uint from[]; };
layout(binding = 10, std430) writeonly buffer To { uint to[]; };
void main()
{
   uint self = gl_GlobalInvocationID.x, row = self >> 5, column = self & 31u, ones = 0u, twos = 0u, fours = 0u, own = 0u;
   for (int y = -1; y <= 1; y++) {
      uint base = ((row + uint(y)) & 32767u) << 5;
      uint middle = from[base | column], left = from[base | ((column - 1u) & 31u)], right = from[base | ((column + 1u) & 31u)];
      uint parts[3] = uint[](middle << 1 | left >> 31, middle, middle >> 1 | right << 31);
      if (y == 0)
         own = middle;
      for (int x = 0; x < 3; x++) {
         if (x == 1 && y == 0)
            continue;
         uint carry = ones & parts[x];
         ones ^= parts[x];
         uint more = twos & carry;
         twos ^= carry;
         fours |= more;
      }
   }
   to[self] = twos & ~fours & (ones | own);
}
