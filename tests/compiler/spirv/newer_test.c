/* SPDX-License-Identifier: MIT
 * Instructions that came after the oldest headers that we build with, each on values that are computed here otherwise. What SPIRV-Tools
 * does not know is left out. */
#include "tests/compiler/spirv/ir_run.h"
#include "tests/random.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUM_WORDS = 64 };

/* The buffer is an array of words, %px to %pz its first three, %pr the fourth; `head` has what stands before the memory model, `types` what is
 * behind the types, the body stores to %pr or where it likes. */
static const char *const module_text =
   "OpCapability Shader\nOpCapability Float16\nOpCapability Float64\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n%s\n"
   "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n"
   "OpDecorate %%buffer DescriptorSet 0\nOpDecorate %%buffer Binding 0\nOpDecorate %%block BufferBlock\n"
   "OpMemberDecorate %%block 0 Offset 0\nOpDecorate %%array ArrayStride 4\n%s\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%uint = OpTypeInt 32 0\n%%float = OpTypeFloat 32\n"
   "%%half = OpTypeFloat 16\n%%double = OpTypeFloat 64\n%%vec2 = OpTypeVector %%float 2\n%%uvec2 = OpTypeVector %%uint 2\n"
   "%%array = OpTypeRuntimeArray %%uint\n%%block = OpTypeStruct %%array\n%%ptr_block = OpTypePointer Uniform %%block\n"
   "%%ptr = OpTypePointer Uniform %%uint\n%%buffer = OpVariable %%ptr_block Uniform\n"
   "%%c0 = OpConstant %%uint 0\n%%c1 = OpConstant %%uint 1\n%%c2 = OpConstant %%uint 2\n%%c3 = OpConstant %%uint 3\n"
   "%%c4 = OpConstant %%uint 4\n%%c5 = OpConstant %%uint 5\n%s\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%s\n"
   "%%px = OpAccessChain %%ptr %%buffer %%c0 %%c0\n%%py = OpAccessChain %%ptr %%buffer %%c0 %%c1\n"
   "%%pz = OpAccessChain %%ptr %%buffer %%c0 %%c2\n%%pr = OpAccessChain %%ptr %%buffer %%c0 %%c3\n"
   "%%ps = OpAccessChain %%ptr %%buffer %%c0 %%c4\n"
   "%%x = OpLoad %%uint %%px\n%%y = OpLoad %%uint %%py\n%%z = OpLoad %%uint %%pz\n%s\nOpReturn\nOpFunctionEnd\n";

struct parts {
   const char *head, *decorations, *types, *variables, *body;
};

static bool knows(const char *head)
{
   char text[256];
   snprintf(text, sizeof(text), "OpCapability Shader\n%s\nOpMemoryModel Logical GLSL450\n", head);
   const bool is_known = ir_run_assembles(text);
   if (!is_known)
      printf("this SPIRV-Tools does not know: %s\n", head);
   return is_known;
}

/* NULL, or why it does not run. */
static const char *try(const struct parts *parts, uint32_t words[NUM_WORDS])
{
   static char text[1 << 14];
   snprintf(text, sizeof(text), module_text, parts->head, parts->decorations, parts->types, parts->variables, parts->body);
   struct ir_run r = {.buffers = {(uint8_t *)words}, .sizes = {NUM_WORDS * 4}};
   return ir_run_text(&r, text);
}

static bool run(const struct parts *parts, uint32_t words[NUM_WORDS])
{
   const char *error = try(parts, words);
   if (error) {
      fprintf(stderr, "%s\n", parts->body);
      test_fail(__FILE__, __LINE__, error);
   }
   return !error;
}

/* ---- SPV_KHR_fma ---- */

#define FMA "OpCapability FMAKHR\nOpExtension \"SPV_KHR_fma\""

static uint32_t bits_of(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, 4);
   return bits;
}

/* Products whose rounding shows, with what takes the rest away. */
TEST(fused)
{
   static const float values[][3] = {{1 + 0x1p-12f, 1 + 0x1p-12f, -1 - 0x1p-11f}, {0x1.fffffep0f, 0x1.fffffep0f, -0x1.fffffcp1f}, {3, 0.1f, -0.3f},
                                     {INFINITY, 0, 1}, {0x1p-80f, 0x1p-80f, 0x1p-149f}, {0x1p127f, 2, -0x1p127f}, {-0.0f, 0, 0}};
   const struct parts parts = {FMA, "", "", "",
                               "%fx = OpBitcast %float %x\n%fy = OpBitcast %float %y\n%fz = OpBitcast %float %z\n"
                               "%v = OpCompositeConstruct %vec2 %fx %fy\n%w = OpCompositeConstruct %vec2 %fy %fx\n%u = OpCompositeConstruct %vec2 %fz %fz\n"
                               "%f = OpFmaKHR %vec2 %v %w %u\n%i = OpBitcast %uvec2 %f\n%r = OpCompositeExtract %uint %i 0\n"
                               "%s = OpCompositeExtract %uint %i 1\nOpStore %pr %r\nOpStore %ps %s"};
   for (uint32_t i = 0; knows(FMA) && i < sizeof(values) / sizeof(values[0]); i++) {
      uint32_t words[NUM_WORDS] = {bits_of(values[i][0]), bits_of(values[i][1]), bits_of(values[i][2])};
      const float expected = fmaf(values[i][0], values[i][1], values[i][2]);
      if (!run(&parts, words))
         return;
      for (uint32_t k = 3; k < 5; k++)
         CHECK(isnan(expected) ? (words[k] & 0x7fffffff) > 0x7f800000 : words[k] == bits_of(expected));
   }
}

TEST(fused_double)
{
   const double values[3] = {1 + 0x1p-27, 1 + 0x1p-27, -1 - 0x1p-26}, expected = fma(values[0], values[1], values[2]);
   const struct parts parts = {FMA, "", "%k = OpConstant %double 0x1.0000002p+0\n%l = OpConstant %double -0x1.0000004p+0\n", "",
                               "%f = OpFmaKHR %double %k %k %l\n%i = OpBitcast %uvec2 %f\n%r = OpCompositeExtract %uint %i 0\n"
                               "%s = OpCompositeExtract %uint %i 1\nOpStore %pr %r\nOpStore %ps %s"};
   uint32_t words[NUM_WORDS] = {0};
   if (knows(FMA) && run(&parts, words))
      CHECK_EQ(memcmp(&words[3], &expected, 8), 0);
}

TEST(fused_integers)
{
   const struct parts parts = {FMA, "", "", "", "%r = OpFmaKHR %uint %x %y %z\nOpStore %pr %r"};
   uint32_t words[NUM_WORDS] = {0};
   if (knows(FMA))
      CHECK(try(&parts, words) != NULL);
}

/* ---- SPV_KHR_constant_data ---- */

#define DATA "OpCapability ConstantDataKHR\nOpExtension \"SPV_KHR_constant_data\""

/* An array of `bits` each, whose element x is stored. */
static void check_data(uint32_t bits, const char *count, const char *data, uint32_t num, const uint64_t *expected)
{
   char types[512], variables[256], body[512];
   snprintf(types, sizeof(types), "%%element = OpTypeInt %u 0\n%%n = OpConstant %%uint %s\n%%list = OpTypeArray %%%s %%n\n%%data = OpConstantDataKHR %%list %s\n"
            "%%ptr_list = OpTypePointer Function %%list\n%%ptr_element = OpTypePointer Function %%%s\n",
            bits, count, bits == 32 ? "uint" : "element", data, bits == 32 ? "uint" : "element");
   snprintf(variables, sizeof(variables), "%%copy = OpVariable %%ptr_list Function %%data");
   snprintf(body, sizeof(body), "%%at = OpAccessChain %%ptr_element %%copy %%x\n%%e = OpLoad %%%s %%at\n%s\n%s\nOpStore %%pr %%r\nOpStore %%ps %%s",
            bits == 32 ? "uint" : "element",
            bits == 64   ? "%i = OpBitcast %uvec2 %e\n%r = OpCompositeExtract %uint %i 0"
            : bits == 32 ? "%r = OpCopyObject %uint %e"
                         : "%r = OpUConvert %uint %e",
            bits == 64 ? "%s = OpCompositeExtract %uint %i 1" : "%s = OpCopyObject %uint %c0");
   if (bits == 32)
      memmove(types, strchr(types, '\n') + 1, strlen(strchr(types, '\n') + 1) + 1);
   const struct parts parts = {DATA, "", types, variables, body};
   for (uint32_t i = 0; i < num; i++) {
      uint32_t words[NUM_WORDS] = {i};
      if (!run(&parts, words))
         return;
      CHECK_EQ(words[3] | (uint64_t)words[4] << 32, expected[i]);
   }
}

TEST(constant_data)
{
   if (!knows(DATA))
      return;
   check_data(8, "6", "0x64636261 0x00006665", 6, (const uint64_t[]){'a', 'b', 'c', 'd', 'e', 'f'});
   check_data(16, "3", "0x00020001 0x0000ffff", 3, (const uint64_t[]){1, 2, 0xffff});
   check_data(32, "2", "0x80000000 7", 2, (const uint64_t[]){0x80000000, 7});
   check_data(64, "2", "1 2 3 0x80000000", 2, (const uint64_t[]){0x200000001, 0x8000000000000003});
}

/* Words that are too few or too many, and what is no array of integers. */
TEST(wrong_data)
{
   static const char *const wrong[] = {
      "%n = OpConstant %uint 3\n%list = OpTypeArray %uint %n\n%data = OpConstantDataKHR %list 1 2\n",
      "%n = OpConstant %uint 1\n%list = OpTypeArray %uint %n\n%data = OpConstantDataKHR %list 1 2\n",
      "%n = OpConstant %uint 1\n%list = OpTypeArray %float %n\n%data = OpConstantDataKHR %list 1\n",
      "%data = OpConstantDataKHR %uint 1\n",
   };
   for (uint32_t i = 0; knows(DATA) && i < sizeof(wrong) / sizeof(wrong[0]); i++) {
      const struct parts parts = {DATA, "", wrong[i], "", "OpStore %pr %x"};
      uint32_t words[NUM_WORDS] = {0};
      CHECK(try(&parts, words) != NULL);
   }
}

/* ---- SPV_KHR_bfloat16, SPV_EXT_float8 ---- */

static const struct narrow {
   const char *head, *type;
   int mantissa_bits, bias, bits;
   bool has_infinity;
} narrows[] = {
   {"OpCapability BFloat16TypeKHR\nOpCapability BFloat16DotProductKHR\nOpExtension \"SPV_KHR_bfloat16\"", "%narrow = OpTypeFloat 16 BFloat16KHR\n", 7, 127, 16, true},
   {"OpCapability Float8EXT\nOpExtension \"SPV_EXT_float8\"", "%narrow = OpTypeFloat 8 Float8E4M3EXT\n", 3, 7, 8, false},
   {"OpCapability Float8EXT\nOpExtension \"SPV_EXT_float8\"", "%narrow = OpTypeFloat 8 Float8E5M2EXT\n", 2, 15, 8, true},
};

/* By the definition of the format: sign, exponent, mantissa. */
static double value_of(const struct narrow *n, uint32_t code)
{
   const int exponent_bits = n->bits - 1 - n->mantissa_bits;
   const uint32_t mantissa = code & ((1u << n->mantissa_bits) - 1), max = (1u << exponent_bits) - 1, exponent = code >> n->mantissa_bits & max;
   const double sign = code >> (n->bits - 1) ? -1 : 1;
   if (exponent == max && n->has_infinity)
      return mantissa ? NAN : sign * INFINITY;
   if (exponent == max && mantissa == (1u << n->mantissa_bits) - 1)
      return NAN;
   if (!exponent)
      return sign * ldexp(mantissa, 1 - n->bias - n->mantissa_bits);
   return sign * ldexp(mantissa + (1u << n->mantissa_bits), (int)exponent - n->bias - n->mantissa_bits);
}

static bool is_code(const struct narrow *n, uint32_t code, uint32_t expected)
{
   return isnan(value_of(n, expected)) ? isnan(value_of(n, code)) : code == expected;
}

#define BYTES "%byte = OpTypeInt 8 0\n%short = OpTypeInt 16 0\n%long = OpTypeInt 64 0\n%slong = OpTypeInt 64 1\n"

/* What `body`, which makes %n of %x and %y, has as its code. False: the test has failed. */
static bool encode(const struct narrow *n, const char *decorations, const char *body, uint32_t x, uint32_t y, uint32_t *code)
{
   char types[256], whole[1024];
   uint32_t words[NUM_WORDS] = {x, y};
   snprintf(types, sizeof(types), "%s%s%%v2 = OpTypeVector %%narrow 2\n", BYTES, n->type);
   snprintf(whole, sizeof(whole), "%s\n%%b = OpBitcast %s %%n\n%%r = OpUConvert %%uint %%b\nOpStore %%pr %%r", body, n->bits == 8 ? "%byte" : "%short");
   const struct parts parts = {n->head, decorations, types, "", whole};
   const bool has_run = run(&parts, words);
   *code = words[3];
   return has_run;
}

TEST(narrow_to_float)
{
   for (uint32_t i = 0; i < sizeof(narrows) / sizeof(narrows[0]); i++) {
      const struct narrow *n = &narrows[i];
      char types[256], body[512];
      snprintf(types, sizeof(types), "%s%s", BYTES, n->type);
      snprintf(body, sizeof(body), "%%b = OpUConvert %s %%x\n%%n = OpBitcast %%narrow %%b\n%%f = OpFConvert %%float %%n\n%%r = OpBitcast %%uint %%f\n"
               "%%h = OpFConvert %%double %%n\n%%t = OpFConvert %%float %%h\n%%s = OpBitcast %%uint %%t\nOpStore %%pr %%r\nOpStore %%ps %%s",
               n->bits == 8 ? "%byte" : "%short");
      const struct parts parts = {n->head, "", types, "", body};
      for (uint32_t code = 0; knows(n->head) && code < 1u << n->bits; code += n->bits == 8 ? 1 : 251) {
         uint32_t words[NUM_WORDS] = {code};
         const float expected = (float)value_of(n, code);
         if (!run(&parts, words))
            return;
         for (uint32_t k = 3; k < 5; k++)
            CHECK(isnan(expected) ? (words[k] & 0x7fffffff) > 0x7f800000 : words[k] == bits_of(expected));
      }
   }
}

/* Each number, what is halfway to the next, and the floats before and after that. */
TEST(float_to_narrow)
{
   for (uint32_t i = 0; i < sizeof(narrows) / sizeof(narrows[0]); i++) {
      const struct narrow *n = &narrows[i];
      const uint32_t step = n->bits == 8 ? 1 : 1021;
      for (uint32_t code = 0; knows(n->head) && code < 1u << (n->bits - 1); code += step) {
         const double value = value_of(n, code), next = value_of(n, code + 1);
         if (!isfinite(value))
            continue;
         /* Behind the largest the next would be as far as the one before. */
         const double middle = isfinite(next) ? (value + next) / 2 : value + (value - value_of(n, code - 1)) / 2;
         const uint32_t even = code & 1 ? code + 1 : code;
         const struct {
            float x;
            uint32_t code;
         } cases[] = {{(float)value, code}, {nextafterf((float)middle, 0), code}, {(float)middle, even}, {nextafterf((float)middle, INFINITY), code + 1}};
         for (uint32_t k = 0; k < 8; k++) {
            uint32_t found;
            const uint32_t sign = k & 1 ? 1u << (n->bits - 1) : 0;
            if (!encode(n, "", "%f = OpBitcast %float %x\n%n = OpFConvert %narrow %f", bits_of(k & 1 ? -cases[k / 2].x : cases[k / 2].x), 0, &found))
               return;
            CHECK(is_code(n, found, cases[k / 2].code | sign));
         }
      }
   }
}

/* Numbers that 32 bits do not hold are rounded once, from a double and from integers. */
TEST(rounded_once)
{
   for (uint32_t i = 0; i < sizeof(narrows) / sizeof(narrows[0]); i++) {
      const struct narrow *n = &narrows[i];
      const double half_step = ldexp(1, -n->mantissa_bits - 1);
      for (int sign = -1; knows(n->head) && sign <= 1; sign += 2) {
         const double x = 1 + half_step + sign * 0x1p-40;
         uint32_t words[2], found;
         memcpy(words, &x, 8);
         if (!encode(n, "", "%v = OpCompositeConstruct %uvec2 %x %y\n%d = OpBitcast %double %v\n%n = OpFConvert %narrow %d", words[0], words[1], &found))
            return;
         CHECK_EQ(found, ((uint32_t)n->bias << n->mantissa_bits) + (sign > 0));
      }
      /* 2^62 times the same; E4M3 and E5M2 end before. */
      for (int sign = -1; n->bits == 16 && knows(n->head) && sign <= 1; sign += 2) {
         const uint64_t x = (UINT64_C(1) << 62) + (UINT64_C(1) << (62 - n->mantissa_bits - 1)) + (uint64_t)(int64_t)sign, minus = -x;
         uint32_t found;
         if (!encode(n, "", "%v = OpCompositeConstruct %uvec2 %x %y\n%l = OpBitcast %long %v\n%n = OpConvertUToF %narrow %l", (uint32_t)x, (uint32_t)(x >> 32), &found))
            return;
         CHECK_EQ(found, ((uint32_t)(n->bias + 62) << n->mantissa_bits) + (sign > 0));
         if (!encode(n, "", "%v = OpCompositeConstruct %uvec2 %x %y\n%l = OpBitcast %slong %v\n%n = OpConvertSToF %narrow %l", (uint32_t)minus, (uint32_t)(minus >> 32), &found))
            return;
         CHECK_EQ(found, 0x8000 | (((uint32_t)(n->bias + 62) << n->mantissa_bits) + (sign > 0)));
      }
   }
}

/* Constants are folded by other code: to the same bits, and back. */
TEST(narrow_constants)
{
   static const float values[] = {0, -0.0f, 1, 1.0625f, 1.1875f, -3.14159f, 448, 464, 465, 57344, 61440, 61439, 0x1p-9f, 0x1p-10f, 0x1.8p-10f, 0x1p-16f, 0x1p-17f, 3.4e38f, INFINITY, NAN};
   for (uint32_t i = 0; i < sizeof(narrows) / sizeof(narrows[0]); i++) {
      const struct narrow *n = &narrows[i];
      for (uint32_t k = 0; knows(n->head) && k < sizeof(values) / sizeof(values[0]); k++) {
         char types[512], body[512];
         uint32_t words[NUM_WORDS] = {0}, expected;
         if (!encode(n, "", "%f = OpBitcast %float %x\n%n = OpFConvert %narrow %f", bits_of(values[k]), 0, &expected))
            return;
         snprintf(types, sizeof(types), "%s%s%%bits = OpSpecConstant %%uint %u\n%%k = OpSpecConstantOp %%float Bitcast %%bits\n"
                  "%%kn = OpSpecConstantOp %%narrow FConvert %%k\n%%kf = OpSpecConstantOp %%float FConvert %%kn\n", BYTES, n->type, bits_of(values[k]));
         snprintf(body, sizeof(body), "%%b = OpBitcast %s %%kn\n%%r = OpUConvert %%uint %%b\n%%s = OpBitcast %%uint %%kf\nOpStore %%pr %%r\nOpStore %%ps %%s",
                  n->bits == 8 ? "%byte" : "%short");
         const struct parts parts = {n->head, "", types, "", body};
         if (!run(&parts, words))
            return;
         const float back = (float)value_of(n, expected);
         CHECK(is_code(n, words[3], expected));
         CHECK(isnan(back) ? (words[4] & 0x7fffffff) > 0x7f800000 : words[4] == bits_of(back));
      }
   }
}

TEST(beyond_the_largest)
{
   static const uint32_t expected[][4] = {{0x7f80, 0x7f80, 0x7fc0, 0x7f80}, {0x7f, 0x7f, 0x7f, 0x7e}, {0x7c, 0x7c, 0x7f, 0x7b}};
   static const float values[] = {3.4e38f, INFINITY, NAN};
   for (uint32_t i = 0; i < sizeof(narrows) / sizeof(narrows[0]); i++) {
      for (uint32_t k = 0; knows(narrows[i].head) && k < 4; k++) {
         uint32_t found;
         if (k == 3 && narrows[i].bits == 16)
            continue; /* the decoration is of 8 bits */
         if (!encode(&narrows[i], k == 3 ? "OpDecorate %n SaturatedToLargestFloat8NormalConversionEXT" : "",
                     "%f = OpBitcast %float %x\n%n = OpFConvert %narrow %f", bits_of(values[k % 3]), 0, &found))
            return;
         CHECK(k == 3 ? found == expected[i][k] : is_code(&narrows[i], found, expected[i][k]));
      }
   }
}

TEST(dot_of_bfloats)
{
   const struct narrow *n = &narrows[0];
   uint32_t found;
   /* 16 * 1 + 1 / 16 * 1, halfway to 16.125, is even at 16 */
   if (knows(n->head) && encode(n, "", "%bx = OpBitcast %v2 %x\n%by = OpBitcast %v2 %y\n%n = OpDot %narrow %bx %by", 0x3d804180, 0x3f803f80, &found))
      CHECK_EQ(found, 0x4180);
   if (knows(n->head) && encode(n, "", "%bx = OpBitcast %v2 %x\n%by = OpBitcast %v2 %y\n%n = OpDot %narrow %bx %by", 0x5d804040, 0x218040a0, &found))
      CHECK_EQ(found, 0x4180); /* 3 * 5 + 2^60 * 2^-60 */
}

/* ---- SPV_EXT_ocp_microscaling_types ---- */

#define BLOCKS(capability) "OpCapability " capability "\nOpCapability BitcastExtractEXT\nOpExtension \"SPV_EXT_ocp_microscaling_types\""
/* The mantissa's bits, the bias, all bits. */
static const struct narrow blocks[] = {
   {BLOCKS("Float6EXT"), "%narrow = OpTypeFloat 6 Float6E2M3EXT\n", 3, 1, 6, false},
   {BLOCKS("Float6EXT"), "%narrow = OpTypeFloat 6 Float6E3M2EXT\n", 2, 3, 6, false},
   {BLOCKS("Float4EXT"), "%narrow = OpTypeFloat 4 Float4E2M1EXT\n", 1, 1, 4, false},
   {BLOCKS("Float8UnsignedE8M0EXT"), "%narrow = OpTypeFloat 8 Float8UnsignedE8M0EXT\n", 0, 127, 8, false},
   {BLOCKS("MXInt8EXT"), "%narrow = OpTypeFloat 8 MXInt8EXT\n", 0, 0, 8, false},
};

/* Those of fewer than 8 bits have neither infinity nor NaN. */
static double block_value(const struct narrow *n, uint32_t code)
{
   const uint32_t magnitude = code & ((1u << (n->bits - 1)) - 1), exponent = magnitude >> n->mantissa_bits, mantissa = magnitude & ((1u << n->mantissa_bits) - 1);
   if (!n->bias)
      return (int8_t)code * 0.015625;
   if (!n->mantissa_bits)
      return code == 255 ? NAN : ldexp(1, (int)code - n->bias);
   const double value = exponent ? ldexp(mantissa + (1u << n->mantissa_bits), (int)exponent - n->bias - n->mantissa_bits)
                                 : ldexp(mantissa, 1 - n->bias - n->mantissa_bits);
   return code >> (n->bits - 1) ? -value : value;
}

static bool is_value(const struct narrow *n, uint32_t code, uint32_t word)
{
   const float expected = (float)block_value(n, code);
   return isnan(expected) ? (word & 0x7fffffff) > 0x7f800000 : word == bits_of(expected);
}

/* Every code, out of a field that begins at %y, to a float and through a double. */
TEST(blocks_to_float)
{
   for (uint32_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
      const struct narrow *n = &blocks[i];
      char types[256], body[512];
      snprintf(types, sizeof(types), "%s%s", BYTES, n->type);
      snprintf(body, sizeof(body), "%s%%f = OpFConvert %%float %%n\n%%r = OpBitcast %%uint %%f\n"
               "%%h = OpFConvert %%double %%n\n%%t = OpFConvert %%float %%h\n%%s = OpBitcast %%uint %%t\nOpStore %%pr %%r\nOpStore %%ps %%s",
               n->bits == 8 ? "%b = OpUConvert %byte %x\n%n = OpBitcast %narrow %b\n" : "%n = OpBitcastExtractEXT %narrow %x %y\n");
      const struct parts parts = {n->head, "", types, "", body};
      for (uint32_t code = 0; knows(n->head) && code < 1u << n->bits; code++) {
         const uint32_t offset = n->bits == 8 ? 0 : code % 27;
         uint32_t words[NUM_WORDS] = {(n->bits == 8 ? 0 : ~(((1u << n->bits) - 1) << offset)) | code << offset, offset};
         if (!run(&parts, words))
            return;
         CHECK(is_value(n, code, words[3]));
         CHECK(is_value(n, code, words[4]));
      }
   }
}

/* Vectors whose components are no bytes, made of words and made words: four of 6 bits are three bytes, eight of 4 are a word. */
TEST(packed_blocks)
{
   static const struct {
      uint32_t which, count;
      const char *from, *components;
   } cases[] = {
      {0, 4, "%u0 = OpUConvert %byte %x\n%x1 = OpShiftRightLogical %uint %x %c8\n%u1 = OpUConvert %byte %x1\n%x2 = OpShiftRightLogical %uint %x1 %c8\n"
             "%u2 = OpUConvert %byte %x2\n%from = OpCompositeConstruct %v3b %u0 %u1 %u2\n", "%v3b"},
      {2, 2, "%from = OpUConvert %byte %x\n", "%byte"},
      {2, 4, "%from = OpUConvert %short %x\n", "%short"},
   };
   for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const struct narrow *n = &blocks[cases[i].which];
      char types[512], body[1024];
      uint64_t state = 5;
      snprintf(types, sizeof(types), "%s%s%%v3b = OpTypeVector %%byte 3\n%%v = OpTypeVector %%narrow %u\n%%c8 = OpConstant %%uint 8\n", BYTES, n->type,
               cases[i].count);
      /* The last component as a float; all of it as it came, its words summed up by 1, 256, 65,536. */
      snprintf(body, sizeof(body), "%s%%v0 = OpBitcast %%v %%from\n%%n = OpCompositeExtract %%narrow %%v0 %u\n%%f = OpFConvert %%float %%n\n"
               "%%r = OpBitcast %%uint %%f\nOpStore %%pr %%r\n%%back = OpBitcast %s %%v0\n%s\nOpStore %%ps %%s",
               cases[i].from, cases[i].count - 1, cases[i].components,
               i ? "%s = OpUConvert %uint %back" : "%b0 = OpCompositeExtract %byte %back 0\n%b1 = OpCompositeExtract %byte %back 1\n%b2 = OpCompositeExtract %byte %back 2\n"
                   "%w0 = OpUConvert %uint %b0\n%w1 = OpUConvert %uint %b1\n%w2 = OpUConvert %uint %b2\n%k1 = OpShiftLeftLogical %uint %w1 %c8\n"
                   "%k2 = OpShiftLeftLogical %uint %w2 %c8\n%k3 = OpShiftLeftLogical %uint %k2 %c8\n%o1 = OpBitwiseOr %uint %w0 %k1\n%s = OpBitwiseOr %uint %o1 %k3");
      const struct parts parts = {n->head, "", types, "", body};
      for (uint32_t k = 0; knows(n->head) && k < 20; k++) {
         const uint32_t bits = (uint32_t)n->bits * cases[i].count, x = (uint32_t)(random_step(&state) >> 32) & (uint32_t)((UINT64_C(1) << bits) - 1);
         uint32_t words[NUM_WORDS] = {x};
         if (!run(&parts, words))
            return;
         CHECK(is_value(n, x >> (bits - (uint32_t)n->bits), words[3]));
         CHECK_EQ(words[4], x);
      }
   }
}

/* Nothing is made a number for blocks, and integers are made of none. */
TEST(wrong_blocks)
{
   static const char *const wrong[] = {"%n = OpFConvert %narrow %f\n", "%n = OpConvertUToF %narrow %x\n",
                                       "%n = OpBitcastExtractEXT %narrow %x %c0\n%u = OpConvertFToU %uint %n\n",
                                       "%n = OpBitcastExtractEXT %float %x %c0\n", "%n = OpBitcastExtractEXT %narrow %f %c0\n"};
   for (uint32_t i = 0; knows(blocks[2].head) && i < sizeof(wrong) / sizeof(wrong[0]); i++) {
      char types[256], body[256];
      uint32_t words[NUM_WORDS] = {0};
      snprintf(types, sizeof(types), "%s%s", BYTES, blocks[2].type);
      snprintf(body, sizeof(body), "%%f = OpBitcast %%float %%x\n%sOpStore %%pr %%x", wrong[i]);
      const struct parts parts = {blocks[2].head, "", types, "", body};
      CHECK(try(&parts, words) != NULL);
   }
}

/* ---- SPV_VALVE_mixed_float_dot_product ---- */

#define MIXED(capability) "OpCapability " capability "\nOpExtension \"SPV_VALVE_mixed_float_dot_product\""
#define MIXED_BFLOAT16 MIXED("DotProductBFloat16AccVALVE") "\nOpCapability BFloat16TypeKHR\nOpExtension \"SPV_KHR_bfloat16\""
#define MIXED_FLOAT8 MIXED("DotProductFloat8AccFloat32VALVE") "\nOpCapability Float8EXT\nOpExtension \"SPV_EXT_float8\""
/* The accumulator is %z: a float, or in its lower half a number as the factors are. */
static const struct mixed {
   const char *head, *instruction, *factor; /* the factors' type */
   struct narrow format;
   bool is_narrow; /* the result */
} mixed[] = {
   {MIXED("DotProductFloat16AccFloat32VALVE"), "OpFDot2MixAcc32VALVE", "%half", {"", "", 10, 15, 16, true}, false},
   {MIXED("DotProductFloat16AccFloat16VALVE"), "OpFDot2MixAcc16VALVE", "%half", {"", "", 10, 15, 16, true}, true},
   {MIXED_BFLOAT16, "OpFDot2MixAcc32VALVE", "%narrow", {"", "%narrow = OpTypeFloat 16 BFloat16KHR\n", 7, 127, 16, true}, false},
   {MIXED_BFLOAT16, "OpFDot2MixAcc16VALVE", "%narrow", {"", "%narrow = OpTypeFloat 16 BFloat16KHR\n", 7, 127, 16, true}, true},
   {MIXED_FLOAT8, "OpFDot4MixAcc32VALVE", "%narrow", {"", "%narrow = OpTypeFloat 8 Float8E4M3EXT\n", 3, 7, 8, false}, false},
   {MIXED_FLOAT8, "OpFDot4MixAcc32VALVE", "%narrow", {"", "%narrow = OpTypeFloat 8 Float8E5M2EXT\n", 2, 15, 8, true}, false},
};

/* Products, their sum from the left, the accumulator. */
static float mixed_dot(const struct mixed *m, uint32_t x, uint32_t y, float accumulator)
{
   const uint32_t bits = (uint32_t)m->format.bits, mask = (1u << bits) - 1;
   float sum = 0;
   for (uint32_t i = 0; i < 32 / bits; i++) {
      const float product = (float)(value_of(&m->format, x >> i * bits & mask) * value_of(&m->format, y >> i * bits & mask));
      sum = i ? sum + product : product;
   }
   return sum + accumulator;
}

/* Whether `code` is one of the numbers next to `value`, and none is nearer. */
static bool is_nearest(const struct narrow *n, uint32_t code, double value)
{
   const double error = fabs(value_of(n, code) - value);
   return error <= fabs(value_of(n, code + 1) - value) && error <= fabs(value_of(n, code - 1) - value);
}

TEST(mixed_dots)
{
   uint64_t state = 7;
   for (uint32_t i = 0; i < sizeof(mixed) / sizeof(mixed[0]); i++) {
      const struct mixed *m = &mixed[i];
      char types[256], body[512];
      snprintf(types, sizeof(types), "%s%%v = OpTypeVector %s %u\n%%short = OpTypeInt 16 0\n", m->format.type, m->factor, m->format.bits == 8 ? 4 : 2);
      snprintf(body, sizeof(body),
               m->is_narrow ? "%%bx = OpBitcast %%v %%x\n%%by = OpBitcast %%v %%y\n%%zs = OpUConvert %%short %%z\n%%bz = OpBitcast %s %%zs\n"
                              "%%d = %s %s %%bx %%by %%bz\n%%ds = OpBitcast %%short %%d\n%%r = OpUConvert %%uint %%ds\nOpStore %%pr %%r\n"
                            : "%%bx = OpBitcast %%v %%x\n%%by = OpBitcast %%v %%y\n%%bz = OpBitcast %s %%z\n%%d = %s %s %%bx %%by %%bz\n"
                              "%%r = OpBitcast %%uint %%d\nOpStore %%pr %%r\n",
               m->is_narrow ? m->factor : "%float", m->instruction, m->is_narrow ? m->factor : "%float");
      const struct parts parts = {m->head, "", types, "", body};
      for (uint32_t k = 0; knows(m->head) && k < 200; k++) {
         /* Exponents around the middle, so that sums neither vanish nor overflow. */
         const uint32_t even = m->format.bits == 8 ? 0xbfbfbfbf : 0xbfffbfff, x = (uint32_t)(random_step(&state) >> 32) & even, y = (uint32_t)(random_step(&state) >> 32) & even;
         const uint32_t code = (uint32_t)(random_step(&state) >> 32) & 0xbfff;
         const float accumulator = m->is_narrow ? (float)value_of(&m->format, code) : (float)(int32_t)code / 4096.0f;
         const float expected = mixed_dot(m, x, y, accumulator);
         uint32_t words[NUM_WORDS] = {x, y, m->is_narrow ? code : bits_of(accumulator)};
         if (!run(&parts, words))
            return;
         CHECK(m->is_narrow ? is_nearest(&m->format, words[3], expected) : words[3] == bits_of(expected));
      }
   }
}

TEST(wrong_mixed_dots)
{
   static const char *const wrong[] = {
      "%d = OpFDot2MixAcc32VALVE %float %c0 %c1 %c2\n",             /* integers */
      "%v = OpBitcast %vec2 %uv\n%d = OpFDot2MixAcc32VALVE %float %v %v %f\n", /* 32 bits */
      "%v = OpBitcast %hv %x\n%d = OpFDot2MixAcc16VALVE %float %v %v %f\n",
      "%v = OpBitcast %hv %x\n%d = OpFDot4MixAcc32VALVE %float %v %v %f\n",
      "%v = OpBitcast %hv %x\n%d = OpFDot2MixAcc32VALVE %float %v %v %h\n",
   };
   for (uint32_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
      char body[512];
      snprintf(body, sizeof(body), "%%uv = OpCompositeConstruct %%uvec2 %%x %%y\n%%f = OpBitcast %%float %%x\n%%h = OpFConvert %%half %%f\n%s", wrong[i]);
      const struct parts parts = {MIXED("DotProductFloat16AccFloat32VALVE"), "", "%hv = OpTypeVector %half 2\n", "", body};
      uint32_t words[NUM_WORDS] = {0};
      CHECK(!knows(parts.head) || try(&parts, words) != NULL);
   }
}

/* What is no conversion, and widths that an encoding does not have. */
TEST(wrong_narrow)
{
   static const struct parts wrong[] = {
      {"OpCapability Float8EXT\nOpExtension \"SPV_EXT_float8\"", "", "%narrow = OpTypeFloat 16 Float8E4M3EXT\n", "", ""},
      {"OpCapability BFloat16TypeKHR\nOpExtension \"SPV_KHR_bfloat16\"", "", "%narrow = OpTypeFloat 32 BFloat16KHR\n", "", ""},
      {"OpCapability BFloat16TypeKHR\nOpExtension \"SPV_KHR_bfloat16\"", "", "%narrow = OpTypeFloat 16 BFloat16KHR\n", "", "%n = OpFConvert %narrow %x"},
      {"OpCapability BFloat16TypeKHR\nOpExtension \"SPV_KHR_bfloat16\"", "", "%narrow = OpTypeFloat 16 BFloat16KHR\n", "", "%n = OpUConvert %narrow %x"},
   };
   for (uint32_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
      uint32_t words[NUM_WORDS] = {0};
      CHECK(!knows(wrong[i].head) || try(&wrong[i], words) != NULL);
   }
}

TEST_MAIN
