/* SPDX-License-Identifier: MIT
 * Spheres and linear swept spheres through the API: what queries and closest hit shaders are given of them. Arguments: the modules of both. */
#include "tests/client/rays.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "util/macros.h"

#include <stdlib.h>
#include <string.h>

#include "spheres_rgen.h"
#include "spheres_rmiss.h"

#ifdef VK_NV_ray_tracing_linear_swept_spheres

enum { NUM_RAYS = 16, WORDS = 16, HANDLE = 32, STRIDE = 64 };

/* What a ray finds: words of spheres.comp.spvasm. */
struct hit {
   float type, is_sphere, is_swept, t, u, ends[2][3], radii[2];
};

/* Spheres around (10, 0, 0) and (0, 0, 0), in this order; a chain of two swept ones, and one alone, moved by 100 along y. */
static const struct {
   float origin[3], direction[3];
   struct hit hit;
} cases[] = {
   {{0, 0, 5}, {0, 0, -1}, {1, 1, 0, 4, 0, {{0, 0, 0}}, {1}}},
   {{10, 0, 5}, {0, 0, -1}, {1, 1, 0, 3, 0, {{10, 0, 0}}, {2}}},
   {{2, 100, 5}, {0, 0, -1}, {1, 0, 1, 4, 0.5f, {{0, 0, 0}, {4, 0, 0}}, {1, 1}}},
   {{-5, 100, 0}, {1, 0, 0}, {1, 0, 1, 4, 0, {{0, 0, 0}, {4, 0, 0}}, {1, 1}}},
   {{12, 100, 0}, {-1, 0, 0}, {1, 0, 1, 2, 1, {{4, 0, 0}, {8, 0, 0}}, {1, 2}}},
   {{30, 100, 0}, {-2, 0, 0}, {1, 0, 1, 2.5f, 1, {{20, 0, 0}, {24, 0, 0}}, {1, 1}}},
   {{22, 100, 5}, {0, 0, -1}, {1, 0, 1, 4, 0.5f, {{20, 0, 0}, {24, 0, 0}}, {1, 1}}},
   {{5, 50, 5}, {0, 0, -1}, {.t = 100}},
   {{0, 0, 0}, {0, 0, -1}, {.t = 100}}, /* from within */
};

struct scene {
   struct client client;
   struct client_accel accels[3];
   struct client_buffer words;
   struct client_set set;
   VkPipelineLayout layout;
};

static struct client_buffer input(struct client *client, const void *data, size_t size)
{
   struct client_buffer buffer = client_buffer_create(
      client, size, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   memcpy(buffer.map, data, size);
   return buffer;
}

static struct client_accel build(struct client *client, VkGeometryTypeKHR type, const void *data, uint32_t count)
{
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .pNext = data, .geometryType = type, .flags = VK_GEOMETRY_OPAQUE_BIT_KHR};
   return client_accel_build(client, &geometry, count);
}

static struct client_accel build_spheres(struct client *client)
{
   static const float vertices[2][3] = {{0, 0, 0}, {10, 0, 0}};
   static const uint16_t radii[2] = {0x3c00, 0x4000}; /* 1 and 2 */
   static const uint32_t indices[2] = {1, 0};
   struct client_buffer inputs[3] = {input(client, vertices, sizeof(vertices)), input(client, radii, sizeof(radii)), input(client, indices, sizeof(indices))};
   const VkAccelerationStructureGeometrySpheresDataNV data = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_SPHERES_DATA_NV, .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
      .vertexData.deviceAddress = client_address(client, &inputs[0]), .vertexStride = 12, .radiusFormat = VK_FORMAT_R16_SFLOAT,
      .radiusData.deviceAddress = client_address(client, &inputs[1]), .radiusStride = 2, .indexType = VK_INDEX_TYPE_UINT32,
      .indexData.deviceAddress = client_address(client, &inputs[2]), .indexStride = 4};
   const struct client_accel accel = build(client, VK_GEOMETRY_TYPE_SPHERES_NV, &data, 2);
   for (uint32_t i = 0; i < 3; i++)
      client_buffer_destroy(client, &inputs[i]);
   return accel;
}

static struct client_accel build_swept(struct client *client)
{
   static const float vertices[5][4] = {{0, 0, 0, 1}, {4, 0, 0, 1}, {8, 0, 0, 2}, {20, 0, 0, 1}, {24, 0, 0, 1}}; /* and radii */
   static const uint16_t indices[3] = {0, 1, 3};
   struct client_buffer inputs[2] = {input(client, vertices, sizeof(vertices)), input(client, indices, sizeof(indices))};
   const VkAccelerationStructureGeometryLinearSweptSpheresDataNV data = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_LINEAR_SWEPT_SPHERES_DATA_NV, .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
      .vertexData.deviceAddress = client_address(client, &inputs[0]), .vertexStride = 16, .radiusFormat = VK_FORMAT_R32_SFLOAT,
      .radiusData.deviceAddress = client_address(client, &inputs[0]) + 12, .radiusStride = 16, .indexType = VK_INDEX_TYPE_UINT16,
      .indexData.deviceAddress = client_address(client, &inputs[1]), .indexStride = 2,
      .indexingMode = VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV, .endCapsMode = VK_RAY_TRACING_LSS_PRIMITIVE_END_CAPS_MODE_CHAINED_NV};
   const struct client_accel accel = build(client, VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV, &data, 3);
   for (uint32_t i = 0; i < 2; i++)
      client_buffer_destroy(client, &inputs[i]);
   return accel;
}

static void scene_init(struct scene *scene)
{
   static const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   client_rays_init_with(&scene->client, &(struct client_ray_options){.has_spheres = true});
   scene->accels[0] = build_spheres(&scene->client);
   scene->accels[1] = build_swept(&scene->client);
   VkAccelerationStructureInstanceKHR instances[2];
   for (uint32_t i = 0; i < 2; i++)
      instances[i] = (VkAccelerationStructureInstanceKHR){.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, (float)i * 100.0f}, {0, 0, 1, 0}},
                                                          .mask = 0xff, .accelerationStructureReference = scene->accels[i].address};
   scene->accels[2] = client_accel_instances(&scene->client, instances, 2);
   scene->words = client_buffer_create(&scene->client, NUM_RAYS * (32 + WORDS * 4), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   float(*rays)[NUM_RAYS][4] = scene->words.map;
   memset(scene->words.map, 0, NUM_RAYS * (32 + WORDS * 4));
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      memcpy(rays[0][i], cases[i].origin, 12);
      memcpy(rays[1][i], cases[i].direction, 12);
      rays[1][i][3] = 100.0f;
   }
   scene->set = client_set_create(&scene->client, 2, types);
   client_set_accel(&scene->client, &scene->set, 0, &scene->accels[2]);
   client_set_buffer(&scene->client, &scene->set, 1, types[1], &scene->words);
   scene->layout = client_pipeline_layout(&scene->client, &scene->set, 0);
}

static void scene_finish(struct scene *scene)
{
   vk.DestroyPipelineLayout(scene->client.device, scene->layout, NULL);
   client_set_destroy(&scene->client, &scene->set);
   client_buffer_destroy(&scene->client, &scene->words);
   for (uint32_t i = 0; i < 3; i++)
      client_accel_destroy(&scene->client, &scene->accels[i]);
   client_finish(&scene->client);
}

static void check(const struct scene *scene)
{
   const float(*words)[WORDS] = (const float(*)[WORDS])((const char *)scene->words.map + NUM_RAYS * 32);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      float expected[13];
      memcpy(expected, &cases[i].hit, sizeof(expected));
      for (uint32_t w = 0; w < 13; w++) {
         if (words[i][w] != expected[w])
            fprintf(stderr, "ray %u, word %u: %g, not %g\n", i, w, words[i][w], expected[w]);
         CHECK(words[i][w] == expected[w]);
      }
   }
}
_Static_assert(sizeof(struct hit) == 13 * sizeof(float), "the words");

static VkShaderModule load(struct client *client, const char *path)
{
   struct spvasm module;
   if (!spvasm_load(&module, path))
      exit(1);
   const VkShaderModule result = client_shader(client, module.words, module.num_words * sizeof(uint32_t));
   spvasm_free(&module);
   return result;
}

static const char *query_path, *closest_hit_path;

TEST(queries)
{
   struct scene scene;
   scene_init(&scene);
   const VkShaderModule module = load(&scene.client, query_path);
   const VkPipeline pipeline = client_compute_pipeline(&scene.client, module, scene.layout, VK_NULL_HANDLE, NULL);
   VkCommandBuffer cmd = client_begin(&scene.client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, scene.layout, 0, 1, &scene.set.set, 0, NULL);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   client_run(&scene.client, cmd);
   check(&scene);
   vk.DestroyPipeline(scene.client.device, pipeline, NULL);
   vk.DestroyShaderModule(scene.client.device, module, NULL);
   scene_finish(&scene);
}

static VkPipeline make_pipeline(struct scene *scene)
{
   const VkPipelineCreateFlags2CreateInfoKHR flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                      .flags = VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_SPHERES_AND_LINEAR_SWEPT_SPHERES_BIT_NV};
   const VkShaderModule modules[3] = {client_shader(&scene->client, spheres_rgen, sizeof(spheres_rgen)),
                                      client_shader(&scene->client, spheres_rmiss, sizeof(spheres_rmiss)), load(&scene->client, closest_hit_path)};
   static const VkShaderStageFlagBits bits[3] = {VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_SHADER_STAGE_MISS_BIT_KHR, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR};
   VkPipelineShaderStageCreateInfo stages[3];
   VkRayTracingShaderGroupCreateInfoKHR groups[3];
   for (uint32_t i = 0; i < 3; i++) {
      stages[i] = (VkPipelineShaderStageCreateInfo){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = bits[i], .module = modules[i], .pName = "main"};
      groups[i] = (VkRayTracingShaderGroupCreateInfoKHR){
         .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
         .type = i < 2 ? VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR : VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR,
         .generalShader = i < 2 ? i : VK_SHADER_UNUSED_KHR, .closestHitShader = i < 2 ? VK_SHADER_UNUSED_KHR : 2,
         .anyHitShader = VK_SHADER_UNUSED_KHR, .intersectionShader = VK_SHADER_UNUSED_KHR};
   }
   const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .pNext = &flags, .stageCount = 3,
                                                   .pStages = stages, .groupCount = 3, .pGroups = groups, .maxPipelineRayRecursionDepth = 1,
                                                   .layout = scene->layout};
   VkPipeline pipeline;
   client_check(rays.CreateRayTracingPipelinesKHR(scene->client.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
                "vkCreateRayTracingPipelinesKHR");
   for (uint32_t i = 0; i < 3; i++)
      vk.DestroyShaderModule(scene->client.device, modules[i], NULL);
   return pipeline;
}

TEST(pipelines)
{
   struct scene scene;
   uint8_t handles[3][HANDLE];
   scene_init(&scene);
   const VkPipeline pipeline = make_pipeline(&scene);
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(scene.client.device, pipeline, 0, 3, sizeof(handles), handles), "vkGetRayTracingShaderGroupHandlesKHR");
   struct client_buffer table =
      client_buffer_create(&scene.client, 3 * STRIDE, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   VkStridedDeviceAddressRegionKHR regions[3];
   for (uint32_t i = 0; i < 3; i++) {
      memcpy((char *)table.map + i * STRIDE, handles[i], HANDLE);
      regions[i] = (VkStridedDeviceAddressRegionKHR){client_address(&scene.client, &table) + i * STRIDE, STRIDE, STRIDE};
   }
   VkCommandBuffer cmd = client_begin(&scene.client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, scene.layout, 0, 1, &scene.set.set, 0, NULL);
   rays.CmdTraceRaysKHR(cmd, &regions[0], &regions[1], &regions[2], &(VkStridedDeviceAddressRegionKHR){0}, UTIL_ARRAY_SIZE(cases), 1, 1);
   client_barrier(cmd);
   client_run(&scene.client, cmd);
   check(&scene);
   vk.DestroyPipeline(scene.client.device, pipeline, NULL);
   client_buffer_destroy(&scene.client, &table);
   scene_finish(&scene);
}

int main(int argc, char **argv)
{
   if (argc < 3)
      return 1;
   query_path = argv[1];
   closest_hit_path = argv[2];
   if (!client_rays_offer("VK_NV_ray_tracing_linear_swept_spheres"))
      return 77;
   return test_run_all(1, argv);
}

#else
int main(void)
{
   return 77;
}
#endif
