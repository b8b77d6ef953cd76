/* SPDX-License-Identifier: MIT
 * SECURITY.md, "time", for tessellation, mesh shaders, rays, generated commands and builds: commands of which each part ends soon, but that have too many, and
 * a long build that a lost device has to leave. The device is lost and all threads are back within the time-out and a second, in processor time. */
#include "tests/attack/hangs.h"
#include "tests/client/rays.h"
#include "tests/test.h"

#include "hangs_comp_1.h"
#include "hangs_comp_2.h"
#include "hangs_frag.h"
#include "hangs_mesh.h"
#include "hangs_rgen.h"
#include "hangs_task.h"
#include "hangs_tesc.h"
#include "hangs_tese.h"
#include "hangs_vert.h"

#include <string.h>

enum { SIZE = 16 };

static PFN_vkVoidFunction get(struct client *client, const char *name)
{
   PFN_vkVoidFunction function = vk.GetDeviceProcAddr(client->device, name);
   if (!function)
      client_die("no %s", name);
   return function;
}

/* ---- render passes ---- */

struct scene {
   struct client client;
   struct hangs_heard heard;
   struct client_image image;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   struct client_graphics info;
   VkPipeline pipeline;
};

static void init_scene(struct scene *s, bool has_mesh, bool has_task)
{
   const VkPhysicalDeviceFeatures features = {.tessellationShader = VK_TRUE, .multiDrawIndirect = VK_TRUE};
   const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   *s = (struct scene){0};
   struct client *client = &s->client;
   client_init(client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &s->heard, .features = &features,
                                                .next = has_mesh ? &mesh : NULL,
                                                .device_extension = has_mesh ? VK_EXT_MESH_SHADER_EXTENSION_NAME : NULL,
                                                .api_version = VK_API_VERSION_1_3});
   s->image = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   s->pass = client_render_pass(client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   s->framebuffer = client_framebuffer(client, s->pass, 1, &s->image.view, SIZE, SIZE);
   s->info = (struct client_graphics){
      .fragment = client_shader(client, hangs_frag, sizeof(hangs_frag)),
      .layout = client_pipeline_layout(client, NULL, 0),
      .pass = s->pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = has_mesh ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST : VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
      .patch_vertices = 3,
   };
   if (has_mesh) {
      s->info.mesh = client_shader(client, hangs_mesh, sizeof(hangs_mesh));
      s->info.task = has_task ? client_shader(client, hangs_task, sizeof(hangs_task)) : VK_NULL_HANDLE;
   } else {
      s->info.vertex = client_shader(client, hangs_vert, sizeof(hangs_vert));
      s->info.control = client_shader(client, hangs_tesc, sizeof(hangs_tesc));
      s->info.evaluation = client_shader(client, hangs_tese, sizeof(hangs_tese));
   }
   s->pipeline = client_graphics_pipeline(client, &s->info, VK_NULL_HANDLE);
}

static VkCommandBuffer begin(struct scene *s)
{
   static const VkClearValue clear;
   VkCommandBuffer cmd = client_begin(&s->client);
   client_begin_pass(cmd, s->pass, s->framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
   return cmd;
}

/* Until the device is lost; `buffer`: what the commands read, or NULL. */
static void lose_and_finish(struct scene *s, VkCommandBuffer cmd, struct client_buffer *buffer)
{
   vk.CmdEndRenderPass(cmd);
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&s->client, cmd), &s->heard, begin_s);
   const struct client_graphics *info = &s->info;
   const VkShaderModule modules[] = {info->vertex, info->control, info->evaluation, info->task, info->mesh, info->fragment};
   for (uint32_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
      vk.DestroyShaderModule(s->client.device, modules[i], NULL);
   vk.DestroyPipeline(s->client.device, s->pipeline, NULL);
   vk.DestroyPipelineLayout(s->client.device, info->layout, NULL);
   vk.DestroyFramebuffer(s->client.device, s->framebuffer, NULL);
   vk.DestroyRenderPass(s->client.device, s->pass, NULL);
   client_image_destroy(&s->client, &s->image);
   if (buffer)
      client_buffer_destroy(&s->client, buffer);
   client_finish(&s->client);
}

/* Patches of level 64 without end. */
TEST(tessellation)
{
   struct scene s;
   init_scene(&s, false, false);
   VkCommandBuffer cmd = begin(&s);
   vk.CmdDraw(cmd, 3000, UINT32_MAX, 0, 0);
   lose_and_finish(&s, cmd, NULL);
}

/* The largest count of tasks, of which each asks for the largest count of workgroups. */
TEST(tasks)
{
   struct scene s;
   init_scene(&s, true, true);
   VkCommandBuffer cmd = begin(&s);
   ((PFN_vkCmdDrawMeshTasksEXT)get(&s.client, "vkCmdDrawMeshTasksEXT"))(cmd, 65535, 64, 1);
   lose_and_finish(&s, cmd, NULL);
}

/* Each draw ends, after some seconds. */
TEST(indirect_meshes)
{
   enum { COUNT = 10000 };
   struct scene s;
   init_scene(&s, true, false);
   struct client_buffer buffer =
      client_buffer_create(&s.client, sizeof(VkDrawMeshTasksIndirectCommandEXT) * COUNT, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   for (uint32_t i = 0; i < COUNT; i++)
      ((VkDrawMeshTasksIndirectCommandEXT *)buffer.map)[i] = (VkDrawMeshTasksIndirectCommandEXT){65535, 64, 1};
   VkCommandBuffer cmd = begin(&s);
   ((PFN_vkCmdDrawMeshTasksIndirectEXT)get(&s.client, "vkCmdDrawMeshTasksIndirectEXT"))(cmd, buffer.buffer, 0, COUNT,
                                                                                      sizeof(VkDrawMeshTasksIndirectCommandEXT));
   lose_and_finish(&s, cmd, &buffer);
}

/* ---- rays ---- */

static VkPipeline make_ray_pipeline(struct client *client, VkPipelineLayout layout)
{
   const VkRayTracingShaderGroupCreateInfoKHR group = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR, .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
      .closestHitShader = VK_SHADER_UNUSED_KHR, .anyHitShader = VK_SHADER_UNUSED_KHR, .intersectionShader = VK_SHADER_UNUSED_KHR};
   const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                  .module = client_shader(client, hangs_rgen, sizeof(hangs_rgen)), .pName = "main"};
   const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .stageCount = 1, .pStages = &stage,
                                                   .groupCount = 1, .pGroups = &group, .maxPipelineRayRecursionDepth = 1, .layout = layout};
   VkPipeline pipeline;
   client_check(rays.CreateRayTracingPipelinesKHR(client->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateRayTracingPipelinesKHR");
   vk.DestroyShaderModule(client->device, stage.module, NULL);
   return pipeline;
}

/* As many rays as one command may launch, each in a counted loop. */
TEST(rays)
{
   enum { WIDTH = 1 << 15 };
   static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
   struct client client;
   struct hangs_heard heard = {0};
   uint8_t handle[32];
   client_rays_init_with(&client, &(struct client_ray_options){.on_message = hangs_listen, .on_message_data = &heard});
   struct client_accel bottom = client_accel_triangles(&client, corners, 1, VK_GEOMETRY_OPAQUE_BIT_KHR);
   const VkAccelerationStructureInstanceKHR instance = {.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff,
                                                        .accelerationStructureReference = bottom.address};
   struct client_accel top = client_accel_instances(&client, &instance, 1);
   struct client_set set = client_set_create(&client, 1, &type);
   client_set_accel(&client, &set, 0, &top);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipeline pipeline = make_ray_pipeline(&client, layout);
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(client.device, pipeline, 0, 1, sizeof(handle), handle), "vkGetRayTracingShaderGroupHandlesKHR");
   struct client_buffer table = client_buffer_create(&client, 64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   memcpy(table.map, handle, sizeof(handle));
   const VkStridedDeviceAddressRegionKHR generation = {client_address(&client, &table), 64, 64}, none = {0};
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &set.set, 0, NULL);
   rays.CmdTraceRaysKHR(cmd, &generation, &none, &none, &none, WIDTH, WIDTH, 1);
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&client, cmd), &heard, begin_s);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &table);
   client_accel_destroy(&client, &top);
   client_accel_destroy(&client, &bottom);
   client_finish(&client);
}

/* ---- builds ---- */

/* A bottom level of so many triangles, in disorder. */
struct build {
   struct client_buffer corners, memory, scratch;
   VkAccelerationStructureKHR handle;
   VkAccelerationStructureGeometryKHR geometry;
   VkAccelerationStructureBuildGeometryInfoKHR info;
};

static void init_build(struct build *b, struct client *client, uint32_t count)
{
   const VkBufferUsageFlags address = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
   VkAccelerationStructureBuildSizesInfoKHR sizes = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
   b->corners = client_buffer_create(client, ((size_t)count * 3 + 2) * sizeof(float), address | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   for (uint32_t i = 0; i < count * 3 + 2; i++)
      ((float *)b->corners.map)[i] = (float)(i * 2654435761u >> 8);
   b->geometry = client_geometry_triangles(client_address(client, &b->corners), count, 0);
   b->geometry.geometry.triangles.vertexStride = sizeof(float); /* corners share coordinates */
   b->info = (VkAccelerationStructureBuildGeometryInfoKHR){
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR, .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
      .geometryCount = 1, .pGeometries = &b->geometry};
   rays.GetAccelerationStructureBuildSizesKHR(client->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &b->info, &count, &sizes);
   b->memory = client_buffer_create(client, sizes.accelerationStructureSize, address | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
   b->scratch = client_buffer_create(client, sizes.buildScratchSize + 256, address | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   const VkAccelerationStructureCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                        .buffer = b->memory.buffer, .size = sizes.accelerationStructureSize, .type = b->info.type};
   client_check(rays.CreateAccelerationStructureKHR(client->device, &create, NULL, &b->handle), "vkCreateAccelerationStructureKHR");
   b->info.dstAccelerationStructure = b->handle;
   b->info.scratchData.deviceAddress = (client_address(client, &b->scratch) + 255) & ~(VkDeviceAddress)255;
}

static void finish_build(struct build *b, struct client *client)
{
   rays.DestroyAccelerationStructureKHR(client->device, b->handle, NULL);
   client_buffer_destroy(client, &b->corners);
   client_buffer_destroy(client, &b->memory);
   client_buffer_destroy(client, &b->scratch);
}

/* Builds of half a minute beside a shader that never ends: one queue loses the device, the other's build is left. */
TEST(build)
{
   enum { COUNT = 1000000, TIMES = 60 };
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   struct hangs_heard heard = {0};
   struct build build;
   client_rays_init_with(&client, &(struct client_ray_options){.num_queues = 2, .on_message = hangs_listen, .on_message_data = &heard});
   struct client_set set = client_set_create(&client, 1, &type);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 4);
   VkShaderModule module = client_shader(&client, hangs_comp_1, sizeof(hangs_comp_1));
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   init_build(&build, &client, COUNT);
   const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = COUNT}, *ranges = &range;
   VkCommandBuffer cmd = client_begin(&client);
   for (uint32_t i = 0; i < TIMES; i++) {
      rays.CmdBuildAccelerationStructuresKHR(cmd, 1, &build.info, &ranges);
      client_barrier(cmd);
   }
   client_end(cmd);
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   VkQueue other;
   vk.GetDeviceQueue(client.device, 0, 1, &other);
   const double begin_s = hangs_processor_s();
   client_check(vk.QueueSubmit(other, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   VkCommandBuffer endless = client_begin(&client);
   vk.CmdBindPipeline(endless, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdDispatch(endless, 1, 1, 1);
   CHECK_EQ(hangs_run(&client, endless), VK_ERROR_DEVICE_LOST);
   hangs_check(vk.QueueWaitIdle(other), &heard, begin_s);
   finish_build(&build, &client);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_set_destroy(&client, &set);
   client_finish(&client);
}

/* ---- generated commands ---- */

/* Dispatches of which each ends soon, in memory. */
TEST(generated_commands)
{
   enum { COUNT = 100000 };
   static const char *const extensions[] = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME, VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME};
   const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT, .deviceGeneratedCommands = VK_TRUE};
   const VkPhysicalDeviceMaintenance5Features maintenance = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&generated, .maintenance5 = VK_TRUE};
   const VkPhysicalDeviceVulkan12Features core = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&maintenance, .bufferDeviceAddress = VK_TRUE};
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   struct hangs_heard heard = {0};
   client_init(&client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &heard, .next = &core, .device_extensions = extensions,
                                                 .num_device_extensions = 2, .api_version = VK_API_VERSION_1_3});
   struct client_set set = client_set_create(&client, 1, &type);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 4);
   VkShaderModule module = client_shader(&client, hangs_comp_2, sizeof(hangs_comp_2));
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   const VkIndirectCommandsLayoutTokenEXT token = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                   .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT};
   const VkIndirectCommandsLayoutCreateInfoEXT create = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
                                                         .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT, .indirectStride = sizeof(VkDispatchIndirectCommand),
                                                         .pipelineLayout = layout, .tokenCount = 1, .pTokens = &token};
   VkIndirectCommandsLayoutEXT commands;
   client_check(((PFN_vkCreateIndirectCommandsLayoutEXT)get(&client, "vkCreateIndirectCommandsLayoutEXT"))(client.device, &create, NULL, &commands),
                "vkCreateIndirectCommandsLayoutEXT");
   struct client_buffer buffer = client_buffer_create(&client, sizeof(VkDispatchIndirectCommand) * COUNT,
                                                      VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   for (uint32_t i = 0; i < COUNT; i++)
      ((VkDispatchIndirectCommand *)buffer.map)[i] = (VkDispatchIndirectCommand){65535, 100, 1};
   const VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer.buffer};
   const VkGeneratedCommandsPipelineInfoEXT with = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = pipeline};
   const VkGeneratedCommandsInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT, .pNext = &with, .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT, .indirectCommandsLayout = commands,
      .indirectAddress = ((PFN_vkGetBufferDeviceAddress)get(&client, "vkGetBufferDeviceAddress"))(client.device, &address),
      .indirectAddressSize = buffer.size_bytes, .maxSequenceCount = COUNT};
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   ((PFN_vkCmdExecuteGeneratedCommandsEXT)get(&client, "vkCmdExecuteGeneratedCommandsEXT"))(cmd, VK_FALSE, &info);
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&client, cmd), &heard, begin_s);
   ((PFN_vkDestroyIndirectCommandsLayoutEXT)get(&client, "vkDestroyIndirectCommandsLayoutEXT"))(client.device, commands, NULL);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &buffer);
   client_finish(&client);
}

int main(int argc, char **argv)
{
   hangs_environment();
   return test_run_all(argc, argv);
}
