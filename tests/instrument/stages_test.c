/* SPDX-License-Identifier: MIT
 * Every check in every stage: a table of stages, each of which does wrong what the check finds, or does the same right. */
#include "tests/client/rays.h"
#include "tests/test.h"

#include "stages_comp.h"
#include "stages_frag.h"
#include "stages_geom.h"
#include "stages_mesh.h"
#include "stages_rahit.h"
#include "stages_rcall.h"
#include "stages_rchit.h"
#include "stages_rgen.h"
#include "stages_rint.h"
#include "stages_rmiss.h"
#include "stages_task.h"
#include "stages_tesc.h"
#include "stages_tese.h"
#include "stages_vert.h"

enum { SIZE = 16, NUM_WORDS = 64, STRIDE = 64, HANDLE = 32, MAX_HEARD = 8 };

/* As in stages.glsl, where the line of a fault is 100 and its number. */
enum fault { NOTHING, BOUNDS, NUMBERS, UNINIT, SYNC, RACE, BARRIER, NUM_FAULTS };
static const char *const ids[NUM_FAULTS] = {
   [BOUNDS] = "SANITIZE-bounds-buffer",       [NUMBERS] = "SANITIZE-numbers-not-finite", [UNINIT] = "SANITIZE-uninit-branch",
   [SYNC] = "SANITIZE-sync-write-after-write", [RACE] = "SANITIZE-race-shared",           [BARRIER] = "SANITIZE-barrier-not-reached"};

enum stage { VERT, TESC, TESE, GEOM, TASK, MESH, FRAG, COMP, RGEN, RINT, RAHIT, RCHIT, RMISS, RCALL, NUM_STAGES };
enum pipeline { PLAIN, TESSELLATION, GEOMETRY, MESHES, DISPATCH, RAYS, NUM_PIPELINES };

#define CODE(name) stages_##name, sizeof(stages_##name), "stages_" #name
static const struct {
   const uint32_t *words;
   size_t size_bytes;
   const char *name, *by; /* the first invocation that goes wrong */
   VkShaderStageFlagBits bit;
   enum pipeline pipeline;
} stages[NUM_STAGES] = {
   [VERT] = {CODE(vert), "by vertex 0 of instance 0", VK_SHADER_STAGE_VERTEX_BIT, PLAIN},
   [TESC] = {CODE(tesc), "by invocation 0 of patch 0", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, TESSELLATION},
   [TESE] = {CODE(tese), "by vertex at (0, 0, 1) of patch 0", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, TESSELLATION},
   [GEOM] = {CODE(geom), "by invocation 0 of primitive 0", VK_SHADER_STAGE_GEOMETRY_BIT, GEOMETRY},
   [TASK] = {CODE(task), "by invocation (0, 0, 0) of workgroup (0, 0, 0)", VK_SHADER_STAGE_TASK_BIT_EXT, MESHES},
   [MESH] = {CODE(mesh), "by invocation (0, 0, 0) of workgroup (0, 0, 0)", VK_SHADER_STAGE_MESH_BIT_EXT, MESHES},
   [FRAG] = {CODE(frag), "by fragment (0, 0), sample 0 of primitive 0", VK_SHADER_STAGE_FRAGMENT_BIT, PLAIN},
   [COMP] = {CODE(comp), "by invocation (0, 0, 0) of workgroup (0, 0, 0)", VK_SHADER_STAGE_COMPUTE_BIT, DISPATCH},
   [RGEN] = {CODE(rgen), "by launch (0, 0, 0)", VK_SHADER_STAGE_RAYGEN_BIT_KHR, RAYS},
   [RINT] = {CODE(rint), "by launch (0, 0, 0)", VK_SHADER_STAGE_INTERSECTION_BIT_KHR, RAYS},
   [RAHIT] = {CODE(rahit), "by launch (0, 0, 0)", VK_SHADER_STAGE_ANY_HIT_BIT_KHR, RAYS},
   [RCHIT] = {CODE(rchit), "by launch (0, 0, 0)", VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, RAYS},
   [RMISS] = {CODE(rmiss), "by launch (1, 0, 0)", VK_SHADER_STAGE_MISS_BIT_KHR, RAYS},
   [RCALL] = {CODE(rcall), "by launch (0, 0, 0)", VK_SHADER_STAGE_CALLABLE_BIT_KHR, RAYS},
};

static bool has_workgroups(enum stage stage)
{
   return stage == TASK || stage == MESH || stage == COMP;
}

struct heard {
   uint32_t count;
   char id[MAX_HEARD][64];
   char message[MAX_HEARD][3072];
};

struct scene {
   struct client client;
   struct heard heard;
   struct client_buffer data, raw, result;
   struct client_image image;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   struct client_set set;
   VkPipelineLayout layout;
   VkShaderModule modules[NUM_STAGES];
   VkPipeline pipelines[NUM_PIPELINES];
   struct client_buffer box, table; /* of the scene that rays meet */
   struct client_accel bottom, top;
   VkStridedDeviceAddressRegionKHR regions[4];
};

static void listen(void *data, const char *id, const char *message)
{
   struct heard *heard = data;
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0 || heard->count == MAX_HEARD)
      return;
   snprintf(heard->id[heard->count], sizeof(heard->id[0]), "%s", id);
   snprintf(heard->message[heard->count], sizeof(heard->message[0]), "%s", message);
   heard->count++;
}

/* ---- what all use ---- */

/* Neither mapped nor written. */
static struct client_buffer make_raw(struct client *client)
{
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = NUM_WORDS * 4, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   struct client_buffer raw = {.size_bytes = NUM_WORDS * 4};
   VkMemoryRequirements needs;
   client_check(vk.CreateBuffer(client->device, &info, NULL, &raw.buffer), "vkCreateBuffer");
   vk.GetBufferMemoryRequirements(client->device, raw.buffer, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   client_check(vk.AllocateMemory(client->device, &allocate, NULL, &raw.memory), "vkAllocateMemory");
   client_check(vk.BindBufferMemory(client->device, raw.buffer, raw.memory, 0), "vkBindBufferMemory");
   return raw;
}

static void make_resources(struct scene *scene, bool has_rays)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
   struct client *client = &scene->client;
   scene->data = client_buffer_create(client, NUM_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   memset(scene->data.map, 0, NUM_WORDS * 4);
   scene->raw = make_raw(client);
   scene->result = client_buffer_create(client, NUM_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   scene->set = client_set_create(client, has_rays ? 4 : 3, types);
   client_set_buffer(client, &scene->set, 0, types[0], &scene->data);
   client_set_buffer(client, &scene->set, 1, types[1], &scene->raw);
   client_set_buffer(client, &scene->set, 2, types[2], &scene->result);
   scene->layout = client_pipeline_layout(client, &scene->set, 12);
   for (uint32_t s = 0; s < NUM_STAGES; s++) {
      if ((stages[s].pipeline == RAYS) == has_rays)
         scene->modules[s] = client_shader(client, stages[s].words, stages[s].size_bytes);
   }
}

static void finish(struct scene *scene)
{
   struct client *client = &scene->client;
   for (uint32_t p = 0; p < NUM_PIPELINES; p++)
      vk.DestroyPipeline(client->device, scene->pipelines[p], NULL);
   for (uint32_t s = 0; s < NUM_STAGES; s++)
      vk.DestroyShaderModule(client->device, scene->modules[s], NULL);
   vk.DestroyPipelineLayout(client->device, scene->layout, NULL);
   client_set_destroy(client, &scene->set);
   client_buffer_destroy(client, &scene->result);
   client_buffer_destroy(client, &scene->raw);
   client_buffer_destroy(client, &scene->data);
   client_finish(client);
}

/* ---- the table ---- */

static void record_draw(struct scene *scene, VkCommandBuffer cmd, enum pipeline pipeline)
{
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = scene->pass, .framebuffer = scene->framebuffer,
                                        .renderArea.extent = {SIZE, SIZE}, .clearValueCount = 1, .pClearValues = &clear};
   vk.CmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   if (pipeline == MESHES)
      ((PFN_vkCmdDrawMeshTasksEXT)vk.GetDeviceProcAddr(scene->client.device, "vkCmdDrawMeshTasksEXT"))(cmd, 1, 1, 1);
   else
      vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
}

static void run(struct scene *scene, enum stage stage, enum fault fault)
{
   const enum pipeline pipeline = stages[stage].pipeline;
   const struct { uint32_t stage, fault; float zero; } push = {stage, fault, 0};
   const VkPipelineBindPoint point = pipeline == RAYS       ? VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR
                                     : pipeline == DISPATCH ? VK_PIPELINE_BIND_POINT_COMPUTE
                                                            : VK_PIPELINE_BIND_POINT_GRAPHICS;
   scene->heard.count = 0;
   VkCommandBuffer cmd = client_begin(&scene->client);
   vk.CmdFillBuffer(cmd, scene->result.buffer, 0, VK_WHOLE_SIZE, 0);
   if (fault != SYNC)
      client_barrier(cmd);
   vk.CmdBindPipeline(cmd, point, scene->pipelines[pipeline]);
   vk.CmdBindDescriptorSets(cmd, point, scene->layout, 0, 1, &scene->set.set, 0, NULL);
   vk.CmdPushConstants(cmd, scene->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
   if (pipeline == RAYS)
      rays.CmdTraceRaysKHR(cmd, &scene->regions[0], &scene->regions[1], &scene->regions[2], &scene->regions[3], 4, 1, 1);
   else if (pipeline == DISPATCH)
      vk.CmdDispatch(cmd, 1, 1, 1);
   else
      record_draw(scene, cmd, pipeline);
   client_barrier(cmd);
   client_run(&scene->client, cmd);
}

static void complain(const struct scene *scene, enum stage stage, enum fault fault, const char *what)
{
   printf("%s, %s: %s; reported:\n", stages[stage].name, fault ? ids[fault] : "repaired", what);
   for (uint32_t i = 0; i < scene->heard.count; i++)
      printf("   %s: %s\n", scene->heard.id[i], scene->heard.message[i]);
   test_fail(__FILE__, __LINE__, stages[stage].name);
}

static void check(struct scene *scene, enum stage stage, enum fault fault)
{
   const struct heard *heard = &scene->heard;
   char location[64];
   run(scene, stage, fault);
   if (heard->count != (fault != NOTHING)) {
      complain(scene, stage, fault, "another number of reports");
      return;
   }
   if (fault == NOTHING)
      return;
   snprintf(location, sizeof(location), "stages.glsl:%u", 100 + fault);
   const char *by = fault == SYNC ? "after" : fault == BARRIER ? "not by invocation (2, 0, 0) of workgroup (0, 0, 0)" : stages[stage].by;
   const char *id = fault == RACE && !has_workgroups(stage) ? "SANITIZE-race-buffer" : ids[fault];
   if (strcmp(heard->id[0], id) != 0)
      complain(scene, stage, fault, "another class");
   else if (!strstr(heard->message[0], location))
      complain(scene, stage, fault, "another line");
   else if (!strstr(heard->message[0], by))
      complain(scene, stage, fault, "another invocation");
}

static void check_stages(struct scene *scene, bool has_rays)
{
   for (uint32_t s = 0; s < NUM_STAGES; s++) {
      if ((stages[s].pipeline == RAYS) != has_rays)
         continue;
      for (uint32_t fault = NOTHING; fault < (has_workgroups(s) ? NUM_FAULTS : BARRIER); fault++)
         check(scene, s, fault);
   }
}

/* ---- graphics and compute ---- */

static VkPipeline graphics_pipeline(struct scene *scene, enum pipeline pipeline)
{
   const bool has_mesh = pipeline == MESHES, is_tessellated = pipeline == TESSELLATION;
   const struct client_graphics info = {
      .vertex = has_mesh ? VK_NULL_HANDLE : scene->modules[VERT],
      .task = has_mesh ? scene->modules[TASK] : VK_NULL_HANDLE,
      .mesh = has_mesh ? scene->modules[MESH] : VK_NULL_HANDLE,
      .fragment = scene->modules[FRAG],
      .geometry = pipeline == GEOMETRY ? scene->modules[GEOM] : VK_NULL_HANDLE,
      .control = is_tessellated ? scene->modules[TESC] : VK_NULL_HANDLE,
      .evaluation = is_tessellated ? scene->modules[TESE] : VK_NULL_HANDLE,
      .patch_vertices = 3,
      .layout = scene->layout,
      .pass = scene->pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = is_tessellated ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   return client_graphics_pipeline(&scene->client, &info, VK_NULL_HANDLE);
}

TEST(graphics_and_compute)
{
   static const char *const extensions[] = {VK_EXT_MESH_SHADER_EXTENSION_NAME};
   static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   static const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE, .vertexPipelineStoresAndAtomics = VK_TRUE,
                                                     .fragmentStoresAndAtomics = VK_TRUE};
   static struct scene scene;
   struct client *client = &scene.client;
   client_init(client, &(struct client_options){.on_message = listen, .on_message_data = &scene.heard, .features = &features, .next = &mesh,
                                                .device_extensions = extensions, .num_device_extensions = 1, .api_version = VK_API_VERSION_1_3});
   make_resources(&scene, false);
   scene.image = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   scene.pass = client_render_pass(client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   scene.framebuffer = client_framebuffer(client, scene.pass, 1, &scene.image.view, SIZE, SIZE);
   for (uint32_t p = PLAIN; p <= MESHES; p++)
      scene.pipelines[p] = graphics_pipeline(&scene, p);
   scene.pipelines[DISPATCH] = client_compute_pipeline(client, scene.modules[COMP], scene.layout, VK_NULL_HANDLE, NULL);
   check_stages(&scene, false);
   vk.DestroyFramebuffer(client->device, scene.framebuffer, NULL);
   vk.DestroyRenderPass(client->device, scene.pass, NULL);
   client_image_destroy(client, &scene.image);
   finish(&scene);
}

/* ---- rays ---- */

static VkRayTracingShaderGroupCreateInfoKHR general_group(uint32_t shader)
{
   return (VkRayTracingShaderGroupCreateInfoKHR){.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
                                                 .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
                                                 .generalShader = shader,
                                                 .closestHitShader = VK_SHADER_UNUSED_KHR,
                                                 .anyHitShader = VK_SHADER_UNUSED_KHR,
                                                 .intersectionShader = VK_SHADER_UNUSED_KHR};
}

static void make_ray_pipeline(struct scene *scene)
{
   enum { NUM_SHADERS = NUM_STAGES - RGEN, NUM_GROUPS = 4 };
   struct client *client = &scene->client;
   VkPipelineShaderStageCreateInfo shaders[NUM_SHADERS];
   for (uint32_t i = 0; i < NUM_SHADERS; i++)
      shaders[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stages[RGEN + i].bit,
                                                     .module = scene->modules[RGEN + i], .pName = "main"};
   const VkRayTracingShaderGroupCreateInfoKHR groups[NUM_GROUPS] = {
      general_group(RGEN - RGEN), general_group(RMISS - RGEN),
      {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
       .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR,
       .generalShader = VK_SHADER_UNUSED_KHR,
       .closestHitShader = RCHIT - RGEN,
       .anyHitShader = RAHIT - RGEN,
       .intersectionShader = RINT - RGEN},
      general_group(RCALL - RGEN)};
   const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .stageCount = NUM_SHADERS,
                                                   .pStages = shaders, .groupCount = NUM_GROUPS, .pGroups = groups, .maxPipelineRayRecursionDepth = 1,
                                                   .layout = scene->layout};
   uint8_t handles[NUM_GROUPS][HANDLE];
   client_check(rays.CreateRayTracingPipelinesKHR(client->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &scene->pipelines[RAYS]),
                "vkCreateRayTracingPipelinesKHR");
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(client->device, scene->pipelines[RAYS], 0, NUM_GROUPS, sizeof(handles), handles),
                "vkGetRayTracingShaderGroupHandlesKHR");
   scene->table = client_buffer_create(client, NUM_GROUPS * STRIDE,
                                       VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   for (uint32_t i = 0; i < NUM_GROUPS; i++) {
      memcpy((char *)scene->table.map + (size_t)i * STRIDE, handles[i], HANDLE);
      scene->regions[i] = (VkStridedDeviceAddressRegionKHR){client_address(client, &scene->table) + (VkDeviceSize)i * STRIDE, STRIDE, STRIDE};
   }
}

/* A box, which every other ray meets. */
static void make_box(struct scene *scene)
{
   struct client *client = &scene->client;
   scene->box = client_buffer_create(client, sizeof(VkAabbPositionsKHR),
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   *(VkAabbPositionsKHR *)scene->box.map = (VkAabbPositionsKHR){-1, -1, -1, 1, 1, 0.5f};
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
      .geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                         .data.deviceAddress = client_address(client, &scene->box), .stride = sizeof(VkAabbPositionsKHR)}};
   scene->bottom = client_accel_build(client, &geometry, 1);
   const VkAccelerationStructureInstanceKHR instance = {.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff,
                                                        .accelerationStructureReference = scene->bottom.address};
   scene->top = client_accel_instances(client, &instance, 1);
   client_set_accel(client, &scene->set, 3, &scene->top);
}

TEST(rays)
{
   static struct scene scene;
   client_rays_init_with(&scene.client, &(struct client_ray_options){.on_message = listen, .on_message_data = &scene.heard});
   make_resources(&scene, true);
   make_box(&scene);
   make_ray_pipeline(&scene);
   check_stages(&scene, true);
   client_accel_destroy(&scene.client, &scene.top);
   client_accel_destroy(&scene.client, &scene.bottom);
   client_buffer_destroy(&scene.client, &scene.box);
   client_buffer_destroy(&scene.client, &scene.table);
   finish(&scene);
}

TEST_MAIN
