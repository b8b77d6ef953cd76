/* SPDX-License-Identifier: MIT
 * Rows of calls that the application's thread waits for: objects made and destroyed, descriptors, command buffers, submits. Millions a second. */
#include "tests/bench/bench.h"

#include "calls_tiny.comp.h"

#include "util/macros.h"

enum { COUNT = 1000, NUM_BUFFERS = 4 };

#define device_function(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

struct calls {
   struct client *client;
   struct client_buffer buffers[NUM_BUFFERS];
   struct client_set set;
   VkPipelineLayout layout;
   VkShaderModule module;
   VkPipeline pipeline;
   VkPipelineCache cache;
   VkCommandBuffer cmd, empty[COUNT];
   VkFence fence;
   VkDescriptorPool pool;
};

static void calls_init(struct calls *calls, struct client *client)
{
   const VkDescriptorType types[NUM_BUFFERS] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   *calls = (struct calls){.client = client};
   calls->set = client_set_create(client, NUM_BUFFERS, types);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
      calls->buffers[i] = client_buffer_create(client, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
      client_set_buffer(client, &calls->set, i, types[i], &calls->buffers[i]);
   }
   calls->layout = client_pipeline_layout(client, &calls->set, 16);
   calls->module = client_shader(client, calls_tiny_comp, sizeof(calls_tiny_comp));
   const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
   client_check(vk.CreatePipelineCache(client->device, &cache, NULL, &calls->cache), "vkCreatePipelineCache");
   calls->pipeline = client_compute_pipeline(client, calls->module, calls->layout, calls->cache, NULL);
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = client->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = COUNT};
   client_check(vk.AllocateCommandBuffers(client->device, &info, calls->empty), "vkAllocateCommandBuffers");
   for (uint32_t i = 0; i < COUNT; i++) {
      vk.BeginCommandBuffer(calls->empty[i], &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO});
      vk.EndCommandBuffer(calls->empty[i]);
   }
   calls->cmd = calls->empty[0];
   vk.CreateFence(client->device, &(VkFenceCreateInfo){.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO}, NULL, &calls->fence);
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, COUNT * NUM_BUFFERS};
   const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = COUNT, .poolSizeCount = 1, .pPoolSizes = &size};
   client_check(vk.CreateDescriptorPool(client->device, &pool, NULL, &calls->pool), "vkCreateDescriptorPool");
}

static void calls_finish(struct calls *calls)
{
   struct client *client = calls->client;
   vk.DestroyDescriptorPool(client->device, calls->pool, NULL);
   vk.DestroyFence(client->device, calls->fence, NULL);
   vk.FreeCommandBuffers(client->device, client->pool, COUNT, calls->empty);
   vk.DestroyPipeline(client->device, calls->pipeline, NULL);
   vk.DestroyPipelineCache(client->device, calls->cache, NULL);
   vk.DestroyShaderModule(client->device, calls->module, NULL);
   vk.DestroyPipelineLayout(client->device, calls->layout, NULL);
   client_set_destroy(client, &calls->set);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      client_buffer_destroy(client, &calls->buffers[i]);
}

static void buffers(void *data)
{
   const struct calls *calls = data;
   const VkDevice device = calls->client->device;
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4096, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   for (uint32_t i = 0; i < COUNT; i++) {
      VkBuffer buffer;
      VkMemoryRequirements needs;
      client_check(vk.CreateBuffer(device, &info, NULL, &buffer), "vkCreateBuffer");
      vk.GetBufferMemoryRequirements(device, buffer, &needs);
      vk.BindBufferMemory(device, buffer, calls->buffers[0].memory, 0);
      vk.DestroyBuffer(device, buffer, NULL);
   }
}

static void images(void *data)
{
   const struct calls *calls = data;
   for (uint32_t i = 0; i < COUNT / 10; i++) {
      struct client_image image = client_image_create(calls->client, VK_FORMAT_R8G8B8A8_UNORM, 64, 64, 7, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_SAMPLED_BIT);
      client_image_destroy(calls->client, &image);
   }
}

static void memories(void *data)
{
   const struct calls *calls = data;
   const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = 1 << 20};
   for (uint32_t i = 0; i < COUNT / 10; i++) {
      VkDeviceMemory memory;
      void *map;
      client_check(vk.AllocateMemory(calls->client->device, &info, NULL, &memory), "vkAllocateMemory");
      client_check(vk.MapMemory(calls->client->device, memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
      vk.FreeMemory(calls->client->device, memory, NULL);
   }
}

static void samplers(void *data)
{
   const struct calls *calls = data;
   for (uint32_t i = 0; i < COUNT; i++)
      vk.DestroySampler(calls->client->device,
                        client_sampler(calls->client, VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, VK_SAMPLER_ADDRESS_MODE_REPEAT), NULL);
}

static void modules(void *data)
{
   const struct calls *calls = data;
   for (uint32_t i = 0; i < COUNT / 10; i++)
      vk.DestroyShaderModule(calls->client->device, client_shader(calls->client, calls_tiny_comp, sizeof(calls_tiny_comp)), NULL);
}

static void pipelines(void *data)
{
   const struct calls *calls = data;
   for (uint32_t i = 0; i < COUNT / 10; i++)
      vk.DestroyPipeline(calls->client->device, client_compute_pipeline(calls->client, calls->module, calls->layout, calls->cache, NULL), NULL);
}

static void sets(void *data)
{
   const struct calls *calls = data;
   VkDescriptorSetLayout layouts[COUNT];
   VkDescriptorSet made[COUNT];
   for (uint32_t i = 0; i < COUNT; i++)
      layouts[i] = calls->set.layout;
   const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = calls->pool,
                                             .descriptorSetCount = COUNT,
                                             .pSetLayouts = layouts};
   client_check(vk.AllocateDescriptorSets(calls->client->device, &info, made), "vkAllocateDescriptorSets");
   device_function(calls->client, ResetDescriptorPool)(calls->client->device, calls->pool, 0);
}

static void updates(void *data)
{
   const struct calls *calls = data;
   VkDescriptorBufferInfo infos[NUM_BUFFERS];
   VkWriteDescriptorSet writes[NUM_BUFFERS];
   for (uint32_t k = 0; k < NUM_BUFFERS; k++) {
      infos[k] = (VkDescriptorBufferInfo){calls->buffers[k].buffer, 0, VK_WHOLE_SIZE};
      writes[k] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                         .dstSet = calls->set.set,
                                         .dstBinding = k,
                                         .descriptorCount = 1,
                                         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         .pBufferInfo = &infos[k]};
   }
   for (uint32_t i = 0; i < COUNT; i++)
      vk.UpdateDescriptorSets(calls->client->device, NUM_BUFFERS, writes, 0, NULL);
}

static void recorded(void *data)
{
   const struct calls *calls = data;
   vk.BeginCommandBuffer(calls->cmd, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO});
   for (uint32_t i = 0; i < COUNT; i++) {
      vk.CmdBindPipeline(calls->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, calls->pipeline);
      vk.CmdBindDescriptorSets(calls->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, calls->layout, 0, 1, &calls->set.set, 0, NULL);
      vk.CmdPushConstants(calls->cmd, calls->layout, VK_SHADER_STAGE_ALL, 0, 4, &i);
      vk.CmdDispatch(calls->cmd, 1, 1, 1);
      client_barrier(calls->cmd);
   }
   vk.EndCommandBuffer(calls->cmd);
}

static void begun(void *data)
{
   const struct calls *calls = data;
   for (uint32_t i = 0; i < COUNT; i++) {
      vk.BeginCommandBuffer(calls->cmd, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO});
      vk.EndCommandBuffer(calls->cmd);
   }
}

static void submits(void *data)
{
   const struct calls *calls = data;
   for (uint32_t i = 1; i <= COUNT / 10; i++)
      vk.QueueSubmit(calls->client->queue, 1,
                     &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &calls->empty[i]},
                     i == COUNT / 10 ? calls->fence : VK_NULL_HANDLE);
   client_check(vk.WaitForFences(calls->client->device, 1, &calls->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
   vk.ResetFences(calls->client->device, 1, &calls->fence);
}

static void batch(void *data)
{
   const struct calls *calls = data;
   vk.QueueSubmit(calls->client->queue, 1,
                  &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = COUNT - 1, .pCommandBuffers = calls->empty + 1}, calls->fence);
   client_check(vk.WaitForFences(calls->client->device, 1, &calls->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
   vk.ResetFences(calls->client->device, 1, &calls->fence);
}

static double measure(struct client *client, void (*body)(void *data), uint32_t count)
{
   struct calls calls;
   calls_init(&calls, client);
   const double seconds = bench_median(0.2, body, &calls);
   calls_finish(&calls);
   return count / seconds * 1e-6;
}

/* X(function, name of rows, calls of one run) */
#define ROWS(X)                                                                                                        \
   X(buffers, "calls: buffers made and bound", COUNT)                                                                  \
   X(images, "calls: images with memory and views", COUNT / 10)                                                        \
   X(memories, "calls: memory of 1 MiB, mapped", COUNT / 10)                                                           \
   X(samplers, "calls: samplers", COUNT)                                                                               \
   X(modules, "calls: shader modules", COUNT / 10)                                                                     \
   X(pipelines, "calls: pipelines of a cache", COUNT / 10)                                                             \
   X(sets, "calls: descriptor sets", COUNT)                                                                            \
   X(updates, "calls: four descriptors written", COUNT)                                                                \
   X(recorded, "calls: dispatches recorded, with state and barrier", COUNT)                                            \
   X(begun, "calls: command buffers begun and ended", COUNT)                                                           \
   X(submits, "calls: submits", COUNT / 10)                                                                            \
   X(batch, "calls: empty command buffers of a submit", COUNT - 1)

#define X(function, text, count)                                                                                       \
   static double run_##function(struct client *client)                                                                 \
   {                                                                                                                   \
      return measure(client, function, count);                                                                         \
   }
ROWS(X)
#undef X

const struct bench_row bench_call_rows[] = {
#define X(function, text, count) {text, "Mcall/s", false, run_##function},
   ROWS(X)
#undef X
   {NULL, NULL, false, NULL},
};
