#version 450
// What takes for ever in its own manner: VARIANT.
//    0  counted loops, each short by its number of rounds, one after the other, in a large workgroup
//    1  never ends, and nobody would notice if it were left out
//    2  nothing, in very many workgroups
//    3  as long as `count` says
//    4  calls of a function that never ends, so many that it is not inlined
//    5  as many of one with a counted loop
#if VARIANT == 0 || VARIANT == 5
layout(local_size_x = 1024) in;
#elif VARIANT == 3
layout(local_size_x = 1) in;
#else
layout(local_size_x = 8) in;
#endif
layout(push_constant) uniform Push { uint count; };
layout(std430, binding = 0) buffer Values { float values[]; };

#define CALL8 CALL CALL CALL CALL CALL CALL CALL CALL
#define CALL64 CALL8 CALL8 CALL8 CALL8 CALL8 CALL8 CALL8 CALL8
#define CALL512 CALL64 CALL64 CALL64 CALL64 CALL64 CALL64 CALL64 CALL64
#define CALL2048 CALL512 CALL512 CALL512 CALL512

#define STEP x = pow(abs(x), 1.0001) + sin(x);
#define LOOP for (int i = 0; i < 16000; i++) { STEP STEP STEP STEP STEP STEP STEP STEP }

#if VARIANT == 4
uint wander(uint n)
{
   while (n != 1u) { // a multiple of 3 stays one
      n = n * 3u + 6u + count * 3u;
      if (values[n & 63u] > 1e30)
         break;
   }
   return n * 3u;
}
#define CALL n = wander(n);
#elif VARIANT == 5
float turn(float x, uint n)
{
   for (int i = 0; i < 16000; i++)
      x = abs(x) * 0.75 + values[(n + i) & 63u];
   return x;
}
#define CALL x = turn(x, index);
#endif

void main()
{
   uint index = gl_LocalInvocationIndex;
#if VARIANT == 0
   float x = values[index % 8];
   LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP
   values[index % 8] = x;
#elif VARIANT == 1
   uint n = index * 3u;
   while (n != 1u)
      n = n * 3u + 6u; // a multiple of 3 stays one
#elif VARIANT == 3
   float x = values[index];
   for (uint i = 0u; i < count; i++)
      x = x * 0.5 + 1.0;
   values[index] = x;
#elif VARIANT == 4
   uint n = index * 3u;
   CALL2048
   values[index % 8] = float(n);
#elif VARIANT == 5
   float x = values[index % 8];
   CALL2048
   values[index % 8] = x;
#endif
}
