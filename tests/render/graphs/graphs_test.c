/* SPDX-License-Identifier: MIT
 * Execution graphs, through the loader: what nodes do is in graphs.spvasm, the argument. Results are words of a buffer, which starts as zeros. */
#include "tests/icd/validate/spvasm.h"
#include "tests/render/memory/addressed.h"
#include "tests/test.h"
#include "util/macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#if !defined(VK_AMDX_shader_enqueue) || VK_AMDX_SHADER_ENQUEUE_SPEC_VERSION != 2
int main(void)
{
   return 77;
}
#else

#define FUNCTIONS(X)                                                                                                   \
   X(CreateExecutionGraphPipelinesAMDX) X(GetExecutionGraphPipelineScratchSizeAMDX) X(GetExecutionGraphPipelineNodeIndexAMDX) \
   X(CmdInitializeGraphScratchMemoryAMDX) X(CmdDispatchGraphAMDX) X(CmdDispatchGraphIndirectAMDX) X(CmdDispatchGraphIndirectCountAMDX)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

enum { NUM_RESULTS = 8192, MAX_NODES = 8 };

static const char *module_path;
static char said[512]; /* by the driver, last */

struct scene {
   struct client client;
   VkShaderModule module;
   struct client_set set;
   VkPipelineLayout layout;
   struct client_buffer results, memory, scratch;
};

struct payload {
   uint32_t slot, value, count, more;
};

/* A stage; `name` NULL: as the entry point is called. */
struct node {
   const char *entry, *name;
   uint32_t index; /* of a node with a name */
   const VkSpecializationInfo *specialization;
};

static void listen(void *data, const char *id, const char *message)
{
   snprintf(said, sizeof(said), "%s", message);
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
   const struct client_options options = {
      .on_message = listen, .next = &core12, .device_extensions = extensions, .num_device_extensions = UTIL_ARRAY_SIZE(extensions), .api_version = VK_API_VERSION_1_3};
   client_init(client, &options);
#define X(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(client->device, "vk" #name);
   FUNCTIONS(X)
#undef X
}

static void scene_init(struct scene *s)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct spvasm module;
   *s = (struct scene){0};
   init_client(&s->client);
   if (!spvasm_load(&module, module_path))
      client_die("no module");
   s->module = client_shader(&s->client, module.words, module.num_words * sizeof(uint32_t));
   spvasm_free(&module);
   s->set = client_set_create(&s->client, 1, types);
   s->results = client_buffer_create(&s->client, NUM_RESULTS * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   s->memory = addressed_buffer(&s->client, 65536, VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT_KHR);
   s->scratch = addressed_buffer(&s->client, 4096, VK_BUFFER_USAGE_2_EXECUTION_GRAPH_SCRATCH_BIT_AMDX);
   client_set_buffer(&s->client, &s->set, 0, types[0], &s->results);
   s->layout = client_pipeline_layout(&s->client, &s->set, 0);
}

static void scene_finish(struct scene *s)
{
   client_buffer_destroy(&s->client, &s->scratch);
   client_buffer_destroy(&s->client, &s->memory);
   client_buffer_destroy(&s->client, &s->results);
   client_set_destroy(&s->client, &s->set);
   vk.DestroyPipelineLayout(s->client.device, s->layout, NULL);
   vk.DestroyShaderModule(s->client.device, s->module, NULL);
   client_finish(&s->client);
}

static const uint32_t *results_of(const struct scene *s)
{
   return s->results.map;
}

/* ---- pipelines ---- */

static void fill_stage(const struct scene *s, const struct node *node, VkPipelineShaderStageNodeCreateInfoAMDX *name, VkPipelineShaderStageCreateInfo *stage)
{
   *name = (VkPipelineShaderStageNodeCreateInfoAMDX){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX, .pName = node->name, .index = node->index};
   *stage = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .pNext = node->name ? name : NULL,
                                              .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = s->module, .pName = node->entry,
                                              .pSpecializationInfo = node->specialization};
}

static VkPipeline graph_create(const struct scene *s, uint32_t count, const struct node *nodes, uint32_t num_libraries, const VkPipeline *libraries,
                               VkPipelineCreateFlags flags)
{
   VkPipelineShaderStageNodeCreateInfoAMDX names[MAX_NODES];
   VkPipelineShaderStageCreateInfo stages[MAX_NODES];
   VkPipeline pipeline = VK_NULL_HANDLE;
   for (uint32_t i = 0; i < count; i++)
      fill_stage(s, &nodes[i], &names[i], &stages[i]);
   const VkPipelineLibraryCreateInfoKHR library = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = num_libraries, .pLibraries = libraries};
   const VkExecutionGraphPipelineCreateInfoAMDX info = {.sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX, .flags = flags,
                                                        .stageCount = count, .pStages = stages, .pLibraryInfo = &library, .layout = s->layout,
                                                        .basePipelineIndex = -1};
   client_check(ext.CreateExecutionGraphPipelinesAMDX(s->client.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateExecutionGraphPipelinesAMDX");
   return pipeline;
}

static uint32_t node_of(const struct scene *s, VkPipeline pipeline, const char *name, uint32_t index)
{
   const VkPipelineShaderStageNodeCreateInfoAMDX info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX, .pName = name, .index = index};
   uint32_t node = UINT32_MAX;
   client_check(ext.GetExecutionGraphPipelineNodeIndexAMDX(s->client.device, pipeline, &info, &node), "vkGetExecutionGraphPipelineNodeIndexAMDX");
   return node;
}

/* ---- dispatches ---- */

static VkCommandBuffer begin(struct scene *s, VkPipeline pipeline)
{
   VkCommandBuffer cmd;
   VkExecutionGraphPipelineScratchSizeAMDX size = {.sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_SCRATCH_SIZE_AMDX};
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = s->client.pool, .commandBufferCount = 1};
   const VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   client_check(ext.GetExecutionGraphPipelineScratchSizeAMDX(s->client.device, pipeline, &size), "vkGetExecutionGraphPipelineScratchSizeAMDX");
   CHECK(size.minSize && size.minSize <= size.maxSize && size.minSize <= s->scratch.size_bytes);
   memset(s->results.map, 0, s->results.size_bytes);
   client_check(vk.AllocateCommandBuffers(s->client.device, &info, &cmd), "vkAllocateCommandBuffers");
   client_check(vk.BeginCommandBuffer(cmd, &begin_info), "vkBeginCommandBuffer");
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, s->layout, 0, 1, &s->set.set, 0, NULL);
   ext.CmdInitializeGraphScratchMemoryAMDX(cmd, pipeline, address_of(&s->client, &s->scratch), size.minSize);
   return cmd;
}

static VkResult submit(struct scene *s, VkCommandBuffer cmd)
{
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   client_check(vk.EndCommandBuffer(cmd), "vkEndCommandBuffer");
   VkResult result = vk.QueueSubmit(s->client.queue, 1, &info, VK_NULL_HANDLE);
   if (result == VK_SUCCESS)
      result = vk.QueueWaitIdle(s->client.queue);
   vk.FreeCommandBuffers(s->client.device, s->client.pool, 1, &cmd);
   return result;
}

static VkResult run_infos(struct scene *s, VkPipeline pipeline, uint32_t count, const VkDispatchGraphInfoAMDX *infos)
{
   const VkDispatchGraphCountInfoAMDX counts = {.count = count, .infos.hostAddress = infos, .stride = sizeof(*infos)};
   VkCommandBuffer cmd = begin(s, pipeline);
   ext.CmdDispatchGraphAMDX(cmd, address_of(&s->client, &s->scratch), 64, &counts);
   return submit(s, cmd);
}

/* Payloads of one node that the host has. */
static VkResult run(struct scene *s, VkPipeline pipeline, const char *name, uint32_t index, uint32_t count, const void *payloads, size_t stride)
{
   const VkDispatchGraphInfoAMDX info = {
      .nodeIndex = node_of(s, pipeline, name, index), .payloadCount = count, .payloads.hostAddress = payloads, .payloadStride = stride};
   return run_infos(s, pipeline, 1, &info);
}

static VkResult run_one(struct scene *s, VkPipeline pipeline, const char *name, struct payload payload)
{
   return run(s, pipeline, name, 0, 1, &payload, sizeof(payload));
}

/* ---- one node, payloads of the host ---- */

TEST(one_node)
{
   struct scene s;
   scene_init(&s);
   VkPipeline pipeline = graph_create(&s, 1, &(struct node){"leaf"}, 0, NULL, 0);
   const struct payload payloads[3] = {{0, 5}, {7, 11}, {7, 100}};
   CHECK_EQ(run(&s, pipeline, "leaf", 0, 3, payloads, sizeof(payloads[0])), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[0], 5);
   CHECK_EQ(results_of(&s)[7], 111);
   CHECK_EQ(run(&s, pipeline, "leaf", 0, 0, NULL, 16), VK_SUCCESS); /* no payloads */
   CHECK_EQ(results_of(&s)[0], 0);
   CHECK_EQ(run(&s, pipeline, "leaf", 0, 4, payloads, 0), VK_SUCCESS); /* one payload, four times */
   CHECK_EQ(results_of(&s)[0], 20);
   const VkDispatchGraphInfoAMDX infos[3] = {{0, 1, {.hostAddress = &payloads[0]}, 16}, {0, 0, {.hostAddress = NULL}, 0}, {0, 2, {.hostAddress = &payloads[1]}, 16}};
   CHECK_EQ(run_infos(&s, pipeline, 3, infos), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[0], 5);
   CHECK_EQ(results_of(&s)[7], 111);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(fan_out)
{
   struct scene s;
   scene_init(&s);
   const struct node nodes[] = {{"fan"}, {"leaf"}, {"each"}};
   VkPipeline pipeline = graph_create(&s, 3, nodes, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "fan", (struct payload){10, 1000, 64}), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[10], 164); /* 64 payloads, of one */
   for (uint32_t i = 0; i < 64; i++)
      CHECK_EQ(results_of(&s)[11 + i], 1000 + i);
   CHECK_EQ(results_of(&s)[75], 0);
   CHECK_EQ(run_one(&s, pipeline, "fan", (struct payload){10, 1000, 0}), VK_SUCCESS); /* nothing is allocated */
   CHECK_EQ(results_of(&s)[10], 100);
   CHECK_EQ(results_of(&s)[11], 0);
   CHECK_EQ(run_one(&s, pipeline, "each", (struct payload){100}), VK_SUCCESS);
   for (uint32_t i = 0; i < 80; i++)
      CHECK_EQ(results_of(&s)[100 + i], i % 2 ? i : 0);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(node_array)
{
   struct scene s;
   scene_init(&s);
   /* 2, 5 by name; 3 by the execution mode, of a node that has just a name */
   const struct node nodes[] = {{"choose"}, {"array", "array", 2}, {"array", "array", 5}, {"array", "array", VK_SHADER_INDEX_UNUSED_AMDX}};
   VkPipeline pipeline = graph_create(&s, 4, nodes, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "choose", (struct payload){20}), VK_SUCCESS);
   for (uint32_t i = 0; i < 8; i++) {
      const bool is_there = i == 0 || i == 1 || i == 3;
      CHECK_EQ(results_of(&s)[20 + i], is_there ? 100000 + (i + 2) * 1000 + i : 0);
   }
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(coalesced)
{
   struct scene s;
   scene_init(&s);
   VkPipeline pipeline = graph_create(&s, 1, &(struct node){"coalesce"}, 0, NULL, 0);
   struct payload payloads[6];
   for (uint32_t i = 0; i < 6; i++)
      payloads[i] = (struct payload){i, i};
   CHECK_EQ(run(&s, pipeline, "coalesce", 0, 6, payloads, sizeof(payloads[0])), VK_SUCCESS);
   for (uint32_t i = 0; i < 6; i++)
      CHECK_EQ(results_of(&s)[i], (i < 4 ? 400000 : 200000) + i % 4 * 10000 + i);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(recursion)
{
   struct scene s;
   scene_init(&s);
   VkPipeline pipeline = graph_create(&s, 1, &(struct node){"recursive"}, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "recursive", (struct payload){40}), VK_SUCCESS);
   for (uint32_t left = 0; left < 4; left++)
      CHECK_EQ(results_of(&s)[40 + left], 1 << (3 - left));
   CHECK_EQ(results_of(&s)[48], 2 * (1 + 2 + 4)); /* what was allocated; at the end nothing */
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(dynamic_grids)
{
   struct scene s;
   scene_init(&s);
   const struct node nodes[] = {{"make_grid"}, {"grid"}, {"small_grid"}, {"first_bytes"}};
   VkPipeline pipeline = graph_create(&s, 4, nodes, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "make_grid", (struct payload){50, 5, 3, 2}), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[50], 30 * 40 * 40); /* the last workgroup saw what the invocations of all have added */
   for (uint32_t i = 0; i < 30; i++)
      CHECK_EQ(results_of(&s)[51 + i], 40);
   CHECK_EQ(run_one(&s, pipeline, "make_grid", (struct payload){50, 5, 0, 2}), VK_SUCCESS); /* no workgroups */
   CHECK_EQ(results_of(&s)[50], 0);
   CHECK_EQ(run_one(&s, pipeline, "make_grid", (struct payload){50, UINT32_MAX, UINT32_MAX, UINT32_MAX}), VK_SUCCESS); /* no more than are declared */
   CHECK_EQ(results_of(&s)[50], 64 * 4 * 4 * 40 * 40);
   const uint32_t small[2] = {60, 7};
   CHECK_EQ(run(&s, pipeline, "small_grid", 0, 1, small, sizeof(small)), VK_SUCCESS);
   for (uint32_t i = 0; i < 8; i++)
      CHECK_EQ(results_of(&s)[60 + i], i < 7);
   CHECK_EQ(run_one(&s, pipeline, "first_bytes", (struct payload){3, 2, 2, 70}), VK_SUCCESS);
   for (uint32_t i = 0; i < 4; i++)
      CHECK_EQ(results_of(&s)[70 + i], i < 3 ? 4 : 0);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

/* Another node has the same payloads: those of commands and of shaders. */
TEST(shared_input)
{
   struct scene s;
   scene_init(&s);
   const struct node nodes[] = {{"fan"}, {"leaf"}, {"sharer"}};
   VkPipeline pipeline = graph_create(&s, 3, nodes, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "leaf", (struct payload){5, 2}), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[5], 2);
   CHECK_EQ(results_of(&s)[1005], 3);
   CHECK_EQ(run_one(&s, pipeline, "fan", (struct payload){10, 1000, 3}), VK_SUCCESS);
   for (uint32_t i = 0; i < 3; i++) {
      CHECK_EQ(results_of(&s)[11 + i], 1000 + i);
      CHECK_EQ(results_of(&s)[1011 + i], 3);
   }
   CHECK_EQ(run_one(&s, pipeline, "sharer", (struct payload){5, 2}), VK_SUCCESS); /* is no entry */
   CHECK_EQ(results_of(&s)[1005], 0);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(specialized_name)
{
   struct scene s;
   scene_init(&s);
   const VkSpecializationMapEntry entry = {7, 0, 8};
   const VkSpecializationInfo specialization = {1, &entry, 8, "other\0\0"};
   const struct node nodes[] = {{"named", "first", 0, &specialization}, {"leaf", "other", 0}, {"named"}, {"leaf", "nobody", 1}};
   VkPipeline pipeline = graph_create(&s, 4, nodes, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "first", (struct payload){9, 33}), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[9], 33);
   CHECK_EQ(run_one(&s, pipeline, "named", (struct payload){9, 33}), VK_SUCCESS); /* "nobody" has no index 0 */
   CHECK_EQ(results_of(&s)[9], 0);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

/* A compute pipeline and a graph bring a node each. */
TEST(libraries)
{
   struct scene s;
   scene_init(&s);
   const struct node leaf = {"leaf"}, fan = {"fan"}, array = {"array", "array", 4};
   VkPipeline libraries[2];
   VkPipelineShaderStageNodeCreateInfoAMDX name;
   const VkPipelineCreateFlags2CreateInfoKHR flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                      .flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX};
   VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .pNext = &flags, .layout = s.layout};
   fill_stage(&s, &array, &name, &info.stage);
   client_check(vk.CreateComputePipelines(s.client.device, VK_NULL_HANDLE, 1, &info, NULL, &libraries[0]), "vkCreateComputePipelines");
   libraries[1] = graph_create(&s, 1, &leaf, 0, NULL, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
   VkPipeline pipeline = graph_create(&s, 1, &fan, 2, libraries, 0);
   vk.DestroyPipeline(s.client.device, libraries[0], NULL);
   vk.DestroyPipeline(s.client.device, libraries[1], NULL);
   CHECK_EQ(run_one(&s, pipeline, "fan", (struct payload){10, 1000, 2}), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[11], 1000);
   CHECK_EQ(results_of(&s)[12], 1001);
   const struct payload payload = {10, 1};
   CHECK_EQ(run(&s, pipeline, "array", 4, 1, &payload, 16), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[10], 4001);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

/* ---- what memory says ---- */

TEST(indirect)
{
   struct scene s;
   scene_init(&s);
   VkPipeline pipeline = graph_create(&s, 1, &(struct node){"leaf"}, 0, NULL, 0);
   const VkDeviceAddress base = address_of(&s.client, &s.memory), scratch = address_of(&s.client, &s.scratch);
   const struct payload payloads[2] = {{3, 10}, {4, 20}};
   const VkDispatchGraphInfoAMDX infos[2] = {{0, 2, {.deviceAddress = base + 1024}, 32}, {77, 1, {.deviceAddress = base + 1024}, 16}};
   const VkDispatchGraphCountInfoAMDX counts = {2, {.deviceAddress = base + 512}, 40}, in_memory = {2, {.deviceAddress = base + 512}, 40};
   for (uint32_t i = 0; i < 2; i++) {
      memcpy((char *)s.memory.map + 1024 + 32 * i, &payloads[i], sizeof(payloads[i]));
      memcpy((char *)s.memory.map + 512 + 40 * i, &infos[i], sizeof(infos[i])); /* the second one's node is not there */
   }
   memcpy((char *)s.memory.map + 256, &in_memory, sizeof(in_memory));
   VkCommandBuffer cmd = begin(&s, pipeline);
   ext.CmdDispatchGraphIndirectAMDX(cmd, scratch, 64, &counts);
   CHECK_EQ(submit(&s, cmd), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[3], 10);
   CHECK_EQ(results_of(&s)[4], 20);
   cmd = begin(&s, pipeline);
   ext.CmdDispatchGraphIndirectCountAMDX(cmd, scratch, 64, base + 256);
   ext.CmdDispatchGraphIndirectAMDX(cmd, scratch, 64, &counts);
   CHECK_EQ(submit(&s, cmd), VK_SUCCESS);
   CHECK_EQ(results_of(&s)[3], 20);
   CHECK_EQ(results_of(&s)[4], 40);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

/* ---- too much ---- */

TEST(too_deep)
{
   struct scene s;
   scene_init(&s);
   /* one dispatches the other, which is of the same shader, and so on */
   const uint32_t index = 1;
   const VkSpecializationMapEntry entry = {8, 0, 4};
   const VkSpecializationInfo specialization = {1, &entry, 4, &index};
   const struct node nodes[] = {{"ping", "pong", 0, &specialization}, {"ping", "pong", 1}};
   VkPipeline pipeline = graph_create(&s, 2, nodes, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "pong", (struct payload){1}), VK_ERROR_DEVICE_LOST);
   CHECK_EQ(results_of(&s)[1], 32);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(too_many_payloads)
{
   struct scene s;
   scene_init(&s);
   const struct node nodes[] = {{"greedy"}, {"leaf"}};
   VkPipeline pipeline = graph_create(&s, 2, nodes, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "greedy", (struct payload){0, 0, 2}), VK_SUCCESS);
   CHECK_EQ(run_one(&s, pipeline, "greedy", (struct payload){0, 0, UINT32_MAX}), VK_ERROR_DEVICE_LOST);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(hang)
{
   struct scene s;
   const char *timeout = getenv("VK_SWRAST_TIMEOUT");
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   scene_init(&s);
   VkPipeline pipeline = graph_create(&s, 1, &(struct node){"endless"}, 0, NULL, 0);
   CHECK_EQ(run_one(&s, pipeline, "endless", (struct payload){1}), VK_ERROR_DEVICE_LOST);
   CHECK(strstr(said, "endless") != NULL);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
   timeout ? setenv("VK_SWRAST_TIMEOUT", timeout, 1) : unsetenv("VK_SWRAST_TIMEOUT");
}

/* Counts of garbage: no node, or more payloads than there is memory for. */
TEST(garbage_counts)
{
   struct scene s;
   scene_init(&s);
   const struct payload payload = {1, 1};
   VkPipeline pipeline = graph_create(&s, 1, &(struct node){"leaf"}, 0, NULL, 0);
   const VkDeviceAddress base = address_of(&s.client, &s.memory), scratch = address_of(&s.client, &s.scratch);
   const VkDispatchGraphInfoAMDX info = {0, UINT32_MAX, {.deviceAddress = base}, 0};
   const VkDispatchGraphCountInfoAMDX counts = {1, {.deviceAddress = base + 512}, 24};
   memcpy(s.memory.map, &payload, sizeof(payload));
   memcpy((char *)s.memory.map + 512, &info, sizeof(info));
   VkCommandBuffer cmd = begin(&s, pipeline);
   ext.CmdDispatchGraphIndirectAMDX(cmd, scratch, 64, &counts);
   CHECK_EQ(submit(&s, cmd), VK_ERROR_DEVICE_LOST);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

/* ---- the same bits, whatever threads and lanes ---- */

/* Which payloads a workgroup takes together follows from who made them. */
TEST(order)
{
   static const char *const settings[][2] = {{"1", "16"}, {"2", "8"}, {"16", "16"}, {"0", "4"}};
   uint32_t *first = malloc(NUM_RESULTS * sizeof(*first));
   const char *threads = getenv("VK_SWRAST_THREADS"), *lanes = getenv("VK_SWRAST_LANES");
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(settings); i++) {
      struct scene s;
      setenv("VK_SWRAST_THREADS", settings[i][0], 1);
      setenv("VK_SWRAST_LANES", settings[i][1], 1);
      scene_init(&s);
      const struct node nodes[] = {{"spread"}, {"coalesce"}};
      VkPipeline pipeline = graph_create(&s, 2, nodes, 0, NULL, 0);
      CHECK_EQ(run_one(&s, pipeline, "spread", (struct payload){0}), VK_SUCCESS);
      CHECK(results_of(&s)[0] == 0 && results_of(&s)[1] != 0 && results_of(&s)[2559] == 0 && results_of(&s)[2558] != 0);
      if (!i)
         memcpy(first, results_of(&s), s.results.size_bytes);
      CHECK(!memcmp(first, results_of(&s), s.results.size_bytes));
      vk.DestroyPipeline(s.client.device, pipeline, NULL);
      scene_finish(&s);
   }
   threads ? setenv("VK_SWRAST_THREADS", threads, 1) : unsetenv("VK_SWRAST_THREADS");
   lanes ? setenv("VK_SWRAST_LANES", lanes, 1) : unsetenv("VK_SWRAST_LANES");
   free(first);
}

TEST_MAIN_WITH(module_path)
#endif
