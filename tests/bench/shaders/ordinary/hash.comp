#version 450
// SHA-256 of a block each: rotations, a window of 16 words that moves.
layout(local_size_x = 64) in;
layout(binding = 10, std430) buffer Words { uint words[]; };
const uint K[64] = uint[](
   0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu,
   0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau,
   0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u,
   0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u,
   0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu,
   0x682e6ff3u, 0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);
uint turn(uint x, int n) { return x >> n | x << (32 - n); }
void main()
{
   uint base = gl_GlobalInvocationID.x * 16u, w[16];
   for (int i = 0; i < 16; i++)
      w[i] = words[base + uint(i)];
   uint a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au, e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
   for (int i = 0; i < 64; i++) {
      if (i >= 16) {
         uint s = w[(i + 1) & 15], t = w[(i + 14) & 15];
         w[i & 15] += (turn(s, 7) ^ turn(s, 18) ^ s >> 3) + w[(i + 9) & 15] + (turn(t, 17) ^ turn(t, 19) ^ t >> 10);
      }
      uint t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i & 15];
      uint t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
   }
   words[base] = a + e;
   words[base + 1u] = b + f;
   words[base + 2u] = c + g;
   words[base + 3u] = d + h;
}
