#version 450
// Prices by the closed formula.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

float normal_cdf(float x)
{
   float k = 1.0 / (1.0 + 0.2316419 * abs(x));
   float tail = exp(-0.5 * x * x) * 0.39894228 * k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
   return x > 0.0 ? 1.0 - tail : tail;
}
void main()
{
   for (uint i = thread(); i < 8192u; i += 1024u) {
      float s = 100.0 + floats[i] * 30.0, strike = 100.0 + floats[i + 8192u] * 30.0, years = 0.25 + abs(floats[i]);
      float root = 0.3 * sqrt(years), d1 = (log(s / strike) + (0.02 + 0.045) * years) / root;
      put(i, s * normal_cdf(d1) - strike * exp(-0.02 * years) * normal_cdf(d1 - root));
   }
}
