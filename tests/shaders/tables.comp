#version 450
// Arrays of constants, small and large, indexed by what every invocation has its own of, by what all share, and in loops. Their elements follow from their numbers.
layout(local_size_x = 40) in;
layout(std430, binding = 0) readonly buffer In { uint numbers[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
layout(push_constant) uniform Push { uint shared_number, far; };
#define F(i) float(i) * 0.75 - 2.0
#define V(i) uvec3(i * 7, i * 11 + 1, i * 13 + 2)
#define W(i) uint(i) * 2654435761u
#define W10(i) W(i), W(i + 1), W(i + 2), W(i + 3), W(i + 4), W(i + 5), W(i + 6), W(i + 7), W(i + 8), W(i + 9)
#define W60(i) W10(i), W10(i + 10), W10(i + 20), W10(i + 30), W10(i + 40), W10(i + 50)
const float floats[5] = float[](F(0), F(1), F(2), F(3), F(4));
const uvec3 vectors[9] = uvec3[](V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8));
const uint words[60] = uint[](W60(0));
const uint many[300] = uint[](W60(0), W60(60), W60(120), W60(180), W60(240));
uint folded(uint first)
{
   uint sum = 0;
   for (uint i = 0; i < 4; i++)
      sum = sum * 3 + words[(first + i * i) % 60];
   return sum;
}
void main()
{
   uint i = gl_GlobalInvocationID.x, n = numbers[i], sum = 0;
   sum += floatBitsToUint(floats[n % 5]);
   uvec3 v = vectors[n % 9] * 3 + vectors[shared_number % 9];
   sum = sum * 5 + v.x + v.y * 17 + v.z * 19;
   sum = sum * 5 + many[n % 300] + many[shared_number % 300];
   if ((n & 64) != 0) {
      uint own[4] = uint[](1u, 2u, 3u, 4u); // becomes no table: one element is stored
      own[n & 3] = n;
      sum = sum * 5 + own[(n >> 2) & 3] + words[n % 60];
   }
   if (far < 50u) // it is not: what only holds here must not be relied on where the load is moved to
      sum += words[far + 1u] + many[far + 2u];
   results[i] = sum * 5 + folded(n >> 8);
}
