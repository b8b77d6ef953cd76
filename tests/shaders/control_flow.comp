#version 450
// Every structured construct, entered by different invocations in different ways.
layout(local_size_x = 48) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };

uint collatz(uint n)
{
   uint steps = 0u;
   while (true) {
      if (n <= 1u)
         return steps;
      if (steps > 300u)
         return 1000u + n;
      n = (n & 1u) == 0u ? n / 2u : 3u * n + 1u;
      steps++;
   }
   return 0u;
}

uint switched(uint n)
{
   uint r = 0u;
   for (uint k = 0u; k < 10u; k++) {
      switch ((n + k) % 7u) {
      case 0u:
         r += 1u;
      case 1u:
         r += 10u;
         break;
      case 2u:
         if (k == 5u)
            return r;
         continue;
      case 3u: {
         uint j = 0u;
         do {
            j++;
            if (j == 3u)
               continue;
            r += j;
         } while (j < (n & 7u));
         break;
      }
      case 5u:
         r ^= 0x55u;
         break;
      default:
         r = r * 3u + k;
      }
      r += 1000u;
   }
   return r;
}

uint nested(uint n)
{
   uint count = 0u;
   for (uint i = 0u; i < 8u; i++) {
      for (uint j = 0u; j < 8u; j++) {
         if (j == (n & 7u))
            break;
         if (((i + j + n) & 3u) == 0u)
            continue;
         for (uint k = i; k < j; k++) {
            if (k * n % 5u == 4u)
               break;
            count += k + 1u;
         }
      }
      if (count > 150u)
         break;
   }
   return count;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   if (i >= uint(values.length()))
      return;
   uint n = values[i];
   results[i] = collatz(n % 97u) + 2048u * (switched(n) % 65536u) + 7u * nested(n);
}
