/* SPDX-License-Identifier: MIT
 * Shapes of shaders that a compiler may take the square of their size for: time and code grow in proportion. Sizes double; what is compared is
 * processor time, and the code's size, which is the same in every run. */
#include "compiler/compiler.h"
#include "tests/test.h"
#include "util/cpu.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <spirv-tools/libspirv.h>

static char text[1 << 20];
static size_t text_end;

static UTIL_PRINTF(1, 2) void add(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   text_end += (size_t)vsnprintf(text + text_end, sizeof(text) - text_end, format, args);
   va_end(args);
}

/* A buffer of uint in binding 0, a uniform block with an array of vec4 in binding 1; %x is the invocation's word, %p its address. */
static void begin(uint32_t count)
{
   text_end = 0;
   add("%s", "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\n"
             "OpExecutionMode %main LocalSize 64 1 1\nOpDecorate %id BuiltIn GlobalInvocationId\n"
             "OpDecorate %words ArrayStride 4\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %block BufferBlock\n"
             "OpDecorate %vecs ArrayStride 16\nOpMemberDecorate %uniform 0 Offset 0\nOpDecorate %uniform Block\n"
             "OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\nOpDecorate %c DescriptorSet 0\nOpDecorate %c Binding 1\n"
             "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%u3 = OpTypeVector %u 3\n%u4 = OpTypeVector %u 4\n"
             "%in3 = OpTypePointer Input %u3\n%id = OpVariable %in3 Input\n%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n"
             "%pblock = OpTypePointer Uniform %block\n%b = OpVariable %pblock Uniform\n%pu = OpTypePointer Uniform %u\n"
             "%fu = OpTypePointer Function %u\n%k0 = OpConstant %u 0\n%k3 = OpConstant %u 3\n");
   add("%%n = OpConstant %%u %u\n", count);
   add("%s", "%vecs = OpTypeArray %u4 %n\n%uniform = OpTypeStruct %vecs\n%puniform = OpTypePointer Uniform %uniform\n"
             "%c = OpVariable %puniform Uniform\n%fvecs = OpTypePointer Function %vecs\n%pvecs = OpTypePointer Uniform %vecs\n"
             "%main = OpFunction %void None %fn\n%start = OpLabel\n%r = OpVariable %fu Function\n%a = OpVariable %fvecs Function\n"
             "%gid = OpLoad %u3 %id\n%g = OpCompositeExtract %u %gid 0\n%p = OpAccessChain %pu %b %k0 %g\n%x = OpLoad %u %p\nOpStore %r %x\n");
}

static void end(void)
{
   add("%s", "%last = OpLoad %u %r\nOpStore %p %last\nOpReturn\nOpFunctionEnd\n");
}

/* Each case falls into the next one. */
static void write_switch(uint32_t count)
{
   begin(count);
   add("OpSelectionMerge %%end None\nOpSwitch %%x %%end");
   for (uint32_t i = 0; i < count; i++)
      add(" %u %%case%u", i, i);
   for (uint32_t i = 0; i < count; i++) {
      add("\n%%case%u = OpLabel\n%%l%u = OpLoad %%u %%r\n%%m%u = OpIMul %%u %%l%u %%k3\n%%s%u = OpIAdd %%u %%m%u %%x\n", i, i, i, i, i, i);
      add("OpStore %%r %%s%u\n", i);
      if (i + 1 < count)
         add("OpBranch %%case%u", i + 1);
      else
         add("OpBranch %%end\n%%end = OpLabel\n");
   }
   end();
}

/* An array is copied out of the block and indexed. */
static void write_copy(uint32_t count)
{
   begin(count);
   add("%s", "%pv = OpAccessChain %pvecs %c %k0\n%v = OpLoad %vecs %pv\nOpStore %a %v\n%at = OpUMod %u %x %n\n"
             "%pe = OpAccessChain %fu %a %at %k0\n%e = OpLoad %u %pe\nOpStore %r %e\n");
   end();
}

struct cost {
   double seconds;
   uint32_t bytes; /* of the object; 0: did not compile */
};

static struct cost compile(void)
{
   static const struct comp_binding bindings[] = {
      {.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 0},
      {.binding = 1, .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .count = 1, .offset_bytes = 16},
   };
   static const struct comp_layout layout = {.sets[0] = {bindings, 2}, .num_sets = 1};
   struct cost cost = {0};
   spv_binary module = NULL;
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
   const spv_result_t assembled = spvTextToBinary(context, text, text_end, &module, NULL);
   spvContextDestroy(context);
   const struct comp_library *library = comp_library();
   CHECK(library && assembled == SPV_SUCCESS);
   if (!library || assembled != SPV_SUCCESS)
      return cost;
   const struct comp_shader_desc desc = {.words = module->code, .num_words = module->wordCount, .stage = ABI_STAGE_COMPUTE,
                                         .entry_point = "main", .layout = &layout, .target = {.lanes = 16, .level = UTIL_CPU_V4}};
   struct comp_binary *binary = NULL;
   char *message = NULL;
   const clock_t start = clock();
   const VkResult result = library->compile(&desc, &binary, &message);
   cost.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
   if (result != VK_SUCCESS)
      test_fail(__FILE__, __LINE__, message ? message : "does not compile");
   else
      cost.bytes = binary->object_bytes;
   util_mfree(binary);
   free(message);
   spvBinaryDestroy(module);
   return cost;
}

/* Five doublings, of 2.3 times the seconds each on the average. Below the size from where the time is bounded one step may take more. */
static void check_steps(const char *name, void (*write)(uint32_t count), uint32_t first)
{
   struct cost before = {0};
   double first_s = 0;
   for (uint32_t count = first; count <= first << 5; count *= 2) {
      write(count);
      const struct cost cost = compile();
      printf("%s of %u: %.3f s, %u bytes\n", name, count, cost.seconds, cost.bytes);
      CHECK(count == first || cost.bytes < before.bytes * 2.5);
      before = cost;
      if (count == first)
         first_s = cost.seconds;
   }
   CHECK(before.seconds < first_s * 64);
}

TEST(switches_that_fall_through)
{
   check_steps("switch", write_switch, 16);
}

TEST(arrays_out_of_uniform_blocks)
{
   check_steps("copy", write_copy, 64);
}

TEST_MAIN
