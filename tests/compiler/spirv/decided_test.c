/* SPDX-License-Identifier: MIT
 * Branches by constants: the code of the one block that they lead to is written, and what is computed is what C computes. */
#include "compiler/ir/passes.h"
#include "compiler/spirv/spirv.h"
#include "tests/compiler/spirv/ir_run.h"
#include "tests/test.h"

#include "decided.comp.h"

#include <inttypes.h>

enum { NUM_VALUES = 30, NUM_WORDS = 4 };

static uint32_t which;

typedef uint32_t uint;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#include "tests/compiler/spirv/decided.inc"
#pragma GCC diagnostic pop

static void check_words(struct ir_shader *shader)
{
   static const uint32_t inputs[] = {0, 2, 3, 17, 101, UINT32_MAX};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(inputs); i++) {
      uint32_t words[NUM_WORDS] = {inputs[i]};
      struct ir_run r = {.buffers[0] = (uint8_t *)words, .sizes[0] = sizeof(words)};
      if (!ir_run_shader(&r, shader)) {
         test_fail(__FILE__, __LINE__, r.error);
         return;
      }
      CHECK_EQ(words[1], by_mode(inputs[i]));
      CHECK_EQ(words[2], by_loops(inputs[i]));
      CHECK_EQ(words[3], by_steps(inputs[i]));
   }
}

TEST(specialization_decides)
{
   uint32_t minimum = UINT32_MAX, maximum = 0;
   for (which = 0; which < NUM_VALUES; which++) {
      static const struct comp_spec_entry entry = {0, 0, 4};
      const struct comp_shader_desc desc = {.words = decided_comp, .num_words = UTIL_ARRAY_SIZE(decided_comp), .stage = ABI_STAGE_COMPUTE,
                                            .entry_point = "main", .spec_entries = &entry, .num_spec_entries = 1, .spec_data = &which,
                                            .spec_data_bytes = 4, .target = {.lanes = 8, .level = 3}};
      const char *error;
      struct util_arena arena;
      util_arena_init(&arena, 0);
      struct ir_shader *shader = spirv_to_ir(&arena, &desc, &error);
      error = shader ? ir_validate(shader, &arena) : error;
      if (error) {
         test_fail(__FILE__, __LINE__, error);
      } else {
         minimum = UTIL_MIN(minimum, shader->num_values);
         maximum = UTIL_MAX(maximum, shader->num_values);
         check_words(shader);
      }
      util_arena_finish(&arena);
   }
   CHECK(maximum < 420); /* 625 with all cases */
   CHECK(minimum < 180);
   printf("%u to %u operations\n", minimum, maximum);
}

/* Selectors of 16 and 64 bits: literals of the first are extended by their sign, of the second two words. */
static const char *const width_text =
   "OpCapability Shader\nOpCapability Int16\nOpCapability Int64\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
   "OpExecutionMode %%main LocalSize 1 1 1\nOpDecorate %%words ArrayStride 4\nOpMemberDecorate %%block 0 Offset 0\nOpDecorate %%block Block\n"
   "OpDecorate %%b DescriptorSet 0\nOpDecorate %%b Binding 0\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%uint = OpTypeInt 32 0\n%%narrow = OpTypeInt 16 1\n%%wide = OpTypeInt 64 0\n"
   "%%words = OpTypeRuntimeArray %%uint\n%%block = OpTypeStruct %%words\n%%pb = OpTypePointer StorageBuffer %%block\n"
   "%%pu = OpTypePointer StorageBuffer %%uint\n%%b = OpVariable %%pb StorageBuffer\n"
   "%%c0 = OpConstant %%uint 0\n%%c1 = OpConstant %%uint 1\n%%c2 = OpConstant %%uint 2\n%%c3 = OpConstant %%uint 3\n"
   "%%k = OpConstant %%%s %s\n"
   "%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n%%p = OpAccessChain %%pu %%b %%c0 %%c0\nOpSelectionMerge %%end None\n"
   "OpSwitch %%k %%other %s %%first %s %%second\n"
   "%%first = OpLabel\nOpBranch %%end\n%%second = OpLabel\nOpBranch %%end\n%%other = OpLabel\nOpBranch %%end\n"
   "%%end = OpLabel\n%%r = OpPhi %%uint %%c1 %%first %%c2 %%second %%c3 %%other\nOpStore %%p %%r\nOpReturn\nOpFunctionEnd\n";

TEST(selectors_of_other_widths)
{
   static const struct {
      const char *type, *selector, *first, *second;
      uint32_t result;
   } cases[] = {
      {"narrow", "-3", "-9", "-3", 2},
      {"narrow", "-9", "-9", "-3", 1},
      {"narrow", "9", "-9", "-3", 3},
      {"wide", "0x600000000", "0x600000000", "0x200000000", 1},
      {"wide", "0x200000003", "3", "0x200000003", 2},
      {"wide", "0x200000000", "0", "0x600000000", 3},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      char text[4096];
      uint32_t words[1] = {0};
      struct ir_run r = {.buffers[0] = (uint8_t *)words, .sizes[0] = sizeof(words)};
      snprintf(text, sizeof(text), width_text, cases[i].type, cases[i].selector, cases[i].first, cases[i].second);
      const char *problem = ir_run_text(&r, text);
      if (problem)
         test_fail(__FILE__, __LINE__, problem);
      CHECK_EQ(words[0], cases[i].result);
   }
}

TEST_MAIN
