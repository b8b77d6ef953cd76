/* SPDX-License-Identifier: MIT
 * Where LLVM would end the process, the compile ends instead: with an error that says why, and the next one works. LLVM is made to fail by
 * its own options: an instruction selector that knows little of vectors (on AArch64: not the clock) and takes what it does not know for fatal. */
#include "tests/compiler/llvm/cg_run.h"

#include <llvm-c/Support.h>

static const char text[] = CG_HEAD(32, "") CG_LOAD(%20, %4, %5, %11) "%21 = fsqrt 1x32 %20\n%22 = bitreverse 1x32 %21\n%23 = clock 1x64\n"
                                           CG_STORE(%11, %22) "yield\n}\n";

/* What compiling gives; the message is to be freed. */
static VkResult compile(char **message)
{
   static const struct comp_binding binding = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1};
   static const struct comp_layout layout = {.sets[0] = {&binding, 1}, .num_sets = 1};
   const struct comp_shader_desc desc = {.layout = &layout, .target = {.lanes = 8, .level = UTIL_CPU_V3}};
   struct util_arena arena;
   struct cg_object object = {0};
   const char *error = NULL;
   VkResult result = VK_ERROR_UNKNOWN;
   *message = NULL;
   util_arena_init(&arena, 0);
   struct ir_shader *ir = ir_parse(&arena, text, &error);
   if (ir)
      error = ir_validate(ir, &arena);
   CHECK_STR(error ? error : "", "");
   if (ir) {
      ir_shader_renumber(ir);
      ir_choose_lanes(ir, desc.target.lanes);
      ir_analyze_divergence(ir);
      ir_analyze_summary(ir);
      result = cg_compile_ir(ir, &desc, &object, message);
   }
   util_mfree(object.bytes);
   util_arena_finish(&arena);
   return result;
}

TEST(fatal_errors_end_the_compile_alone)
{
   static const char *const failing[] = {"test", "-global-isel", "-global-isel-abort=1"};
   static const char *const plain[] = {"test", "-global-isel=false"};
   char *message;
   CHECK_EQ(compile(&message), VK_SUCCESS);
   free(message);
   LLVMParseCommandLineOptions(3, failing, NULL);
   for (uint32_t i = 0; i < 3; i++) {
      CHECK_EQ(compile(&message), VK_ERROR_INVALID_SHADER_NV);
      CHECK(message && strstr(message, "LLVM") != NULL);
      free(message);
   }
   LLVMParseCommandLineOptions(2, plain, NULL);
   CHECK_EQ(compile(&message), VK_SUCCESS);
   free(message);
}

TEST_MAIN
