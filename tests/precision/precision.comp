#version 460
// One operation on each element. FLOAT is float16_t, float or double; operands and results stand in 64 bits each.
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable
#extension GL_EXT_shader_explicit_arithmetic_types_float32 : enable
#extension GL_EXT_shader_explicit_arithmetic_types_float64 : enable
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
layout(local_size_x = 64) in;
layout(constant_id = 0) const int OPERATION = 0;
#ifdef WHOLE /* two operands and the result of 32 bits, in arrays of their own */
layout(std430, binding = 0) readonly buffer X { uint xs[]; };
layout(std430, binding = 1) readonly buffer Y { uint ys[]; };
layout(std430, binding = 2) writeonly buffer Results { uint results[]; };
#else
layout(std430, binding = 0) readonly buffer Operands { uvec2 operands[]; };
layout(std430, binding = 1) writeonly buffer Results { uvec2 results[]; };
#endif

#if BITS == 16
#define FLOAT float16_t
#define VEC2 f16vec2
#define VEC3 f16vec3
FLOAT read(uvec2 bits) { return unpackFloat2x16(bits.x).x; }
uvec2 written(FLOAT x) { return uvec2(packFloat2x16(f16vec2(x, 0.0hf)), 0u); }
#elif BITS == 32
#define FLOAT float
#define VEC2 vec2
#define VEC3 vec3
FLOAT read(uvec2 bits) { return uintBitsToFloat(bits.x); }
uvec2 written(FLOAT x) { return uvec2(floatBitsToUint(x), 0u); }
#else
#define FLOAT double
#define VEC2 dvec2
#define VEC3 dvec3
FLOAT read(uvec2 bits) { return packDouble2x32(bits); }
uvec2 written(FLOAT x) { return unpackDouble2x32(x); }
#endif

uvec2 operation(uvec2 a, uvec2 b, uvec2 c)
{
   FLOAT x = read(a), y = read(b), z = read(c);
   int exponent;
   FLOAT whole;
   switch (OPERATION) {
   case 0: return written(x + y);
   case 1: return written(x - y);
   case 2: return written(x * y);
   case 3: return written(x / y);
   case 4: return written(mod(x, y));
   case 5: return written(fma(x, y, z));
   case 6: return written(sqrt(x));
   case 7: return written(inversesqrt(x));
   case 8: return written(floor(x));
   case 9: return written(ceil(x));
   case 10: return written(trunc(x));
   case 11: return written(round(x));
   case 12: return written(roundEven(x));
   case 13: return written(fract(x));
   case 14: return written(modf(x, whole));
   case 15: modf(x, whole); return written(whole);
   case 16: return written(abs(x));
   case 17: return written(sign(x));
   case 18: return written(min(x, y));
   case 19: return written(max(x, y));
   case 20: return written(clamp(x, FLOAT(-1.0), FLOAT(2.0)));
   case 21: return written(mix(x, y, z));
   case 22: return written(step(x, y));
   case 23: return written(smoothstep(FLOAT(-1.0), FLOAT(2.0), x));
   case 24: return written(frexp(x, exponent));
   case 25: return written(ldexp(x, int(b.x)));
   case 26: return written(dot(VEC2(x, y), VEC2(z, x)));
   case 27: return written(length(VEC2(x, y)));
   case 28: return written(distance(VEC2(x, y), VEC2(y, z)));
   case 29: return written(normalize(VEC2(x, y)).x);
   case 30: return written(cross(VEC3(x, y, z), VEC3(z, x, y)).x);
   case 31: return written(reflect(VEC2(x, y), VEC2(z, FLOAT(0.5))).x);
   case 32: return written(FLOAT(int(a.x)));
   case 33: return written(FLOAT(a.x));
   case 34: return uvec2(floatBitsToUint(float(x)), 0u);
   case 35: return uvec2(packFloat2x16(f16vec2(float16_t(x), 0.0hf)), 0u);
   case 56: return written(mod(x, FLOAT(3.0)));
   case 57: { /* the second quotient is of no account */
      FLOAT first = x / y, second = z / y;
      return written(y != y && second > FLOAT(1.0) ? z : first);
   }
#if BITS < 64
   case 36: return written(radians(x));
   case 37: return written(degrees(x));
   case 38: return written(exp(x));
   case 39: return written(exp2(x));
   case 40: return written(log(x));
   case 41: return written(log2(x));
   case 42: return written(pow(x, y));
   case 43: return written(sin(x));
   case 44: return written(cos(x));
   case 45: return written(tan(x));
   case 46: return written(asin(x));
   case 47: return written(acos(x));
   case 48: return written(atan(x));
   case 49: return written(atan(x, y));
   case 50: return written(sinh(x));
   case 51: return written(cosh(x));
   case 52: return written(tanh(x));
   case 53: return written(asinh(x));
   case 54: return written(acosh(x));
   case 55: return written(atanh(x));
#endif
   }
   return uvec2(0u);
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
#ifdef WHOLE
   results[i] = operation(uvec2(xs[i], 0u), uvec2(ys[i], 0u), uvec2(0u)).x;
#else
   results[i] = operation(operands[i * 3u], operands[i * 3u + 1u], operands[i * 3u + 2u]);
#endif
}
