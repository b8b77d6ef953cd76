/* SPDX-License-Identifier: MIT
 * Fetches from a sparse buffer's texels say which of them have memory. Spec: Sparse Resources, "Sparse Residency". */
#include "tests/icd/validate/runs.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"

enum { BLOCK_BYTES = 65536, LANES = 16 };

static const char *shader_path;

/* is_bound: the second half has memory, too. */
static void fetch(struct run_device *run, const struct spvasm *shader, const VkBufferView *view, const uint32_t *results, bool is_bound)
{
   run_write(run, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, NULL, NULL, view);
   run_compute(run, shader->words, shader->num_words * 4, NULL, 0);
   for (uint32_t i = 0; i < LANES; i++) {
      const bool has_memory = is_bound || i < LANES / 2;
      CHECK_EQ(results[2 * i], has_memory ? 7 + i / (LANES / 2) : 0);
      CHECK_EQ(results[2 * i + 1], has_memory);
   }
}

static void bind(struct run_device *run, VkBuffer buffer, VkDeviceSize offset, VkDeviceMemory memory)
{
   const VkSparseMemoryBind block = {.resourceOffset = offset, .size = BLOCK_BYTES, .memory = memory, .memoryOffset = 0};
   const VkSparseBufferMemoryBindInfo binds = {buffer, 1, &block};
   const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &binds};
   fixture_require(icd_QueueBindSparse(run->queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
   run_begin(run);
   icd_CmdFillBuffer(run->commands, buffer, offset, BLOCK_BYTES, 7 + (uint32_t)(offset / BLOCK_BYTES));
   run_submit(run);
}

TEST(texels_of_sparse_buffers)
{
   static const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
                                                           {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT,
                                    .size = 2 * BLOCK_BYTES,
                                    .usage = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   struct run_device run;
   struct spvasm shader;
   VkBuffer buffer;
   VkBufferView view;
   run_init(&run, 2, bindings, 0);
   CHECK(spvasm_load(&shader, shader_path));
   fixture_require(icd_CreateBuffer(run.f.device, &info, NULL, &buffer), "vkCreateBuffer");
   const VkDeviceMemory memory[2] = {fixture_memory(run.f.device, BLOCK_BYTES), fixture_memory(run.f.device, BLOCK_BYTES)};
   const VkBufferViewCreateInfo view_info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .buffer = buffer, .format = VK_FORMAT_R32_UINT, .range = VK_WHOLE_SIZE};
   fixture_require(icd_CreateBufferView(run.f.device, &view_info, NULL, &view), "vkCreateBufferView");
   const struct run_buffer results = run_buffer(&run, LANES * 8);
   const VkDescriptorBufferInfo whole = {results.buffer, 0, VK_WHOLE_SIZE};
   run_write(&run, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &whole, NULL);
   for (uint32_t i = 0; i < 2; i++) {
      bind(&run, buffer, i * BLOCK_BYTES, memory[i]);
      fetch(&run, &shader, &view, results.map, i);
   }
   icd_DestroyBufferView(run.f.device, view, NULL);
   icd_DestroyBuffer(run.f.device, buffer, NULL);
   for (uint32_t i = 0; i < 2; i++)
      icd_FreeMemory(run.f.device, memory[i], NULL);
   run_buffer_free(&run, &results);
   spvasm_free(&shader);
   run_finish(&run);
}

TEST_MAIN_WITH(shader_path)
