#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Arrays of constants indexed by any number: offsets have 32 bits of bytes, and what is beyond the last element is held there. Lanes that are off have numbers for which this matters too.
layout(local_size_x = 40) in;
layout(std430, binding = 0) readonly buffer In { uint numbers[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
layout(push_constant) uniform Push { uint far, zero; };
#define W(i) (uint(i) * 2654435761u)
#define W10(i) W(i), W(i + 1), W(i + 2), W(i + 3), W(i + 4), W(i + 5), W(i + 6), W(i + 7), W(i + 8), W(i + 9)
#define W50(i) W10(i), W10(i + 10), W10(i + 20), W10(i + 30), W10(i + 40)
#define L(i) (uint64_t(W(i)) << 32 | uint64_t(W(i + 1)))
#define L5(i) L(i), L(i + 1), L(i + 2), L(i + 3), L(i + 4)
const uint one[2] = uint[](W(7), W(8));
const uint edge[17] = uint[](W10(0), W(10), W(11), W(12), W(13), W(14), W(15), W(16));
const uint many[300] = uint[](W50(0), W50(50), W50(100), W50(150), W50(200), W50(250));
const uint64_t longs[10] = uint64_t[](L5(0), L5(5));
const uint16_t shorts[5] = uint16_t[](uint16_t(1), uint16_t(65535), uint16_t(3), uint16_t(32768), uint16_t(77));
const int8_t bytes[3] = int8_t[](int8_t(-128), int8_t(5), int8_t(-1));
const uint nested[3][5] = uint[][](uint[](W(0), W(1), W(2), W(3), W(4)), uint[](W(5), W(6), W(7), W(8), W(9)), uint[](W(10), W(11), W(12), W(13), W(14)));
void main()
{
   uint i = gl_GlobalInvocationID.x, n = numbers[i];
   int s = int(n);
   uint at = i * 8u;
   results[at] = one[n] ^ edge[s] * 3u;
   results[at + 1u] = many[n] + many[far];
   uint64_t own = longs[s], all = longs[far];
   results[at + 2u] = uint(own) + uint(own >> 32) * 3u + uint(all >> 32) * 5u;
   results[at + 3u] = uint(shorts[n]) + uint(int(bytes[s])) * 3u + uint(shorts[far]) * 5u;
   results[at + 4u] = nested[n % 3u][s] + nested[s][n % 5u] * 3u + nested[far][far] * 5u;
   uint sum = 0u;
   if (n < 17u) // the others are off
      sum = edge[n] + uint(longs[min(n, 9u)]) + many[n + zero];
   results[at + 5u] = sum;
   sum = 0u;
   for (uint round = 0u; round < (n & 7u); round++) // what is the same in each round is made before the loop, by lanes that never enter it too
      sum = sum * 3u + edge[n >> 1] + many[far >> 1] + uint(longs[n ^ 0x80000000u]) + round;
   results[at + 6u] = sum;
   sum = 0u;
   for (uint round = n; round - n < 4u; round += 1u)
      sum = sum * 3u + many[round * 0x10000001u] + edge[round - 3u];
   results[at + 7u] = sum;
}
