/* SPDX-License-Identifier: MIT
 * A shader that another one calls and that never ends: the report names it and its line, not the generation shader that waits for it. */
#include "tests/client/rays.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "endless_rchit.h"
#include "endless_rgen.h"

enum { STRIDE = 64, HANDLE = 32 };

static void listen(void *data, const char *id, const char *message)
{
   if (strcmp(id, "device-lost") == 0)
      snprintf(data, 1024, "%s", message);
}

static VkPipeline make_pipeline(struct client *client, VkPipelineLayout layout)
{
   const VkRayTracingShaderGroupCreateInfoKHR groups[2] = {
      {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR, .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, .generalShader = 0,
       .closestHitShader = VK_SHADER_UNUSED_KHR, .anyHitShader = VK_SHADER_UNUSED_KHR, .intersectionShader = VK_SHADER_UNUSED_KHR},
      {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR, .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR,
       .generalShader = VK_SHADER_UNUSED_KHR, .closestHitShader = 1, .anyHitShader = VK_SHADER_UNUSED_KHR, .intersectionShader = VK_SHADER_UNUSED_KHR},
   };
   const VkPipelineShaderStageCreateInfo stages[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
       .module = client_shader(client, endless_rgen, sizeof(endless_rgen)), .pName = "wait"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR,
       .module = client_shader(client, endless_rchit, sizeof(endless_rchit)), .pName = "turn"},
   };
   const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .stageCount = 2, .pStages = stages,
                                                   .groupCount = 2, .pGroups = groups, .maxPipelineRayRecursionDepth = 1, .layout = layout};
   VkPipeline pipeline;
   client_check(rays.CreateRayTracingPipelinesKHR(client->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateRayTracingPipelinesKHR");
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyShaderModule(client->device, stages[i].module, NULL);
   return pipeline;
}

/* Begins with the value; `message` has 1024 bytes. */
static VkResult launch(uint32_t value, char *message)
{
   static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct client client;
   uint8_t handles[2][HANDLE];
   client_rays_init_with(&client, &(struct client_ray_options){.on_message = listen, .on_message_data = message});
   struct client_accel bottom = client_accel_triangles(&client, corners, 1, VK_GEOMETRY_OPAQUE_BIT_KHR);
   const VkAccelerationStructureInstanceKHR instance = {.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff,
                                                        .accelerationStructureReference = bottom.address};
   struct client_accel top = client_accel_instances(&client, &instance, 1);
   struct client_buffer words = client_buffer_create(&client, 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_set set = client_set_create(&client, 2, types);
   client_set_accel(&client, &set, 0, &top);
   client_set_buffer(&client, &set, 1, types[1], &words);
   *(uint32_t *)words.map = value;
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipeline pipeline = make_pipeline(&client, layout);
   client_name(&client, VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)pipeline, "endless rays");
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(client.device, pipeline, 0, 2, sizeof(handles), handles), "vkGetRayTracingShaderGroupHandlesKHR");
   struct client_buffer table = client_buffer_create(&client, 2 * STRIDE, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   memcpy(table.map, handles[0], HANDLE);
   memcpy((char *)table.map + STRIDE, handles[1], HANDLE);
   const VkStridedDeviceAddressRegionKHR generation = {client_address(&client, &table), STRIDE, STRIDE},
                                         hit = {client_address(&client, &table) + STRIDE, STRIDE, STRIDE}, none = {0};
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &set.set, 0, NULL);
   rays.CmdTraceRaysKHR(cmd, &generation, &none, &hit, &none, 1, 1, 1);
   client_barrier(cmd);
   client_end(cmd);
   const VkResult result = client_submit_result(&client, cmd);
   if (result == VK_SUCCESS)
      CHECK_EQ(*(uint32_t *)words.map, 1);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &words);
   client_buffer_destroy(&client, &table);
   client_accel_destroy(&client, &top);
   client_accel_destroy(&client, &bottom);
   client_finish(&client);
   return result;
}

TEST(closest_hit_shader)
{
   char message[1024] = "";
   CHECK_EQ(launch(8, message), VK_ERROR_DEVICE_LOST);
   CHECK(strstr(message, " in turn, ") != NULL);
   CHECK(strstr(message, "wait") == NULL);
   CHECK(strstr(message, "endless rays") != NULL);
   CHECK(strstr(message, "endless.glsl:23") != NULL);
   message[0] = 0;
   CHECK_EQ(launch(1, message), VK_SUCCESS);
   CHECK_EQ(message[0], 0);
}

int main(int argc, char **argv)
{
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   return test_run_all(argc, argv);
}
