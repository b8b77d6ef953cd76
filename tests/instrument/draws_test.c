/* SPDX-License-Identifier: MIT
 * Races of invocations that no workgroup orders, of task and mesh shaders and of two stages: each faulty draw is reported with its line and both invocations,
 * its repaired twin not at all. */
#include "tests/client/client.h"
#include "tests/instrument/quiet.h"
#include "tests/test.h"

#include "draws_frag_faulty.h"
#include "draws_frag_fixed.h"
#include "draws_frag_loads_faulty.h"
#include "draws_frag_loads_fixed.h"
#include "draws_geom_faulty.h"
#include "draws_geom_fixed.h"
#include "draws_mesh_faulty.h"
#include "draws_mesh_fixed.h"
#include "draws_task_faulty.h"
#include "draws_task_fixed.h"
#include "draws_tesc_faulty.h"
#include "draws_tesc_fixed.h"
#include "draws_tese_faulty.h"
#include "draws_tese_fixed.h"
#include "draws_vert_empty_faulty.h"
#include "draws_vert_empty_fixed.h"
#include "draws_vert_faulty.h"
#include "draws_vert_fixed.h"
#include "draws_vert_loads_faulty.h"
#include "draws_vert_loads_fixed.h"

enum { SIZE = 16, NUM_WORDS = 64, NUM_TWINS = 2, NUM_TASKS = 2 };
enum stage { VERT, TASK, MESH, FRAG, VERT_LOADS, FRAG_LOADS, EMPTY, GEOM, TESC, TESE, NUM_STAGES };
enum pipeline { PLAIN, MESHES, FRAGMENTS_LOAD, VERTICES_LOAD, GEOMETRY, PATCHES, NUM_PIPELINES };

#define TWINS(name)                                                                                                    \
   {                                                                                                                   \
      {draws_##name##_faulty, sizeof(draws_##name##_faulty)}, {draws_##name##_fixed, sizeof(draws_##name##_fixed)}     \
   }
static const struct {
   const uint32_t *words;
   size_t size_bytes;
} code[NUM_STAGES][NUM_TWINS] = {[VERT] = TWINS(vert), [TASK] = TWINS(task), [MESH] = TWINS(mesh), [FRAG] = TWINS(frag),
                                 [VERT_LOADS] = TWINS(vert_loads), [FRAG_LOADS] = TWINS(frag_loads),
                                 [EMPTY] = TWINS(vert_empty), [GEOM] = TWINS(geom), [TESC] = TWINS(tesc), [TESE] = TWINS(tese)};

#define OF_GROUP(local, group) "by invocation (" #local ", 0, 0) of workgroup (" #group ", 0, 0)"
/* The constants of draws.glsl, where the line is 100 and the row's number. */
static const struct row {
   const char *name, *id, *first, *second; /* invocations; the same words twice: two tasks' */
   enum pipeline pipeline;
} rows[] = {
   {"stores of tasks", "SANITIZE-race-buffer", OF_GROUP(0, 0), OF_GROUP(0, 1), MESHES},
   {"stores of meshes", "SANITIZE-race-buffer", OF_GROUP(0, 0), OF_GROUP(0, 1), MESHES},
   {"stores of meshes of two tasks", "SANITIZE-race-buffer", OF_GROUP(0, 0), OF_GROUP(0, 0), MESHES},
   {"a load of what a neighbour stores", "SANITIZE-race-buffer", OF_GROUP(0, 0), OF_GROUP(0, 1), MESHES},
   {"stores of texels", "SANITIZE-race-image", OF_GROUP(0, 0), OF_GROUP(0, 1), MESHES},
   {"an exchange past the workgroup", "SANITIZE-race-buffer", OF_GROUP(0, 0), OF_GROUP(2, 1), MESHES},
   {"a counter", "SANITIZE-race-buffer", OF_GROUP(0, 0), OF_GROUP(0, 1), MESHES},
   {"a vertex and a fragment", "SANITIZE-race-buffer", "by vertex 0 of instance 0", "by fragment (0, 0), sample 0 of primitive 0", PLAIN},
   {"a task and a fragment", "SANITIZE-race-buffer", OF_GROUP(0, 0), "by fragment (0, 0), sample 0 of primitive 0", MESHES},
   {"a load of what a vertex stores", "SANITIZE-race-buffer", "by vertex 0 of instance 0", "by fragment (0, 0), sample 0 of primitive 0", FRAGMENTS_LOAD},
   {"a load of what a fragment stores", "SANITIZE-race-buffer", "by vertex 0 of instance 0", "by fragment (0, 0), sample 0 of primitive 0", VERTICES_LOAD},
   {"primitives of two instances", "SANITIZE-race-buffer", "by invocation 0 of primitive 0\n", "by invocation 0 of primitive 0 of instance 1", GEOMETRY},
   {"patches of two instances", "SANITIZE-race-buffer", "by invocation 0 of patch 0\n", "by invocation 0 of patch 0 of instance 1", PATCHES},
   {"divided patches of two instances", "SANITIZE-race-buffer", "by vertex at (0, 0, 1) of patch 0\n", "by vertex at (0, 0, 1) of patch 0 of instance 1", PATCHES},
};

static struct client client;
static struct {
   uint32_t count;
   char id[64], message[3072];
} heard;

static void listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0)
      return;
   if (!heard.count++) {
      snprintf(heard.id, sizeof(heard.id), "%s", id);
      snprintf(heard.message, sizeof(heard.message), "%s", message);
   }
}

static struct scene {
   struct client_buffer data;
   struct client_image pixels, target;
   struct client_set set;
   VkPipelineLayout layout;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkShaderModule modules[NUM_STAGES][NUM_TWINS];
   VkPipeline pipelines[NUM_PIPELINES][NUM_TWINS];
} scene;

static VkPipeline make_pipeline(enum pipeline pipeline, uint32_t twin)
{
   const bool has_mesh = pipeline == MESHES, has_patches = pipeline == PATCHES;
   const enum stage vertex = pipeline == VERTICES_LOAD ? VERT_LOADS : pipeline == GEOMETRY || has_patches ? EMPTY : VERT;
   const struct client_graphics info = {.vertex = has_mesh ? VK_NULL_HANDLE : scene.modules[vertex][twin],
                                        .task = has_mesh ? scene.modules[TASK][twin] : VK_NULL_HANDLE,
                                        .mesh = has_mesh ? scene.modules[MESH][twin] : VK_NULL_HANDLE,
                                        .control = has_patches ? scene.modules[TESC][twin] : VK_NULL_HANDLE,
                                        .evaluation = has_patches ? scene.modules[TESE][twin] : VK_NULL_HANDLE,
                                        .patch_vertices = has_patches ? 3 : 0,
                                        .geometry = pipeline == GEOMETRY ? scene.modules[GEOM][twin] : VK_NULL_HANDLE,
                                        .fragment = scene.modules[pipeline == FRAGMENTS_LOAD ? FRAG_LOADS : FRAG][twin],
                                        .layout = scene.layout,
                                        .pass = scene.pass,
                                        .width = SIZE,
                                        .height = SIZE,
                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .topology = has_patches ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   return client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
}

static void init(void)
{
   static const char *const extensions[] = {VK_EXT_MESH_SHADER_EXTENSION_NAME};
   static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   static const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE, .vertexPipelineStoresAndAtomics = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE};
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   client_init(&client, &(struct client_options){.on_message = listen, .features = &features, .next = &mesh, .device_extensions = extensions,
                                                 .num_device_extensions = 1, .api_version = VK_API_VERSION_1_3});
   scene.data = client_buffer_create(&client, NUM_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   scene.pixels = client_image_create(&client, VK_FORMAT_R32_UINT, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_STORAGE_BIT);
   scene.target = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   scene.set = client_set_create(&client, 2, types);
   client_set_buffer(&client, &scene.set, 0, types[0], &scene.data);
   client_set_image(&client, &scene.set, 1, types[1], scene.pixels.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   scene.layout = client_pipeline_layout(&client, &scene.set, 4);
   scene.pass = client_render_pass(&client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   scene.framebuffer = client_framebuffer(&client, scene.pass, 1, &scene.target.view, SIZE, SIZE);
   for (uint32_t twin = 0; twin < NUM_TWINS; twin++) {
      for (uint32_t s = 0; s < NUM_STAGES; s++)
         scene.modules[s][twin] = client_shader(&client, code[s][twin].words, code[s][twin].size_bytes);
      for (enum pipeline p = PLAIN; p < NUM_PIPELINES; p++)
         scene.pipelines[p][twin] = make_pipeline(p, twin);
   }
}

static void finish(void)
{
   for (uint32_t twin = 0; twin < NUM_TWINS; twin++) {
      for (uint32_t s = 0; s < NUM_STAGES; s++)
         vk.DestroyShaderModule(client.device, scene.modules[s][twin], NULL);
      for (enum pipeline p = PLAIN; p < NUM_PIPELINES; p++)
         vk.DestroyPipeline(client.device, scene.pipelines[p][twin], NULL);
   }
   vk.DestroyFramebuffer(client.device, scene.framebuffer, NULL);
   vk.DestroyRenderPass(client.device, scene.pass, NULL);
   vk.DestroyPipelineLayout(client.device, scene.layout, NULL);
   client_set_destroy(&client, &scene.set);
   client_image_destroy(&client, &scene.target);
   client_image_destroy(&client, &scene.pixels);
   client_buffer_destroy(&client, &scene.data);
   client_finish(&client);
}

static void run(uint32_t row, uint32_t twin)
{
   const VkClearValue clear = {.color.float32 = {0}};
   memset(&heard, 0, sizeof(heard));
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdFillBuffer(cmd, scene.data.buffer, 0, VK_WHOLE_SIZE, 0);
   client_transition(cmd, &scene.pixels, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   client_barrier(cmd);
   client_begin_pass(cmd, scene.pass, scene.framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene.pipelines[rows[row].pipeline][twin]);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene.layout, 0, 1, &scene.set.set, 0, NULL);
   vk.CmdPushConstants(cmd, scene.layout, VK_SHADER_STAGE_ALL, 0, sizeof(row), &row);
   if (rows[row].pipeline == MESHES)
      ((PFN_vkCmdDrawMeshTasksEXT)vk.GetDeviceProcAddr(client.device, "vkCmdDrawMeshTasksEXT"))(cmd, NUM_TASKS, 1, 1);
   else
      vk.CmdDraw(cmd, 3, rows[row].pipeline >= GEOMETRY ? 2 : 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   client_run(&client, cmd);
}

static void complain(const struct row *row, const char *what)
{
   printf("%s: %s; %u reported:\n   %s\n", row->name, what, heard.count, heard.message);
   test_fail(__FILE__, __LINE__, row->name);
}

static void check_faulty(uint32_t number)
{
   const struct row *row = &rows[number];
   char location[64];
   snprintf(location, sizeof(location), "draws.glsl:%u", 100 + number);
   const char *first = strstr(heard.message, row->first);
   if (heard.count != 1)
      complain(row, "another number of reports");
   else if (strcmp(heard.id, row->id) != 0)
      complain(row, "another class");
   else if (!strstr(heard.message, location))
      complain(row, "another line");
   else if (!first || !strstr(first + 1, row->second))
      complain(row, "other invocations");
}

TEST(twins)
{
   init();
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      run(i, 0);
      check_faulty(i);
      quiet_begin();
      run(i, 1);
      if (*quiet_end() || heard.count)
         complain(&rows[i], "the repaired twin is reported, or prints something");
   }
   finish();
}

TEST_MAIN
