/* SPDX-License-Identifier: MIT
 * Instructions of vendors: of AMD's sets, of SPV_INTEL_shader_integer_functions2 and SPV_NV_shader_atomic_fp16_vector, each on values that are computed here otherwise. */
#include "tests/compiler/spirv/ir_run.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

enum { MAX_WORDS = 8 };

/* %x, %y and %z are the buffer's first words, %fx and so on the same as floats, %v a vector of these; the body makes %r and %s, which are stored
 * as words 4 and 5. */
static const char *const module_text =
   "OpCapability Shader\n%s\n%%set = OpExtInstImport \"%s\"\n"
   "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n"
   "OpDecorate %%buffer DescriptorSet 0\nOpDecorate %%buffer Binding 0\nOpDecorate %%block BufferBlock\n"
   "OpMemberDecorate %%block 0 Offset 0\nOpDecorate %%array ArrayStride 4\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%uint = OpTypeInt 32 0\n%%int = OpTypeInt 32 1\n%%float = OpTypeFloat 32\n"
   "%%vec2 = OpTypeVector %%float 2\n%%vec3 = OpTypeVector %%float 3\n"
   "%%half = OpTypeFloat 16\n%%h2 = OpTypeVector %%half 2\n%%h4 = OpTypeVector %%half 4\n"
   "%%ptr_h = OpTypeUntypedPointerKHR Uniform\n"
   "%%array = OpTypeRuntimeArray %%uint\n%%block = OpTypeStruct %%array\n%%ptr_block = OpTypePointer Uniform %%block\n"
   "%%ptr = OpTypePointer Uniform %%uint\n%%buffer = OpVariable %%ptr_block Uniform\n"
   "%%c0 = OpConstant %%uint 0\n%%c1 = OpConstant %%uint 1\n%%c2 = OpConstant %%uint 2\n%%c3 = OpConstant %%uint 3\n%%c4 = OpConstant %%uint 4\n%%c5 = OpConstant %%uint 5\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n"
   "%%px = OpAccessChain %%ptr %%buffer %%c0 %%c0\n%%py = OpAccessChain %%ptr %%buffer %%c0 %%c1\n"
   "%%pz = OpAccessChain %%ptr %%buffer %%c0 %%c2\n%%pr = OpAccessChain %%ptr %%buffer %%c0 %%c4\n"
   "%%ps = OpAccessChain %%ptr %%buffer %%c0 %%c5\n"
   "%%x = OpLoad %%uint %%px\n%%y = OpLoad %%uint %%py\n%%z = OpLoad %%uint %%pz\n"
   "%%fx = OpBitcast %%float %%x\n%%fy = OpBitcast %%float %%y\n%%fz = OpBitcast %%float %%z\n"
   "%%v = OpCompositeConstruct %%vec3 %%fx %%fy %%fz\n%s\n"
   "OpStore %%pr %%r\nOpStore %%ps %%s\nOpReturn\nOpFunctionEnd\n";

/* False, and a failed check, where the module is not what the front end knows. */
static bool run(const char *head, const char *set, const char *body, uint32_t words[MAX_WORDS])
{
   static char text[1 << 14];
   snprintf(text, sizeof(text), module_text, head, set, body);
   struct ir_run r = {.buffers = {(uint8_t *)words}, .sizes = {MAX_WORDS * 4}};
   const char *error = ir_run_text(&r, text);
   if (error) {
      fprintf(stderr, "%s\n", body);
      test_fail(__FILE__, __LINE__, error);
   }
   return !error;
}

static float as_float(uint32_t bits)
{
   float value;
   memcpy(&value, &bits, 4);
   return value;
}

static uint32_t bits_of(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, 4);
   return bits;
}

/* ---- SPV_INTEL_shader_integer_functions2 ---- */

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
   return value < low ? low : value > high ? high : value;
}

static uint32_t expected_integer(uint32_t op, uint32_t x, uint32_t y)
{
   const int64_t sx = (int32_t)x, sy = (int32_t)y, ux = x, uy = y;
   switch (op) {
   case 0: return x ? (uint32_t)__builtin_clz(x) : 32;
   case 1: return x ? (uint32_t)__builtin_ctz(x) : 32;
   case 2: return (uint32_t)(sx > sy ? sx - sy : sy - sx);
   case 3: return (uint32_t)(ux > uy ? ux - uy : uy - ux);
   case 4: return (uint32_t)clamped(sx + sy, INT32_MIN, INT32_MAX);
   case 5: return (uint32_t)clamped(ux + uy, 0, UINT32_MAX);
   case 6: return (uint32_t)((sx + sy) >> 1);
   case 7: return (uint32_t)((ux + uy) >> 1);
   case 8: return (uint32_t)((sx + sy + 1) >> 1);
   case 9: return (uint32_t)((ux + uy + 1) >> 1);
   case 10: return (uint32_t)clamped(sx - sy, INT32_MIN, INT32_MAX);
   case 11: return (uint32_t)clamped(ux - uy, 0, UINT32_MAX);
   case 12: return (uint32_t)(sx * (int16_t)(uint16_t)y);
   default: return (uint32_t)(ux * (uint16_t)y);
   }
}

TEST(integer_functions)
{
   static const char *const names[] = {"UCountLeadingZeros", "UCountTrailingZeros", "AbsISub", "AbsUSub", "IAddSat", "UAddSat", "IAverage",
                                       "UAverage", "IAverageRounded", "UAverageRounded", "ISubSat", "USubSat", "IMul32x16", "UMul32x16"};
   static const uint32_t values[] = {0, 1, 2, 3, 0x7fff, 0x8000, 0xffff, 0x10000, 0x12345678, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
   enum { NUM = sizeof(values) / sizeof(values[0]) };
   for (uint32_t op = 0; op < sizeof(names) / sizeof(names[0]); op++)
      for (uint32_t k = 0; k < NUM * NUM; k++) {
         char body[256];
         uint32_t words[MAX_WORDS] = {values[k / NUM], values[k % NUM]};
         snprintf(body, sizeof(body), "%%r = Op%sINTEL %%uint %%x%s\n%%s = OpCopyObject %%uint %%r", names[op], op < 2 ? "" : " %y");
         if (!run("OpCapability IntegerFunctions2INTEL\nOpExtension \"SPV_INTEL_shader_integer_functions2\"", "GLSL.std.450", body, words))
            return;
         CHECK_EQ(words[4], expected_integer(op, words[0], words[1]));
      }
}

/* ---- halves ---- */

/* Two and four halves in words 0 and 1; %r and %s are what was there. */
TEST(atomics_of_halves)
{
   static const char head[] = "OpCapability Float16\nOpCapability AtomicFloat16VectorNV\nOpExtension \"SPV_NV_shader_atomic_fp16_vector\"";
   static const struct {
      const char *name;
      uint32_t low, high; /* what stands there then */
   } cases[] = {{"FAddEXT", 0x44004200, 0xc0003c00}, {"FMinEXT", 0x40003c00, 0xc0000000}, {"FMaxEXT", 0x40004000, 0x00003c00},
                {"Exchange", 0x40004000, 0xc0003c00}};
   for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      for (uint32_t count = 2; count <= 4; count += 2) {
         char body[1024];
         /* 1, 2 and 0, 0 with 2, 2 and 1, -2 */
         uint32_t words[MAX_WORDS] = {0x40003c00, 0, 0x40004000, 0xc0003c00};
         snprintf(body, sizeof(body), "%%d0 = OpBitcast %%h2 %%z\n%%pd = OpAccessChain %%ptr %%buffer %%c0 %%c3\n%%dw = OpLoad %%uint %%pd\n"
                  "%%d1 = OpBitcast %%h2 %%dw\n%%d = OpVectorShuffle %%h%u %%d0 %%d1 0 1%s\n%%ph = OpUntypedAccessChainKHR %%ptr_h %%block %%buffer %%c0 %%c0\n"
                  "%%old = OpAtomic%s %%h%u %%ph %%c1 %%c0 %%d\n%%o0 = OpVectorShuffle %%h2 %%old %%old 0 1\n"
                  "%%o1 = OpVectorShuffle %%h2 %%old %%old %s\n%%r = OpBitcast %%uint %%o0\n%%s = OpBitcast %%uint %%o1",
                  count, count == 4 ? " 2 3" : "", cases[i].name, count, count == 4 ? "2 3" : "0 1");
         if (!run(head, "GLSL.std.450", body, words))
            return;
         CHECK_EQ(words[0], cases[i].low);
         CHECK_EQ(words[1], count == 4 ? cases[i].high : 0);
         CHECK_EQ(words[4], 0x40003c00);
         CHECK_EQ(words[5], count == 4 ? 0 : 0x40003c00);
      }
   }
}

/* ---- AMD's sets ---- */

TEST(least_greatest_and_middle_of_three)
{
   static const char *const names[] = {"FMin3AMD", "UMin3AMD", "SMin3AMD", "FMax3AMD", "UMax3AMD", "SMax3AMD", "FMid3AMD", "UMid3AMD", "SMid3AMD"};
   static const int32_t values[3] = {-5, 3, 7};
   for (uint32_t op = 0; op < 9; op++)
      for (uint32_t order = 0; order < 6; order++) {
         const uint32_t a = order % 3, b = (a + 1 + order / 3) % 3, at[3] = {a, b, 3 - a - b};
         uint32_t words[MAX_WORDS] = {0};
         char body[256];
         const bool is_float = op % 3 == 0, is_unsigned = op % 3 == 1;
         for (uint32_t i = 0; i < 3; i++)
            words[i] = is_float ? bits_of((float)values[at[i]]) : (uint32_t)values[at[i]];
         if (is_float)
            snprintf(body, sizeof(body), "%%q = OpExtInst %%float %%set %s %%fx %%fy %%fz\n%%r = OpBitcast %%uint %%q\n%%s = OpCopyObject %%uint %%r", names[op]);
         else
            snprintf(body, sizeof(body), "%%r = OpExtInst %%uint %%set %s %%x %%y %%z\n%%s = OpCopyObject %%uint %%r", names[op]);
         if (!run("OpExtension \"SPV_AMD_shader_trinary_minmax\"", "SPV_AMD_shader_trinary_minmax", body, words))
            return;
         const uint32_t rank = op / 3 == 0 ? 0 : op / 3 == 1 ? 2 : 1; /* of the ascending order; -5 is the greatest unsigned number */
         const int32_t expected = values[is_unsigned ? (rank + 1) % 3 : rank];
         CHECK_EQ(words[4], is_float ? bits_of((float)expected) : (uint32_t)expected);
      }
}

TEST(faces_of_cubes)
{
   static const struct {
      float p[3], index, s, t;
   } cases[] = {
      {{2, 1, -0.5f}, 0, 0.625f, 0.25f},  {{-2, 1, -0.5f}, 1, 0.375f, 0.25f}, {{1, 4, -2}, 2, 0.625f, 0.25f},
      {{1, -4, -2}, 3, 0.625f, 0.75f},    {{1, -2, 4}, 4, 0.625f, 0.75f},     {{1, -2, -4}, 5, 0.375f, 0.75f},
   };
   for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      uint32_t words[MAX_WORDS] = {bits_of(cases[i].p[0]), bits_of(cases[i].p[1]), bits_of(cases[i].p[2])};
      static const char *const index = "%q = OpExtInst %float %set CubeFaceIndexAMD %v\n%r = OpBitcast %uint %q\n%s = OpCopyObject %uint %r";
      static const char *const coord = "%q = OpExtInst %vec2 %set CubeFaceCoordAMD %v\n%q0 = OpCompositeExtract %float %q 0\n"
                                       "%q1 = OpCompositeExtract %float %q 1\n%r = OpBitcast %uint %q0\n%s = OpBitcast %uint %q1";
      if (!run("OpExtension \"SPV_AMD_gcn_shader\"", "SPV_AMD_gcn_shader", index, words))
         return;
      CHECK_EQ(words[4], bits_of(cases[i].index));
      if (!run("OpExtension \"SPV_AMD_gcn_shader\"", "SPV_AMD_gcn_shader", coord, words))
         return;
      CHECK(as_float(words[4]) == cases[i].s && as_float(words[5]) == cases[i].t);
   }
}

TEST_MAIN
