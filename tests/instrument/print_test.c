/* SPDX-License-Identifier: MIT
 * What shaders of each stage print is heard by a debug messenger, in the order of invocations, whatever runs side by side. */
#include "tests/client/rays.h"
#include "tests/test.h"
#include "util/macros.h"

#include <stdlib.h>

#include "print_comp_formats.h"
#include "print_comp_order.h"
#include "print_frag.h"
#include "print_geom.h"
#include "print_mesh.h"
#include "print_rchit.h"
#include "print_rgen.h"
#include "print_rmiss.h"
#include "print_task.h"
#include "print_tesc.h"
#include "print_tese.h"
#include "print_vert.h"

enum { SIZE = 16, HEARD_BYTES = 1 << 20 };

struct heard {
   size_t length;
   char lines[HEARD_BYTES];
};

static struct heard heard;

static void listen(void *data, const char *id, const char *message)
{
   struct heard *into = data;
   if (!strcmp(id, "VVL-DEBUG-PRINTF"))
      into->length += (size_t)snprintf(into->lines + into->length, HEARD_BYTES - into->length, "%s\n", message);
}

static void check(const char *expected)
{
   if (!strcmp(heard.lines, expected))
      return;
   printf("printed:\n%s", heard.lines);
   test_fail(__FILE__, __LINE__, "another text was expected");
}

static void forget(void)
{
   heard.length = 0;
   heard.lines[0] = 0;
}

static void init(struct client *client)
{
   static const char *const extensions[] = {VK_EXT_MESH_SHADER_EXTENSION_NAME};
   static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   static const VkPhysicalDeviceVulkan12Features features12 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&mesh, .shaderInt8 = VK_TRUE, .shaderFloat16 = VK_TRUE};
   static const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE, .shaderInt64 = VK_TRUE,
                                                     .shaderFloat64 = VK_TRUE, .shaderInt16 = VK_TRUE};
   forget();
   client_init(client, &(struct client_options){.on_message = listen, .on_message_data = &heard, .wants_prints = true, .features = &features,
                                                .next = &features12, .device_extensions = extensions, .num_device_extensions = 1,
                                                .api_version = VK_API_VERSION_1_3});
}

/* ---- compute ---- */

static void dispatch(const uint32_t *words, size_t size_bytes, uint32_t groups, const char *expected)
{
   struct client client;
   init(&client);
   VkShaderModule module = client_shader(&client, words, size_bytes);
   VkPipelineLayout layout = client_pipeline_layout(&client, NULL, 0);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdDispatch(cmd, groups, 1, 1);
   client_run(&client, cmd);
   check(expected);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_finish(&client);
}

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

TEST(formats)
{
   dispatch(print_comp_formats, sizeof(print_comp_formats), 1,
            "plain\n"
            "-5 -5 42 10 ff FF\n"
            "0.333333 0.33 3.333333e-01 0.333333 0x1p+0\n"
            "1.20, 2.20, 3.20, 4.20|-5, 3|1, 2, 3|a, b, c\n"
            "2305843009213693953 2000000000000001 2000000000000001 -5 7light\n"
            "[      42] [0000002a] [-5  ] [+3] 100%\n"
            "-5 65531 0.333252 0.333333\n"
            "1 1, 0 0x2000000000000001\n"
            "0.333333 -5 9 %y\n"
            "one is 1, %two% is 2\n"
            "1.200000, 2.200000, 3.200000, 4.200000 2.200000, 3.200000, 4.200000, 5.200000 3.200000, 4.200000, 5.200000, 6.200000 "
            "4.200000, 5.200000, 6.200000, 7.200000\n" HUNDRED "0" HUNDRED "1" HUNDRED "\n");
}

TEST(order)
{
   char expected[4096] = "";
   size_t length = 0;
   for (uint32_t i = 0; i < 60; i++) {
      for (uint32_t step = 0; step < i % 20 % 3; step++)
         length += (size_t)snprintf(expected + length, sizeof(expected) - length, "%u: step %u\n", i, step);
      if (i % 20 % 7 == 6)
         length += (size_t)snprintf(expected + length, sizeof(expected) - length, "%u: sum 20\n", i);
   }
   dispatch(print_comp_order, sizeof(print_comp_order), 3, expected);
}

/* ---- graphics ---- */

enum stages { PLAIN, WITH_GEOMETRY, WITH_TESSELLATION, MESH };

static VkShaderModule shader_if(struct client *client, bool is_there, const uint32_t *words, size_t size_bytes)
{
   return is_there ? client_shader(client, words, size_bytes) : VK_NULL_HANDLE;
}

/* A triangle over the whole target, `num_instances` times. */
static void draw(enum stages stages, uint32_t num_instances, const char *expected)
{
   struct client client;
   init(&client);
   struct client_image image = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   VkRenderPass pass = client_render_pass(&client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false,
                                          VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(&client, pass, 1, &image.view, SIZE, SIZE);
   struct client_graphics info = {
      .vertex = shader_if(&client, stages != MESH, print_vert, sizeof(print_vert)),
      .task = shader_if(&client, stages == MESH, print_task, sizeof(print_task)),
      .mesh = shader_if(&client, stages == MESH, print_mesh, sizeof(print_mesh)),
      .fragment = client_shader(&client, print_frag, sizeof(print_frag)),
      .geometry = shader_if(&client, stages == WITH_GEOMETRY, print_geom, sizeof(print_geom)),
      .control = shader_if(&client, stages == WITH_TESSELLATION, print_tesc, sizeof(print_tesc)),
      .evaluation = shader_if(&client, stages == WITH_TESSELLATION, print_tese, sizeof(print_tese)),
      .patch_vertices = 3,
      .layout = client_pipeline_layout(&client, NULL, 0),
      .pass = pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = stages == WITH_TESSELLATION ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   VkPipeline pipeline = client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   VkCommandBuffer cmd = client_begin(&client);
   client_begin_pass(cmd, pass, framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   if (stages == MESH)
      ((PFN_vkCmdDrawMeshTasksEXT)vk.GetDeviceProcAddr(client.device, "vkCmdDrawMeshTasksEXT"))(cmd, num_instances, 1, 1);
   else
      vk.CmdDraw(cmd, 3, num_instances, 0, 0);
   vk.CmdEndRenderPass(cmd);
   client_run(&client, cmd);
   check(expected);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, info.layout, NULL);
   const VkShaderModule modules[] = {info.vertex, info.fragment, info.geometry, info.control, info.evaluation, info.task, info.mesh};
   for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
      vk.DestroyShaderModule(client.device, modules[i], NULL);
   vk.DestroyFramebuffer(client.device, framebuffer, NULL);
   vk.DestroyRenderPass(client.device, pass, NULL);
   client_image_destroy(&client, &image);
   client_finish(&client);
}

#define VERTICES(instance) "vertex 0 of " instance "\nvertex 1 of " instance "\nvertex 2 of " instance "\n"
#define FRAGMENTS "fragment 0.500000, 0.500000 of 0\nfragment 1.500000, 0.500000 of 0\nfragment 0.500000, 1.500000 of 0\n"

TEST(vertices_and_fragments)
{
   draw(PLAIN, 1, VERTICES("0") FRAGMENTS);
}

TEST(instances)
{
   draw(PLAIN, 2, VERTICES("0") VERTICES("1")
        "fragment 0.500000, 0.500000 of 0\nfragment 0.500000, 0.500000 of 0\nfragment 1.500000, 0.500000 of 0\nfragment 1.500000, 0.500000 of 0\n"
        "fragment 0.500000, 1.500000 of 0\nfragment 0.500000, 1.500000 of 0\n");
}

/* More than one thread takes at a time. */
TEST(many_instances)
{
   enum { NUM = 3000 };
   char *expected = malloc(HEARD_BYTES);
   size_t length = 0;
   for (uint32_t i = 0; i < NUM; i++)
      length += (size_t)snprintf(expected + length, HEARD_BYTES - length, "vertex 0 of %u\nvertex 1 of %u\nvertex 2 of %u\n", i, i, i);
   static const char *const fragments[] = {"0.500000, 0.500000", "1.500000, 0.500000", "0.500000, 1.500000"};
   for (uint32_t f = 0; f < 3; f++) {
      for (uint32_t i = 0; i < NUM; i++)
         length += (size_t)snprintf(expected + length, HEARD_BYTES - length, "fragment %s of 0\n", fragments[f]);
   }
   draw(PLAIN, NUM, expected);
   free(expected);
}

TEST(geometry)
{
   draw(WITH_GEOMETRY, 1, VERTICES("0") "geometry of primitive 0\n" FRAGMENTS);
}

TEST(tessellation)
{
   draw(WITH_TESSELLATION, 1, VERTICES("0")
        "control 0 of patch 0\ncontrol 1 of patch 0\ncontrol 2 of patch 0\n"
        "evaluation 0.000000, 0.000000, 1.000000 of patch 0\nevaluation 0.000000, 1.000000, 0.000000 of patch 0\n"
        "evaluation 1.000000, 0.000000, 0.000000 of patch 0\n" FRAGMENTS);
}

TEST(mesh)
{
   draw(MESH, 1, "task 0 of 0\ntask 1 of 0\nmesh 0 of 0\nmesh 1 of 0\nmesh 2 of 0\n" FRAGMENTS);
}

/* ---- rays ---- */

/* Of three rays the first hits a triangle. */
TEST(rays)
{
   static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
   static const struct client_ray_shader shaders[] = {
      [CLIENT_RGEN] = {print_rgen, sizeof(print_rgen)}, [CLIENT_RMISS] = {print_rmiss, sizeof(print_rmiss)}, [CLIENT_RCHIT] = {print_rchit, sizeof(print_rchit)}};
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
   struct client client;
   forget();
   client_rays_init_with(&client, &(struct client_ray_options){.on_message = listen, .on_message_data = &heard, .wants_prints = true});
   struct client_accel bottom = client_accel_triangles(&client, corners, 1, VK_GEOMETRY_OPAQUE_BIT_KHR);
   const VkAccelerationStructureInstanceKHR instance = {.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff,
                                                        .accelerationStructureReference = bottom.address};
   struct client_accel top = client_accel_instances(&client, &instance, 1);
   struct client_set set = client_set_create(&client, 1, &type);
   client_set_accel(&client, &set, 0, &top);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   struct client_ray_table table = client_ray_table_create(&client, layout, shaders, UTIL_ARRAY_SIZE(shaders));
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, table.pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &set.set, 0, NULL);
   rays.CmdTraceRaysKHR(cmd, &table.regions[CLIENT_RGEN], &table.regions[CLIENT_RMISS], &table.regions[CLIENT_RCHIT], &table.regions[CLIENT_RCALL], 3, 1, 1);
   client_run(&client, cmd);
   check("ray 0\nray 0 hits at 1\nray 0: 100\nray 1\nray 1 hits at 1\nray 1: 101\nray 2\nray 2 misses\nray 2: 202\n");
   client_ray_table_destroy(&client, &table);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_accel_destroy(&client, &top);
   client_accel_destroy(&client, &bottom);
   client_finish(&client);
}

TEST_MAIN
