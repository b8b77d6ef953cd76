//! divide_by_zero finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   float x = f_data[gid];
#if FAULTY
   float y = 1.0 / x; // HERE
#else
   float y = x == 0.0 ? 0.0 : 1.0 / x;
#endif
   f_data[gid] = y;
}
//! zero_by_zero finds=numbers-not-finite by=(3,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   float x = f_data[gid] - 3.0;
#if FAULTY
   f_data[gid] = x / (x * x); // HERE
#else
   f_data[gid] = x / max(x * x, 0.001);
#endif
}
//! normalize_zero finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=4
void main()
{
   vec3 v = vec3(f_data[gid], 0.0, 0.0);
#if FAULTY
   vec3 n = normalize(v); // HERE
#else
   vec3 n = dot(v, v) > 0.0 ? normalize(v) : vec3(1.0, 0.0, 0.0);
#endif
   f_data[gid] = n.x;
}
//! root_of_negative finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
#if FAULTY
   f_data[gid] = sqrt(f_data[gid] - 0.5); // HERE
#else
   f_data[gid] = sqrt(max(f_data[gid] - 0.5, 0.0));
#endif
}
//! log_of_zero finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
#if FAULTY
   f_data[gid] = log(f_data[gid]); // HERE
#else
   f_data[gid] = log(f_data[gid] + 1.0);
#endif
}
//! pow_of_negative finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
   float x = f_data[gid] - 1.0;
#if FAULTY
   f_data[gid] = pow(x, 2.2); // HERE
#else
   f_data[gid] = pow(max(x, 0.0), 2.2);
#endif
}
//! exp_overflow finds=numbers-not-finite by=(24,_0,_0)_of_workgroup_(1,_0,_0) groups=2
void main()
{
   uint i = gid;
#if FAULTY
   f_data[i] = exp(f_data[i] + 1.0); // HERE
#else
   f_data[i] = exp(-f_data[i]);
#endif
}
//! product_overflow finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=1
void main()
{
   float x = 1.0;
   for (int i = 0; i < 140; i++) {
#if FAULTY
      x = x * (2.0 + f_zero); // HERE
#else
      x = min(x, 1000.0) * (2.0 + f_zero);
#endif
   }
   f_data[0] = x;
}
//! asin_beyond finds=numbers-not-finite by=(2,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
#if FAULTY
   f_data[gid] = asin(f_data[gid]); // HERE
#else
   f_data[gid] = asin(clamp(f_data[gid], -1.0, 1.0));
#endif
}
//! infinity_minus_infinity finds=numbers-not-finite by=(5,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
   float big = uintBitsToFloat(gid == 5 ? 0x7f800000u : 0x3f800000u);
#if FAULTY
   f_data[gid] = big - big; // HERE
#else
   f_data[gid] = isinf(big) ? 0.0 : big - big;
#endif
}
//! first_made_only finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=4
void main()
{
#if FAULTY
   float x = 1.0 / f_data[gid]; // HERE
#else
   float x = 1.0 / (f_data[gid] + 1.0);
#endif
   float y = x * 2.0 + 1.0;
   f_data[gid] = y - 3.0;
}
//! double_division finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=4
void main()
{
   double x = double(f_data[gid]);
#if FAULTY
   f_data[gid] = float(double(1.0) / x); // HERE
#else
   f_data[gid] = float(double(1.0) / (x + double(1.0)));
#endif
}
//! half_overflow finds=numbers-not-finite by=(1,_0,_0)_of_workgroup_(0,_0,_0) local=4 ext=GL_EXT_shader_explicit_arithmetic_types_float16
void main()
{
   float16_t x = float16_t(f_data[gid]);
#if FAULTY
   f_data[gid] = float(x * float16_t(40000.0) * float16_t(2.0)); // HERE
#else
   f_data[gid] = float(x * float16_t(20000.0));
#endif
}
//! narrowing finds=numbers-not-finite by=(2,_0,_0)_of_workgroup_(0,_0,_0) local=4 ext=GL_EXT_shader_explicit_arithmetic_types_float16
void main()
{
   float x = f_data[gid] * 40000.0;
#if FAULTY
   float16_t h = float16_t(x); // HERE
#else
   float16_t h = float16_t(min(x, 60000.0));
#endif
   f_data[gid] = float(h);
}
//! integer_by_zero finds=numbers-division by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   out_data[gid] = 100 / in_data[gid]; // HERE
#else
   out_data[gid] = 100 / max(in_data[gid], 1);
#endif
}
//! remainder_by_zero finds=numbers-division by=(7,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
   int d = int(in_data[gid]) - 7;
#if FAULTY
   out_data[gid] = uint(100 % d); // HERE
#else
   out_data[gid] = d == 0 ? 0u : uint(100 % d);
#endif
}
//! least_by_minus_one finds=numbers-division by=(1,_0,_0)_of_workgroup_(0,_0,_0) local=4
void main()
{
   int least = int(0x80000000u + zero);
#if FAULTY
   out_data[gid] = uint(least / -int(max(in_data[gid], 1) + (gid == 0 ? 1u : 0u))); // HERE
#else
   out_data[gid] = uint((least + 1) / -int(max(in_data[gid], 1)));
#endif
}
//! float_to_int finds=numbers-conversion by=(3,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
   float x = f_data[gid] * 1.0e9;
#if FAULTY
   out_data[gid] = uint(int(x)); // HERE
#else
   out_data[gid] = uint(int(min(x, 2.0e9)));
#endif
}
//! negative_to_unsigned finds=numbers-conversion by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
   float x = f_data[gid] - 4.0;
#if FAULTY
   out_data[gid] = uint(x); // HERE
#else
   out_data[gid] = uint(max(x, 0.0));
#endif
}
//! shift_too_wide finds=numbers-shift by=(32,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   out_data[gid] = 1u << in_data[gid]; // HERE
#else
   out_data[gid] = 1u << (in_data[gid] & 31);
#endif
}
//! shift_by_negative finds=numbers-shift by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=4
void main()
{
   int amount = int(in_data[gid]) - 1;
#if FAULTY
   out_data[gid] = 256u >> amount; // HERE
#else
   out_data[gid] = 256u >> max(amount, 0);
#endif
}
//! bit_field_too_wide finds=numbers-bit-field by=(9,_0,_0)_of_workgroup_(0,_0,_0) local=16
void main()
{
#if FAULTY
   out_data[gid] = bitfieldExtract(0x12345678u, 24, int(in_data[gid])); // HERE
#else
   out_data[gid] = bitfieldExtract(0x12345678u, 24, int(in_data[gid] & 7));
#endif
}
//! bit_field_insert finds=numbers-bit-field by=(17,_0,_0)_of_workgroup_(0,_0,_0) local=32
void main()
{
#if FAULTY
   out_data[gid] = bitfieldInsert(0u, 1u, int(in_data[gid]), 16); // HERE
#else
   out_data[gid] = bitfieldInsert(0u, 1u, int(in_data[gid] & 15), 16);
#endif
}
//! in_a_loop finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=4
void main()
{
   float sum = 0.0;
   for (uint i = 0; i < 8; i++) {
      float d = float(i) - 4.0;
#if FAULTY
      sum += 1.0 / d; // HERE
#else
      if (d != 0.0)
         sum += 1.0 / d;
#endif
   }
   f_data[gid] = sum;
}
//! average_of_nothing finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   float sum = 0.0, count = 0.0;
   for (uint i = 0; i < 4; i++) {
      if (f_data[i] > f_data[gid] + 100.0) {
         sum += f_data[i];
         count += 1.0;
      }
   }
#if FAULTY
   out_data[gid] = floatBitsToUint(sum / count); // HERE
#else
   out_data[gid] = floatBitsToUint(sum / max(count, 1.0));
#endif
}
//! smoothstep_of_one_edge finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   float edge = f_zero;
#else
   float edge = f_zero + 1.0;
#endif
   float t = (f_data[gid] - f_zero) / (edge - f_zero); // HERE
   out_data[gid] = floatBitsToUint(t);
}
//! perspective_divide finds=numbers-not-finite by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   vec4 clip = vec4(1.0, 2.0, 3.0, f_data[gid]);
#if FAULTY
   vec3 ndc = clip.xyz / clip.w; // HERE
#else
   vec3 ndc = clip.xyz / max(clip.w, 0.01);
#endif
   out_data[gid] = floatBitsToUint(ndc.x + ndc.y + ndc.z);
}
//! arc_of_a_rounded_dot finds=numbers-not-finite by=(2,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   out_data[gid] = floatBitsToUint(acos(f_data[gid & 3])); // HERE
#else
   out_data[gid] = floatBitsToUint(acos(clamp(f_data[gid & 3], -1.0, 1.0)));
#endif
}
//! mask_of_all_bits finds=numbers-shift by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   uint bits = 32 - in_data[gid & 7];
#if FAULTY
   out_data[gid] = (1u << bits) - 1; // HERE
#else
   out_data[gid] = bits >= 32 ? 0xffffffffu : (1u << bits) - 1;
#endif
}
