/* SPDX-License-Identifier: MIT
 * What messages say of mistakes that applications make: the rule's identifier, the instruction with its id, its line or that of what
 * uses it, and what to enable. Modules and lines as compilers write them. */
#include "icd/validate/report.h"
#include "tests/icd/validate/env.h"
#include "tests/test.h"

#include <string.h>

enum { MAX_PARTS = 8 };

/* The message of the rule that is broken has all the parts; NULL ends them. Others say only what else is to be enabled. */
static void check(const char *text, const char *const parts[MAX_PARTS])
{
   static struct icd_report report;
   struct spvasm module;
   struct test_env env;
   memset(&report, 0, sizeof(report));
   if (!spvasm_assemble(&module, text)) {
      CHECK(!"a module is wrong");
      return;
   }
   test_env_of_module(&env, &module);
   CHECK_EQ(icd_validate_spirv(&env.env, module.words, module.num_words, &report), VK_SUCCESS);
   CHECK(report.num_broken > 0);
   for (uint32_t i = 1; i < report.num_broken; i++)
      CHECK(strstr(report.entries[i].vuid, "pCode-08740") || strstr(report.entries[i].vuid, "pCode-08742"));
   for (uint32_t i = 0; i < MAX_PARTS && parts[i] && report.num_broken; i++) {
      if (!strstr(report.entries[0].text, parts[i])) {
         fprintf(stderr, "no \"%s\" in: %s\n", parts[i], report.entries[0].text);
         CHECK(!"a message lacks something");
      }
   }
   spvasm_free(&module);
}

#define CHECK_PARTS(text, ...) check(text, (const char *const[MAX_PARTS]){__VA_ARGS__})

#define BEGIN(capabilities)                                                                                            \
   "OpCapability Shader\n" capabilities "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"       \
   "OpExecutionMode %main LocalSize 1 1 1\n%file = OpString \"mistake.comp\"\n"
#define TYPES                                                                                                          \
   "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n"              \
   "%one = OpConstant %uint 1\n%two = OpConstant %uint 2\n"
#define MAIN "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
#define END "OpReturn\nOpFunctionEnd\n"
#define BUFFER_NAMES "OpName %buffer \"counter\"\nOpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\nOpDecorate %Block Block\n" \
                     "OpMemberDecorate %Block 0 Offset 0\n"

/* A capability: the first instruction that it lets a module have. */
TEST(missing_type)
{
   CHECK_PARTS("; disable: shaderFloat64\n" BEGIN("OpCapability Float64\n") TYPES
               "%double = OpTypeFloat 64\n%half = OpConstant %double 0.5\n" MAIN
               "OpLine %file 12 1\n%sum = OpFAdd %double %half %half\n" END,
               "[VUID-VkShaderModuleCreateInfo-pCode-08740]", "capability Float64", "not enabled", "OpCapability at word 7", "OpFAdd",
               "mistake.comp:12", "enable VkPhysicalDeviceFeatures::shaderFloat64");
}

TEST(missing_instruction)
{
   CHECK_PARTS("; disable: shaderExpectAssume\n; without: VK_KHR_shader_expect_assume\n"
               BEGIN("OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"\n") TYPES MAIN
               "OpLine %file 9 1\n%x = OpExpectKHR %uint %one %two\n" END,
               "[VUID-VkShaderModuleCreateInfo-pCode-08740]", "capability ExpectAssumeKHR", "= OpExpectKHR", "mistake.comp:9",
               "shaderExpectAssume");
}

TEST(missing_format)
{
   CHECK_PARTS("; env: 1.2\n; disable: shaderStorageImageWriteWithoutFormat\n; without: VK_KHR_format_feature_flags2\n"
               BEGIN("OpCapability StorageImageWriteWithoutFormat\n") "OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 0\n" TYPES
               "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%v2 = OpTypeVector %uint 2\n%black = OpConstantNull %v4\n"
               "%origin = OpConstantNull %v2\n%type = OpTypeImage %float 2D 0 0 0 2 Unknown\n"
               "%ptr = OpTypePointer UniformConstant %type\n%image = OpVariable %ptr UniformConstant\n" MAIN
               "%i = OpLoad %type %image\nOpLine %file 5 1\nOpImageWrite %i %origin %black\n" END,
               "[VUID-VkShaderModuleCreateInfo-pCode-08740]", "OpImageWrite", "mistake.comp:5",
               "enable VkPhysicalDeviceFeatures::shaderStorageImageWriteWithoutFormat", "Vulkan 1.3", "VK_KHR_format_feature_flags2");
}

/* What no application can enable is not asked for. */
TEST(not_offered)
{
   CHECK_PARTS(BEGIN("OpCapability MeshShadingNV\n") TYPES MAIN END, "[VUID-VkShaderModuleCreateInfo-pCode-08740]",
               "MeshShadingNV needs VK_NV_mesh_shader, which this device does not have");
   CHECK_PARTS(BEGIN("OpCapability Pipes\n") TYPES MAIN END, "[VUID-VkShaderModuleCreateInfo-pCode-08739]", "capability Pipes",
               "not one that Vulkan has");
   CHECK_PARTS(BEGIN("OpExtension \"SPV_NV_viewport_array2\"\n") TYPES MAIN END, "[VUID-VkShaderModuleCreateInfo-pCode-08742]",
               "SPV_NV_viewport_array2 needs VK_NV_viewport_array2, which this device does not have", "OpExtension at word");
   CHECK_PARTS(BEGIN("OpExtension \"SPV_KHR_mine\"\n") TYPES MAIN END, "[VUID-VkShaderModuleCreateInfo-pCode-08741]", "SPV_KHR_mine");
}

TEST(no_shader)
{
   CHECK_PARTS("OpCapability Matrix\nOpMemoryModel Logical GLSL450\n", "[VUID-VkShaderModuleCreateInfo-pCode-08738]",
               "does not declare the capability Shader");
}

/* A variable: its name, and where it is used. */
TEST(variable)
{
   CHECK_PARTS("; disable: storageBuffer8BitAccess\n; extension: VK_KHR_8bit_storage\n"
               BEGIN("OpCapability StorageBuffer8BitAccess\nOpExtension \"SPV_KHR_8bit_storage\"\n") BUFFER_NAMES TYPES
               "%char = OpTypeInt 8 0\n%Block = OpTypeStruct %char\n%ptr = OpTypePointer StorageBuffer %Block\n"
               "%buffer = OpVariable %ptr StorageBuffer\n%ptr_char = OpTypePointer StorageBuffer %char\n" MAIN
               "OpLine %file 7 1\n%p = OpAccessChain %ptr_char %buffer %zero\n" END,
               "[VUID-RuntimeSpirv-storageBuffer8BitAccess-06328]", "8-bit values in storage buffers need their feature", "= OpVariable",
               "(counter)", "= OpAccessChain", "mistake.comp:7", "enable storageBuffer8BitAccess");
}

/* Of SPIRV-Tools' rules too. */
TEST(layout)
{
   CHECK_PARTS("; disable: uniformBufferStandardLayout scalarBlockLayout\n" BEGIN("")
               "OpName %Block \"Params\"\n" BUFFER_NAMES "OpDecorate %array ArrayStride 4\n" TYPES
               "%array = OpTypeArray %uint %two\n%Block = OpTypeStruct %array\n%ptr = OpTypePointer Uniform %Block\n"
               "%buffer = OpVariable %ptr Uniform\n" MAIN END,
               "[VUID-VkShaderModuleCreateInfo-pCode-08737]", "stride 4",
               "enable uniformBufferStandardLayout or scalarBlockLayout");
}

TEST(operation)
{
   CHECK_PARTS("; limit: maxComputeSharedMemorySize=1024\n" BEGIN("") "OpName %shared \"tile\"\n" TYPES
               "%many = OpConstant %uint 1000\n%array = OpTypeArray %uint %many\n%ptr = OpTypePointer Workgroup %array\n"
               "%shared = OpVariable %ptr Workgroup\n%ptr_uint = OpTypePointer Workgroup %uint\n" MAIN
               "OpLine %file 30 1\n%p = OpAccessChain %ptr_uint %shared %zero\n" END,
               "[VUID-RuntimeSpirv-Workgroup-06530]", "4000 bytes of 1024", "(tile)", "mistake.comp:30");
   CHECK_PARTS("; disable: shaderDeviceClock\n" BEGIN("OpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"\n") TYPES
               "%v2 = OpTypeVector %uint 2\n" MAIN "OpLine %file 8 1\n%now = OpReadClockKHR %v2 %one\n" END,
               "[VUID-RuntimeSpirv-shaderDeviceClock-06268]", "a clock of Device scope needs its feature", "= OpReadClockKHR",
               "mistake.comp:8", "enable shaderDeviceClock");
}

TEST_MAIN
