#version 450
// A transform of 128 residues modulo 998244353, multiplied by Montgomery's method.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

const uint modulus = 998244353u, inverse = 998244351u;
shared uint data[128];
uint multiply(uint a, uint b)
{
   uint high, low, m, unused;
   umulExtended(a, b, high, low);
   umulExtended(low * inverse, modulus, m, unused);
   uint r = high + (low != 0u ? 1u : 0u) + m;
   return r >= modulus ? r - modulus : r;
}
uint power(uint base, uint exponent)
{
   uint result = 301989884u;
   for (; exponent != 0u; exponent >>= 1) {
      if ((exponent & 1u) != 0u)
         result = multiply(result, base);
      base = multiply(base, base);
   }
   return result;
}
void main()
{
   uint l = gl_LocalInvocationIndex, base = thread() / 64u * 128u;
   for (uint i = l; i < 128u; i += 64u)
      data[bitfieldReverse(i) >> 25] = words[base + i] % modulus;
   uint root = multiply(3u, 932051910u);
   for (uint half_size = 1u; half_size < 128u; half_size *= 2u) {
      barrier();
      uint k = l & (half_size - 1u), a = (l - k) * 2u + k, b = a + half_size;
      uint x = data[a], y = multiply(data[b], power(root, (modulus - 1u) / (2u * half_size) * k));
      data[a] = x + y >= modulus ? x + y - modulus : x + y;
      data[b] = x >= y ? x - y : x + modulus - y;
   }
   barrier();
   for (uint i = l; i < 128u; i += 64u)
      results[base + i] = data[i];
}
