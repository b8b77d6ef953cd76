#version 450
// Edges in a picture of bytes, four to a word, as codecs without storage of 8 bits keep it.
layout(local_size_x = 64) in;
layout(binding = 10, std430) buffer Words { uint words[]; };
const uint WIDTH = 1024u, BYTES = WIDTH * 2048u;
float at(uint i)
{
   i &= BYTES - 1u;
   return float(words[i >> 2] >> (i & 3u) * 8u & 255u);
}
void main()
{
   uint self = gl_GlobalInvocationID.x, result = 0u;
   for (uint k = 0u; k < 4u; k++) {
      uint i = self * 4u + k;
      float x = at(i + 1u) - at(i - 1u) + 0.5 * (at(i + WIDTH + 1u) - at(i + WIDTH - 1u) + at(i - WIDTH + 1u) - at(i - WIDTH - 1u));
      float y = at(i + WIDTH) - at(i - WIDTH);
      result |= uint(min(sqrt(x * x + y * y), 255.0)) << k * 8u;
   }
   words[BYTES / 4u + self] = result;
}
