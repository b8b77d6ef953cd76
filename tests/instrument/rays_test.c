/* SPDX-License-Identifier: MIT
 * What shaders of rays leave unwritten for each other: payloads, callable data, attributes of hits. Each faulty launch is reported at its line and
 * invocation, its repaired twin not at all. */
#include "tests/client/rays.h"
#include "tests/instrument/cases.h"
#include "tests/test.h"

#include <string.h>

enum { NUM_WORDS = 64, NUM_RAYS = 4, NUM_GROUPS = 4, MAX_STAGES = CASES_MAX_SHADERS };

#include "ray_cases.h"

static struct client client;
static struct client_buffer data, box;
static struct client_accel bottoms[2], tops[2]; /* a triangle; a box */
static struct client_set set;
static VkPipelineLayout layout;

static void make_scenes(void)
{
   static const float corners[9] = {-9, -9, 0, 4, -9, 0, 4, 30, 0};
   box = client_buffer_create(&client, sizeof(VkAabbPositionsKHR),
                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   *(VkAabbPositionsKHR *)box.map = (VkAabbPositionsKHR){-1, -1, -1, 1, 1, 0.5f};
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
      .geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                         .data.deviceAddress = client_address(&client, &box), .stride = sizeof(VkAabbPositionsKHR)}};
   bottoms[0] = client_accel_triangles(&client, corners, 1, VK_GEOMETRY_OPAQUE_BIT_KHR);
   bottoms[1] = client_accel_build(&client, &geometry, 1);
   for (uint32_t i = 0; i < 2; i++) {
      const VkAccelerationStructureInstanceKHR instance = {.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff,
                                                           .accelerationStructureReference = bottoms[i].address};
      tops[i] = client_accel_instances(&client, &instance, 1);
   }
}

static void init(void)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   client_rays_init_with(&client, &(struct client_ray_options){.on_message = cases_listen});
   data = client_buffer_create(&client, NUM_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   set = client_set_create(&client, 2, types);
   client_set_buffer(&client, &set, 1, types[1], &data);
   layout = client_pipeline_layout(&client, &set, 0);
   make_scenes();
}

static void finish(void)
{
   for (uint32_t i = 0; i < 2; i++) {
      client_accel_destroy(&client, &tops[i]);
      client_accel_destroy(&client, &bottoms[i]);
   }
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &box);
   client_buffer_destroy(&client, &data);
   client_finish(&client);
}

/* ---- a case ---- */

struct launch {
   VkPipelineShaderStageCreateInfo stages[MAX_STAGES];
   uint32_t num_stages;
   VkPipeline pipeline;
   struct client_buffer table;
   VkStridedDeviceAddressRegionKHR regions[NUM_GROUPS];
};

static uint32_t number_of(const struct launch *launch, VkShaderStageFlagBits stage)
{
   for (uint32_t i = 0; i < launch->num_stages; i++) {
      if (launch->stages[i].stage == stage)
         return i;
   }
   return VK_SHADER_UNUSED_KHR;
}

/* Ray generation, misses, hits, callable shaders: a group each, with one of which the case has no shader left empty. */
static void make_pipeline(const struct instrument_case *it, uint32_t twin, struct launch *launch)
{
   static const VkShaderStageFlagBits general[NUM_GROUPS] = {VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_SHADER_STAGE_MISS_BIT_KHR, 0,
                                                             VK_SHADER_STAGE_CALLABLE_BIT_KHR};
   VkRayTracingShaderGroupCreateInfoKHR groups[NUM_GROUPS];
   uint32_t count = 0, group_of[NUM_GROUPS];
   for (uint32_t i = 0; i < MAX_STAGES && it->shaders[i].stage; i++) {
      launch->stages[launch->num_stages++] = (VkPipelineShaderStageCreateInfo){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = it->shaders[i].stage,
         .module = client_shader(&client, it->shaders[i].words[twin], it->shaders[i].size_bytes[twin]), .pName = "main"};
   }
   for (uint32_t i = 0; i < NUM_GROUPS; i++) {
      VkRayTracingShaderGroupCreateInfoKHR group = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
                                                    .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, .generalShader = VK_SHADER_UNUSED_KHR,
                                                    .closestHitShader = VK_SHADER_UNUSED_KHR, .anyHitShader = VK_SHADER_UNUSED_KHR,
                                                    .intersectionShader = VK_SHADER_UNUSED_KHR};
      if (general[i]) {
         group.generalShader = number_of(launch, general[i]);
      } else {
         group.closestHitShader = number_of(launch, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
         group.anyHitShader = number_of(launch, VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
         group.intersectionShader = number_of(launch, VK_SHADER_STAGE_INTERSECTION_BIT_KHR);
         group.type = group.intersectionShader == VK_SHADER_UNUSED_KHR ? VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR
                                                                      : VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
      }
      const bool is_there = !general[i] || group.generalShader != VK_SHADER_UNUSED_KHR;
      group_of[i] = is_there ? count : UINT32_MAX;
      if (is_there)
         groups[count++] = group;
   }
   const VkRayTracingPipelineCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .stageCount = launch->num_stages, .pStages = launch->stages, .groupCount = count,
      .pGroups = groups, .maxPipelineRayRecursionDepth = 2, .layout = layout};
   uint8_t handles[NUM_GROUPS * CLIENT_HANDLE_BYTES];
   client_check(rays.CreateRayTracingPipelinesKHR(client.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &launch->pipeline),
                "vkCreateRayTracingPipelinesKHR");
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(client.device, launch->pipeline, 0, count, (size_t)count * CLIENT_HANDLE_BYTES, handles),
                "vkGetRayTracingShaderGroupHandlesKHR");
   client_name(&client, VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)launch->pipeline, it->name);
   launch->table = client_buffer_create(&client, NUM_GROUPS * CLIENT_RECORD_BYTES,
                                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   for (uint32_t i = 0; i < NUM_GROUPS; i++) { /* a record of zeros is of no shader */
      if (group_of[i] != UINT32_MAX)
         memcpy((char *)launch->table.map + (size_t)i * CLIENT_RECORD_BYTES, handles + group_of[i] * CLIENT_HANDLE_BYTES, CLIENT_HANDLE_BYTES);
      launch->regions[i] = (VkStridedDeviceAddressRegionKHR){client_address(&client, &launch->table) + (VkDeviceSize)i * CLIENT_RECORD_BYTES,
                                                             CLIENT_RECORD_BYTES, CLIENT_RECORD_BYTES};
   }
}

static void run(const struct instrument_case *it, uint32_t twin)
{
   struct launch launch = {.num_stages = 0};
   make_pipeline(it, twin, &launch);
   const bool has_box = number_of(&launch, VK_SHADER_STAGE_INTERSECTION_BIT_KHR) != VK_SHADER_UNUSED_KHR;
   client_set_accel(&client, &set, 0, &tops[has_box]);
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdFillBuffer(cmd, data.buffer, 0, VK_WHOLE_SIZE, 0);
   client_barrier(cmd);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, launch.pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &set.set, 0, NULL);
   rays.CmdTraceRaysKHR(cmd, &launch.regions[0], &launch.regions[1], &launch.regions[2], &launch.regions[3], NUM_RAYS, 1, 1);
   client_barrier(cmd);
   client_run(&client, cmd);
   vk.DestroyPipeline(client.device, launch.pipeline, NULL);
   client_buffer_destroy(&client, &launch.table);
   for (uint32_t i = 0; i < launch.num_stages; i++)
      vk.DestroyShaderModule(client.device, launch.stages[i].module, NULL);
}

TEST(corpus)
{
   init();
   cases_check(cases, sizeof(cases) / sizeof(cases[0]), NULL, run);
   finish();
}

TEST_MAIN
