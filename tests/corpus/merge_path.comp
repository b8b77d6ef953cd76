#version 450
// Each thread finds its part of a merge by binary search, then merges.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

uint left(uint i) { return i * 37u + (words[i] & 31u); }
uint right(uint i) { return i * 41u + (words[4096u + i] & 31u); }
void main()
{
   const uint part = 8u, n = 4096u;
   uint diagonal = thread() * part, low = diagonal > n ? diagonal - n : 0u, high = min(diagonal, n);
   while (low < high) {
      uint middle = (low + high) / 2u;
      if (left(middle) <= right(diagonal - 1u - middle))
         low = middle + 1u;
      else
         high = middle;
   }
   uint a = low, b = diagonal - low;
   for (uint i = 0u; i < part; i++) {
      bool takes_left = b >= n || (a < n && left(a) <= right(b));
      results[diagonal + i] = takes_left ? left(a) : right(b);
      a += takes_left ? 1u : 0u;
      b += takes_left ? 0u : 1u;
   }
}
