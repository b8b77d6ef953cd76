/* SPDX-License-Identifier: MIT
 * What one stage, or a vertex buffer, leaves unwritten for the next one, or a stage for an attachment: each faulty draw is reported at its line and
 * invocation, its repaired twin not at all. */
#include "tests/instrument/cases.h"
#include "tests/instrument/objects.h"
#include "tests/test.h"

#include <string.h>

enum { NUM_WORDS = 64, EXTENT = 16, NUM_VERTICES = 12, STRIDE = 20 };
enum form { PIPELINES, LIBRARIES, OBJECTS };

#include "interface_cases.h"

static struct client client;
static struct client_buffer data;
static struct client_image target;
static struct client_set set;
static struct client_buffer vertices; /* new for each run, not mapped; of each vertex 12 bytes are written */
static enum form form;
static VkPipelineLayout layout;
static VkRenderPass pass;
static VkFramebuffer framebuffer;

static void init(void)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   static const char *const extensions[] = {VK_EXT_MESH_SHADER_EXTENSION_NAME, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                            VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                                            VK_EXT_SHADER_OBJECT_EXTENSION_NAME, VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
                                            VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME};
   static VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR,
                                                                  .maintenance5 = VK_TRUE};
   static VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
                                                                        .pNext = &maintenance5, .graphicsPipelineLibrary = VK_TRUE};
   static VkPhysicalDeviceShaderObjectFeaturesEXT object = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .pNext = &library,
                                                            .shaderObject = VK_TRUE};
   static VkPhysicalDeviceDynamicRenderingFeatures rendering = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, .pNext = &object,
                                                                .dynamicRendering = VK_TRUE};
   static VkPhysicalDeviceFragmentShadingRateFeaturesKHR rate = { /* glslang asks for it where primitives have values of their own */
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR, .pNext = &rendering, .pipelineFragmentShadingRate = VK_TRUE,
      .primitiveFragmentShadingRate = VK_TRUE};
   static VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = &rate,
                                                        .taskShader = VK_TRUE, .meshShader = VK_TRUE, .primitiveFragmentShadingRateMeshShader = VK_TRUE};
   static VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .pNext = &mesh, .transformFeedback = VK_TRUE};
   static const VkPhysicalDeviceFeatures features = {
      .geometryShader = VK_TRUE, .tessellationShader = VK_TRUE, .vertexPipelineStoresAndAtomics = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE,
      .shaderClipDistance = VK_TRUE, .shaderCullDistance = VK_TRUE, .shaderTessellationAndGeometryPointSize = VK_TRUE, .sampleRateShading = VK_TRUE};
   client_init(&client, &(struct client_options){.on_message = cases_listen, .features = &features, .next = &feedback, .device_extensions = extensions,
                                                 .num_device_extensions = 7, .api_version = VK_API_VERSION_1_3});
   data = client_buffer_create(&client, NUM_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   target = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT,
                                VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   set = client_set_create(&client, 1, types);
   client_set_buffer(&client, &set, 0, types[0], &data);
   layout = client_pipeline_layout(&client, &set, 0);
   pass = client_render_pass(&client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   framebuffer = client_framebuffer(&client, pass, 1, &target.view, EXTENT, EXTENT);
}

static void finish(void)
{
   vk.DestroyFramebuffer(client.device, framebuffer, NULL);
   vk.DestroyRenderPass(client.device, pass, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_image_destroy(&client, &target);
   client_buffer_destroy(&client, &data);
   client_finish(&client);
}

static void make_vertices(void)
{
   vertices = client_buffer_create_unwritten(&client, NUM_VERTICES * STRIDE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

/* The last eight bytes of each vertex are left, but for those of vertex 0. */
static void write_vertices(VkCommandBuffer cmd)
{
   static const float values[5] = {0.25f, 0.5f, 0.75f, 1.0f, 1.0f};
   for (uint32_t i = 0; i < NUM_VERTICES; i++)
      vk.CmdUpdateBuffer(cmd, vertices.buffer, i * STRIDE, i ? 12 : STRIDE, values);
}

/* The case's module of a stage; NULL handle: it has none. */
static VkShaderModule module_of(const struct instrument_case *it, uint32_t twin, VkShaderStageFlagBits stage, VkShaderModule *modules)
{
   for (uint32_t i = 0; i < CASES_MAX_SHADERS && it->shaders[i].stage; i++) {
      if (it->shaders[i].stage == stage)
         return modules[i] = client_shader(&client, it->shaders[i].words[twin], it->shaders[i].size_bytes[twin]);
   }
   return VK_NULL_HANDLE;
}

static VkPipeline make_pipeline(const struct instrument_case *it, uint32_t twin, VkShaderModule *modules, VkPipeline libraries[2])
{
   const VkShaderModule control = module_of(it, twin, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, modules);
   const struct client_graphics info = {
      .vertex = module_of(it, twin, VK_SHADER_STAGE_VERTEX_BIT, modules),
      .control = control,
      .evaluation = module_of(it, twin, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, modules),
      .patch_vertices = 3,
      .geometry = module_of(it, twin, VK_SHADER_STAGE_GEOMETRY_BIT, modules),
      .task = module_of(it, twin, VK_SHADER_STAGE_TASK_BIT_EXT, modules),
      .mesh = module_of(it, twin, VK_SHADER_STAGE_MESH_BIT_EXT, modules),
      .fragment = module_of(it, twin, VK_SHADER_STAGE_FRAGMENT_BIT, modules),
      .layout = layout,
      .pass = pass,
      .width = EXTENT,
      .height = EXTENT,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = control ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .stride_bytes = STRIDE,
      .num_attributes = 2,
      .attributes = {{8, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {9, 0, VK_FORMAT_R16G16_UNORM, 16}},
   };
   return form == LIBRARIES ? objects_link(&client, &info, libraries) : client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
}

/* With shader objects. */
static void run_objects(const struct instrument_case *it, uint32_t twin)
{
   const struct case_shader *shaders = it->shaders;
   const struct objects_pair pair = {.words = {shaders[0].words[twin], shaders[1].words[twin]},
                                     .size_bytes = {shaders[0].size_bytes[twin], shaders[1].size_bytes[twin]},
                                     .set_layout = set.layout, .target = &target, .width = EXTENT, .height = EXTENT};
   VkShaderEXT objects[2];
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdFillBuffer(cmd, data.buffer, 0, VK_WHOLE_SIZE, 0);
   client_barrier(cmd);
   objects_begin(&client, cmd, &pair, objects);
   for (uint32_t i = 0; i < 2; i++)
      client_name(&client, VK_OBJECT_TYPE_SHADER_EXT, (uint64_t)(uintptr_t)objects[i], it->name);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdDraw(cmd, 3 * it->groups, it->instances, 0, 0);
   objects_end(&client, cmd);
   client_barrier(cmd);
   client_run(&client, cmd);
   objects_destroy(&client, objects);
}

/* Draws one of the twins: triangles that cover all. */
static void run(const struct instrument_case *it, uint32_t twin)
{
   const VkClearValue clear = {.color.float32 = {0}};
   VkShaderModule modules[CASES_MAX_SHADERS] = {0};
   VkPipeline libraries[2] = {VK_NULL_HANDLE}, pipeline = make_pipeline(it, twin, modules, libraries);
   client_name(&client, VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)pipeline, it->name);
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdFillBuffer(cmd, data.buffer, 0, VK_WHOLE_SIZE, 0);
   make_vertices();
   write_vertices(cmd);
   client_barrier(cmd);
   client_begin_pass(cmd, pass, framebuffer, EXTENT, EXTENT, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
   if (it->shaders[0].stage & (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT))
      ((PFN_vkCmdDrawMeshTasksEXT)vk.GetDeviceProcAddr(client.device, "vkCmdDrawMeshTasksEXT"))(cmd, 1, 1, 1);
   else
      vk.CmdDraw(cmd, 3 * it->groups, it->instances, 0, 0);
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   client_run(&client, cmd);
   client_buffer_destroy(&client, &vertices);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyPipeline(client.device, libraries[i], NULL);
   for (uint32_t i = 0; i < CASES_MAX_SHADERS; i++)
      vk.DestroyShaderModule(client.device, modules[i], NULL);
}

static const char *wanted; /* part of the names of cases; NULL: all */

TEST(corpus)
{
   init();
   cases_check(cases, sizeof(cases) / sizeof(cases[0]), wanted, run);
   finish();
}

/* Shaders whose attachments are known late: each case of a vertex and a fragment shader that is reported for its colours. */
static void check_late(enum form wanted_form, void (*run_one)(const struct instrument_case *it, uint32_t twin))
{
   uint32_t count = 0;
   form = wanted_form;
   init();
   for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const struct case_shader *shaders = cases[i].shaders;
      const bool is_pair = shaders[0].stage == VK_SHADER_STAGE_VERTEX_BIT && shaders[1].stage == VK_SHADER_STAGE_FRAGMENT_BIT;
      if (!is_pair || strcmp(cases[i].expected[0].id, "SANITIZE-uninit-attachment") != 0)
         continue;
      cases_check(&cases[i], 1, wanted, run_one);
      count++;
   }
   finish();
   form = PIPELINES;
   CHECK(count >= 3);
}

TEST(libraries)
{
   check_late(LIBRARIES, run);
}

TEST(objects)
{
   check_late(OBJECTS, run_objects);
}

int main(int argc, char **argv)
{
   wanted = argc > 1 ? argv[1] : NULL;
   return test_run_all(1, argv);
}
