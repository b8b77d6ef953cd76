/* SPDX-License-Identifier: MIT
 * Instructions that came after the oldest headers that we build with, each on values that are computed here another way. What SPIRV-Tools
 * does not know is left out. */
#include "tests/compiler/spirv/ir_run.h"
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
