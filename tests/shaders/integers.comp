#version 450
// Integer arithmetic of 32 bits; the host computes the same.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uvec2 values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x, a = values[i].x, b = values[i].y;
   int sa = int(a), sb = int(b);
   uint h = a + b * 3u;
   h = h * 31u + (a - b);
   h = h * 31u + (a / (b | 1u));
   h = h * 31u + (a % (b | 1u));
   h = h * 31u + uint(sa / (sb | 1));
   h = h * 31u + (a << (b & 31u));
   h = h * 31u + (a >> (b & 31u));
   h = h * 31u + uint(sa >> int(b & 31u));
   h = h * 31u + ((a & b) ^ (a | ~b));
   h = h * 31u + uint(min(sa, sb)) + uint(max(sa, sb)) * 7u + min(a, b) + max(a, b) * 5u;
   h = h * 31u + uint(abs(sa)) + uint(sign(sb));
   h = h * 31u + bitfieldReverse(a) + uint(bitCount(b)) + uint(findLSB(a)) + uint(findMSB(b)) + uint(findMSB(sa));
   h = h * 31u + bitfieldExtract(a, 5, 11) + uint(bitfieldExtract(sa, 3, 9)) + bitfieldInsert(a, b, 4, 7);
   uint carry, borrow, hi, lo;
   h = h * 31u + uaddCarry(a, b, carry) + carry;
   h = h * 31u + usubBorrow(a, b, borrow) + borrow;
   umulExtended(a, b, hi, lo);
   h = h * 31u + hi + lo * 3u;
   int shi, slo;
   imulExtended(sa, sb, shi, slo);
   h = h * 31u + uint(shi) + uint(slo) * 3u;
   h = h * 31u + (a < b ? 1u : 0u) + (sa < sb ? 2u : 0u) + (a == b ? 4u : 0u);
   results[i] = h;
}
