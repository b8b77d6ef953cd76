/* SPDX-License-Identifier: MIT
 * Ray queries as values (copies.comp.spvasm): a copy goes on where the query was, and neither disturbs the other. Argument: the module. */
#include "tests/client/rays.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

enum { NUM_RAYS = 32, NUM_BOXES = 32 };

/* Box b, from z = 2 b + 1 on, is in the path of rays b and further. */
static struct client_accel boxes(struct client *client)
{
   struct client_buffer input =
      client_buffer_create(client, NUM_BOXES * sizeof(VkAabbPositionsKHR),
                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   for (uint32_t b = 0; b < NUM_BOXES; b++) {
      const float at = (float)b;
      ((VkAabbPositionsKHR *)input.map)[b] = (VkAabbPositionsKHR){at, -1, 2 * at + 1, NUM_RAYS, 1, 2 * at + 2};
   }
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
      .geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                         .data.deviceAddress = client_address(client, &input), .stride = sizeof(VkAabbPositionsKHR)}};
   const struct client_accel result = client_accel_build(client, &geometry, NUM_BOXES);
   client_buffer_destroy(client, &input);
   return result;
}

static const char *path;

TEST(copies_go_on)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct client client;
   struct spvasm words;
   client_rays_init(&client);
   struct client_accel accels[2] = {boxes(&client)};
   const VkAccelerationStructureInstanceKHR instance = {.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
                                                        .mask = 0xff, .accelerationStructureReference = accels[0].address};
   accels[1] = client_accel_instances(&client, &instance, 1);
   struct client_buffer buffer = client_buffer_create(&client, NUM_RAYS * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   memset(buffer.map, 0xff, NUM_RAYS * 16);
   struct client_set set = client_set_create(&client, 2, types);
   client_set_accel(&client, &set, 0, &accels[1]);
   client_set_buffer(&client, &set, 1, types[1], &buffer);
   const VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   if (!spvasm_load(&words, path))
      exit(1);
   const VkShaderModule module = client_shader(&client, words.words, words.num_words * sizeof(uint32_t));
   spvasm_free(&words);
   const VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   client_dispatch(&client, pipeline, layout, &set, 1);

   const uint32_t(*results)[4] = buffer.map;
   for (uint32_t i = 0; i < NUM_RAYS; i++) {
      CHECK_EQ(results[i][2], i + 1 - i / 2);
      CHECK_EQ(results[i][0], i % 3 ? results[i][2] : 0);
      CHECK_EQ(results[i][1], i % 3 ? results[i][3] : 0);
   }
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &buffer);
   for (uint32_t i = 0; i < 2; i++)
      client_accel_destroy(&client, &accels[i]);
   client_finish(&client);
}

TEST_MAIN_WITH(path)
