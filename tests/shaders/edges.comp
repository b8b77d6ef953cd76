#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
// What the specification leaves undefined, and we define: division by zero and of the least number by -1, shifts by more than the width,
// floats that no integer holds. Remainders with the sign of either operand. edges() in shaders_test.c computes the same.
layout(local_size_x = 16) in;

struct Operands { uint64_t a, b; double d; };
layout(std430, binding = 0) readonly buffer In { Operands values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint64_t results[][56]; };

spirv_instruction(id = 138) int8_t srem(int8_t a, int8_t b); // OpSRem
spirv_instruction(id = 138) int16_t srem(int16_t a, int16_t b);
spirv_instruction(id = 138) int srem(int a, int b);
spirv_instruction(id = 138) int64_t srem(int64_t a, int64_t b);

#define ALL(at, T, U)                                                      \
   {                                                                       \
      const U a = U(v.a), b = U(v.b);                                      \
      const T sa = T(a), sb = T(b);                                        \
      results[n][at + 0] = uint64_t(int64_t(sa / sb));                     \
      results[n][at + 1] = uint64_t(a / b);                                \
      results[n][at + 2] = uint64_t(int64_t(sa % sb));                     \
      results[n][at + 3] = uint64_t(int64_t(srem(sa, sb)));                \
      results[n][at + 4] = uint64_t(a % b);                                \
      results[n][at + 5] = uint64_t(a << b);                               \
      results[n][at + 6] = uint64_t(int64_t(sa >> sb));                    \
      results[n][at + 7] = uint64_t(a >> b);                               \
   }

#define CONVERSIONS(at, x)                                                 \
   {                                                                       \
      results[n][at + 0] = uint64_t(int64_t(int8_t(x)));                   \
      results[n][at + 1] = uint64_t(uint8_t(x));                           \
      results[n][at + 2] = uint64_t(int64_t(int16_t(x)));                  \
      results[n][at + 3] = uint64_t(uint16_t(x));                          \
      results[n][at + 4] = uint64_t(int64_t(int(x)));                      \
      results[n][at + 5] = uint64_t(uint(x));                              \
      results[n][at + 6] = uint64_t(int64_t(x));                           \
      results[n][at + 7] = uint64_t(x);                                    \
   }

void main()
{
   const uint n = gl_GlobalInvocationID.x;
   const Operands v = values[n];
   ALL(0, int8_t, uint8_t)
   ALL(8, int16_t, uint16_t)
   ALL(16, int, uint)
   ALL(24, int64_t, uint64_t)
   CONVERSIONS(32, float16_t(v.d))
   CONVERSIONS(40, float(v.d))
   CONVERSIONS(48, v.d)
}
