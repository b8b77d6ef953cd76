/* SPDX-License-Identifier: MIT
 * Modules that nobody looked at before, as with VK_SWRAST_VALIDATE=off: what doubles with each level (structures of two equal ones, constants and
 * operations on them), and what nests as deep as words allow. SECURITY.md, "Time" and "Valid input": a compile ends soon, in code or with a reason,
 * and one that takes too much memory says so and leaves nothing behind. */
#include "compiler/compiler.h"
#include "tests/test.h"
#include "util/cpu.h"
#include "util/sanitizers.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <spirv-tools/libspirv.h>

static FILE *text;
static char *source;
static size_t source_bytes;

static UTIL_PRINTF(1, 2) void add(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vfprintf(text, format, args);
   va_end(args);
}

/* Up to the types; %out is a word. */
static void begin(void)
{
   text = open_memstream(&source, &source_bytes);
   if (!text)
      abort();
   add("%s", "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %b\nOpExecutionMode %main LocalSize 1 1 1\n"
             "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\n"
             "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n%block = OpTypeStruct %u\n"
             "%pblock = OpTypePointer StorageBuffer %block\n%b = OpVariable %pblock StorageBuffer\n%pu = OpTypePointer StorageBuffer %u\n"
             "%k0 = OpConstant %u 0\n%k1 = OpConstant %u 1\n%empty = OpTypeStruct\n");
}

/* Structures NAME1 to NAMEdepth, each of two of the one before; NAME0 has the members. */
static void add_tower(const char *name, const char *members, uint32_t depth)
{
   add("%%%s0 = OpTypeStruct %s\n", name, members);
   for (uint32_t i = 0; i < depth; i++)
      add("%%%s%u = OpTypeStruct %%%s%u %%%s%u\n", name, i + 1, name, i, name, i);
}

static void begin_main(void)
{
   add("%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n");
}

static void end_main(void)
{
   add("%s", "%out = OpAccessChain %pu %b %k0\n%x = OpLoad %u %out\nOpStore %out %x\nOpReturn\nOpFunctionEnd\n");
}

/* NULL: it compiled. The message is malloc'ed. `*spent_s`: processor time. */
static char *compile(const uint32_t *words, size_t num_words, VkResult *result, double *spent_s)
{
   static const struct comp_binding binding = {.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1};
   static const struct comp_layout layout = {.sets[0] = {&binding, 1}, .num_sets = 1};
   const struct comp_shader_desc desc = {.words = words, .num_words = num_words, .stage = ABI_STAGE_COMPUTE, .entry_point = "main", .layout = &layout,
                                         .target = {.lanes = 8, .level = util_cpu_level(), .max_lanes = 8}};
   struct comp_binary *binary = NULL;
   char *message = NULL;
   const clock_t start = clock();
   *result = comp_library()->compile(&desc, &binary, &message);
   *spent_s = (double)(clock() - start) / CLOCKS_PER_SEC;
   util_mfree(binary);
   return message;
}

/* Ends the text, and assembles it. */
static spv_binary assemble(void)
{
   spv_binary module = NULL;
   spv_diagnostic diagnostic = NULL;
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
   fclose(text);
   if (spvTextToBinary(context, source, strlen(source), &module, &diagnostic) != SPV_SUCCESS) {
      fprintf(stderr, "%s\n", diagnostic ? diagnostic->error : "cannot be assembled");
      abort();
   }
   spvContextDestroy(context);
   free(source);
   return module;
}

/* Compiles what was written, within seconds; `reason`: of the refusal, NULL: there is none. */
static void check(const char *reason)
{
   const double limit_s = 20; /* without a bound: hours */
   spv_binary module = assemble();
   VkResult result = VK_ERROR_UNKNOWN;
   double spent_s;
   if (!comp_library()) {
      test_fail(__FILE__, __LINE__, "the compiler is not there");
      return;
   }
   char *message = compile(module->code, module->wordCount, &result, &spent_s);
   if (!reason && message)
      test_fail(__FILE__, __LINE__, message);
   CHECK_EQ(result, reason ? VK_ERROR_INVALID_SHADER_NV : VK_SUCCESS);
   CHECK(!reason || (message && strstr(message, reason)));
   CHECK(spent_s < limit_s);
   free(message);
   spvBinaryDestroy(module);
}

static void copy_tower(uint32_t depth, uint32_t num_copies)
{
   begin();
   add_tower("s", "%u", depth);
   add_tower("t", "%u", depth);
   add("%%null = OpConstantNull %%s%u\n", depth);
   begin_main();
   for (uint32_t i = 0; i < num_copies; i++)
      add("%%copy%u = OpCopyLogical %%t%u %%null\n", i, depth);
   end_main();
}

TEST(structures_that_double)
{
   copy_tower(16, 1);
   check(NULL);
   copy_tower(60, 1);
   check("parts");
   copy_tower(16, 600);
   check("taken apart");
}

static void load_tower(uint32_t depth, uint32_t num_loads)
{
   begin();
   add_tower("s", "%empty", depth);
   add("%%p = OpTypePointer Function %%s%u\n", depth);
   begin_main();
   add("%s", "%v = OpVariable %p Function\n");
   for (uint32_t i = 0; i < num_loads; i++)
      add("%%l%u = OpLoad %%s%u %%v\nOpStore %%v %%l%u\n", i, depth, i);
   end_main();
}

TEST(structures_of_nothing_that_double)
{
   load_tower(12, 1);
   check(NULL);
   load_tower(60, 1);
   check("parts");
}

TEST(constants_that_double)
{
   begin();
   add("%s", "%c0 = OpSpecConstant %u 3\n");
   for (uint32_t i = 0; i < 1000; i++)
      add("%%c%u = OpSpecConstantOp %%u IAdd %%c%u %%c%u\n", i + 1, i, i);
   begin_main();
   end_main();
   check(NULL);
}

/* Arrays of arrays and pointers to pointers. */
TEST(deep_types)
{
   begin();
   add("%s", "%a0 = OpTypeArray %u %k1\n");
   for (uint32_t i = 0; i < 20000; i++)
      add("%%a%u = OpTypeArray %%a%u %%k1\n", i + 1, i);
   begin_main();
   end_main();
   check("nested too deeply");
   begin();
   add("%s", "%p0 = OpTypePointer Function %u\n");
   for (uint32_t i = 0; i < 20000; i++)
      add("%%p%u = OpTypePointer Function %%p%u\n", i + 1, i);
   begin_main();
   end_main();
   check(NULL);
}

/* Each value of 2^17 structures takes memory, until the compile has as much as it may. */
TEST(memory)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
   printf("a sanitizer keeps what is freed\n");
#else
   load_tower(16, 200);
   spv_binary module = assemble();
   size_t used = 0;
   for (uint32_t i = 0; i < 3 && comp_library(); i++) {
      VkResult result = VK_SUCCESS;
      double spent_s;
      char *message = compile(module->code, module->wordCount, &result, &spent_s);
      CHECK_EQ(result, VK_ERROR_OUT_OF_HOST_MEMORY);
      CHECK(message && strstr(message, "memory is out"));
      free(message);
      const struct mallinfo2 info = mallinfo2();
      if (i > 0)
         CHECK(info.uordblks + info.hblkhd <= used + 4096);
      used = info.uordblks + info.hblkhd;
   }
   spvBinaryDestroy(module);
#endif
}

TEST_MAIN
