/* SPDX-License-Identifier: MIT
 * SPV_EXT_long_vector: vectors of one, of more than four and of as many components as a constant says, in memory and in arithmetic.
 * What SPIRV-Tools does not know is left out. */
#include "tests/compiler/spirv/ir_run.h"
#include "tests/test.h"
#include "util/spirv_numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUM_WORDS = 64 };

/* %x, %y and %r in buffers are vectors of %n floats, %v; %u has as many integers, %b as many booleans. %out is an array of words, of which w0 to w3 are read. */
static const char *const module_text =
   "OpCapability Shader\nOpCapability Int16\nOpCapability Int64\nOpCapability Float64\nOpCapability LongVectorEXT\nOpExtension \"SPV_EXT_long_vector\"\n"
   "OpCapability ReplicatedCompositesEXT\nOpExtension \"SPV_EXT_replicated_composites\"\n%%glsl = OpExtInstImport \"GLSL.std.450\"\n"
   "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n"
   "OpDecorate %%bx DescriptorSet 0\nOpDecorate %%bx Binding 0\nOpDecorate %%by DescriptorSet 0\nOpDecorate %%by Binding 1\n"
   "OpDecorate %%br DescriptorSet 0\nOpDecorate %%br Binding 2\nOpDecorate %%bw DescriptorSet 0\nOpDecorate %%bw Binding 3\n"
   "OpDecorate %%block BufferBlock\nOpMemberDecorate %%block 0 Offset 0\nOpDecorate %%words_block BufferBlock\nOpMemberDecorate %%words_block 0 Offset 0\n"
   "OpDecorate %%words ArrayStride 4\nOpDecorate %%spec SpecId 0\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%bool = OpTypeBool\n%%uint = OpTypeInt 32 0\n%%int = OpTypeInt 32 1\n%%float = OpTypeFloat 32\n"
   "%%short = OpTypeInt 16 0\n%%long = OpTypeInt 64 0\n%%double = OpTypeFloat 64\n%%spec = OpSpecConstant %%uint 7\n"
   "%%n = OpConstant %%uint %u\n%%v = OpTypeVectorIdEXT %%float %%n\n%%u = OpTypeVector %%uint %u\n%%i = OpTypeVectorIdEXT %%int %%n\n"
   "%%b = OpTypeVectorIdEXT %%bool %%n\n%%words = OpTypeRuntimeArray %%uint\n%%words_block = OpTypeStruct %%words\n%%block = OpTypeStruct %%v\n"
   "%%ptr_block = OpTypePointer Uniform %%block\n%%ptr_words = OpTypePointer Uniform %%words_block\n"
   "%%ptr_v = OpTypePointer Uniform %%v\n%%ptr_float = OpTypePointer Uniform %%float\n%%ptr_uint = OpTypePointer Uniform %%uint\n"
   "%%bx = OpVariable %%ptr_block Uniform\n%%by = OpVariable %%ptr_block Uniform\n%%br = OpVariable %%ptr_block Uniform\n"
   "%%bw = OpVariable %%ptr_words Uniform\n%%c0 = OpConstant %%uint 0\n%%c1 = OpConstant %%uint 1\n%%c2 = OpConstant %%uint 2\n%%c3 = OpConstant %%uint 3\n"
   "%%half = OpConstant %%float 0.5\n%%one = OpConstant %%float 1\n%s\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%s\n"
   "%%px = OpAccessChain %%ptr_v %%bx %%c0\n%%py = OpAccessChain %%ptr_v %%by %%c0\n%%pr = OpAccessChain %%ptr_v %%br %%c0\n"
   "%%p0 = OpAccessChain %%ptr_uint %%bw %%c0 %%c0\n%%p1 = OpAccessChain %%ptr_uint %%bw %%c0 %%c1\n%%p2 = OpAccessChain %%ptr_uint %%bw %%c0 %%c2\n"
   "%%w0 = OpLoad %%uint %%p0\n%%w1 = OpLoad %%uint %%p1\n%%x = OpLoad %%v %%px\n%%y = OpLoad %%v %%py\n%s\nOpReturn\nOpFunctionEnd\n";

static float x[NUM_WORDS + 1], y[NUM_WORDS + 1], r[NUM_WORDS + 1];
static uint32_t words[4];

static bool knows(void)
{
   const bool is_known = ir_run_assembles("OpCapability Shader\nOpCapability LongVectorEXT\nOpExtension \"SPV_EXT_long_vector\"\nOpMemoryModel Logical GLSL450\n");
   if (!is_known)
      printf("this SPIRV-Tools does not know long vectors\n");
   return is_known;
}

/* NULL, or why it does not run. x, y and r have a component more than they should, which is to stay. */
static const char *try(uint32_t n, const char *types, const char *variables, const char *body)
{
   static char text[1 << 15];
   const float untouched = 12345;
   snprintf(text, sizeof(text), module_text, n, n, types, variables, body);
   for (uint32_t i = 0; i <= n && i <= NUM_WORDS; i++) {
      x[i] = (float)((i * 7) % 11) - 4.25f;
      y[i] = (float)((i * 5) % 13) - 6;
      r[i] = untouched;
   }
   struct ir_run run = {.buffers = {(uint8_t *)x, (uint8_t *)y, (uint8_t *)r, (uint8_t *)words}, .sizes = {sizeof(x), sizeof(y), sizeof(r), sizeof(words)}};
   const char *error = ir_run_text(&run, text);
   if (!error && n < NUM_WORDS)
      CHECK(r[n] == untouched);
   return error;
}

static bool run(uint32_t n, const char *types, const char *variables, const char *body)
{
   const char *error = try(n, types, variables, body);
   if (error) {
      fprintf(stderr, "%u: %s\n", n, body);
      test_fail(__FILE__, __LINE__, error);
   }
   return !error;
}

static const uint32_t counts[] = {1, 2, 3, 4, 5, 8, 15, 16, 17, 64};

#define FOR_COUNTS(n) for (uint32_t k = 0, n; knows() && k < sizeof(counts) / sizeof(counts[0]) && (n = counts[k], true); k++)
#define CHECK_EACH(n, expected)                                                                                                            \
   for (uint32_t i = 0; i < (n); i++)                                                                                                      \
   CHECK(r[i] == (expected))

TEST(arithmetic)
{
   FOR_COUNTS (n) {
      if (!run(n, "", "", "%p = OpFMul %v %x %y\n%s = OpFSub %v %p %x\n%m = OpVectorTimesScalar %v %s %half\nOpStore %pr %m"))
         return;
      CHECK_EACH(n, (x[i] * y[i] - x[i]) * 0.5f);
   }
}

TEST(components_in_memory)
{
   FOR_COUNTS (n) {
      words[0] = n - 1;
      words[1] = n / 2;
      if (!run(n, "", "", "OpStore %pr %x\n%pe = OpAccessChain %ptr_float %by %c0 %w0\n%e = OpLoad %float %pe\n%pf = OpAccessChain %ptr_float %br %c0 %w1\n"
               "OpStore %pf %e"))
         return;
      CHECK_EACH(n, i == n / 2 ? y[n - 1] : x[i]);
   }
}

TEST(components_by_index)
{
   FOR_COUNTS (n) {
      words[0] = n - 1;
      words[1] = n / 2;
      if (!run(n, "", "", "%e = OpVectorExtractDynamic %float %y %w0\n%s = OpVectorInsertDynamic %v %x %e %w1\nOpStore %pr %s"))
         return;
      CHECK_EACH(n, i == n / 2 ? y[n - 1] : x[i]);
   }
}

TEST(booleans)
{
   FOR_COUNTS (n) {
      words[0] = n - 1;
      if (!run(n, "%no = OpConstantNull %b\n%yes = OpConstantTrue %bool\n", "",
               "%l = OpFOrdLessThan %b %x %y\n%s = OpSelect %v %l %x %y\nOpStore %pr %s\n%any = OpAny %bool %l\n%all = OpAll %bool %l\n%z = OpAny %bool %no\n"
               "%last = OpVectorExtractDynamic %bool %l %w0\n%a = OpSelect %uint %any %c1 %c0\n%c = OpSelect %uint %all %c1 %c0\n"
               "%d = OpSelect %uint %z %c1 %c0\n%e = OpSelect %uint %last %c1 %c0\nOpStore %p0 %a\nOpStore %p1 %c\nOpStore %p2 %d\n"
               "%p3 = OpAccessChain %ptr_uint %bw %c0 %c3\nOpStore %p3 %e"))
         return;
      CHECK_EACH(n, fminf(x[i], y[i]));
      uint32_t any = 0, all = 1;
      for (uint32_t i = 0; i < n; i++) {
         any |= x[i] < y[i];
         all &= x[i] < y[i];
      }
      CHECK_EQ(words[0], any);
      CHECK_EQ(words[1], all);
      CHECK_EQ(words[2], 0);
      CHECK_EQ(words[3], x[n - 1] < y[n - 1]);
   }
}

TEST(integers)
{
   FOR_COUNTS (n) {
      if (!run(n, "", "", "%a = OpConvertFToS %i %x\n%c = OpConvertFToS %i %y\n%s = OpSDot %int %a %c\n%d = OpIMul %i %a %c\n%f = OpConvertSToF %v %d\n"
               "OpStore %pr %f\n%o = OpBitcast %uint %s\nOpStore %p0 %o\n%q = OpBitcast %u %a\n%e = OpCompositeExtract %uint %q 0\nOpStore %p1 %e"))
         return;
      int32_t sum = 0;
      for (uint32_t i = 0; i < n; i++)
         sum += (int32_t)x[i] * (int32_t)y[i];
      CHECK_EACH(n, (float)((int32_t)x[i] * (int32_t)y[i]));
      CHECK_EQ(words[0], (uint32_t)sum);
      CHECK_EQ(words[1], (uint32_t)(int32_t)x[0]);
   }
}

TEST(functions_of_glsl)
{
   FOR_COUNTS (n) {
      if (!run(n, "%zero = OpConstantNull %v\n%ones = OpConstantCompositeReplicateEXT %v %one\n", "",
               "%a = OpExtInst %v %glsl FMin %x %y\n%c = OpExtInst %v %glsl FClamp %a %zero %ones\n%d = OpExtInst %v %glsl FSign %y\n%s = OpFAdd %v %c %d\n"
               "OpStore %pr %s\n%l = OpExtInst %float %glsl Length %x\n%o = OpBitcast %uint %l\nOpStore %p0 %o\n%t = OpDot %float %x %y\n"
               "%q = OpBitcast %uint %t\nOpStore %p1 %q"))
         return;
      float length = 0, dot = 0;
      for (uint32_t i = 0; i < n; i++) {
         length += x[i] * x[i];
         dot += x[i] * y[i];
      }
      length = n == 1 ? fabsf(x[0]) : sqrtf(length);
      CHECK_EACH(n, fminf(fmaxf(fminf(x[i], y[i]), 0), 1) + (float)((y[i] > 0) - (y[i] < 0)));
      CHECK_EQ(memcmp(&words[0], &length, 4), 0);
      CHECK_EQ(memcmp(&words[1], &dot, 4), 0);
   }
}

/* Of a scalar and a vector, shuffled with another, one component inserted. */
TEST(put_together)
{
   FOR_COUNTS (n) {
      char types[128], body[1024], *end = body;
      snprintf(types, sizeof(types), "%%m = OpConstant %%uint %u\n%%w = OpTypeVectorIdEXT %%float %%m\n", n + 1);
      end += sprintf(end, "%%g = OpCompositeConstruct %%w %%half %%x\n%%h = OpVectorShuffle %%v %%g %%y");
      for (uint32_t i = 0; i < n; i++)
         end += sprintf(end, " %u", i & 1 ? n - i : 2 * n - i);
      sprintf(end, "\n%%first = OpCompositeExtract %%float %%h 0\n%%s = OpCompositeInsert %%v %%first %%h %u\nOpStore %%pr %%s", n - 1);
      if (!run(n, types, "", body))
         return;
      for (uint32_t i = 0; i < n; i++) {
         const uint32_t from = i == n - 1 ? 0 : i, which = from & 1 ? n - from : 2 * n - from;
         CHECK(r[i] == (which == 0 ? 0.5f : which <= n ? x[which - 1] : y[which - n - 1]));
      }
   }
}

/* A constant made of parts, and one of its components changed. */
TEST(constants)
{
   if (!knows() || !run(5, "%c5 = OpConstant %float 5\n%five = OpConstantComposite %v %one %half %c5 %half %one\n"
                        "%six = OpSpecConstantOp %v CompositeInsert %c5 %five 1\n%seven = OpSpecConstantOp %v VectorShuffle %six %five 0 1 2 9 8\n",
                        "", "OpStore %pr %seven\n"))
      return;
   const float expected[5] = {1, 5, 5, 1, 0.5f};
   CHECK_EACH(5, expected[i]);
}

/* As many components as a specialization constant says: 7. */
TEST(specialized)
{
   if (!knows() || !run(7, "%sv = OpTypeVectorIdEXT %float %spec\n%halves = OpSpecConstantCompositeReplicateEXT %sv %half\n%ptr_sv = OpTypePointer Function %sv\n"
                        "%ptr_f = OpTypePointer Function %float\n%c6 = OpConstant %uint 6\n", "%var = OpVariable %ptr_sv Function %halves",
                        "%all = OpCompositeConstructReplicateEXT %sv %one\n%h = OpLoad %sv %var\n%s = OpFAdd %sv %h %all\nOpStore %var %s\n"
                        "%pf = OpAccessChain %ptr_f %var %c6\n%f = OpLoad %float %pf\n%pz = OpAccessChain %ptr_float %br %c0 %c6\nOpStore %pz %f\n"
                        "%d = OpDot %float %s %s\n%o = OpBitcast %uint %d\nOpStore %p0 %o"))
      return;
   const float sum = 7 * 2.25f;
   CHECK(r[6] == 1.5f);
   CHECK_EQ(memcmp(&words[0], &sum, 4), 0);
}

/* A variable of an invocation, chosen by an index; a function; one value of two branches. */
TEST(moved_about)
{
   FOR_COUNTS (n) {
      words[0] = n - 1;
      words[1] = 1;
      if (!run(n, "%ptr_p = OpTypePointer Private %v\n%ptr_e = OpTypePointer Private %float\n%private = OpVariable %ptr_p Private\n"
               "%twice_fn = OpTypeFunction %v %v\n%twice = OpFunction %v None %twice_fn\n%arg = OpFunctionParameter %v\n%twice_entry = OpLabel\n"
               "%sum = OpFAdd %v %arg %arg\nOpReturnValue %sum\nOpFunctionEnd\n", "",
               "OpStore %private %y\n%pe = OpAccessChain %ptr_e %private %w0\n%e = OpLoad %float %pe\n%first = OpAccessChain %ptr_e %private %c0\n"
               "OpStore %first %e\n%l = OpLoad %v %private\n%t = OpFunctionCall %v %twice %l\n%is = OpIEqual %bool %w1 %c1\nOpSelectionMerge %merge None\n"
               "OpBranchConditional %is %yes %no\n%yes = OpLabel\n%s = OpFAdd %v %t %x\nOpBranch %merge\n%no = OpLabel\nOpBranch %merge\n%merge = OpLabel\n"
               "%which = OpPhi %v %s %yes %x %no\nOpStore %pr %which"))
         return;
      CHECK_EACH(n, 2 * (i ? y[i] : y[n - 1]) + x[i]);
   }
}

/* Components of 64 bits, and the same bits in components of another size. */
TEST(other_sizes)
{
   if (!knows() || !run(8, "%d8 = OpTypeVector %double 8\n%l4 = OpTypeVector %long 4\n%s16 = OpTypeVector %short 16\n", "",
                        "%d = OpFConvert %d8 %x\n%s = OpFMul %d8 %d %d\n%f = OpFConvert %v %s\nOpStore %pr %f\n%l = OpBitcast %l4 %x\n%h = OpBitcast %s16 %l\n"
                        "%back = OpBitcast %v %h\n%same = OpFOrdEqual %b %back %x\n%all = OpAll %bool %same\n%o = OpSelect %uint %all %c1 %c0\nOpStore %p0 %o\n"
                        "%e = OpCompositeExtract %short %h 15\n%z = OpUConvert %uint %e\nOpStore %p1 %z"))
      return;
   uint32_t bits;
   memcpy(&bits, &x[7], 4);
   CHECK_EACH(8, (float)((double)x[i] * x[i]));
   CHECK_EQ(words[0], 1);
   CHECK_EQ(words[1], bits >> 16);
}

/* What is refused: too many components, none, matrices of long columns, what has locations. */
TEST(refused)
{
   if (!knows())
      return;
   static const char *const types[] = {
      "%many = OpConstant %uint 1025\n%too = OpTypeVectorIdEXT %float %many\n", "%too = OpTypeVectorIdEXT %float %c0\n",
      "%five = OpTypeVector %float 5\n%mat = OpTypeMatrix %five 2\n", "%v1 = OpTypeVector %float 1\n%mat = OpTypeMatrix %v1 2\n",
      "%five = OpTypeVector %float 5\n%ptr_in = OpTypePointer Input %five\n%in = OpVariable %ptr_in Input\n",
      "%five = OpTypeVector %float 5\n%in_block = OpTypeStruct %uint %five\n%ptr_out = OpTypePointer Output %in_block\n%out = OpVariable %ptr_out Output\n",
   };
   for (uint32_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
      if (!try(4, types[i], "", ""))
         fprintf(stderr, "taken: %s\n", types[i]);
      CHECK(try(4, types[i], "", "") != NULL);
   }
   CHECK(try(4, "%most = OpConstant %uint 1024\n%v1024 = OpTypeVectorIdEXT %float %most\n", "", "%z = OpUndef %v1024") == NULL);
   CHECK_EQ(UTIL_SPV_MAX_COMPONENTS, 1024);
}

TEST_MAIN
