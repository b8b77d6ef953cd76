/* SPDX-License-Identifier: MIT */
#include "tests/render/rays/crowd.h"

#include "tests/client/rays.h"
#include "util/hash.h"

#include <math.h>
#include <string.h>

#include "crowd_query.h"
#include "crowd_query_opaque.h"
#include "crowd_rahit.h"
#include "crowd_rchit.h"
#include "crowd_rchit_subgroup.h"
#include "crowd_rgen.h"
#include "crowd_rmiss.h"

enum { NUM_TRIANGLES = 20000, NUM_INSTANCES = 12, WIDTH = 96, HEIGHT = 64, STRIDE = 64, HANDLE = 32 };
enum record { GENERATION, MISS, HIT, NUM_RECORDS };

struct crowd {
   struct client client;
   struct client_accel bottom, top;
   struct client_buffer input, results, table;
   struct client_set set;
   VkPipelineLayout layout;
};

static float random_number(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (float)(*seed >> 8) * 0x1p-24f;
}

static void print_hash(FILE *out, const struct client_buffer *buffer, size_t size)
{
   const struct util_hash hash = util_hash_bytes(buffer->map, size);
   fprintf(out, "%016llx%016llx ", (unsigned long long)hash.hi, (unsigned long long)hash.lo);
}

/* ---- structures ---- */

static void fill_triangles(float *positions, uint32_t seed)
{
   for (uint32_t i = 0; i < NUM_TRIANGLES; i++) {
      float centre[3];
      for (uint32_t axis = 0; axis < 3; axis++)
         centre[axis] = random_number(&seed) - 0.5f;
      for (uint32_t k = 0; k < 9; k++)
         *positions++ = centre[k % 3] + (random_number(&seed) - 0.5f) * 0.1f;
   }
}

static void build(struct crowd *crowd, VkBuildAccelerationStructureFlagsKHR flags)
{
   const VkAccelerationStructureGeometryKHR geometry = client_geometry_triangles(client_address(&crowd->client, &crowd->input), NUM_TRIANGLES, 0);
   const VkAccelerationStructureBuildGeometryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
                                                             .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, .flags = flags,
                                                             .geometryCount = 1, .pGeometries = &geometry};
   crowd->bottom = client_accel_build_as(&crowd->client, &info, NUM_TRIANGLES);
}

/* Its memory holds nothing that depends on where it is. */
static void print_structure(FILE *out, const struct crowd *crowd)
{
   print_hash(out, &crowd->bottom.memory, crowd->bottom.memory.size_bytes);
}

static void update(struct crowd *crowd)
{
   struct client *client = &crowd->client;
   fill_triangles(crowd->input.map, 77);
   const VkAccelerationStructureGeometryKHR geometry = client_geometry_triangles(client_address(client, &crowd->input), NUM_TRIANGLES, 0);
   struct client_buffer scratch = client_buffer_create(client, 8 << 20, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   const VkAccelerationStructureBuildGeometryInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR, .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
      .flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR, .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR,
      .srcAccelerationStructure = crowd->bottom.handle, .dstAccelerationStructure = crowd->bottom.handle, .geometryCount = 1, .pGeometries = &geometry,
      .scratchData.deviceAddress = (client_address(client, &scratch) + 255) & ~(VkDeviceAddress)255};
   const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = NUM_TRIANGLES}, *ranges = &range;
   VkCommandBuffer cmd = client_begin(client);
   rays.CmdBuildAccelerationStructuresKHR(cmd, 1, &info, &ranges);
   client_run(client, cmd);
   client_buffer_destroy(client, &scratch);
}

static void build_top(struct crowd *crowd)
{
   VkAccelerationStructureInstanceKHR instances[NUM_INSTANCES];
   uint32_t seed = 5;
   for (uint32_t i = 0; i < NUM_INSTANCES; i++) {
      instances[i] = (VkAccelerationStructureInstanceKHR){.mask = 0xff, .accelerationStructureReference = crowd->bottom.address};
      for (uint32_t row = 0; row < 3; row++)
         for (uint32_t column = 0; column < 4; column++)
            instances[i].transform.matrix[row][column] = (random_number(&seed) - 0.5f) * (column == 3 ? 3.0f : 2.0f);
   }
   crowd->top = client_accel_instances(&crowd->client, instances, NUM_INSTANCES);
}

/* ---- rays ---- */

static void run(struct crowd *crowd, FILE *out, VkPipelineBindPoint point, VkPipeline pipeline)
{
   struct client *client = &crowd->client;
   memset(crowd->results.map, 0xee, crowd->results.size_bytes);
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, point, pipeline);
   vk.CmdBindDescriptorSets(cmd, point, crowd->layout, 0, 1, &crowd->set.set, 0, NULL);
   if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
      vk.CmdDispatch(cmd, WIDTH / 8, HEIGHT / 4, 1);
   } else {
      const VkDeviceAddress table = client_address(client, &crowd->table);
      const VkStridedDeviceAddressRegionKHR generation = {table, STRIDE, STRIDE}, miss = {table + STRIDE * MISS, STRIDE, STRIDE},
                                            hit = {table + STRIDE * HIT, STRIDE, STRIDE}, none = {0};
      rays.CmdTraceRaysKHR(cmd, &generation, &miss, &hit, &none, WIDTH, HEIGHT, 1);
   }
   client_barrier(cmd);
   client_run(client, cmd);
   uint32_t num_hits = 0;
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
      num_hits += ((const float *)crowd->results.map)[i * 4] > 0.0f;
   if (num_hits < WIDTH * HEIGHT / 4)
      client_die("rays hit too little for a test");
   print_hash(out, &crowd->results, crowd->results.size_bytes);
   vk.DestroyPipeline(client->device, pipeline, NULL);
}

struct code {
   const uint32_t *words;
   size_t bytes;
};

static VkPipeline make_query(struct crowd *crowd, struct code code)
{
   VkShaderModule module = client_shader(&crowd->client, code.words, code.bytes);
   VkPipeline pipeline = client_compute_pipeline(&crowd->client, module, crowd->layout, VK_NULL_HANDLE, NULL);
   vk.DestroyShaderModule(crowd->client.device, module, NULL);
   return pipeline;
}

static VkPipeline make_pipeline(struct crowd *crowd, struct code closest_hit)
{
   const struct {
      VkShaderStageFlagBits stage;
      struct code code;
   } shaders[] = {
      {VK_SHADER_STAGE_RAYGEN_BIT_KHR, {crowd_rgen, sizeof(crowd_rgen)}},
      {VK_SHADER_STAGE_MISS_BIT_KHR, {crowd_rmiss, sizeof(crowd_rmiss)}},
      {VK_SHADER_STAGE_ANY_HIT_BIT_KHR, {crowd_rahit, sizeof(crowd_rahit)}},
      {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, closest_hit},
   };
   enum { NUM_SHADERS = sizeof(shaders) / sizeof(shaders[0]), NONE = VK_SHADER_UNUSED_KHR };
   struct client *client = &crowd->client;
   VkPipelineShaderStageCreateInfo stages[NUM_SHADERS];
   VkRayTracingShaderGroupCreateInfoKHR groups[NUM_RECORDS];
   uint8_t handles[NUM_RECORDS][HANDLE];
   VkPipeline pipeline;
   for (uint32_t i = 0; i < NUM_SHADERS; i++)
      stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = shaders[i].stage,
                                                    .module = client_shader(client, shaders[i].code.words, shaders[i].code.bytes), .pName = "main"};
   for (uint32_t i = 0; i < NUM_RECORDS; i++)
      groups[i] = (VkRayTracingShaderGroupCreateInfoKHR){
         .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
         .type = i == HIT ? VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR : VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
         .generalShader = i == HIT ? NONE : i, .anyHitShader = i == HIT ? 2 : NONE, .closestHitShader = i == HIT ? 3 : NONE, .intersectionShader = NONE};
   const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .stageCount = NUM_SHADERS, .pStages = stages,
                                                   .groupCount = NUM_RECORDS, .pGroups = groups, .maxPipelineRayRecursionDepth = 3, .layout = crowd->layout};
   client_check(rays.CreateRayTracingPipelinesKHR(client->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateRayTracingPipelinesKHR");
   for (uint32_t i = 0; i < NUM_SHADERS; i++)
      vk.DestroyShaderModule(client->device, stages[i].module, NULL);
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(client->device, pipeline, 0, NUM_RECORDS, sizeof(handles), handles),
                "vkGetRayTracingShaderGroupHandlesKHR");
   for (uint32_t i = 0; i < NUM_RECORDS; i++)
      memcpy((char *)crowd->table.map + i * STRIDE, handles[i], HANDLE);
   return pipeline;
}

void crowd_print(FILE *out)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct crowd crowd = {0};
   struct client *client = &crowd.client;
   client_rays_init(client);
   crowd.input = client_buffer_create(client, NUM_TRIANGLES * 36,
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   fill_triangles(crowd.input.map, 3);
   build(&crowd, VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR);
   print_structure(out, &crowd);
   client_accel_destroy(client, &crowd.bottom);
   build(&crowd, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR);
   print_structure(out, &crowd);
   update(&crowd);
   print_structure(out, &crowd);
   build_top(&crowd);
   crowd.results = client_buffer_create(client, WIDTH * HEIGHT * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   crowd.table = client_buffer_create(client, NUM_RECORDS * STRIDE, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   crowd.set = client_set_create(client, 2, types);
   client_set_accel(client, &crowd.set, 0, &crowd.top);
   client_set_buffer(client, &crowd.set, 1, types[1], &crowd.results);
   crowd.layout = client_pipeline_layout(client, &crowd.set, 0);
   const struct code queries[] = {{crowd_query, sizeof(crowd_query)}, {crowd_query_opaque, sizeof(crowd_query_opaque)}};
   const struct code closest_hits[] = {{crowd_rchit, sizeof(crowd_rchit)}, {crowd_rchit_subgroup, sizeof(crowd_rchit_subgroup)}};
   for (uint32_t i = 0; i < 2; i++) {
      run(&crowd, out, VK_PIPELINE_BIND_POINT_COMPUTE, make_query(&crowd, queries[i]));
      run(&crowd, out, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, make_pipeline(&crowd, closest_hits[i]));
   }
   vk.DestroyPipelineLayout(client->device, crowd.layout, NULL);
   client_set_destroy(client, &crowd.set);
   client_buffer_destroy(client, &crowd.results);
   client_buffer_destroy(client, &crowd.table);
   client_buffer_destroy(client, &crowd.input);
   client_accel_destroy(client, &crowd.top);
   client_accel_destroy(client, &crowd.bottom);
   client_finish(client);
}
