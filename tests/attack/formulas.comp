#version 450
// Products, inverses and determinants of matrices, packed numbers and divisions of 64 bits. ROUNDS of 1 make one copy of the code that runs in a loop, others
// as many copies of the code: so many that most of them are calls. Both do the same.
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0, std430) buffer Data { uint words[]; };

const uint words_each = 1024;
uint at;

float read(uint i)
{
   return float(words[gl_LocalInvocationIndex * words_each + i % 64]) * 0.125 - 3.0;
}

vec4 read4(uint i)
{
   return vec4(read(i), read(i * 3 + 1), read(i * 5 + 2), read(i * 7 + 3));
}

mat4 read_matrix(uint i)
{
   return mat4(read4(i), read4(i + 5), read4(i + 11), read4(i + 17));
}

void keep(uint word)
{
   words[gl_LocalInvocationIndex * words_each + 64 + at % 960] ^= word;
   at++;
}

void keep(float number)
{
   keep(floatBitsToUint(number));
}

void keep(vec4 numbers)
{
   for (uint i = 0; i < 4; i++)
      keep(numbers[i]);
}

mat4 kept = mat4(1.0);

// An infinity, a number without one and a denormal one, now and then.
#define STEP(I)                                                                                                                           \
   {                                                                                                                                      \
      const uint i = I;                                                                                                                   \
      mat4 m = read_matrix(i);                                                                                                            \
      if ((gl_LocalInvocationIndex + i) % 7 == 0)                                                                                         \
         m[i % 4][1] = uintBitsToFloat((i % 3 == 0 ? 0x7f800000u : i % 3 == 1 ? 0x7fc12345u : 7u) + (i & 1));                             \
      const mat4 product = kept * m + m, inverted = inverse(product);                                                                     \
      const dmat4 wide = dmat4(m) * dmat4(inverted) * dmat4(product);                                                                     \
      const dmat3 narrow = inverse(dmat3(product));                                                                                       \
      kept = mat4(inverse(dmat4(m))) * 0.25;                                                                                              \
      keep(inverted[i % 4]);                                                                                                              \
      keep(product[0] * inverse(mat3x4(m) * mat4x3(product)));                                                                            \
      keep(vec4(wide[1] * wide));                                                                                                         \
      keep(determinant(m) * determinant(mat3(product)) + determinant(mat2(inverted)));                                                    \
      keep(float(determinant(wide)) + float(narrow[2][i % 3]));                                                                           \
      keep(packHalf2x16(product[1].xy) + packUnorm4x8(m[2]) * 3 + packSnorm2x16(m[3].zw) * 5);                                            \
      const uint64_t number = uint64_t(words[gl_LocalInvocationIndex * words_each + i]) * 0x123456789abcdefUL;                            \
      keep(uint(number % 17UL) + uint(number / 1000000007UL) + uint(int64_t(number) % -1000L) + uint(int64_t(number) / 12345678901L));    \
   }
#define STEP4(I) STEP(I) STEP(I + 1) STEP(I + 2) STEP(I + 3)
#define STEP16(I) STEP4(I) STEP4(I + 4) STEP4(I + 8) STEP4(I + 12)

void main()
{
   at = 0;
#if ROUNDS == 1
   for (uint round = 0; round < 16; round++)
      STEP(round)
#else
   STEP16(0)
#endif
}
