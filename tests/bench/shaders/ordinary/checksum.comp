#version 450
// A checksum of 64 bytes each, by a table of 16 constants: a byte after another.
layout(local_size_x = 64) in;
layout(binding = 10, std430) buffer Words { uint words[]; };
const uint NIBBLES[16] = uint[](0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu, 0xedb88320u,
                                0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu);
void main()
{
   uint self = gl_GlobalInvocationID.x, sum = 0xffffffffu;
   for (uint i = 0u; i < 16u; i++) {
      uint word = words[(self * 16u + i) & 524287u];
      for (uint k = 0u; k < 4u; k++) {
         sum ^= word >> (8u * k) & 255u;
         sum = sum >> 4 ^ NIBBLES[sum & 15u];
         sum = sum >> 4 ^ NIBBLES[sum & 15u];
      }
   }
   words[524288u + (self & 262143u)] = ~sum;
}
