/* SPDX-License-Identifier: MIT
 * Rows of rays through the API: structures, queries in a compute shader, pipelines whose four hit groups are of different shaders. The scene is four
 * instances of a sphere with bumps of 131,072 triangles. */
#include "tests/bench/start.h"
#include "tests/client/rays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rays_query.h"
#include "rays_rchit.h"
#include "rays_rgen.h"
#include "rays_rmiss.h"

enum { GRID = 256, NUM_TRIANGLES = GRID * GRID * 2, WIDTH = 512, HEIGHT = 256, NUM_RAYS = WIDTH * HEIGHT, NUM_MESHES = 4, STRIDE = 64, HANDLE = 32 };

/* ---- the mesh ---- */

static void fill_mesh(float *positions)
{
   static float grid[GRID + 1][GRID + 1][3];
   for (uint32_t i = 0; i <= GRID; i++) {
      for (uint32_t j = 0; j <= GRID; j++) {
         const double a = M_PI * i / GRID, b = 2.0 * M_PI * (j % GRID) / GRID, r = 1.0 + 0.05 * sin(a * 20.0) * cos(b * 16.0);
         grid[i][j][0] = (float)(r * sin(a) * cos(b));
         grid[i][j][1] = (float)(r * sin(a) * sin(b));
         grid[i][j][2] = (float)(r * cos(a));
      }
   }
   for (uint32_t i = 0; i < GRID; i++) {
      for (uint32_t j = 0; j < GRID; j++, positions += 18) {
         const float *corners[6] = {grid[i][j], grid[i + 1][j], grid[i][j + 1], grid[i + 1][j + 1], grid[i][j + 1], grid[i + 1][j]};
         for (uint32_t k = 0; k < 6; k++)
            memcpy(positions + k * 3, corners[k], 3 * sizeof(float));
      }
   }
}

/* ---- structures ---- */

/* A bottom level with all that its builds need. */
struct mesh {
   struct client client;
   struct client_buffer input, scratch;
   struct client_accel accel;
   VkAccelerationStructureGeometryKHR geometry;
   VkAccelerationStructureBuildGeometryInfoKHR info;
   VkCommandBuffer cmd;
};

static void mesh_init(struct mesh *mesh, VkBuildAccelerationStructureFlagsKHR flags, VkBuildAccelerationStructureModeKHR mode)
{
   static const uint32_t count = NUM_TRIANGLES;
   static const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = NUM_TRIANGLES}, *ranges = &range;
   VkAccelerationStructureBuildSizesInfoKHR sizes = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
   struct client *client = &mesh->client;
   client_rays_init(client);
   mesh->input = client_buffer_create(client, NUM_TRIANGLES * 36,
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   fill_mesh(mesh->input.map);
   mesh->geometry = client_geometry_triangles(client_address(client, &mesh->input), NUM_TRIANGLES, VK_GEOMETRY_OPAQUE_BIT_KHR);
   mesh->info = (VkAccelerationStructureBuildGeometryInfoKHR){.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
                                                              .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, .flags = flags,
                                                              .geometryCount = 1, .pGeometries = &mesh->geometry};
   mesh->accel = client_accel_build_as(client, &mesh->info, NUM_TRIANGLES);
   rays.GetAccelerationStructureBuildSizesKHR(client->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &mesh->info, &count, &sizes);
   mesh->scratch = client_buffer_create(client, sizes.buildScratchSize + 256, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   mesh->info.mode = mode;
   mesh->info.srcAccelerationStructure = mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR ? mesh->accel.handle : VK_NULL_HANDLE;
   mesh->info.dstAccelerationStructure = mesh->accel.handle;
   mesh->info.scratchData.deviceAddress = (client_address(client, &mesh->scratch) + 255) & ~(VkDeviceAddress)255;
   mesh->cmd = client_begin(client);
   rays.CmdBuildAccelerationStructuresKHR(mesh->cmd, 1, &mesh->info, &ranges);
   client_end(mesh->cmd);
}

static void mesh_finish(struct mesh *mesh)
{
   client_accel_destroy(&mesh->client, &mesh->accel);
   client_buffer_destroy(&mesh->client, &mesh->input);
   client_buffer_destroy(&mesh->client, &mesh->scratch);
   client_finish(&mesh->client);
}

static void mesh_submit(void *data)
{
   struct mesh *mesh = data;
   client_submit(&mesh->client, mesh->cmd);
}

static double mesh_rate(VkBuildAccelerationStructureFlagsKHR flags, VkBuildAccelerationStructureModeKHR mode)
{
   struct mesh mesh = {0};
   mesh_init(&mesh, flags, mode);
   const double seconds = bench_median(1.0, mesh_submit, &mesh);
   mesh_finish(&mesh);
   return NUM_TRIANGLES / seconds * 1e-6;
}

static double build(void)
{
   return mesh_rate(VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR, VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR);
}

static double build_fast(void)
{
   return mesh_rate(VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR, VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR);
}

static double update(void)
{
   return mesh_rate(VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR, VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR);
}

static double compacted_bytes(void)
{
   struct mesh mesh = {0};
   VkQueryPool pool;
   uint64_t size = 0;
   mesh_init(&mesh, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR, VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR);
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR, .queryCount = 1};
   client_check(vk.CreateQueryPool(mesh.client.device, &info, NULL, &pool), "vkCreateQueryPool");
   VkCommandBuffer cmd = client_begin(&mesh.client);
   vk.CmdResetQueryPool(cmd, pool, 0, 1);
   client_barrier(cmd);
   rays.CmdWriteAccelerationStructuresPropertiesKHR(cmd, 1, &mesh.accel.handle, info.queryType, pool, 0);
   client_run(&mesh.client, cmd);
   client_check(vk.GetQueryPoolResults(mesh.client.device, pool, 0, 1, sizeof(size), &size, sizeof(size), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
   vk.DestroyQueryPool(mesh.client.device, pool, NULL);
   mesh_finish(&mesh);
   return (double)size / NUM_TRIANGLES;
}

/* ---- rays ---- */

struct scene {
   struct client client;
   struct client_accel mesh, top;
   struct client_buffer results, table;
   struct client_set set;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkCommandBuffer cmd;
};

static void scene_init(struct scene *scene)
{
   static float positions[NUM_TRIANGLES * 9];
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkAccelerationStructureInstanceKHR instances[NUM_MESHES];
   struct client *client = &scene->client;
   client_rays_init(client);
   fill_mesh(positions);
   scene->mesh = client_accel_triangles(client, positions, NUM_TRIANGLES, VK_GEOMETRY_OPAQUE_BIT_KHR);
   for (uint32_t i = 0; i < NUM_MESHES; i++)
      instances[i] = (VkAccelerationStructureInstanceKHR){
         .transform.matrix = {{1, 0, 0, (float)(i % 2) * 2.2f - 1.1f}, {0, 1, 0, (float)(i / 2) * 2.2f - 1.1f}, {0, 0, 1, 0}}, .mask = 0xff,
         .instanceShaderBindingTableRecordOffset = i, .accelerationStructureReference = scene->mesh.address};
   scene->top = client_accel_instances(client, instances, NUM_MESHES);
   scene->results = client_buffer_create(client, NUM_RAYS * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   scene->set = client_set_create(client, 2, types);
   client_set_accel(client, &scene->set, 0, &scene->top);
   client_set_buffer(client, &scene->set, 1, types[1], &scene->results);
   scene->layout = client_pipeline_layout(client, &scene->set, sizeof(uint32_t));
}

static void scene_finish(struct scene *scene)
{
   vk.DestroyPipeline(scene->client.device, scene->pipeline, NULL);
   vk.DestroyPipelineLayout(scene->client.device, scene->layout, NULL);
   client_set_destroy(&scene->client, &scene->set);
   client_buffer_destroy(&scene->client, &scene->results);
   client_accel_destroy(&scene->client, &scene->top);
   client_accel_destroy(&scene->client, &scene->mesh);
   client_finish(&scene->client);
}

static void scene_bind(struct scene *scene, VkPipelineBindPoint point, uint32_t is_random)
{
   scene->cmd = client_begin(&scene->client);
   vk.CmdBindPipeline(scene->cmd, point, scene->pipeline);
   vk.CmdBindDescriptorSets(scene->cmd, point, scene->layout, 0, 1, &scene->set.set, 0, NULL);
   vk.CmdPushConstants(scene->cmd, scene->layout, VK_SHADER_STAGE_ALL, 0, sizeof(is_random), &is_random);
}

static void scene_submit(void *data)
{
   struct scene *scene = data;
   client_submit(&scene->client, scene->cmd);
}

/* Millions a second; a picture without hits is no measurement. */
static double scene_rate(struct scene *scene)
{
   client_end(scene->cmd);
   const double seconds = bench_median(1.0, scene_submit, scene);
   uint32_t num_hits = 0;
   for (uint32_t i = 0; i < NUM_RAYS; i++)
      num_hits += ((const float *)scene->results.map)[i] >= 0.0f;
   return num_hits < NUM_RAYS / 8 || num_hits == NUM_RAYS ? -1 : NUM_RAYS / seconds * 1e-6;
}

static double query_rate(uint32_t is_random)
{
   struct scene scene = {0};
   scene_init(&scene);
   VkShaderModule module = client_shader(&scene.client, rays_query, sizeof(rays_query));
   scene.pipeline = client_compute_pipeline(&scene.client, module, scene.layout, VK_NULL_HANDLE, NULL);
   vk.DestroyShaderModule(scene.client.device, module, NULL);
   scene_bind(&scene, VK_PIPELINE_BIND_POINT_COMPUTE, is_random);
   vk.CmdDispatch(scene.cmd, WIDTH / 8, HEIGHT / 8, 1);
   const double rate = scene_rate(&scene);
   scene_finish(&scene);
   return rate;
}

/* A generation shader, a miss shader, and a closest hit shader of each mesh. */
enum { GENERATION, MISS, FIRST_HIT, NUM_STAGES = FIRST_HIT + NUM_MESHES };

static void make_pipeline(struct scene *scene)
{
   static const VkSpecializationMapEntry entry = {0, 0, 4};
   uint32_t scales[NUM_MESHES];
   VkSpecializationInfo constants[NUM_MESHES];
   VkPipelineShaderStageCreateInfo stages[NUM_STAGES];
   VkRayTracingShaderGroupCreateInfoKHR groups[NUM_STAGES];
   VkShaderModule modules[3] = {client_shader(&scene->client, rays_rgen, sizeof(rays_rgen)), client_shader(&scene->client, rays_rmiss, sizeof(rays_rmiss)),
                                client_shader(&scene->client, rays_rchit, sizeof(rays_rchit))};
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      const bool is_hit = i >= FIRST_HIT;
      stages[i] = (VkPipelineShaderStageCreateInfo){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .module = modules[is_hit ? FIRST_HIT : i], .pName = "main",
         .stage = is_hit ? VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR : i == MISS ? VK_SHADER_STAGE_MISS_BIT_KHR : VK_SHADER_STAGE_RAYGEN_BIT_KHR};
      groups[i] = (VkRayTracingShaderGroupCreateInfoKHR){
         .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
         .type = is_hit ? VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR : VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
         .generalShader = is_hit ? VK_SHADER_UNUSED_KHR : i, .closestHitShader = is_hit ? i : VK_SHADER_UNUSED_KHR,
         .anyHitShader = VK_SHADER_UNUSED_KHR, .intersectionShader = VK_SHADER_UNUSED_KHR};
      if (is_hit) {
         scales[i - FIRST_HIT] = i;
         constants[i - FIRST_HIT] = (VkSpecializationInfo){1, &entry, 4, &scales[i - FIRST_HIT]};
         stages[i].pSpecializationInfo = &constants[i - FIRST_HIT];
      }
   }
   const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .stageCount = NUM_STAGES, .pStages = stages,
                                                   .groupCount = NUM_STAGES, .pGroups = groups, .maxPipelineRayRecursionDepth = 1, .layout = scene->layout};
   client_check(rays.CreateRayTracingPipelinesKHR(scene->client.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &scene->pipeline),
                "vkCreateRayTracingPipelinesKHR");
   for (uint32_t i = 0; i < 3; i++)
      vk.DestroyShaderModule(scene->client.device, modules[i], NULL);
}

static double pipeline_rate(uint32_t is_random)
{
   struct scene scene = {0};
   uint8_t handles[NUM_STAGES][HANDLE];
   scene_init(&scene);
   make_pipeline(&scene);
   scene.table = client_buffer_create(&scene.client, NUM_STAGES * STRIDE, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(scene.client.device, scene.pipeline, 0, NUM_STAGES, sizeof(handles), handles),
                "vkGetRayTracingShaderGroupHandlesKHR");
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      memcpy((char *)scene.table.map + i * STRIDE, handles[i], HANDLE);
   const VkDeviceAddress table = client_address(&scene.client, &scene.table);
   const VkStridedDeviceAddressRegionKHR generation = {table, STRIDE, STRIDE}, miss = {table + STRIDE * MISS, STRIDE, STRIDE},
                                         hit = {table + STRIDE * FIRST_HIT, STRIDE, STRIDE * NUM_MESHES}, none = {0};
   scene_bind(&scene, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, is_random);
   rays.CmdTraceRaysKHR(scene.cmd, &generation, &miss, &hit, &none, WIDTH, HEIGHT, 1);
   const double rate = scene_rate(&scene);
   client_buffer_destroy(&scene.client, &scene.table);
   scene_finish(&scene);
   return rate;
}

static double query_camera(void)
{
   return query_rate(0);
}

static double query_random(void)
{
   return query_rate(1);
}

static double pipeline_camera(void)
{
   return pipeline_rate(0);
}

static double pipeline_random(void)
{
   return pipeline_rate(1);
}

const struct bench_start_row bench_ray_rows[] = {
   {"rays: build", "Mtri/s", false, build, true},
   {"rays: quick build", "Mtri/s", false, build_fast, true},
   {"rays: update", "Mtri/s", false, update, true},
   {"rays: compacted structure", "B/tri", false, compacted_bytes},
   {"rays: camera, queries", "Mray/s", false, query_camera, true},
   {"rays: random, queries", "Mray/s", false, query_random, true},
   {"rays: camera, pipeline", "Mray/s", false, pipeline_camera, true},
   {"rays: random, pipeline", "Mray/s", false, pipeline_random, true},
   {NULL, NULL, false, NULL, false},
};
