/* SPDX-License-Identifier: MIT
 * Rows about what is bound: memory to sparse buffers, descriptors to dispatches. */
#include "tests/bench/bench.h"

#include "bindings_tiny.comp.h"

#include "util/macros.h"

#include <stdlib.h>

#define device_function(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

/* ---- sparse buffers ---- */

enum { PAGE_BYTES = 64 << 10, PAGES = 1024 };

struct sparse {
   struct client *client;
   VkBuffer buffer;
   VkDeviceMemory memory;
   VkSparseMemoryBind binds[2][PAGES];
   PFN_vkQueueBindSparse bind;
   uint32_t turn;
};

/* Pages that are neighbours in the buffer are none in memory, and come to another page each time. */
static void sparse_bind(void *data)
{
   struct sparse *sparse = data;
   const VkSparseBufferMemoryBindInfo buffers = {sparse->buffer, PAGES, sparse->binds[sparse->turn++ & 1]};
   const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &buffers};
   client_check(sparse->bind(sparse->client->queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
   client_check(vk.QueueWaitIdle(sparse->client->queue), "vkQueueWaitIdle");
}

static double row_sparse(struct client *client)
{
   struct sparse *sparse = calloc(1, sizeof(*sparse));
   const VkDeviceSize bytes = (VkDeviceSize)PAGES * PAGE_BYTES;
   const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT,
                                      .size = bytes,
                                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   VkMemoryRequirements needed;
   if (!sparse)
      client_die("out of memory");
   sparse->client = client;
   sparse->bind = device_function(client, QueueBindSparse);
   client_check(vk.CreateBuffer(client->device, &buffer, NULL, &sparse->buffer), "vkCreateBuffer");
   vk.GetBufferMemoryRequirements(client->device, sparse->buffer, &needed);
   if (PAGE_BYTES % needed.alignment)
      client_die("pages of %u bytes are not to be had", PAGE_BYTES);
   const VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, bytes, (uint32_t)__builtin_ctz(needed.memoryTypeBits)};
   client_check(vk.AllocateMemory(client->device, &memory, NULL, &sparse->memory), "vkAllocateMemory");
   for (uint32_t i = 0; i < 2 * PAGES; i++)
      sparse->binds[i / PAGES][i % PAGES] = (VkSparseMemoryBind){(VkDeviceSize)(i % PAGES) * PAGE_BYTES, PAGE_BYTES, sparse->memory,
                                                                 (VkDeviceSize)(i * 37 + i / PAGES) % PAGES * PAGE_BYTES, 0};
   const double seconds = bench_median(0.5, sparse_bind, sparse);
   vk.DestroyBuffer(client->device, sparse->buffer, NULL);
   vk.FreeMemory(client->device, sparse->memory, NULL);
   free(sparse);
   return PAGES / seconds * 1e-6;
}

/* ---- descriptors ---- */

enum { DISPATCHES = 10000, SETS = 256 };

struct dispatches {
   struct client *client;
   struct client_buffer results[SETS];
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkShaderModule module;
   VkPipeline pipeline;
   VkCommandBuffer cmd;
};

static void submit(void *data)
{
   struct dispatches *d = data;
   client_submit(d->client, d->cmd);
}

static void dispatches_init(struct dispatches *d, struct client *client, bool has_buffer)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
   const VkDescriptorSetLayoutCreateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .flags = has_buffer ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0, .bindingCount = 1, .pBindings = &binding};
   *d = (struct dispatches){.client = client, .module = client_shader(client, bindings_tiny_comp, sizeof(bindings_tiny_comp))};
   for (uint32_t i = 0; i < SETS; i++)
      d->results[i] = client_buffer_create(client, 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | (has_buffer ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0));
   client_check(vk.CreateDescriptorSetLayout(client->device, &set_info, NULL, &d->set_layout), "vkCreateDescriptorSetLayout");
   const VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &d->set_layout};
   client_check(vk.CreatePipelineLayout(client->device, &layout, NULL, &d->layout), "vkCreatePipelineLayout");
   const VkComputePipelineCreateInfo pipeline = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .flags = has_buffer ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = d->module, .pName = "main"},
      .layout = d->layout};
   client_check(vk.CreateComputePipelines(client->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &d->pipeline), "vkCreateComputePipelines");
   d->cmd = client_begin(client);
   vk.CmdBindPipeline(d->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, d->pipeline);
}

/* Million dispatches a second. */
static double dispatches_measure(struct dispatches *d)
{
   struct client *client = d->client;
   client_end(d->cmd);
   const double seconds = bench_median(0.5, submit, d);
   for (uint32_t i = 0; i < SETS; i++) {
      if (!*(const uint32_t *)d->results[i].map)
         client_die("dispatches with buffer %u wrote nothing", i);
      client_buffer_destroy(client, &d->results[i]);
   }
   vk.FreeCommandBuffers(client->device, client->pool, 1, &d->cmd);
   vk.DestroyPipeline(client->device, d->pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, d->layout, NULL);
   vk.DestroyDescriptorSetLayout(client->device, d->set_layout, NULL);
   vk.DestroyShaderModule(client->device, d->module, NULL);
   return DISPATCHES / seconds * 1e-6;
}

static double row_sets(struct client *client)
{
   struct dispatches d;
   dispatches_init(&d, client, false);
   VkDescriptorPool pool;
   VkDescriptorSet sets[SETS];
   VkDescriptorSetLayout layouts[SETS];
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = SETS, .poolSizeCount = 1, .pPoolSizes = &size};
   client_check(vk.CreateDescriptorPool(client->device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
   for (uint32_t i = 0; i < SETS; i++)
      layouts[i] = d.set_layout;
   const VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, pool, SETS, layouts};
   client_check(vk.AllocateDescriptorSets(client->device, &info, sets), "vkAllocateDescriptorSets");
   for (uint32_t i = 0; i < SETS; i++) {
      const struct client_set set = {d.set_layout, pool, sets[i]};
      client_set_buffer(client, &set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &d.results[i]);
   }
   for (uint32_t i = 0; i < DISPATCHES; i++) {
      vk.CmdBindDescriptorSets(d.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, d.layout, 0, 1, &sets[i % SETS], 0, NULL);
      vk.CmdDispatch(d.cmd, 1, 1, 1);
   }
   const double result = dispatches_measure(&d);
   vk.DestroyDescriptorPool(client->device, pool, NULL);
   return result;
}

static VkDeviceAddress address_of(struct client *client, const struct client_buffer *buffer)
{
   const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer->buffer};
   return device_function(client, GetBufferDeviceAddress)(client->device, &info);
}

static double row_descriptor_buffer(struct client *client)
{
   struct dispatches d;
   dispatches_init(&d, client, true);
   VkPhysicalDeviceDescriptorBufferPropertiesEXT limits = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
   ((PFN_vkGetPhysicalDeviceProperties2)client->get(client->instance, "vkGetPhysicalDeviceProperties2"))(client->physical_device, &properties);
   VkDeviceSize bytes;
   device_function(client, GetDescriptorSetLayoutSizeEXT)(client->device, d.set_layout, &bytes);
   const VkDeviceSize alignment = limits.descriptorBufferOffsetAlignment, step = (bytes + alignment - 1) / alignment * alignment;
   struct client_buffer descriptors = client_buffer_create(client, step * SETS,
                                                           VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   for (uint32_t i = 0; i < SETS; i++) {
      const VkDescriptorAddressInfoEXT where = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT, .address = address_of(client, &d.results[i]), .range = 4};
      const VkDescriptorGetInfoEXT get = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                          .data = {.pStorageBuffer = &where}};
      VkDeviceSize offset;
      device_function(client, GetDescriptorSetLayoutBindingOffsetEXT)(client->device, d.set_layout, 0, &offset);
      device_function(client, GetDescriptorEXT)(client->device, &get, limits.storageBufferDescriptorSize, (char *)descriptors.map + step * i + offset);
   }
   const VkDescriptorBufferBindingInfoEXT binding = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                                                     .address = address_of(client, &descriptors),
                                                     .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT};
   const PFN_vkCmdSetDescriptorBufferOffsetsEXT set_offsets = device_function(client, CmdSetDescriptorBufferOffsetsEXT);
   device_function(client, CmdBindDescriptorBuffersEXT)(d.cmd, 1, &binding);
   for (uint32_t i = 0; i < DISPATCHES; i++) {
      const uint32_t index = 0;
      const VkDeviceSize offset = step * (i % SETS);
      set_offsets(d.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, d.layout, 0, 1, &index, &offset);
      vk.CmdDispatch(d.cmd, 1, 1, 1);
   }
   const double result = dispatches_measure(&d);
   client_buffer_destroy(client, &descriptors);
   return result;
}

const struct bench_row bench_binding_rows[] = {
   {"sparse buffer, pages of 64 KiB", "Mpage/s", false, row_sparse, BENCH_NEEDS_SPARSE},
   {"10,000 dispatches, sets change", "Mdisp/s", false, row_sets, BENCH_NEEDS_NOTHING},
   {"10,000 dispatches, descriptor buffer offsets change", "Mdisp/s", false, row_descriptor_buffer, BENCH_NEEDS_DESCRIPTOR_BUFFERS},
   {0},
};
