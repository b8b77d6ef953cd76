#version 450
// Structures that are copied from memory to memory, with members of all sizes and gaps between them. ROUNDS of 1 make one copy of the code that runs in a
// loop, others as many copies of the code: so many that each would be too much as a load and a store for each part. Both do the same.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;

struct Inner {
   vec3 position; // and a gap in std430
   uint8_t bytes[5];
   uint16_t half_words[3];
};

struct Structure {
   uint words[17];
   Inner inner[3];
   mat3 matrix;
   double wide;
   uvec4 vectors[4];
   uint64_t long_words[2];
};

layout(set = 0, binding = 0, std430) buffer Data { Structure structures[]; };
shared Structure between[4];

const uint table[24] = uint[](3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4);
const uint flat_table[20] = uint[](7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 2, 3);
const uvec2 pairs[6] = uvec2[](uvec2(1, 2), uvec2(3, 4), uvec2(5, 6), uvec2(7, 8), uvec2(9, 10), uvec2(11, 12));

Structure change(Structure s, uint i)
{
   s.words[i % 17] += i * 3;
   s.inner[i % 3].bytes[i % 5] += uint8_t(i);
   s.inner[(i + 1) % 3].half_words[i % 3] ^= uint16_t(i * 77);
   s.inner[(i + 2) % 3].position.y += float(i & 7);
   s.matrix[i % 3][1] += 1.0;
   s.wide += 0.5;
   s.vectors[i % 4].z += table[(i + s.words[3]) % 24];
   s.long_words[i % 2] += 0x100000001ul * i;
   uint own[24] = table; // a constant that does not stay one
   own[(i + s.words[5]) % 24] += i;
   s.words[(i + 1) % 17] ^= own[(i * 7 + s.words[2]) % 24] + flat_table[s.words[4] % 20];
   s.words[(i + 2) % 17] += pairs[s.words[6] % 6][s.words[7] % 2];
   return s;
}

Structure kept[3];

#define STEP(I)                                                                                                         \
   {                                                                                                                    \
      const uint i = I, at = (mine.words[0] + i) % 3;                                                                   \
      kept[at] = mine;                                                                                                  \
      mine = change(kept[(at + i) % 3], i);                                                                             \
      if ((i + gl_LocalInvocationIndex) % 5 == 0)                                                                       \
         mine = structures[first + i % 4];                                                                              \
      structures[first + (i + 1) % 4] = mine;                                                                           \
      if (gl_LocalInvocationIndex == i % 32) {                                                                          \
         between[i % 4] = mine;                                                                                         \
         kept[i % 3] = between[i % 4];                                                                                  \
      }                                                                                                                 \
      structures[first + i % 4] = structures[first + (i + 2) % 4];                                                      \
   }
#define STEP4(I) STEP(I) STEP(I + 1) STEP(I + 2) STEP(I + 3)
#define STEP16(I) STEP4(I) STEP4(I + 4) STEP4(I + 8) STEP4(I + 12)

void main()
{
   const uint first = gl_LocalInvocationIndex * 4;
   Structure mine = structures[first];
   kept = Structure[3](structures[first + 1], structures[first + 2], structures[first + 3]);
#if ROUNDS == 1
   for (uint round = 0; round < 20; round++)
      STEP(round)
#else
   STEP16(0) STEP4(16)
#endif
   structures[first + 3] = mine;
}
