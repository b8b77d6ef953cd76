#version 450
// Fourier transforms of 256 numbers each, in shared memory.
layout(local_size_x = 128) in;
layout(binding = 9, std430) buffer Numbers { vec2 numbers[]; };
shared vec2 v[256];
void main()
{
   uint base = gl_WorkGroupID.x * 256u, i = gl_LocalInvocationID.x;
   v[bitfieldReverse(i) >> 24] = numbers[base + i];
   v[bitfieldReverse(i + 128u) >> 24] = numbers[base + i + 128u];
   for (uint half_size = 1u; half_size < 256u; half_size *= 2u) {
      barrier();
      uint k = i & (half_size - 1u), a = 2u * i - k, b = a + half_size;
      float angle = -3.14159265 * float(k) / float(half_size);
      vec2 w = vec2(cos(angle), sin(angle)), x = v[a], y = v[b], t = vec2(w.x * y.x - w.y * y.y, w.x * y.y + w.y * y.x);
      v[a] = x + t;
      v[b] = x - t;
   }
   barrier();
   numbers[base + i] = v[i] * 0.0625;
   numbers[base + i + 128u] = v[i + 128u] * 0.0625;
}
