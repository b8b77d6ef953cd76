#version 450
// SPDX-License-Identifier: MIT
// GLSL.std.450 and matrices: each result near a number that the test knows.
layout(local_size_x = 1) in;
layout(binding = 0) writeonly buffer Results {
   float results[];
};
layout(binding = 1) readonly buffer Inputs {
   float x, y; // 0.5, -2.25
   vec4 v;     // 1, 2, 3, 4
   uint bits;  // 0x00f0
   int negative; // -5
};

void main()
{
   int i;
   float whole;
   results[0] = fract(y);
   results[1] = mix(x, y, 0.25);
   results[2] = smoothstep(0.0, 2.0, x);
   results[3] = step(x, y);
   results[4] = sign(y);
   results[5] = clamp(y, -1.0, 1.0);
   results[6] = modf(y, whole) * 10.0 + whole;
   results[7] = frexp(y, i) + float(i) * 10.0;
   results[8] = ldexp(x, 5);
   results[9] = length(v);
   results[10] = distance(v, v.wzyx);
   results[11] = dot(normalize(v), v);
   results[12] = cross(v.xyz, v.yzx).x;
   results[13] = reflect(v.xy, vec2(0.0, 1.0)).y;
   results[14] = refract(normalize(v.xy), vec2(0.0, -1.0), 0.9).x;
   results[15] = faceforward(v.xy, v.xy, v.yx).x;
   results[16] = determinant(mat3(1, 2, 3, 0, 1, 4, 5, 6, 0));
   results[17] = inverse(mat4(4, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, v))[3][1];
   results[18] = (mat3x2(1, 2, 3, 4, 5, 6) * v.xyz).y;
   results[19] = (v.xy * mat3x2(1, 2, 3, 4, 5, 6)).z;
   results[20] = (transpose(mat2x3(1, 2, 3, 4, 5, 6)) * mat2x3(1, 0, 2, 0, 1, 1))[0][1];
   results[21] = outerProduct(v.xy, v.zw)[1][0];
   results[22] = float(packSnorm4x8(vec4(-1, 1, 0.5, -0.5)));
   results[23] = unpackUnorm2x16(packUnorm2x16(vec2(0.25, 0.75))).y;
   results[24] = unpackHalf2x16(packHalf2x16(vec2(0.1, 1.5))).y;
   results[25] = float(findLSB(bits) * 100 + findMSB(bits) + findMSB(negative) * 1000);
   results[26] = float(bitfieldExtract(bits, 5, 2) + bitfieldInsert(0u, 3u, 4, 2));
   results[27] = float(bitCount(bits) + abs(negative) * 10);
   results[28] = atan(x, y);
   results[29] = pow(v.y, v.z) + exp2(v.x) + log2(v.w) + inversesqrt(v.w);
   results[30] = mod(y, 2.0) + round(y) + trunc(y) * 10.0 + ceil(y) * 100.0;
   results[31] = isnan(x / 0.0 - 1.0 / 0.0 * x) || isinf(x) ? 1.0 : 0.0;
   uint high, low;
   umulExtended(0x80000001u, 6u, high, low);
   results[32] = float(high * 10 + low);
   uint carry;
   uint total = uaddCarry(0xffffffffu, bits, carry);
   results[33] = float(total + carry * 1000);
   results[34] = radians(180.0) + degrees(x);
   results[35] = fma(x, y, 1.0) + float(all(lessThan(v.xy, v.zw))) + float(any(equal(v, v.xxxx))) * 2.0;
   // Small whole powers are products.
   results[36] = pow(v.y, 5.0);
   results[37] = pow(v.z, 8.0) + pow(v.w, 1.0);
}
