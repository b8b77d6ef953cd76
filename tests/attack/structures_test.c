/* SPDX-License-Identifier: MIT
 * A shader that moves many structures is compiled with loops that copy memory, and gives the same words as one that moves them part by part. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "structures_1.h"
#include "structures_20.h"

#include <stdlib.h>
#include <string.h>

enum { STRUCTURE_BYTES = 320, INVOCATIONS = 32, BYTES = STRUCTURE_BYTES * 4 * INVOCATIONS };

static void run(struct client *client, const uint32_t *words, size_t bytes, uint8_t *result)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client_set set = client_set_create(client, 1, &type);
   struct client_buffer buffer = client_buffer_create(client, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   VkShaderModule module = client_shader(client, words, bytes);
   VkPipelineLayout layout = client_pipeline_layout(client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(client, module, layout, VK_NULL_HANDLE, NULL);
   uint8_t *data = buffer.map;
   for (uint32_t i = 0; i < BYTES; i++)
      data[i] = (uint8_t)(i * 2654435761u >> 26); /* floats are small numbers */
   client_set_buffer(client, &set, 0, type, &buffer);
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   client_run(client, cmd);
   memcpy(result, data, BYTES);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
   client_buffer_destroy(client, &buffer);
   client_set_destroy(client, &set);
}

TEST(structures)
{
   static const char *const lanes[] = {"4", "16"};
   uint8_t *results[4];
   for (uint32_t i = 0; i < 4; i++) {
      VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                     .storageBuffer8BitAccess = VK_TRUE,
                                                     .shaderInt8 = VK_TRUE};
      const VkPhysicalDeviceVulkan11Features features11 = {
         .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &features12, .storageBuffer16BitAccess = VK_TRUE};
      const VkPhysicalDeviceFeatures features = {.shaderInt64 = VK_TRUE, .shaderFloat64 = VK_TRUE, .shaderInt16 = VK_TRUE};
      struct client client;
      setenv("VK_SWRAST_LANES", lanes[i / 2], 1);
      client_init(&client, &(struct client_options){.features = &features, .next = &features11, .api_version = VK_API_VERSION_1_2});
      results[i] = malloc(BYTES);
      CHECK(results[i] != NULL);
      if (i % 2)
         run(&client, structures_20, sizeof(structures_20), results[i]);
      else
         run(&client, structures_1, sizeof(structures_1), results[i]);
      client_finish(&client);
   }
   for (uint32_t i = 1; i < 4; i++)
      CHECK(!memcmp(results[i], results[0], BYTES));
   for (uint32_t i = 0; i < 4; i++)
      free(results[i]);
}

TEST_MAIN
