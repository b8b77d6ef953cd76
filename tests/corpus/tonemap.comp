#version 450
// Exposure, a filmic curve, sRGB encoding, packed to 8 bits.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

vec3 curve(vec3 x)
{
   return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}
void main()
{
   uint i = thread();
   vec3 colour = abs(vec3(floats[i], floats[i + 1024u], floats[i + 2048u])) * exp2(1.5);
   colour = curve(colour);
   vec3 low = colour * 12.92, high = 1.055 * pow(max(colour, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055;
   results[i] = packUnorm4x8(vec4(mix(high, low, lessThan(colour, vec3(0.0031308))), 1.0));
}
