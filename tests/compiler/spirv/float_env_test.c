/* SPDX-License-Identifier: MIT
 * The floating-point environment that an operation gets of execution modes and decorations. */
#include "compiler/spirv/spirv.h"
#include "tests/test.h"
#include "util/macros.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <string.h>

static const char module_text[] =
   "OpCapability Shader\nOpCapability Float64\n%s\nOpExtension \"SPV_KHR_float_controls\"\nOpExtension \"SPV_KHR_float_controls2\"\n"
   "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n%s\n"
   "OpDecorate %%buffer DescriptorSet 0\nOpDecorate %%buffer Binding 0\nOpDecorate %%block BufferBlock\nOpMemberDecorate %%block 0 Offset 0\n%s\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%uint = OpTypeInt 32 0\n%%float = OpTypeFloat 32\n%%block = OpTypeStruct %%float\n"
   "%%ptr_block = OpTypePointer Uniform %%block\n%%ptr = OpTypePointer Uniform %%float\n%%buffer = OpVariable %%ptr_block Uniform\n"
   "%%c0 = OpConstant %%uint 0\n%%none = OpConstant %%uint 0\n%%zeros = OpConstant %%uint 7\n%%contract = OpConstant %%uint 0x10000\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%p = OpAccessChain %%ptr %%buffer %%c0\n%%x = OpLoad %%float %%p\n"
   "%%y = OpFMul %%float %%x %%x\nOpStore %%p %%y\nOpReturn\nOpFunctionEnd\n";

/* The flags of the one product; UINT32_MAX: it was not translated. */
static uint32_t flags_of(const char *capability, const char *mode, const char *decoration)
{
   char text[1 << 13];
   snprintf(text, sizeof(text), module_text, capability, mode, decoration);
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
   spv_binary binary = NULL;
   const spv_result_t assembled = spvTextToBinary(context, text, strlen(text), &binary, NULL);
   spvContextDestroy(context);
   if (assembled != SPV_SUCCESS)
      return UINT32_MAX;
   struct util_arena arena;
   util_arena_init(&arena, 0);
   const char *error = NULL;
   uint32_t flags = UINT32_MAX;
   const struct comp_shader_desc desc = {
      .words = binary->code, .num_words = binary->wordCount, .stage = ABI_STAGE_COMPUTE, .entry_point = "main", .target = {.lanes = 8, .level = 3}};
   const struct ir_shader *shader = spirv_to_ir(&arena, &desc, &error);
   if (shader) {
      IR_FOR_EACH (it, shader->body) {
         if (it->op == IR_fmul)
            flags = it->fp;
      }
   }
   util_arena_finish(&arena);
   spvBinaryDestroy(binary);
   return flags;
}

TEST(flags)
{
   enum { DEFAULT = IR_FP_CONTRACT | IR_FP_ZEROS };
   static const struct {
      const char *capability, *mode, *decoration;
      uint32_t flags;
   } cases[] = {
      {"", "", "", DEFAULT},
      {"", "", "OpDecorate %y NoContraction", 0},
      {"OpCapability SignedZeroInfNanPreserve", "OpExecutionMode %main SignedZeroInfNanPreserve 32", "", IR_FP_CONTRACT},
      {"OpCapability SignedZeroInfNanPreserve", "OpExecutionMode %main SignedZeroInfNanPreserve 64", "", DEFAULT},
      {"OpCapability RoundingModeRTZ", "OpExecutionMode %main RoundingModeRTZ 32", "", DEFAULT | IR_FP_RTZ},
      {"OpCapability DenormFlushToZero", "OpExecutionMode %main DenormFlushToZero 32", "", DEFAULT | IR_FP_FLUSH_DENORM},
      {"OpCapability FloatControls2", "", "OpDecorate %y FPFastMathMode None", 0},
      {"OpCapability FloatControls2", "", "OpDecorate %y FPFastMathMode NotNaN|NotInf", 0},
      {"OpCapability FloatControls2", "", "OpDecorate %y FPFastMathMode NotNaN|NotInf|NSZ", IR_FP_ZEROS},
      {"OpCapability FloatControls2", "", "OpDecorate %y FPFastMathMode AllowContract|AllowRecip", IR_FP_CONTRACT | IR_FP_RECIP},
      {"OpCapability FloatControls2", "OpExecutionModeId %main FPFastMathDefault %float %none", "", 0},
      {"OpCapability FloatControls2", "OpExecutionModeId %main FPFastMathDefault %float %zeros", "", IR_FP_ZEROS},
      {"OpCapability FloatControls2", "OpExecutionModeId %main FPFastMathDefault %float %contract", "", IR_FP_CONTRACT},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      const uint32_t flags = flags_of(cases[i].capability, cases[i].mode, cases[i].decoration);
      if (flags != cases[i].flags)
         fprintf(stderr, "%s %s: %x, not %x\n", cases[i].mode, cases[i].decoration, flags, cases[i].flags);
      CHECK_EQ(flags, cases[i].flags);
   }
}

TEST_MAIN
