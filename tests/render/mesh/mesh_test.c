/* SPDX-License-Identifier: MIT
 * Task and mesh shaders: what becomes of what they make. Spec: Mesh Shading; Drawing, "Programmable Mesh Shading". */
#include "tests/client/client.h"
#include "tests/test.h"
#include "util/macros.h"

#include "cells.frag.h"
#include "cells.mesh.h"
#include "cells.task.h"
#include "early.mesh.h"
#include "hostile.mesh.h"
#include "hostile.task.h"
#include "lines.mesh.h"
#include "points.mesh.h"
#include "tasked.mesh.h"
#include "white.frag.h"

#include <string.h>

enum { SIZE = 32, CELL = 8, CELLS = SIZE / CELL };

static struct {
   PFN_vkCmdDrawMeshTasksEXT CmdDrawMeshTasksEXT;
   PFN_vkCmdDrawMeshTasksIndirectEXT CmdDrawMeshTasksIndirectEXT;
   PFN_vkCmdDrawMeshTasksIndirectCountEXT CmdDrawMeshTasksIndirectCountEXT;
} ext;

struct module {
   const uint32_t *words;
   size_t bytes;
};
#define MODULE(name) (struct module){name, sizeof(name)}

struct scene {
   struct client client;
   struct client_image image;
   struct client_buffer pixels, commands;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   struct client_graphics info;
   VkPipeline pipeline;
};

/* culled: bit set of the rows of cells. next: of the pipeline. */
static void scene_init_with(struct scene *s, struct module task, struct module mesh, struct module fragment, uint32_t culled, const void *next)
{
   static const VkPhysicalDeviceFeatures features = {.pipelineStatisticsQuery = VK_TRUE, .geometryShader = VK_TRUE, .multiDrawIndirect = VK_TRUE};
   VkPhysicalDeviceVulkan12Features core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .drawIndirectCount = VK_TRUE};
   VkPhysicalDeviceVulkan11Features draws = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &core, .multiview = VK_TRUE, .shaderDrawParameters = VK_TRUE};
   const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                         .pNext = &draws,
                                                         .taskShader = VK_TRUE,
                                                         .meshShader = VK_TRUE,
                                                         .meshShaderQueries = VK_TRUE};
   const VkSpecializationMapEntry entry = {0, 0, sizeof(culled)};
   const VkSpecializationInfo constants = {1, &entry, sizeof(culled), &culled};
   *s = (struct scene){0};
   client_init(&s->client, &(struct client_options){.features = &features,
                                                    .next = &meshes,
                                                    .device_extension = VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                                    .api_version = VK_API_VERSION_1_3});
#define FIND(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(s->client.device, "vk" #name)
   FIND(CmdDrawMeshTasksEXT);
   FIND(CmdDrawMeshTasksIndirectEXT);
   FIND(CmdDrawMeshTasksIndirectCountEXT);
   s->image = client_image_create(&s->client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   s->pixels = client_buffer_create(&s->client, SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   s->commands = client_buffer_create(&s->client, 256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   s->pass = client_render_pass(&s->client, s->image.format, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   s->framebuffer = client_framebuffer(&s->client, s->pass, 1, &s->image.view, SIZE, SIZE);
   s->info = (struct client_graphics){
      .next = next,
      .task = task.bytes ? client_shader(&s->client, task.words, task.bytes) : VK_NULL_HANDLE,
      .mesh = client_shader(&s->client, mesh.words, mesh.bytes),
      .mesh_constants = culled ? &constants : NULL,
      .fragment = client_shader(&s->client, fragment.words, fragment.bytes),
      .layout = client_pipeline_layout(&s->client, NULL, 0),
      .pass = s->pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
   };
   s->pipeline = client_graphics_pipeline(&s->client, &s->info, VK_NULL_HANDLE);
}

static void scene_init(struct scene *s, struct module task, struct module mesh, struct module fragment, uint32_t culled)
{
   scene_init_with(s, task, mesh, fragment, culled, NULL);
}

static void scene_finish(struct scene *s)
{
   VkDevice device = s->client.device;
   vk.DestroyPipeline(device, s->pipeline, NULL);
   vk.DestroyPipelineLayout(device, s->info.layout, NULL);
   vk.DestroyShaderModule(device, s->info.task, NULL);
   vk.DestroyShaderModule(device, s->info.mesh, NULL);
   vk.DestroyShaderModule(device, s->info.fragment, NULL);
   vk.DestroyFramebuffer(device, s->framebuffer, NULL);
   vk.DestroyRenderPass(device, s->pass, NULL);
   client_image_destroy(&s->client, &s->image);
   client_buffer_destroy(&s->client, &s->pixels);
   client_buffer_destroy(&s->client, &s->commands);
   client_finish(&s->client);
}

static VkCommandBuffer begin(struct scene *s)
{
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   VkCommandBuffer cmd = client_begin(&s->client);
   client_begin_pass(cmd, s->pass, s->framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
   return cmd;
}

static void end(struct scene *s, VkCommandBuffer cmd)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, s->image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, s->pixels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(&s->client, cmd);
}

static void draw(struct scene *s, uint32_t x, uint32_t y, uint32_t z)
{
   VkCommandBuffer cmd = begin(s);
   ext.CmdDrawMeshTasksEXT(cmd, x, y, z);
   end(s, cmd);
}

static const uint8_t *texel(const struct scene *s, uint32_t x, uint32_t y)
{
   return (const uint8_t *)s->pixels.map + (y * SIZE + x) * 4;
}

/* How many texels are not as cells.frag leaves them; a draw is as many rows of cells as `rows_a_draw`. */
static uint32_t count_wrong(const struct scene *s, uint32_t culled, uint32_t rows_a_draw, bool (*is_drawn)(uint32_t cell_x, uint32_t cell_y))
{
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t cell_x = x / CELL, cell_y = y / CELL, row = y % CELL;
         const bool is_here = !(culled >> row & 1) && (!is_drawn || is_drawn(cell_x, cell_y));
         const uint8_t expected[4] = {(uint8_t)(cell_x + 16 * cell_y), (uint8_t)(row + 16 * (cell_y / rows_a_draw)), (uint8_t)(100 + row), 255};
         wrong += memcmp(texel(s, x, y), is_here ? expected : (const uint8_t[4]){0}, 4) != 0;
      }
   }
   return wrong;
}

static void check_cells(struct module mesh, uint32_t culled)
{
   struct scene s;
   scene_init(&s, (struct module){0}, mesh, MODULE(cells_frag), culled);
   draw(&s, CELLS, CELLS, 1);
   CHECK_EQ(count_wrong(&s, culled, CELLS, NULL), 0);
   scene_finish(&s);
}

TEST(triangles)
{
   check_cells(MODULE(cells_mesh), 0);
}

/* Two rules that warn: what is written before the counts are set is kept, and arrays have a value for each view. */
TEST(outputs_before_their_counts)
{
   check_cells(MODULE(early_mesh), 0);
}

TEST(lines)
{
   check_cells(MODULE(lines_mesh), 0);
}

TEST(points)
{
   check_cells(MODULE(points_mesh), 0);
}

TEST(culled_primitives)
{
   check_cells(MODULE(cells_mesh), 0xa6);
   check_cells(MODULE(lines_mesh), 0x81);
   check_cells(MODULE(points_mesh), 0x18);
}

/* Nothing is drawn where a draw has no workgroups, or a workgroup no primitives. */
TEST(nothing)
{
   struct scene s;
   scene_init(&s, (struct module){0}, MODULE(cells_mesh), MODULE(cells_frag), 0);
   draw(&s, CELLS, 0, 1);
   CHECK_EQ(count_wrong(&s, 0xff, CELLS, NULL), 0);
   draw(&s, CELLS, CELLS, 2);
   CHECK_EQ(count_wrong(&s, 0xff, CELLS, NULL), 0);
   scene_finish(&s);
}

static bool is_right_of_middle(uint32_t cell_x, uint32_t cell_y)
{
   return cell_x >= CELLS / 2;
}

TEST(discard_rectangles)
{
   const VkRect2D left = {{0, 0}, {SIZE / 2, SIZE}};
   const VkPipelineDiscardRectangleStateCreateInfoEXT discard = {
      VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, NULL, 0, VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT, 1, &left};
   struct scene s;
   scene_init_with(&s, (struct module){0}, MODULE(cells_mesh), MODULE(cells_frag), 0, &discard);
   draw(&s, CELLS, CELLS, 1);
   CHECK_EQ(count_wrong(&s, 0, CELLS, is_right_of_middle), 0);
   scene_finish(&s);
}

static bool is_not_of_last_task(uint32_t cell_x, uint32_t cell_y)
{
   return cell_x < 2 || cell_y < 2;
}

TEST(tasks)
{
   struct scene s;
   scene_init(&s, MODULE(cells_task), MODULE(tasked_mesh), MODULE(cells_frag), 0);
   draw(&s, CELLS / 2, CELLS / 2, 1);
   CHECK_EQ(count_wrong(&s, 0, CELLS, is_not_of_last_task), 0);
   scene_finish(&s);
}

static bool is_in_first_two_draws(uint32_t cell_x, uint32_t cell_y)
{
   return cell_y < 2 || (cell_y == 2 && cell_x < 2);
}

/* Two draws, whose numbers position them; the buffer has more. */
TEST(indirect)
{
   static const VkDrawMeshTasksIndirectCommandEXT draws[4] = {{4, 2, 1}, {2, 1, 1}, {4, 4, 1}, {4, 4, 1}};
   struct scene s;
   scene_init(&s, (struct module){0}, MODULE(cells_mesh), MODULE(cells_frag), 0);
   memcpy(s.commands.map, draws, sizeof(draws));
   ((uint32_t *)s.commands.map)[60] = 2;
   ((uint32_t *)s.commands.map)[61] = 1000;
   VkCommandBuffer cmd = begin(&s);
   ext.CmdDrawMeshTasksIndirectEXT(cmd, s.commands.buffer, 0, 2, sizeof(draws[0]));
   end(&s, cmd);
   CHECK_EQ(count_wrong(&s, 0, 2, is_in_first_two_draws), 0);
   for (uint32_t i = 0; i < 2; i++) { /* the count, or what there may be at most */
      cmd = begin(&s);
      ext.CmdDrawMeshTasksIndirectCountEXT(cmd, s.commands.buffer, 0, s.commands.buffer, 240 + i * 4, i ? 2 : 4, sizeof(draws[0]));
      end(&s, cmd);
      CHECK_EQ(count_wrong(&s, 0, 2, is_in_first_two_draws), 0);
   }
   scene_finish(&s);
}

/* ---- queries ---- */

static VkQueryPool make_query(struct scene *s, VkQueryType type, VkQueryPipelineStatisticFlags statistics)
{
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type, .queryCount = 1, .pipelineStatistics = statistics};
   VkQueryPool pool;
   client_check(vk.CreateQueryPool(s->client.device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

TEST(queries)
{
   struct scene s;
   scene_init(&s, MODULE(cells_task), MODULE(tasked_mesh), MODULE(cells_frag), 0x3);
   VkQueryPool pools[2] = {make_query(&s, VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, 0),
                           make_query(&s, VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                      VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT |
                                         VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT)};
   VkCommandBuffer cmd = client_begin(&s.client);
   for (uint32_t i = 0; i < 2; i++)
      vk.CmdResetQueryPool(cmd, pools[i], 0, 1);
   client_begin_pass(cmd, s.pass, s.framebuffer, SIZE, SIZE, 1, &(const VkClearValue){.color.float32 = {0, 0, 0, 0}});
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipeline);
   for (uint32_t i = 0; i < 2; i++)
      vk.CmdBeginQuery(cmd, pools[i], 0, 0);
   ext.CmdDrawMeshTasksEXT(cmd, 2, 2, 1);
   for (uint32_t i = 0; i < 2; i++)
      vk.CmdEndQuery(cmd, pools[i], 0);
   ext.CmdDrawMeshTasksEXT(cmd, 2, 2, 1); /* after them */
   end(&s, cmd);
   uint64_t results[3];
   client_check(vk.GetQueryPoolResults(s.client.device, pools[0], 0, 1, 8, results, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
   client_check(vk.GetQueryPoolResults(s.client.device, pools[1], 0, 1, 16, results + 1, 16, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
   const uint32_t meshes = 3 * 4;
   CHECK_EQ(results[0], meshes * 16); /* those that are culled are generated too */
   CHECK_EQ(results[1], 4 * 8);
   CHECK_EQ(results[2], meshes * 32);
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyQueryPool(s.client.device, pools[i], NULL);
   scene_finish(&s);
}

/* ---- what is out of range ---- */

/* The triangle above the diagonal alone, whose left and top edges are the target's. */
static void check_one_triangle(const struct scene *s)
{
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         if (x + y != SIZE - 1) /* the diagonal itself */
            CHECK_EQ(texel(s, x, y)[0], x + y < SIZE - 1 ? 255 : 0);
      }
   }
}

TEST(hostile_counts_and_indices)
{
   struct scene s;
   scene_init(&s, (struct module){0}, MODULE(hostile_mesh), MODULE(white_frag), 0);
   draw(&s, 1, 1, 1);
   check_one_triangle(&s);
   draw(&s, 70, 9, 3);
   check_one_triangle(&s);
   scene_finish(&s);
}

TEST(hostile_tasks)
{
   struct scene s;
   scene_init(&s, MODULE(hostile_task), MODULE(hostile_mesh), MODULE(white_frag), 0);
   draw(&s, 3, 1, 1);
   check_one_triangle(&s);
   scene_finish(&s);
}

TEST_MAIN
