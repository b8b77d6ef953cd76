/* SPDX-License-Identifier: MIT
 * Execution graphs where memory runs out, at each allocation of the driver's in turn, once and for good: making a pipeline of nodes, recording and running
 * it. Calls give a code that the specification lists; what succeeds has the right results; nothing leaks (under a sanitizer). The argument is the module
 * of tests/render/graphs. */
#include "tests/icd/fixture.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "util/alloc.h"
#include "util/macros.h"

#include <string.h>

#if !defined(VK_AMDX_shader_enqueue) || VK_AMDX_SHADER_ENQUEUE_SPEC_VERSION != 2
int main(void)
{
   return 77;
}
#else

enum { NUM_WORDS = 4096, NUM_PAYLOADS = 64 };

static const char *module_path;

/* The nodes "fan", which makes payloads, and "leaf", which takes them. */
struct graph {
   struct fixture f;
   struct fixture_buffer results, scratch;
   VkShaderModule module;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkPipelineLayout layout;
   VkPipelineCache cache;
};

static void make_set(struct graph *g)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
   const VkDescriptorSetLayoutCreateInfo set_layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 1, &binding};
   fixture_require(icd_CreateDescriptorSetLayout(g->f.device, &set_layout, NULL, &g->set_layout), "vkCreateDescriptorSetLayout");
   const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &g->set_layout, 0, NULL};
   fixture_require(icd_CreatePipelineLayout(g->f.device, &layout, NULL, &g->layout), "vkCreatePipelineLayout");
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
   const VkDescriptorPoolCreateInfo pool = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
   fixture_require(icd_CreateDescriptorPool(g->f.device, &pool, NULL, &g->pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, g->pool, 1, &g->set_layout};
   fixture_require(icd_AllocateDescriptorSets(g->f.device, &set, &g->set), "vkAllocateDescriptorSets");
   const VkDescriptorBufferInfo buffer = {g->results.buffer, 0, VK_WHOLE_SIZE};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = g->set, .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &buffer};
   icd_UpdateDescriptorSets(g->f.device, 1, &write, 0, NULL);
}

static void init(struct graph *g, const void *cache_data, size_t cache_bytes)
{
   struct spvasm module;
   fixture_init(&g->f, NULL);
   if (!spvasm_load(&module, module_path))
      exit(1);
   const VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, module.num_words * sizeof(uint32_t), module.words};
   fixture_require(icd_CreateShaderModule(g->f.device, &info, NULL, &g->module), "vkCreateShaderModule");
   spvasm_free(&module);
   g->results = fixture_buffer(&g->f, NUM_WORDS * sizeof(uint32_t));
   g->scratch = fixture_buffer(&g->f, 4096);
   memset(g->results.data, 0, NUM_WORDS * sizeof(uint32_t));
   make_set(g);
   const VkPipelineCacheCreateInfo cache = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, NULL, 0, cache_bytes, cache_data};
   fixture_require(icd_CreatePipelineCache(g->f.device, &cache, NULL, &g->cache), "vkCreatePipelineCache");
}

static void finish(struct graph *g)
{
   icd_DestroyPipelineCache(g->f.device, g->cache, NULL);
   icd_DestroyPipelineLayout(g->f.device, g->layout, NULL);
   icd_DestroyDescriptorPool(g->f.device, g->pool, NULL);
   icd_DestroyDescriptorSetLayout(g->f.device, g->set_layout, NULL);
   fixture_buffer_destroy(&g->f, &g->scratch);
   fixture_buffer_destroy(&g->f, &g->results);
   icd_DestroyShaderModule(g->f.device, g->module, NULL);
   fixture_finish(&g->f, NULL);
}

/* ---- what memory runs out in ---- */

static VkResult create(const struct graph *g, VkPipeline *pipeline)
{
   static const char *const names[] = {"fan", "leaf"};
   VkPipelineShaderStageCreateInfo stages[UTIL_ARRAY_SIZE(names)];
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(names); i++)
      stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                    .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = g->module, .pName = names[i]};
   const VkExecutionGraphPipelineCreateInfoAMDX info = {.sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX,
                                                        .stageCount = UTIL_ARRAY_SIZE(names), .pStages = stages, .layout = g->layout,
                                                        .basePipelineIndex = -1};
   *pipeline = VK_NULL_HANDLE;
   return icd_CreateExecutionGraphPipelinesAMDX(g->f.device, g->cache, 1, &info, NULL, pipeline);
}

static VkResult run(const struct graph *g, VkPipeline pipeline)
{
   const uint32_t payload[4] = {10, 1000, NUM_PAYLOADS, 0};
   const VkPipelineShaderStageNodeCreateInfoAMDX node = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX, .pName = "fan", .index = 0};
   VkDispatchGraphInfoAMDX dispatch = {.payloadCount = 1, .payloads.hostAddress = payload, .payloadStride = sizeof(payload)};
   const VkDispatchGraphCountInfoAMDX counts = {.count = 1, .infos.hostAddress = &dispatch, .stride = sizeof(dispatch)};
   const VkBufferDeviceAddressInfo address = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, NULL, g->scratch.buffer};
   const VkDeviceAddress scratch = icd_GetBufferDeviceAddress(g->f.device, &address);
   const VkCommandBuffer cmd = g->f.commands;
   const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   CHECK_EQ(icd_GetExecutionGraphPipelineNodeIndexAMDX(g->f.device, pipeline, &node, &dispatch.nodeIndex), VK_SUCCESS);
   VkResult result = icd_BeginCommandBuffer(cmd, &begin);
   if (result != VK_SUCCESS)
      return result;
   icd_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, pipeline);
   icd_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, g->layout, 0, 1, &g->set, 0, NULL);
   icd_CmdInitializeGraphScratchMemoryAMDX(cmd, pipeline, scratch, 4096);
   icd_CmdDispatchGraphAMDX(cmd, scratch, 4096, &counts);
   result = icd_EndCommandBuffer(cmd);
   if (result == VK_SUCCESS)
      result = icd_QueueSubmit(g->f.queue, 1, &submit, VK_NULL_HANDLE);
   return result == VK_SUCCESS ? icd_QueueWaitIdle(g->f.queue) : result;
}

static void check_results(const struct graph *g)
{
   const uint32_t *words = g->results.data;
   CHECK_EQ(words[10], 100 + NUM_PAYLOADS);
   for (uint32_t i = 0; i < NUM_PAYLOADS; i++)
      CHECK_EQ(words[11 + i], 1000 + i);
}

static bool is_listed(VkResult result)
{
   return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_DEVICE_LOST;
}

/* With the `n`-th allocation failing. True: all went well. */
static bool attempt(const void *cache_data, size_t cache_bytes, uint64_t n, bool is_once, uint64_t *total)
{
   struct graph g;
   VkPipeline pipeline;
   init(&g, cache_data, cache_bytes);
   util_alloc_fail_at(n, is_once);
   VkResult result = create(&g, &pipeline);
   CHECK((result == VK_SUCCESS) == (pipeline != VK_NULL_HANDLE));
   if (pipeline)
      result = run(&g, pipeline);
   *total = util_alloc_count();
   util_alloc_fail_at(0, true);
   CHECK(result == VK_SUCCESS || is_listed(result));
   if (result == VK_SUCCESS)
      check_results(&g);
   icd_DestroyPipeline(g.f.device, pipeline, NULL);
   finish(&g);
   return result == VK_SUCCESS;
}

/* What an undisturbed run leaves in its cache; to be freed. */
static void *warm_cache(size_t *size)
{
   struct graph g;
   VkPipeline pipeline;
   init(&g, NULL, 0);
   fixture_require(create(&g, &pipeline), "vkCreateExecutionGraphPipelinesAMDX");
   fixture_require(icd_GetPipelineCacheData(g.f.device, g.cache, size, NULL), "vkGetPipelineCacheData");
   void *data = malloc(*size);
   fixture_require(icd_GetPipelineCacheData(g.f.device, g.cache, size, data), "vkGetPipelineCacheData");
   icd_DestroyPipeline(g.f.device, pipeline, NULL);
   finish(&g);
   return data;
}

static void fail_each(bool is_once)
{
   size_t cache_bytes;
   void *cache_data = warm_cache(&cache_bytes);
   uint64_t n = 0, total;
   uint32_t num_failures = 0;
   do
      num_failures += !attempt(cache_data, cache_bytes, ++n, is_once, &total);
   while (total >= n);
   CHECK(num_failures > 10);
   printf("%u of %u fail\n", num_failures, (uint32_t)n - 1);
   free(cache_data);
}

TEST(each_allocation_fails_once)
{
   fail_each(true);
}

TEST(all_allocations_from_each_on_fail)
{
   fail_each(false);
}

TEST_MAIN_WITH(module_path)
#endif
