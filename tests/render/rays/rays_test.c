/* SPDX-License-Identifier: MIT
 * A scene of which every pixel is known (scene.glsl), at every width, level and number of threads, by shader groups that were captured, replayed
 * and linked; by rays that are traced, and by hit objects; and launches that no application should
 * make: records out of range, rays that end before they begin, recursion without an end. */
#include "tests/client/child.h"
#include "tests/client/rays.h"
#include "tests/icd/validate/spvasm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ray_ball_rchit.h"
#include "ray_ball_rint.h"
#include "ray_curtain_rahit.h"
#include "ray_curtain_rchit.h"
#include "ray_floor_rchit.h"
#include "ray_objects_nv.h"
#include "ray_rcall.h"
#include "ray_rgen.h"
#include "ray_rmiss.h"

enum { SIZE = 32, PIXELS = SIZE * SIZE, STRIDE = 64, HANDLE = 32 };
enum shader { GENERATION, MISS, CURTAIN_ANY, CURTAIN_CLOSEST, BALL_INTERSECTION, BALL_CLOSEST, FLOOR_CLOSEST, CALLABLE, NUM_SHADERS };
/* Records of the table in its order, each of one group: what they hold beside the handle. */
enum record { R_GENERATION, R_MISS, R_CURTAIN, R_BALL, R_FLOOR, R_CALL_0, R_CALL_1, NUM_RECORDS };

struct push {
   uint32_t endless, miss, offset;
   float tmin;
};

struct scene {
   struct client client;
   struct client_buffer table, words, condition; /* condition: none at first */
   struct client_accel accels[4]; /* curtain, ball, floor; the top level */
   struct client_set set;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   bool has_same_handles; /* as the library that it is linked of */
};

/* The generation shader: by rays, or by hit objects. */
struct code {
   const uint32_t *words;
   size_t bytes;
};

/* ---- structures ---- */

/* Two triangles over (0, 0) to (width, height). */
static struct client_accel build_quad(struct scene *scene, float width, float height, VkGeometryFlagsKHR flags)
{
   const float corners[6][3] = {{0, 0, 0}, {width, 0, 0}, {width, height, 0}, {0, 0, 0}, {width, height, 0}, {0, height, 0}};
   return client_accel_triangles(&scene->client, corners[0], 2, flags);
}

static struct client_accel build_box(struct scene *scene)
{
   struct client_buffer input = client_buffer_create(
      &scene->client, sizeof(VkAabbPositionsKHR), VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   *(VkAabbPositionsKHR *)input.map = (VkAabbPositionsKHR){18, 10, 4, 30, 22, 6};
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
      .geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                         .data.deviceAddress = client_address(&scene->client, &input), .stride = sizeof(VkAabbPositionsKHR)}};
   const struct client_accel box = client_accel_build(&scene->client, &geometry, 1);
   client_buffer_destroy(&scene->client, &input);
   return box;
}

static void build_all(struct scene *scene)
{
   static const float depths[3] = {5, 0, 50};
   VkAccelerationStructureInstanceKHR instances[3];
   scene->accels[0] = build_quad(scene, 16, 32, 0);
   scene->accels[1] = build_box(scene);
   scene->accels[2] = build_quad(scene, 32, 16, VK_GEOMETRY_OPAQUE_BIT_KHR);
   for (uint32_t i = 0; i < 3; i++)
      instances[i] = (VkAccelerationStructureInstanceKHR){
         .transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, depths[i]}}, .instanceCustomIndex = i + 6, .mask = 0xff,
         .instanceShaderBindingTableRecordOffset = i, .accelerationStructureReference = scene->accels[i].address};
   scene->accels[3] = client_accel_instances(&scene->client, instances, 3);
}

/* ---- the pipeline and its table ---- */

static VkRayTracingShaderGroupCreateInfoKHR group(VkRayTracingShaderGroupTypeKHR type, uint32_t general, uint32_t closest, uint32_t any, uint32_t intersection)
{
   return (VkRayTracingShaderGroupCreateInfoKHR){VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR, NULL, type, general, closest, any, intersection, NULL};
}

static VkPipeline create(struct scene *scene, const VkRayTracingPipelineCreateInfoKHR *info)
{
   VkPipeline pipeline;
   client_check(rays.CreateRayTracingPipelinesKHR(scene->client.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, info, NULL, &pipeline),
                "vkCreateRayTracingPipelinesKHR");
   return pipeline;
}

/* A library is captured, made again from its handles and linked: they are those of the pipeline too. */
static void link_pipeline(struct scene *scene, VkRayTracingPipelineCreateInfoKHR *info)
{
   const VkRayTracingPipelineInterfaceCreateInfoKHR interface = {VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR, NULL, 64, 16};
   VkRayTracingShaderGroupCreateInfoKHR groups[NUM_RECORDS];
   uint8_t handles[3][NUM_RECORDS][HANDLE];
   info->flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
   info->pLibraryInterface = &interface;
   VkPipeline library = create(scene, info);
   client_check(rays.GetRayTracingCaptureReplayShaderGroupHandlesKHR(scene->client.device, library, 0, NUM_RECORDS, sizeof(handles[0]), handles[0]),
                "vkGetRayTracingCaptureReplayShaderGroupHandlesKHR");
   vk.DestroyPipeline(scene->client.device, library, NULL);
   memcpy(groups, info->pGroups, sizeof(groups));
   for (uint32_t i = 0; i < NUM_RECORDS; i++)
      groups[i].pShaderGroupCaptureReplayHandle = handles[0][i];
   info->pGroups = groups;
   library = create(scene, info);
   const VkPipelineLibraryCreateInfoKHR libraries = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, NULL, 1, &library};
   info->flags = 0;
   info->stageCount = info->groupCount = 0;
   info->pLibraryInfo = &libraries;
   scene->pipeline = create(scene, info);
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(scene->client.device, library, 0, NUM_RECORDS, sizeof(handles[1]), handles[1]),
                "vkGetRayTracingShaderGroupHandlesKHR");
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(scene->client.device, scene->pipeline, 0, NUM_RECORDS, sizeof(handles[2]), handles[2]),
                "vkGetRayTracingShaderGroupHandlesKHR");
   scene->has_same_handles = !memcmp(handles[0], handles[1], sizeof(handles[0])) && !memcmp(handles[0], handles[2], sizeof(handles[0]));
   vk.DestroyPipeline(scene->client.device, library, NULL);
}

static void make_pipeline(struct scene *scene, struct code generation)
{
   const struct {
      VkShaderStageFlagBits stage;
      const uint32_t *words;
      size_t bytes;
   } shaders[NUM_SHADERS] = {
      [GENERATION] = {VK_SHADER_STAGE_RAYGEN_BIT_KHR, generation.words, generation.bytes},
      [MISS] = {VK_SHADER_STAGE_MISS_BIT_KHR, ray_rmiss, sizeof(ray_rmiss)},
      [CURTAIN_ANY] = {VK_SHADER_STAGE_ANY_HIT_BIT_KHR, ray_curtain_rahit, sizeof(ray_curtain_rahit)},
      [CURTAIN_CLOSEST] = {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, ray_curtain_rchit, sizeof(ray_curtain_rchit)},
      [BALL_INTERSECTION] = {VK_SHADER_STAGE_INTERSECTION_BIT_KHR, ray_ball_rint, sizeof(ray_ball_rint)},
      [BALL_CLOSEST] = {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, ray_ball_rchit, sizeof(ray_ball_rchit)},
      [FLOOR_CLOSEST] = {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, ray_floor_rchit, sizeof(ray_floor_rchit)},
      [CALLABLE] = {VK_SHADER_STAGE_CALLABLE_BIT_KHR, ray_rcall, sizeof(ray_rcall)},
   };
   enum { NONE = VK_SHADER_UNUSED_KHR };
   const VkRayTracingShaderGroupTypeKHR general = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
                                        triangles = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR,
                                        boxes = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
   const VkRayTracingShaderGroupCreateInfoKHR groups[NUM_RECORDS] = {
      [R_GENERATION] = group(general, GENERATION, NONE, NONE, NONE),
      [R_MISS] = group(general, MISS, NONE, NONE, NONE),
      [R_CURTAIN] = group(triangles, NONE, CURTAIN_CLOSEST, CURTAIN_ANY, NONE),
      [R_BALL] = group(boxes, NONE, BALL_CLOSEST, NONE, BALL_INTERSECTION),
      [R_FLOOR] = group(triangles, NONE, FLOOR_CLOSEST, NONE, NONE),
      [R_CALL_0] = group(general, CALLABLE, NONE, NONE, NONE),
      [R_CALL_1] = group(general, CALLABLE, NONE, NONE, NONE),
   };
   VkPipelineShaderStageCreateInfo stages[NUM_SHADERS];
   for (uint32_t i = 0; i < NUM_SHADERS; i++)
      stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = shaders[i].stage,
                                                    .module = client_shader(&scene->client, shaders[i].words, shaders[i].bytes), .pName = "main"};
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   scene->set = client_set_create(&scene->client, 2, types);
   scene->layout = client_pipeline_layout(&scene->client, &scene->set, sizeof(struct push));
   VkRayTracingPipelineCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .stageCount = NUM_SHADERS, .pStages = stages, .groupCount = NUM_RECORDS,
      .pGroups = groups, .maxPipelineRayRecursionDepth = 31, .layout = scene->layout};
   link_pipeline(scene, &info);
   for (uint32_t i = 0; i < NUM_SHADERS; i++)
      vk.DestroyShaderModule(scene->client.device, stages[i].module, NULL);
}

static void fill_table(struct scene *scene)
{
   static const uint32_t data[NUM_RECORDS] = {[R_MISS] = 7000, [R_CALL_0] = 500, [R_CALL_1] = 900};
   uint8_t handles[NUM_RECORDS][HANDLE];
   scene->table = client_buffer_create(&scene->client, NUM_RECORDS * STRIDE,
                                       VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(scene->client.device, scene->pipeline, 0, NUM_RECORDS, sizeof(handles), handles),
                "vkGetRayTracingShaderGroupHandlesKHR");
   for (uint32_t i = 0; i < NUM_RECORDS; i++) {
      memcpy((char *)scene->table.map + i * STRIDE, handles[i], HANDLE);
      memcpy((char *)scene->table.map + i * STRIDE + HANDLE, &data[i], sizeof(data[i]));
   }
}

static void set_descriptors(struct scene *scene)
{
   client_set_accel(&scene->client, &scene->set, 0, &scene->accels[3]);
   scene->words = client_buffer_create(&scene->client, PIXELS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   client_set_buffer(&scene->client, &scene->set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &scene->words);
}

static VkStridedDeviceAddressRegionKHR region(struct scene *scene, uint32_t first, uint32_t count)
{
   return (VkStridedDeviceAddressRegionKHR){client_address(&scene->client, &scene->table) + first * STRIDE, STRIDE, count * STRIDE};
}

/* A condition that is false. */
static void begin_conditional(const struct scene *scene, VkCommandBuffer cmd)
{
   const VkConditionalRenderingBeginInfoEXT info = {VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, NULL, scene->condition.buffer, 0, 0};
   rays.CmdBeginConditionalRenderingEXT(cmd, &info);
}

static const uint32_t *launch(struct scene *scene, struct push push)
{
   const VkStridedDeviceAddressRegionKHR generation = region(scene, R_GENERATION, 1), miss = region(scene, R_MISS, 1), hit = region(scene, R_CURTAIN, 3),
                                         callable = region(scene, R_CALL_0, 2);
   memset(scene->words.map, 0xee, PIXELS * 4);
   VkCommandBuffer cmd = client_begin(&scene->client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, scene->pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, scene->layout, 0, 1, &scene->set.set, 0, NULL);
   vk.CmdPushConstants(cmd, scene->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
   if (scene->condition.buffer)
      begin_conditional(scene, cmd);
   rays.CmdTraceRaysKHR(cmd, &generation, &miss, &hit, &callable, SIZE, SIZE, 1);
   if (scene->condition.buffer)
      rays.CmdEndConditionalRenderingEXT(cmd);
   client_barrier(cmd);
   client_run(&scene->client, cmd);
   return scene->words.map;
}

/* ---- what is expected: scene.glsl ---- */

static uint32_t expected_behind(uint32_t x, uint32_t y)
{
   return y < 16 ? 2 + (x % 2 ? 900 : 500) : 4 + 7000;
}

static uint32_t expected(uint32_t x, uint32_t y)
{
   const float dx = (float)x + 0.5f - 24, dy = (float)y + 0.5f - 16;
   if (x < 16 && y % 2 == 0)
      return 1 + 10 * expected_behind(x, y);
   if (dx * dx + dy * dy < 36)
      return 3 + 100 * 5 + 1000 * 7 + 10000 * 8;
   return expected_behind(x, y);
}

static bool is_scene(const uint32_t *words)
{
   for (uint32_t i = 0; i < PIXELS; i++) {
      if (words[i] == expected(i % SIZE, i / SIZE))
         continue;
      printf("pixel %u, %u is %u, not %u; ", i % SIZE, i / SIZE, words[i], expected(i % SIZE, i / SIZE));
      return false;
   }
   return true;
}

static bool is_all(const uint32_t *words, uint32_t value, const char *what)
{
   for (uint32_t i = 0; i < PIXELS; i++) {
      if (words[i] != value) {
         printf("%s: pixel %u, %u is %u, not %u; ", what, i % SIZE, i / SIZE, words[i], value);
         return false;
      }
   }
   return true;
}

static int child(bool has_objects, struct code generation)
{
   struct scene scene = {0};
   client_rays_init_with(&scene.client, &(struct client_ray_options){.has_replay = true, .has_hit_objects = has_objects, .has_conditions = true});
   build_all(&scene);
   make_pipeline(&scene, generation);
   fill_table(&scene);
   set_descriptors(&scene);
   bool is_right = scene.has_same_handles && is_scene(launch(&scene, (struct push){0}));
   is_right &= is_all(launch(&scene, (struct push){.tmin = INFINITY}), 4 + 7000, "rays that end before they begin");
   is_right &= is_all(launch(&scene, (struct push){.tmin = INFINITY, .miss = 1}), 9, "a miss record out of range");
   const uint32_t *words = launch(&scene, (struct push){.offset = 15});
   is_right &= words[0] == 9 && words[SIZE * 20 + 31] == 4 + 7000; /* hit records out of range: nothing is shaded, boxes are never hit */
   launch(&scene, (struct push){.endless = 1});
   is_right &= is_scene(launch(&scene, (struct push){0})); /* the device is still there */
   scene.condition = client_buffer_create(&scene.client, 4, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
   memset(scene.condition.map, 0, 4);
   is_right &= is_scene(launch(&scene, (struct push){0})); /* rays do not ask for conditions */
   client_buffer_destroy(&scene.client, &scene.condition);
   printf("%s\n", is_right ? "right" : "wrong");
   fflush(stdout);
   for (uint32_t i = 0; i < 4; i++)
      client_accel_destroy(&scene.client, &scene.accels[i]);
   vk.DestroyPipeline(scene.client.device, scene.pipeline, NULL);
   vk.DestroyPipelineLayout(scene.client.device, scene.layout, NULL);
   client_set_destroy(&scene.client, &scene.set);
   client_buffer_destroy(&scene.client, &scene.table);
   client_buffer_destroy(&scene.client, &scene.words);
   client_finish(&scene.client);
   return !is_right;
}

static int child_with_objects(const char *path)
{
   struct spvasm module;
   if (!spvasm_load(&module, path))
      return 1;
   const int result = child(true, (struct code){module.words, module.num_words * sizeof(uint32_t)});
   spvasm_free(&module);
   return result;
}

static bool is_right_in(const struct client_configuration *configuration, const char *const *arguments)
{
   char line[512] = "";
   struct client_child process = client_child_configured(configuration, arguments);
   const bool has_line = fgets(line, sizeof(line), process.out) != NULL;
   const bool is_right = client_child_finish(&process) && has_line;
   if (!is_right)
      printf("%s lanes, %s threads, %s: %s\n", configuration->lanes, configuration->threads, arguments[1], line);
   return is_right;
}

static const struct client_configuration configurations[] = {
   {"4", "1", "v2"}, {"8", "2", "v3"}, {"16", "3", "v3"}, {"16", "2", NULL}, {"32", "0", NULL},
};

int main(int argc, char **argv)
{
   const char *const by_rays[] = {"rays_test", "--child", NULL}, *const by_objects_nv[] = {"rays_test", "--objects-nv", NULL}, *const by_objects[] = {"rays_test", "--objects", argc > 1 ? argv[1] : NULL, NULL};
   int passed = 0, failed = 0;
   if (argc > 1 && !strcmp(argv[1], "--child"))
      return child(false, (struct code){ray_rgen, sizeof(ray_rgen)});
   if (argc > 1 && !strcmp(argv[1], "--objects-nv"))
      return child(true, (struct code){ray_objects_nv, sizeof(ray_objects_nv)});
   if (argc > 2 && !strcmp(argv[1], "--objects"))
      return child_with_objects(argv[2]);
   const bool has_objects = client_rays_offer("VK_EXT_ray_tracing_invocation_reorder");
   for (size_t i = 0; i < sizeof(configurations) / sizeof(configurations[0]); i++) {
      const bool is_right = is_right_in(&configurations[i], by_rays) && (!has_objects || (is_right_in(&configurations[i], by_objects) && is_right_in(&configurations[i], by_objects_nv)));
      passed += is_right;
      failed += !is_right;
   }
   printf("%d passed, %d failed\n", passed, failed);
   return failed != 0;
}
