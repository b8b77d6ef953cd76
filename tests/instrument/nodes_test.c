/* SPDX-License-Identifier: MIT
 * Nodes of execution graphs under `race` and `barrier`: what invocations of a workgroup do to each other. The argument is nodes.spvasm. */
#include "tests/icd/validate/spvasm.h"
#include "tests/instrument/quiet.h"
#include "tests/render/memory/addressed.h"
#include "tests/test.h"
#include "util/macros.h"

#include <stdio.h>
#include <string.h>

#include <vulkan/vulkan.h>

#if !defined(VK_AMDX_shader_enqueue) || VK_AMDX_SHADER_ENQUEUE_SPEC_VERSION != 2
int main(void)
{
   return 77;
}
#else

static const char *module_path;

static struct heard {
   uint32_t count;
   char id[64], message[1024];
} heard;

static void listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0)
      return;
   heard.count++;
   snprintf(heard.id, sizeof(heard.id), "%s", id);
   snprintf(heard.message, sizeof(heard.message), "%s", message);
}

static void init_client(struct client *client)
{
   static const char *const extensions[] = {"VK_KHR_maintenance5", "VK_KHR_pipeline_library", "VK_AMDX_shader_enqueue"};
   static VkPhysicalDeviceShaderEnqueueFeaturesAMDX enqueue = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ENQUEUE_FEATURES_AMDX, .shaderEnqueue = VK_TRUE};
   static VkPhysicalDeviceMaintenance5Features maintenance = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = &enqueue, .maintenance5 = VK_TRUE};
   static VkPhysicalDeviceVulkan12Features core12 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &maintenance, .bufferDeviceAddress = VK_TRUE};
   client_init(client, &(struct client_options){.on_message = listen, .next = &core12, .device_extensions = extensions,
                                                .num_device_extensions = UTIL_ARRAY_SIZE(extensions), .api_version = VK_API_VERSION_1_3});
}

/* Eleven payloads of a node, on a device of its own: each location is reported once. Returns the first result. */
static uint32_t run(const char *entry)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   struct spvasm assembled;
   memset(&heard, 0, sizeof(heard));
   init_client(&client);
   if (!spvasm_load(&assembled, module_path))
      client_die("no module");
   const VkShaderModule module = client_shader(&client, assembled.words, assembled.num_words * sizeof(uint32_t));
   spvasm_free(&assembled);
   struct client_set set = client_set_create(&client, 1, &type);
   struct client_buffer results = client_buffer_create(&client, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_buffer scratch = addressed_buffer(&client, 4096, VK_BUFFER_USAGE_2_EXECUTION_GRAPH_SCRATCH_BIT_AMDX);
   client_set_buffer(&client, &set, 0, type, &results);
   const VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
#define X(name) const PFN_vk##name name = (PFN_vk##name)vk.GetDeviceProcAddr(client.device, "vk" #name)
   X(CreateExecutionGraphPipelinesAMDX);
   X(CmdInitializeGraphScratchMemoryAMDX);
   X(CmdDispatchGraphAMDX);
#undef X
   const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = module, .pName = entry};
   const VkExecutionGraphPipelineCreateInfoAMDX info = {.sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX, .stageCount = 1,
                                                        .pStages = &stage, .layout = layout, .basePipelineIndex = -1};
   VkPipeline pipeline = VK_NULL_HANDLE;
   client_check(CreateExecutionGraphPipelinesAMDX(client.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateExecutionGraphPipelinesAMDX");
   static const uint32_t payload[4];
   const VkDispatchGraphInfoAMDX graph = {.nodeIndex = 0, .payloadCount = 11, .payloads.hostAddress = payload, .payloadStride = 0};
   const VkDispatchGraphCountInfoAMDX counts = {.count = 1, .infos.hostAddress = &graph, .stride = sizeof(graph)};
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, layout, 0, 1, &set.set, 0, NULL);
   CmdInitializeGraphScratchMemoryAMDX(cmd, pipeline, address_of(&client, &scratch), 64);
   CmdDispatchGraphAMDX(cmd, address_of(&client, &scratch), 64, &counts);
   client_barrier(cmd);
   client_run(&client, cmd);
   const uint32_t result = *(const uint32_t *)results.map;
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_buffer_destroy(&client, &scratch);
   client_buffer_destroy(&client, &results);
   client_set_destroy(&client, &set);
   client_finish(&client);
   return result;
}

static void expect(const char *id, const char *says)
{
   CHECK_EQ(heard.count, 1);
   CHECK_STR(heard.id, id);
   if (!strstr(heard.message, says)) {
      printf("%s\n", heard.message);
      test_fail(__FILE__, __LINE__, says);
   }
}

TEST(nodes)
{
   run("races");
   expect("SANITIZE-race-shared", "by invocation (0, 0, 0) of workgroup (0, 0, 0)");
   run("misses");
   expect("SANITIZE-barrier-not-reached", "a barrier that 33 of the workgroup's 40 invocations reach");
   quiet_begin();
   CHECK_EQ(run("meets"), 11 * 3 * 39);
   CHECK_STR(quiet_end(), "");
   CHECK_EQ(heard.count, 0);
}

int main(int argc, char **argv)
{
   module_path = argc > 1 ? argv[1] : "";
   return test_run_all(1, argv);
}
#endif
