/* SPDX-License-Identifier: MIT
 * Kernels of cooperative matrices, which the build's GLSL compiler may not know: assembled when the row is run. C = A * B of MATRIX_SIZE rows and columns; a workgroup
 * is a subgroup, whose tile of c has 16 x 16 elements. */
#include "tests/bench/matrices.h"

#include "tests/compiler/shapes.h"

#include <stdio.h>
#include <string.h>

static const struct {
   const char *capabilities, *factor, *sum, *zero, *operands;
   uint32_t bytes;
   bool has_columns;
} products[BENCH_NUM_MATRICES] = {
   [BENCH_MATRIX_F16] = {"OpCapability Float16\nOpCapability StorageBuffer16BitAccess\n", "OpTypeFloat 16", "OpTypeFloat 32", "0", "", 2, false},
   [BENCH_MATRIX_F16_COLUMNS] = {"OpCapability Float16\nOpCapability StorageBuffer16BitAccess\n", "OpTypeFloat 16", "OpTypeFloat 32", "0", "", 2, true},
   [BENCH_MATRIX_F32] = {"", "OpTypeFloat 32", "OpTypeFloat 32", "0", "", 4, false},
   [BENCH_MATRIX_BYTES] = {"OpCapability Int8\nOpCapability StorageBuffer8BitAccess\n", "OpTypeInt 8 1", "OpTypeInt 32 1", "0",
                           "MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR", 1, false},
};

static const char format[] =
   "OpCapability Shader\n%sOpCapability VulkanMemoryModel\nOpCapability CooperativeMatrixKHR\nOpExtension \"SPV_KHR_cooperative_matrix\"\n"
   "OpExtension \"SPV_KHR_8bit_storage\"\nOpMemoryModel Logical Vulkan\n"
   "OpEntryPoint GLCompute %%main \"main\" %%workgroup %%a %%b %%c\nOpExecutionMode %%main LocalSize 32 1 1\n"
   "OpDecorate %%workgroup BuiltIn WorkgroupId\nOpDecorate %%factors ArrayStride %u\nOpDecorate %%sums ArrayStride 4\n"
   "OpMemberDecorate %%In 0 Offset 0\nOpMemberDecorate %%Out 0 Offset 0\nOpDecorate %%In Block\nOpDecorate %%Out Block\n"
   "OpDecorate %%a DescriptorSet 0\nOpDecorate %%a Binding 0\nOpDecorate %%b DescriptorSet 0\nOpDecorate %%b Binding 1\n"
   "OpDecorate %%c DescriptorSet 0\nOpDecorate %%c Binding 2\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%uint = OpTypeInt 32 0\n%%bool = OpTypeBool\n%%ids = OpTypeVector %%uint 3\n"
   "%%ptr_ids = OpTypePointer Input %%ids\n%%workgroup = OpVariable %%ptr_ids Input\n%%sum = %s\n%s%%factors = OpTypeRuntimeArray %s\n"
   "%%sums = OpTypeRuntimeArray %%sum\n%%In = OpTypeStruct %%factors\n%%Out = OpTypeStruct %%sums\n%%ptr_In = OpTypePointer StorageBuffer %%In\n"
   "%%ptr_Out = OpTypePointer StorageBuffer %%Out\n%%ptr_in = OpTypePointer StorageBuffer %s\n%%ptr_out = OpTypePointer StorageBuffer %%sum\n"
   "%%a = OpVariable %%ptr_In StorageBuffer\n%%b = OpVariable %%ptr_In StorageBuffer\n%%c = OpVariable %%ptr_Out StorageBuffer\n"
   "%%zero = OpConstant %%uint 0\n%%one = OpConstant %%uint 1\n%%two = OpConstant %%uint 2\n%%subgroup = OpConstant %%uint 3\n"
   "%%tile = OpConstant %%uint 16\n%%size = OpConstant %%uint %u\n%%row = OpConstant %%uint %u\n%%none = OpConstant %%sum %s\n"
   "%%A = OpTypeCooperativeMatrixKHR %s %%subgroup %%tile %%tile %%zero\n%%B = OpTypeCooperativeMatrixKHR %s %%subgroup %%tile %%tile %%one\n"
   "%%C = OpTypeCooperativeMatrixKHR %%sum %%subgroup %%tile %%tile %%two\n%%nothing = OpConstantComposite %%C %%none\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%id = OpLoad %%ids %%workgroup\n%%x = OpCompositeExtract %%uint %%id 0\n"
   "%%y = OpCompositeExtract %%uint %%id 1\n%%column = OpIMul %%uint %%x %%tile\n%%first = OpIMul %%uint %%y %%row\nOpBranch %%head\n"
   "%%head = OpLabel\n%%k = OpPhi %%uint %%zero %%entry %%next_k %%next\n%%total = OpPhi %%C %%nothing %%entry %%product %%next\n"
   "%%goes_on = OpULessThan %%bool %%k %%size\nOpLoopMerge %%end %%next None\nOpBranchConditional %%goes_on %%body %%end\n"
   "%%body = OpLabel\n%%ia = OpIAdd %%uint %%first %%k\n%%line_b = OpIMul %%uint %%%s %%size\n%%ib = OpIAdd %%uint %%line_b %%%s\n"
   "%%at_a = OpAccessChain %%ptr_in %%a %%zero %%ia\n%%at_b = OpAccessChain %%ptr_in %%b %%zero %%ib\n"
   "%%ma = OpCooperativeMatrixLoadKHR %%A %%at_a %%zero %%size\n%%mb = OpCooperativeMatrixLoadKHR %%B %%at_b %%%s %%size\n"
   "%%product = OpCooperativeMatrixMulAddKHR %%C %%ma %%mb %%total %s\nOpBranch %%next\n"
   "%%next = OpLabel\n%%next_k = OpIAdd %%uint %%k %%tile\nOpBranch %%head\n"
   "%%end = OpLabel\n%%ic = OpIAdd %%uint %%first %%column\n%%at_c = OpAccessChain %%ptr_out %%c %%zero %%ic\n"
   "OpCooperativeMatrixStoreKHR %%at_c %%total %%zero %%size\nOpReturn\nOpFunctionEnd\n";

struct bench_kernel bench_matrix_kernel(enum bench_matrix which)
{
   const bool has_columns = products[which].has_columns, is_same = !strcmp(products[which].factor, products[which].sum);
   const char *factor = is_same ? "%sum" : "%factor";
   char text[8192], factor_type[64] = "";
   if (!is_same)
      snprintf(factor_type, sizeof(factor_type), "%%factor = %s\n", products[which].factor);
   snprintf(text, sizeof(text), format, products[which].capabilities, products[which].bytes, products[which].sum, factor_type, factor, factor,
            BENCH_MATRIX_SIZE, 16 * BENCH_MATRIX_SIZE, products[which].zero, factor, factor, has_columns ? "column" : "k", has_columns ? "k" : "column", has_columns ? "one" : "zero",
            products[which].operands);
   const struct shape_words module = shape_assemble_text("matrices", text, 6);
   const struct bench_kernel kernel = {"matrices", module.words, module.num_words * sizeof(uint32_t), 3};
   return kernel;
}
