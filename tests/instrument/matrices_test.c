/* SPDX-License-Identifier: MIT
 * `uninit` through products of cooperative matrices: an element that nobody wrote makes its row of the product undefined if it is of the first factor, its
 * column if it is of the second, itself if it is of the sum. The product goes to shared memory; what is read of that is reported, or not.
 * The module is assembled here, since the build's GLSL compiler may not know matrices. */
#include "tests/client/client.h"
#include "tests/instrument/quiet.h"
#include "tests/test.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 16, WORDS = SIZE * SIZE, NUM_MATRICES = 3 };

/* out[i] = (a * b + c)[base + i * step], of the invocations below 16. */
static const char format[] =
   "OpCapability Shader\nOpCapability VulkanMemoryModel\nOpCapability CooperativeMatrixKHR\nOpExtension \"SPV_KHR_cooperative_matrix\"\n"
   "OpMemoryModel Logical Vulkan\nOpEntryPoint GLCompute %main \"main\" %index %a %b %c %out %push %shared\nOpExecutionMode %main LocalSize 32 1 1\n"
   "%file = OpString \"matrices.spvasm\"\nOpDecorate %index BuiltIn LocalInvocationIndex\nOpDecorate %Words ArrayStride 4\n"
   "OpMemberDecorate %Buffer 0 Offset 0\nOpDecorate %Buffer Block\nOpMemberDecorate %Push 0 Offset 0\nOpMemberDecorate %Push 1 Offset 4\n"
   "OpDecorate %Push Block\nOpDecorate %a DescriptorSet 0\nOpDecorate %a Binding 0\nOpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 1\n"
   "OpDecorate %c DescriptorSet 0\nOpDecorate %c Binding 2\nOpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 3\n"
   "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n%bool = OpTypeBool\n"
   "%zero = OpConstant %uint 0\n%one = OpConstant %uint 1\n%two = OpConstant %uint 2\n%subgroup = OpConstant %uint 3\n%size = OpConstant %uint 16\n"
   "%count = OpConstant %uint 256\n%semantics = OpConstant %uint 0x108\n"
   "%Words = OpTypeRuntimeArray %float\n%Buffer = OpTypeStruct %Words\n%Push = OpTypeStruct %uint %uint\n%Sums = OpTypeArray %float %count\n"
   "%p_Buffer = OpTypePointer StorageBuffer %Buffer\n%p_float = OpTypePointer StorageBuffer %float\n%p_Push = OpTypePointer PushConstant %Push\n"
   "%p_word = OpTypePointer PushConstant %uint\n%p_Sums = OpTypePointer Workgroup %Sums\n%p_sum = OpTypePointer Workgroup %float\n"
   "%p_in = OpTypePointer Input %uint\n%index = OpVariable %p_in Input\n%a = OpVariable %p_Buffer StorageBuffer\n%b = OpVariable %p_Buffer StorageBuffer\n"
   "%c = OpVariable %p_Buffer StorageBuffer\n%out = OpVariable %p_Buffer StorageBuffer\n%push = OpVariable %p_Push PushConstant\n"
   "%shared = OpVariable %p_Sums Workgroup\n"
   "%A = OpTypeCooperativeMatrixKHR %float %subgroup %size %size %zero\n%B = OpTypeCooperativeMatrixKHR %float %subgroup %size %size %one\n"
   "%C = OpTypeCooperativeMatrixKHR %float %subgroup %size %size %two\n"
   "%main = OpFunction %void None %fn\n%entry = OpLabel\n%at_a = OpAccessChain %p_float %a %zero %zero\n%at_b = OpAccessChain %p_float %b %zero %zero\n"
   "%at_c = OpAccessChain %p_float %c %zero %zero\n%first = OpAccessChain %p_sum %shared %zero\n"
   "%ma = OpCooperativeMatrixLoadKHR %A %at_a %zero %size\n%mb = OpCooperativeMatrixLoadKHR %B %at_b %zero %size\n"
   "%mc = OpCooperativeMatrixLoadKHR %C %at_c %zero %size\n%product = OpCooperativeMatrixMulAddKHR %C %ma %mb %mc\n"
   "OpCooperativeMatrixStoreKHR %first %product %zero %size\nOpControlBarrier %two %two %semantics\n"
   "%i = OpLoad %uint %index\n%is_one = OpULessThan %bool %i %size\nOpSelectionMerge %done None\nOpBranchConditional %is_one %then %done\n"
   "%then = OpLabel\n%at_base = OpAccessChain %p_word %push %zero\n%base = OpLoad %uint %at_base\n%at_step = OpAccessChain %p_word %push %one\n"
   "%step = OpLoad %uint %at_step\n%steps = OpIMul %uint %i %step\n%which = OpIAdd %uint %base %steps\n%at_sum = OpAccessChain %p_sum %shared %which\n"
   "%sum = OpLoad %float %at_sum\n%twice = OpFAdd %float %sum %sum\n%at_out = OpAccessChain %p_float %out %zero %i\n"
   "OpLine %file 20 0\nOpStore %at_out %twice\nOpBranch %done\n%done = OpLabel\nOpReturn\nOpFunctionEnd\n";

/* Which element of which matrix is missing, and what is read of the product: every `step`-th element from `base` on. */
struct reads {
   uint32_t base, step;
};
static const struct row {
   const char *name, *by;
   uint32_t matrix, missing;
   struct reads reads[2]; /* faulty, fixed */
} rows[] = {
   {"row_of_the_first_factor", "invocation (0, 0, 0)", 0, 3 * SIZE + 5, {{3 * SIZE, 1}, {4 * SIZE, 1}}},
   {"row_of_the_first_factor_in_a_column", "invocation (3, 0, 0)", 0, 3 * SIZE + 5, {{5, SIZE}, {5 * SIZE, 1}}},
   {"column_of_the_second_factor", "invocation (0, 0, 0)", 1, 5 * SIZE + 3, {{3, SIZE}, {4, SIZE}}},
   {"column_of_the_second_factor_in_a_row", "invocation (3, 0, 0)", 1, 5 * SIZE + 3, {{5 * SIZE, 1}, {5, SIZE}}},
   {"element_of_the_sum", "invocation (9, 0, 0)", 2, 5 * SIZE + 9, {{5 * SIZE, 1}, {6 * SIZE, 1}}},
};

static struct {
   uint32_t count;
   char id[64], message[3072];
} heard;

static struct client client;
static struct client_set set;
static VkPipelineLayout layout;
static VkPipeline pipeline; /* of the row in hand: a line is reported once */

static void listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0)
      return;
   heard.count++;
   snprintf(heard.id, sizeof(heard.id), "%s", id);
   snprintf(heard.message, sizeof(heard.message), "%s", message);
}

/* Of row `number`, whose store stands in line 20 + number. */
static void make_pipeline(uint32_t number)
{
   char text[sizeof(format)];
   memcpy(text, format, sizeof(text));
   strstr(text, "%file 20")[strlen("%file 2")] = (char)('0' + number);
   spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
   spv_binary binary = NULL;
   spv_diagnostic diagnostic = NULL;
   if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) != SPV_SUCCESS)
      client_die("%s", diagnostic ? diagnostic->error : "the module cannot be assembled");
   const VkShaderModule module = client_shader(&client, binary->code, binary->wordCount * sizeof(uint32_t));
   pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   spvBinaryDestroy(binary);
   spvDiagnosticDestroy(diagnostic);
   spvContextDestroy(context);
}

static void init(void)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   static VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
                                                                   .cooperativeMatrix = VK_TRUE};
   static const VkPhysicalDeviceVulkan12Features features12 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &matrices, .vulkanMemoryModel = VK_TRUE,
      .vulkanMemoryModelDeviceScope = VK_TRUE};
   client_init(&client, &(struct client_options){.on_message = listen, .next = &features12, .api_version = VK_API_VERSION_1_3,
                                                 .device_extension = VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME});
   set = client_set_create(&client, 4, types);
   layout = client_pipeline_layout(&client, &set, 8);
}

static void run(const struct row *row, uint32_t twin)
{
   struct client_buffer buffers[NUM_MATRICES + 1];
   memset(&heard, 0, sizeof(heard));
   VkCommandBuffer cmd = client_begin(&client);
   for (uint32_t i = 0; i < NUM_MATRICES + 1; i++) {
      const uint64_t end = i == row->matrix ? row->missing * 4 : WORDS * 4;
      buffers[i] = client_buffer_create_unwritten(&client, WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
      client_set_buffer(&client, &set, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &buffers[i]);
      vk.CmdFillBuffer(cmd, buffers[i].buffer, 0, end, 0);
      if (end < WORDS * 4)
         vk.CmdFillBuffer(cmd, buffers[i].buffer, end + 4, VK_WHOLE_SIZE, 0);
   }
   client_barrier(cmd);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, sizeof(row->reads[twin]), &row->reads[twin]);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_run(&client, cmd);
   for (uint32_t i = 0; i < NUM_MATRICES + 1; i++)
      client_buffer_destroy(&client, &buffers[i]);
}

static void complain(const struct row *row, const char *what)
{
   printf("%s: %s; %u reported:\n   %s\n", row->name, what, heard.count, heard.message);
   test_fail(__FILE__, __LINE__, row->name);
}

TEST(twins)
{
   init();
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      char location[32];
      snprintf(location, sizeof(location), "matrices.spvasm:2%u", i);
      make_pipeline(i);
      run(&rows[i], 0);
      if (heard.count != 1 || strcmp(heard.id, "SANITIZE-uninit-output") != 0)
         complain(&rows[i], "another finding");
      else if (!strstr(heard.message, location) || !strstr(heard.message, rows[i].by))
         complain(&rows[i], rows[i].by);
      quiet_begin();
      run(&rows[i], 1);
      if (*quiet_end() || heard.count)
         complain(&rows[i], "the repaired twin is reported, or prints something");
      vk.DestroyPipeline(client.device, pipeline, NULL);
   }
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_finish(&client);
}

TEST_MAIN
