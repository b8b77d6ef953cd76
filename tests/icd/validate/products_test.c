/* SPDX-License-Identifier: MIT
 * Every product of cooperative matrices that the device offers, in subgroups of every size: A times B plus C, once with A and once with the others column
 * by column. The numbers are small enough for each type. */
#include "tests/icd/validate/runs.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "util/macros.h"
#include "util/narrow_float.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_PRODUCTS = 64, MAX_SIZE = 16, BUFFER_WORDS = 2 * MAX_SIZE * MAX_SIZE + 64 };

static const struct component {
   VkComponentTypeKHR type;
   const char *declaration;
   uint32_t bytes;
   bool is_signed;
   const struct util_narrow_format *narrow; /* NULL: an integer, or a float of 32 bits */
   bool is_float;
   const char *capability, *extension; /* NULL: none */
} components[] = {
   {VK_COMPONENT_TYPE_FLOAT16_KHR, "OpTypeFloat 16", 2, true, &util_narrow_half, true},
   {VK_COMPONENT_TYPE_FLOAT32_KHR, "OpTypeFloat 32", 4, true, NULL, true},
   {VK_COMPONENT_TYPE_SINT8_KHR, "OpTypeInt 8 1", 1, true},
   {VK_COMPONENT_TYPE_SINT16_KHR, "OpTypeInt 16 1", 2, true},
   {VK_COMPONENT_TYPE_SINT32_KHR, "OpTypeInt 32 1", 4, true},
   {VK_COMPONENT_TYPE_UINT8_KHR, "OpTypeInt 8 0", 1, false},
   {VK_COMPONENT_TYPE_UINT16_KHR, "OpTypeInt 16 0", 2, false},
   {VK_COMPONENT_TYPE_UINT32_KHR, "OpTypeInt 32 0", 4, false},
#ifdef VK_KHR_shader_bfloat16
   {VK_COMPONENT_TYPE_BFLOAT16_KHR, "OpTypeFloat 16 BFloat16KHR", 2, true, &util_narrow_bfloat16, true,
    "OpCapability BFloat16TypeKHR\nOpCapability BFloat16CooperativeMatrixKHR\n", "OpExtension \"SPV_KHR_bfloat16\"\n"},
#endif
#ifdef VK_EXT_shader_float8
#define FLOAT8 "OpCapability Float8EXT\nOpCapability Float8CooperativeMatrixEXT\n", "OpExtension \"SPV_EXT_float8\"\n"
   {VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, "OpTypeFloat 8 Float8E4M3EXT", 1, true, &util_narrow_e4m3, true, FLOAT8},
   {VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT, "OpTypeFloat 8 Float8E5M2EXT", 1, true, &util_narrow_e5m2, true, FLOAT8},
#endif
};

static const struct component *component_of(VkComponentTypeKHR type)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(components); i++)
      if (components[i].type == type)
         return &components[i];
   fprintf(stderr, "component type %d is not known here\n", (int)type);
   abort();
}

static const char text_format[] =
   "OpCapability Shader\nOpCapability VulkanMemoryModel\nOpCapability CooperativeMatrixKHR\nOpCapability Float16\nOpCapability Int8\n"
   "OpCapability Int16\nOpCapability StorageBuffer8BitAccess\nOpCapability StorageBuffer16BitAccess\n%s%s"
   "OpExtension \"SPV_KHR_cooperative_matrix\"\nOpExtension \"SPV_KHR_vulkan_memory_model\"\nOpExtension \"SPV_KHR_8bit_storage\"\n"
   "OpExtension \"SPV_KHR_storage_buffer_storage_class\"\nOpExtension \"SPV_KHR_16bit_storage\"\nOpMemoryModel Logical Vulkan\n"
   "OpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize %u 1 1\n"
   "OpDecorate %%Ins ArrayStride %u\nOpDecorate %%In Block\nOpMemberDecorate %%In 0 Offset 0\n"
   "OpDecorate %%Outs ArrayStride %u\nOpDecorate %%Out Block\nOpMemberDecorate %%Out 0 Offset 0\n"
   "OpDecorate %%a DescriptorSet 0\nOpDecorate %%a Binding 0\nOpDecorate %%b DescriptorSet 0\nOpDecorate %%b Binding 1\n"
   "OpDecorate %%c DescriptorSet 0\nOpDecorate %%c Binding 2\n"
   "%%void = OpTypeVoid\n%%fn_void = OpTypeFunction %%void\n%s%s%s"
   "%%Ins = OpTypeRuntimeArray %s\n%%In = OpTypeStruct %%Ins\n%%ptr_In = OpTypePointer StorageBuffer %%In\n"
   "%%ptr_in = OpTypePointer StorageBuffer %s\n%%Outs = OpTypeRuntimeArray %s\n%%Out = OpTypeStruct %%Outs\n"
   "%%ptr_Out = OpTypePointer StorageBuffer %%Out\n%%ptr_out = OpTypePointer StorageBuffer %s\n"
   "%%zero = OpConstant %%uint 0\n%%one = OpConstant %%uint 1\n%%two = OpConstant %%uint 2\n%%subgroup = OpConstant %%uint 3\n"
   "%%layout_a = OpConstant %%uint %u\n%%layout = OpConstant %%uint %u\n%%size = OpConstant %%uint %u\n%%stride = OpConstant %%uint %u\n%%after = OpConstant %%uint %u\n"
   "%%A = OpTypeCooperativeMatrixKHR %s %%subgroup %%size %%size %%zero\n"
   "%%B = OpTypeCooperativeMatrixKHR %s %%subgroup %%size %%size %%one\n"
   "%%C = OpTypeCooperativeMatrixKHR %s %%subgroup %%size %%size %%two\n"
   "%%a = OpVariable %%ptr_In StorageBuffer\n%%b = OpVariable %%ptr_In StorageBuffer\n%%c = OpVariable %%ptr_Out StorageBuffer\n"
   "%%main = OpFunction %%void None %%fn_void\n%%entry = OpLabel\n"
   "%%at_a = OpAccessChain %%ptr_in %%a %%zero %%zero\n%%at_b = OpAccessChain %%ptr_in %%b %%zero %%zero\n"
   "%%at_c = OpAccessChain %%ptr_out %%c %%zero %%zero\n%%to = OpAccessChain %%ptr_out %%c %%zero %%after\n"
   "%%ma = OpCooperativeMatrixLoadKHR %%A %%at_a %%layout_a %%stride\n%%mb = OpCooperativeMatrixLoadKHR %%B %%at_b %%layout %%size\n"
   "%%mc = OpCooperativeMatrixLoadKHR %%C %%at_c %%layout %%size\n%%product = OpCooperativeMatrixMulAddKHR %%C %%ma %%mb %%mc %s\n"
   "OpCooperativeMatrixStoreKHR %%to %%product %%layout %%size\nOpReturn\nOpFunctionEnd\n";

static const char *name_of(VkComponentTypeKHR type, VkComponentTypeKHR other)
{
   return type == VK_COMPONENT_TYPE_UINT32_KHR ? "%uint" : type == other ? "%both" : NULL;
}

static bool assemble(struct spvasm *module, const VkCooperativeMatrixPropertiesKHR *p, uint32_t subgroup, uint32_t layout)
{
   const struct component *in = component_of(p->AType), *out = component_of(p->CType);
   const char *same = name_of(p->AType, p->CType), *in_name = same ? same : "%in", *out_name = name_of(p->CType, p->AType);
   char text[8192], in_type[64] = "", out_type[64] = "", operands[128] = "";
   out_name = out_name ? out_name : "%out";
   if (in_name[1] != 'u')
      snprintf(in_type, sizeof(in_type), "%s = %s\n", in_name, in->declaration);
   if (out_name[1] != 'u' && strcmp(in_name, out_name))
      snprintf(out_type, sizeof(out_type), "%s = %s\n", out_name, out->declaration);
   if (!in->is_float && in->is_signed)
      strcat(operands, "MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|");
   if (!out->is_float && out->is_signed)
      strcat(operands, "MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR|");
   operands[*operands ? strlen(operands) - 1 : 0] = 0;
   snprintf(text, sizeof(text), text_format, in->capability ? in->capability : "", in->extension ? in->extension : "", subgroup, in->bytes, out->bytes, "%uint = OpTypeInt 32 0\n", in_type, out_type, in_name, in_name,
            out_name, out_name, !layout, layout, p->MSize, p->MSize + 1, p->MSize * p->MSize, in_name, in_name, out_name, operands);
   return spvasm_assemble(module, text);
}

/* A small number in the form of a component. */
static uint64_t encode(const struct component *component, int32_t value)
{
   const float single = (float)value;
   uint32_t bits;
   if (component->narrow)
      return util_narrow_from_double(component->narrow, value, false);
   if (!component->is_float)
      return (uint64_t)(int64_t)value;
   memcpy(&bits, &single, sizeof(bits));
   return bits;
}

/* Where element `i`, row by row, of a matrix with `stride` stands. */
static uint32_t index_of(uint32_t i, uint32_t n, uint32_t stride, uint32_t layout)
{
   const uint32_t row = i / n, column = i % n;
   return layout ? column * stride + row : row * stride + column;
}

static void put(const struct run_buffer *buffer, const struct component *component, uint32_t index, int32_t value)
{
   const uint64_t bits = encode(component, value);
   memcpy((char *)buffer->map + (size_t)index * component->bytes, &bits, component->bytes);
}

static int32_t a_number(uint32_t seed, const struct component *component)
{
   return (int32_t)(seed * 2654435761u >> 24) % 5 - (component->is_signed ? 2 : 0);
}

static void check_product(struct run_device *run, const struct run_buffer *buffers, const VkCooperativeMatrixPropertiesKHR *p,
                          uint32_t subgroup, uint32_t layout)
{
   const struct component *in = component_of(p->AType), *out = component_of(p->CType);
   const uint32_t n = p->MSize;
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, .requiredSubgroupSize = subgroup};
   struct spvasm module;
   for (uint32_t i = 0; i < n * n; i++) {
      put(&buffers[0], in, index_of(i, n, n + 1, !layout), a_number(i, in));
      put(&buffers[1], in, index_of(i, n, n, layout), a_number(i + 1000, in));
      put(&buffers[2], out, index_of(i, n, n, layout), a_number(i + 2000, out));
   }
   CHECK(assemble(&module, p, subgroup, layout));
   VkPipelineShaderStageCreateInfo stage = run_stage(run, VK_SHADER_STAGE_COMPUTE_BIT, module.words, module.num_words * 4);
   stage.pNext = subgroup == 32 ? NULL : &required;
   run_compute_stage(run, &stage, NULL, 0);
   icd_DestroyShaderModule(run->f.device, stage.module, NULL);
   spvasm_free(&module);
   uint32_t num_wrong = 0;
   for (uint32_t i = 0; i < n * n; i++) {
      int32_t sum = a_number(i + 2000, out);
      for (uint32_t k = 0; k < n; k++)
         sum += a_number(i / n * n + k, in) * a_number(k * n + i % n + 1000, in);
      const uint64_t expected = encode(out, sum);
      num_wrong += memcmp((char *)buffers[2].map + (size_t)(n * n + index_of(i, n, n, layout)) * out->bytes, &expected, out->bytes) != 0;
   }
   if (num_wrong)
      fprintf(stderr, "%u x %u, types %d and %d, subgroups of %u, layout %u: %u wrong\n", n, n, (int)p->AType, (int)p->CType, subgroup, layout,
              num_wrong);
   CHECK_EQ(num_wrong, 0);
}

TEST(all_products)
{
   VkDescriptorSetLayoutBinding bindings[3];
   VkCooperativeMatrixPropertiesKHR offered[MAX_PRODUCTS];
   struct run_buffer buffers[3];
   struct run_device run;
   uint32_t count = MAX_PRODUCTS, sizes = 0;
   for (uint32_t b = 0; b < 3; b++)
      bindings[b] = (VkDescriptorSetLayoutBinding){b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   run_init(&run, 3, bindings, 0);
   for (uint32_t i = 0; i < MAX_PRODUCTS; i++)
      offered[i] = (VkCooperativeMatrixPropertiesKHR){.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR};
   for (uint32_t b = 0; b < 3; b++) {
      buffers[b] = run_buffer(&run, BUFFER_WORDS * 4);
      const VkDescriptorBufferInfo info = {buffers[b].buffer, 0, VK_WHOLE_SIZE};
      run_write(&run, b, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &info, NULL);
   }
   CHECK_EQ(icd_GetPhysicalDeviceCooperativeMatrixPropertiesKHR(run.f.physical_device, &count, offered), VK_SUCCESS);
   for (uint32_t i = 0; i < count; i++) {
      sizes |= offered[i].MSize;
      CHECK(offered[i].AType == offered[i].BType && offered[i].CType == offered[i].ResultType);
      for (uint32_t log2 = 2; log2 <= 5; log2++)
         check_product(&run, buffers, &offered[i], 1u << log2, (i + log2) % 2);
   }
   CHECK_EQ(sizes, 8 | 16);
   for (uint32_t b = 0; b < 3; b++)
      run_buffer_free(&run, &buffers[b]);
   run_finish(&run);
}

TEST_MAIN
