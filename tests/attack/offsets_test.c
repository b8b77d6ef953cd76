/* SPDX-License-Identifier: MIT
 * SECURITY.md, "valid input": an index whose offset in bytes has more than 32 bits reaches nothing of the workgroup's memory, and of a buffer nothing with
 * robustBufferAccess2; without it, what its low 32 bits say, if that is in what is bound. Memory before and behind is as it was. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "offsets_16.h"

#include <stdlib.h>

enum { WORDS = 256 }; /* of what is bound, and as many before and behind it */

static uint32_t table(uint32_t i)
{
   return i * 2654435761u | 1;
}

/* What an index may read: a word of `memory`, or nothing. */
static bool may_be(uint32_t sum, const uint32_t *memory, uint32_t index, uint32_t other)
{
   const uint32_t a = (index & 0x3fffffff) < WORDS ? memory[(index & 0x3fffffff)] : 0, b = (other & 0x3fffffff) < WORDS ? memory[(other & 0x3fffffff)] : 0;
   return sum == 0 || sum == a || sum == b || sum == a + b;
}

/* With robustBufferAccess2. */
static uint32_t word_at(const uint32_t *memory, uint32_t index)
{
   return index < WORDS ? memory[index] : 0;
}

static void run(struct client *client, bool is_exact, VkPipeline pipeline, VkPipelineLayout layout, const struct client_set *set, uint32_t *words, uint32_t index)
{
   uint32_t before[3 * WORDS];
   for (uint32_t i = 0; i < 3 * WORDS; i++)
      before[i] = words[i] = i >= WORDS && i < WORDS + 16 ? index : table(i);
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set->set, 0, NULL);
   vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, 4, &index);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   client_run(client, cmd);
   for (uint32_t i = 0; i < WORDS; i++) {
      CHECK_EQ(words[i], before[i]);
      CHECK_EQ(words[i + 2 * WORDS], before[i + 2 * WORDS]);
   }
   const uint32_t *bound = words + WORDS, *was = before + WORDS;
   for (uint32_t lane = 0; lane < 16; lane++) {
      CHECK(may_be(bound[lane + 16], was, index, index + lane));
      if (is_exact) {
         CHECK_EQ(bound[lane + 16], word_at(was, index) + word_at(was, index + lane));
         CHECK_EQ(bound[lane + 48], 0);
      }
      if (index + lane >= 64 && index + 15 >= 64)
         CHECK_EQ(bound[lane + 32], 1000 + lane);
   }
   for (uint32_t i = 64; i < WORDS; i++)
      CHECK(bound[i] == was[i] || bound[i] == 77 || bound[i] == 78);
   for (uint32_t i = 64; is_exact && index < UINT32_MAX && i < WORDS; i++)
      CHECK_EQ(bound[i], was[i]);
}

static void run_all(const struct client_options *options, const char *lanes)
{
   static const uint32_t indices[] = {0x3fffff00, 0x3fffffff, 0x40000000, 0x40000040, 0x7fffffff, 0x80000000, 0x80000050, 0xc0000000, 0xffffff00, 0xffffffff};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   setenv("VK_SWRAST_LANES", lanes, 1);
   client_init(&client, options);
   struct client_set set = client_set_create(&client, 1, &type);
   struct client_buffer buffer = client_buffer_create(&client, 3 * WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   VkShaderModule module = client_shader(&client, offsets_16, sizeof(offsets_16));
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 4);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   const VkDescriptorBufferInfo info = {buffer.buffer, WORDS * 4, WORDS * 4};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set.set, .descriptorCount = 1, .descriptorType = type,
                                       .pBufferInfo = &info};
   vk.UpdateDescriptorSets(client.device, 1, &write, 0, NULL);
   for (uint32_t i = 0; i < sizeof(indices) / sizeof(indices[0]); i++)
      run(&client, options->next != NULL, pipeline, layout, &set, buffer.map, indices[i]);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_buffer_destroy(&client, &buffer);
   client_set_destroy(&client, &set);
   client_finish(&client);
}

TEST(offsets)
{
   static const char *const lanes[] = {"4", "8", "16"};
   VkPhysicalDeviceRobustness2FeaturesEXT robust = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, .robustBufferAccess2 = VK_TRUE};
   const VkPhysicalDeviceFeatures features = {.robustBufferAccess = VK_TRUE};
   for (uint32_t l = 0; l < 3; l++) {
      run_all(&(struct client_options){0}, lanes[l]);
      run_all(&(struct client_options){.features = &features, .next = &robust, .device_extension = "VK_EXT_robustness2"}, lanes[l]);
   }
}

TEST_MAIN
