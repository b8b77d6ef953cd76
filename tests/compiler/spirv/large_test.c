/* SPDX-License-Identifier: MIT
 * Large arrays as values, which are copied by loops and stay in memory (spirv_memory.c, spirv_children.c), and large switches (spirv_function.c): what they
 * compute. That code does not grow with the array and time not with the square of the cases: tests/compiler/shapes_test.c. */
#include "tests/compiler/spirv/ir_run.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 300, WORDS = 3 * COUNT };

/* %out: words, binding 0. %block: a uniform block of 300 words in %u and of 20 x 20 in %square, binding 1; %data: the same types in a storage buffer, binding
 * 2. %a, %b: arrays of 300 words of the invocation. A store to %out goes through %o0 to %o7. %x = out[0]. */
static const char *const module_text =
   "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n"
   "OpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding 0\nOpDecorate %%block DescriptorSet 0\nOpDecorate %%block Binding 1\n"
   "OpDecorate %%data DescriptorSet 0\nOpDecorate %%data Binding 2\n"
   "OpDecorate %%words ArrayStride 4\nOpDecorate %%out_type BufferBlock\nOpMemberDecorate %%out_type 0 Offset 0\n"
   "OpDecorate %%laid ArrayStride 16\nOpDecorate %%laid_row ArrayStride 16\nOpDecorate %%laid_rows ArrayStride 320\n"
   "OpDecorate %%block_type Block\nOpMemberDecorate %%block_type 0 Offset 0\nOpMemberDecorate %%block_type 1 Offset 4800\n"
   "OpDecorate %%data_type BufferBlock\nOpMemberDecorate %%data_type 0 Offset 0\nOpMemberDecorate %%data_type 1 Offset 4800\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%bool = OpTypeBool\n%%uint = OpTypeInt 32 0\n"
   "%%c0 = OpConstant %%uint 0\n%%c1 = OpConstant %%uint 1\n%%c2 = OpConstant %%uint 2\n%%c3 = OpConstant %%uint 3\n%%c4 = OpConstant %%uint 4\n"
   "%%c5 = OpConstant %%uint 5\n%%c6 = OpConstant %%uint 6\n%%c7 = OpConstant %%uint 7\n%%c9 = OpConstant %%uint 9\n%%c19 = OpConstant %%uint 19\n"
   "%%c20 = OpConstant %%uint 20\n%%c299 = OpConstant %%uint 299\n%%count = OpConstant %%uint 300\n"
   "%%words = OpTypeRuntimeArray %%uint\n%%out_type = OpTypeStruct %%words\n%%array = OpTypeArray %%uint %%count\n%%laid = OpTypeArray %%uint %%count\n"
   "%%row = OpTypeArray %%uint %%c20\n%%rows = OpTypeArray %%row %%c20\n%%laid_row = OpTypeArray %%uint %%c20\n%%laid_rows = OpTypeArray %%laid_row %%c20\n"
   "%%block_type = OpTypeStruct %%laid %%laid_rows\n%%data_type = OpTypeStruct %%laid %%laid_rows\n"
   "%%pair = OpTypeStruct %%uint %%array %%uint\n%%null = OpConstantNull %%array\n%%null_pair = OpConstantNull %%pair\n"
   "%%wide = OpTypeStruct %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row "
   "%%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row "
   "%%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row "
   "%%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row %%row\n"
   "%%uint4 = OpTypeVector %%uint 4\n%%cell = OpTypeStruct %%uint4 %%uint\n%%cells = OpTypeArray %%cell %%count\n%%f_cells = OpTypePointer Function %%cells\n"
   "%%null_row = OpConstantNull %%row\n%%f_wide = OpTypePointer Function %%wide\n"
   "%%ptr_out = OpTypePointer Uniform %%out_type\n%%ptr_block = OpTypePointer Uniform %%block_type\n%%ptr_data = OpTypePointer Uniform %%data_type\n"
   "%%ptr = OpTypePointer Uniform %%uint\n%%ptr_laid = OpTypePointer Uniform %%laid\n%%ptr_rows = OpTypePointer Uniform %%laid_rows\n"
   "%%f_uint = OpTypePointer Function %%uint\n%%f_array = OpTypePointer Function %%array\n%%f_laid = OpTypePointer Function %%laid\n"
   "%%f_rows = OpTypePointer Function %%laid_rows\n%%f_pair = OpTypePointer Function %%pair\n"
   "%%out = OpVariable %%ptr_out Uniform\n%%block = OpVariable %%ptr_block Uniform\n%%data = OpVariable %%ptr_data Uniform\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n"
   "%%a = OpVariable %%f_array Function\n%%b = OpVariable %%f_array Function\n%%la = OpVariable %%f_laid Function\n%%lb = OpVariable %%f_laid Function\n"
   "%%r = OpVariable %%f_rows Function\n%%s = OpVariable %%f_pair Function\n%%w = OpVariable %%f_wide Function\n"
   "%%t = OpVariable %%f_cells Function\n"
   "%%o0 = OpAccessChain %%ptr %%out %%c0 %%c0\n%%o1 = OpAccessChain %%ptr %%out %%c0 %%c1\n%%o2 = OpAccessChain %%ptr %%out %%c0 %%c2\n"
   "%%o3 = OpAccessChain %%ptr %%out %%c0 %%c3\n%%o4 = OpAccessChain %%ptr %%out %%c0 %%c4\n%%o5 = OpAccessChain %%ptr %%out %%c0 %%c5\n"
   "%%x = OpLoad %%uint %%o0\n"
   "%s\nOpReturn\nOpFunctionEnd\n";

static uint32_t out[8], block[4 * (COUNT + 400)], data[4 * (COUNT + 400)];

/* Words x in out[0]; the block's are 1000 + index, the buffer's 5000 + index. */
static bool run(const char *code, uint32_t x)
{
   static char text[1 << 16];
   struct ir_run run = {0};
   memset(out, 0, sizeof(out));
   out[0] = x;
   for (uint32_t i = 0; i < COUNT + 400; i++) {
      block[4 * i] = 1000 + i;
      data[4 * i] = 5000 + i;
   }
   run.buffers[0] = (uint8_t *)out;
   run.buffers[1] = (uint8_t *)block;
   run.buffers[2] = (uint8_t *)data;
   run.sizes[0] = sizeof(out);
   run.sizes[1] = sizeof(block);
   run.sizes[2] = sizeof(data);
   snprintf(text, sizeof(text), module_text, code);
   const char *error = ir_run_text(&run, text);
   if (error)
      test_fail(__FILE__, __LINE__, error);
   return !error;
}

/* What is copied out of a block is what stood there. */
TEST(copies)
{
   run("%p = OpAccessChain %ptr_laid %block %c0\n%v = OpLoad %laid %p\nOpStore %la %v\n%e = OpAccessChain %f_uint %la %x\n%l = OpLoad %uint %e\nOpStore %o1 %l\n"
       "%w = OpCompositeExtract %uint %v 299\nOpStore %o2 %w\n", 17);
   CHECK_EQ(out[1], 1017);
   CHECK_EQ(out[2], 1299);
}

/* A value does not change with the memory that it was read from: a buffer, a variable. */
TEST(values_are_not_their_memory)
{
   run("%p = OpAccessChain %ptr_laid %data %c0\n%v = OpLoad %laid %p\n%d = OpAccessChain %ptr %data %c0 %c7\nOpStore %d %x\n"
       "OpStore %la %v\n%e = OpAccessChain %f_uint %la %c7\n%l = OpLoad %uint %e\nOpStore %o1 %l\n%m = OpLoad %uint %d\nOpStore %o2 %m\n"
       "%k = OpLoad %laid %la\nOpStore %e %c9\nOpStore %lb %k\n%g = OpAccessChain %f_uint %lb %c7\n%h = OpLoad %uint %g\nOpStore %o3 %h\n"
       "%i = OpCompositeExtract %uint %k 7\nOpStore %o4 %i\n%j = OpLoad %uint %e\nOpStore %o5 %j\n", 21);
   CHECK_EQ(out[1], 5007);
   CHECK_EQ(out[2], 21);
   CHECK_EQ(out[3], 5007);
   CHECK_EQ(out[4], 5007);
   CHECK_EQ(out[5], 9);
}

/* Between a variable and a buffer, and onto itself. */
TEST(copied_memory)
{
   run("%p = OpAccessChain %ptr_laid %data %c0\nOpCopyMemory %la %p\n%e = OpAccessChain %f_uint %la %c7\nOpStore %e %x\nOpCopyMemory %p %la\nOpCopyMemory %p %p\n"
       "OpStore %e %c9\nOpCopyMemory %lb %p\n%f = OpAccessChain %f_uint %lb %c7\n%l = OpLoad %uint %f\nOpStore %o1 %l\n"
       "%d = OpAccessChain %ptr %data %c0 %c7\n%m = OpLoad %uint %d\nOpStore %o2 %m\n%g = OpAccessChain %f_uint %lb %c299\n%h = OpLoad %uint %g\nOpStore %o3 %h\n", 21);
   CHECK_EQ(out[1], 21);
   CHECK_EQ(out[2], 21);
   CHECK_EQ(out[3], 5299);
   CHECK_EQ(data[4 * 6], 5006);
   CHECK_EQ(data[4 * 7], 21);
   CHECK_EQ(data[4 * 299], 5299);
}

/* Two that were made of one have each its own change, the rest is the same. */
TEST(changed_parts)
{
   run("%p = OpAccessChain %ptr_laid %block %c0\n%v = OpLoad %laid %p\n%v1 = OpCompositeInsert %laid %x %v 40\n%v2 = OpCompositeInsert %laid %c5 %v 41\n"
       "%v3 = OpCompositeInsert %laid %c6 %v1 299\nOpStore %la %v3\nOpStore %lb %v2\n%xb = OpIAdd %uint %x %c1\n"
       "%e = OpAccessChain %f_uint %la %x\n%l = OpLoad %uint %e\nOpStore %o1 %l\n%f = OpAccessChain %f_uint %lb %x\n%m = OpLoad %uint %f\nOpStore %o2 %m\n"
       "%g = OpAccessChain %f_uint %lb %xb\n%h = OpLoad %uint %g\nOpStore %o3 %h\n%i = OpCompositeExtract %uint %v3 299\nOpStore %o4 %i\n"
       "%j = OpCompositeExtract %uint %v2 299\nOpStore %o5 %j\n", 40);
   CHECK_EQ(out[1], 40);
   CHECK_EQ(out[2], 1040);
   CHECK_EQ(out[3], 5);
   CHECK_EQ(out[4], 6);
   CHECK_EQ(out[5], 1299);
}

TEST(zeros_and_equal_parts)
{
   static char code[8192];
   char *end = code + sprintf(code, "OpStore %%a %%null\nOpStore %%s %%null_pair\n%%v = OpCompositeInsert %%array %%x %%null 298\nOpStore %%b %%v\n"
                                    "%%e = OpAccessChain %%f_uint %%a %%x\n%%l = OpLoad %%uint %%e\nOpStore %%o1 %%l\n"
                                    "%%f = OpAccessChain %%f_uint %%b %%x\n%%m = OpLoad %%uint %%f\nOpStore %%o2 %%m\n"
                                    "%%g = OpAccessChain %%f_uint %%s %%c1 %%x\n%%h = OpLoad %%uint %%g\nOpStore %%o3 %%h\n"
                                    "%%w = OpCompositeConstruct %%array");
   for (uint32_t i = 0; i < COUNT; i++)
      end += sprintf(end, i == 150 ? " %%c9" : i == COUNT - 1 ? " %%c7" : " %%x");
   sprintf(end, "\nOpStore %%a %%w\n%%i = OpLoad %%uint %%e\nOpStore %%o4 %%i\n%%j = OpAccessChain %%f_uint %%a %%c299\n%%k = OpLoad %%uint %%j\nOpStore %%o5 %%k\n");
   run(code, 298);
   CHECK_EQ(out[1], 0);
   CHECK_EQ(out[2], 298);
   CHECK_EQ(out[3], 0);
   CHECK_EQ(out[4], 298);
   CHECK_EQ(out[5], 7);
   run(code, 150);
   CHECK_EQ(out[2], 0);
   CHECK_EQ(out[4], 9);
}

/* One value goes to all elements, then what some have instead. */
TEST(equal_parts_with_changes)
{
   static char code[8192];
   char *end = code + sprintf(code, "%%v = OpCompositeConstruct %%uint4 %%x %%c1 %%c2 %%c3\n%%one = OpCompositeConstruct %%cell %%v %%c4\n"
                                    "%%w = OpCompositeConstruct %%cells");
   for (uint32_t i = 0; i < COUNT; i++)
      end += sprintf(end, " %%one");
   end += sprintf(end, "\n%%w1 = OpCompositeInsert %%cells %%c9 %%w 7 0 2\n%%w2 = OpCompositeInsert %%cells %%c7 %%w1 7 1\n"
                       "%%w3 = OpCompositeInsert %%cells %%c6 %%w2 299 0 0\n%%w4 = OpCompositeInsert %%cells %%c5 %%w3 150 0 3\nOpStore %%t %%w4\n");
   for (uint32_t i = 0; i < 4; i++)
      end += sprintf(end, "%%e%u = OpAccessChain %%f_uint %%t %%x %%c0 %%c%u\n%%l%u = OpLoad %%uint %%e%u\nOpStore %%o%u %%l%u\n", i, i, i, i, i + 1, i);
   sprintf(end, "%%e5 = OpAccessChain %%f_uint %%t %%x %%c1\n%%l5 = OpLoad %%uint %%e5\nOpStore %%o5 %%l5\n");
   static const uint32_t expected[5][6] = {{0, 0, 1, 2, 3, 4}, {7, 7, 1, 9, 3, 7}, {8, 8, 1, 2, 3, 4}, {150, 150, 1, 2, 5, 4}, {299, 6, 1, 2, 3, 4}};
   for (uint32_t i = 0; i < 5; i++) {
      run(code, expected[i][0]);
      for (uint32_t k = 1; k < 6; k++)
         CHECK_EQ(out[k], expected[i][k]);
   }
}

TEST(arrays_of_arrays)
{
   run("%p = OpAccessChain %ptr_rows %block %c1\n%v = OpLoad %laid_rows %p\n%v1 = OpCompositeInsert %laid_rows %c9 %v 3 4\nOpStore %r %v1\n"
       "%e = OpAccessChain %f_uint %r %x %c19\n%l = OpLoad %uint %e\nOpStore %o1 %l\n%f = OpAccessChain %f_uint %r %x %c4\n%m = OpLoad %uint %f\nOpStore %o2 %m\n"
       "%g = OpAccessChain %ptr_rows %data %c1\nOpStore %g %v1\n%h = OpAccessChain %ptr %data %c1 %x %c5\n%i = OpLoad %uint %h\nOpStore %o3 %i\n", 3);
   CHECK_EQ(out[1], 1000 + COUNT + 3 * 20 + 19);
   CHECK_EQ(out[2], 9);
   CHECK_EQ(out[3], 1000 + COUNT + 3 * 20 + 5);
}

/* What goes round a loop is what the round before left, also where two are exchanged. */
TEST(phis)
{
   run("%p = OpAccessChain %ptr_laid %block %c0\n%v = OpLoad %laid %p\n%q = OpAccessChain %ptr_laid %data %c0\n%w = OpLoad %laid %q\nOpBranch %head\n"
       "%head = OpLabel\n%y = OpPhi %laid %v %entry %z1 %cont\n%z = OpPhi %laid %w %entry %y %cont\n%i = OpPhi %uint %c0 %entry %next %cont\n"
       "OpLoopMerge %done %cont None\nOpBranch %test\n%test = OpLabel\n%more = OpULessThan %bool %i %x\nOpBranchConditional %more %cont %done\n"
       "%cont = OpLabel\n%z1 = OpCompositeInsert %laid %i %z 9\n%next = OpIAdd %uint %i %c1\nOpBranch %head\n%done = OpLabel\n"
       "OpStore %la %y\n%e = OpAccessChain %f_uint %la %c9\n%l = OpLoad %uint %e\nOpStore %o1 %l\n"
       "%f = OpAccessChain %f_uint %la %x\n%m = OpLoad %uint %f\nOpStore %o2 %m\n%n = OpCompositeExtract %uint %z 9\nOpStore %o3 %n\n", 3);
   CHECK_EQ(out[1], 2);
   CHECK_EQ(out[2], 5003);
   CHECK_EQ(out[3], 1);
}

/* A structure of 100 arrays that are 0. */
static char *write_wide(char *end)
{
   end += sprintf(end, "%%many = OpCompositeConstruct %%wide");
   for (uint32_t i = 0; i < 100; i++)
      end += sprintf(end, " %%null_row");
   return end;
}

/* Structures that are moved often are copied as memory; a value does not change with that. */
TEST(moved_often)
{
   static char code[1 << 15];
   char *end = write_wide(code);
   end += sprintf(end, "\n%%made = OpCompositeInsert %%wide %%x %%many 7 3\nOpStore %%w %%made");
   for (uint32_t i = 0; i < 200; i++)
      end += sprintf(end, "\n%%w%u = OpLoad %%wide %%w\nOpStore %%w %%w%u", i, i);
   sprintf(end, "\n%%last = OpLoad %%wide %%w\n%%e = OpAccessChain %%f_uint %%w %%c7 %%c3\nOpStore %%e %%c9\n%%l = OpCompositeExtract %%uint %%last 7 3\n"
                "OpStore %%o1 %%l\n%%m = OpLoad %%uint %%e\nOpStore %%o2 %%m\n%%z = OpCompositeExtract %%uint %%last 7 4\n%%z5 = OpIAdd %%uint %%z %%c5\nOpStore %%o3 %%z5");
   run(code, 77);
   CHECK_EQ(out[1], 77);
   CHECK_EQ(out[2], 9);
   CHECK_EQ(out[3], 5);
}

/* Each store of a structure takes a loop for each of its members: few words ask for more than a compile may take. */
TEST(too_many_operations)
{
   static char code[1 << 15];
   char *end = write_wide(code);
   for (uint32_t i = 0; i < 1000; i++)
      end += sprintf(end, "\nOpStore %%w %%many");
   struct ir_run run = {0};
   static char text[1 << 16];
   snprintf(text, sizeof(text), module_text, code);
   const char *error = ir_run_text(&run, text);
   CHECK(error && strstr(error, "operations"));
}

/* Cases that share a block, one that returns, and one for all others. */
TEST(switches)
{
   static char code[8192];
   char *end = code + sprintf(code, "OpStore %%o1 %%c9\nOpSelectionMerge %%merge None\nOpSwitch %%x %%other");
   for (uint32_t i = 0; i < 40; i++)
      end += sprintf(end, " %u %%case%u", 3 * i, i / 2);
   for (uint32_t i = 0; i < 20; i++) {
      end += sprintf(end, "\n%%case%u = OpLabel\n%%y%u = OpIMul %%uint %%x %%c%u\n", i, i, i % 8);
      end += sprintf(end, i == 11 ? "OpStore %%o1 %%c299\nOpReturn" : "OpBranch %%merge");
   }
   end += sprintf(end, "\n%%other = OpLabel\nOpBranch %%merge\n%%merge = OpLabel\n%%z = OpPhi %%uint %%x %%other");
   for (uint32_t i = 0; i < 20; i++)
      end += i == 11 ? 0 : sprintf(end, " %%y%u %%case%u", i, i);
   sprintf(end, "\nOpStore %%o1 %%z\n");
   for (uint32_t x = 0; x < 125; x++) {
      const uint32_t index = x / 6;
      if (!run(code, x))
         return;
      CHECK_EQ(out[1], x % 3 || index >= 20 ? x : index == 11 ? 299 : x * (index % 8));
   }
}

TEST_MAIN
