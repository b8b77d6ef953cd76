/* SPDX-License-Identifier: MIT
 * Shaders that never end lose the device within the time that VK_SWRAST_TIMEOUT gives, with a message that names pipeline, shader and source line; the process
 * goes on, and a new device works. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "hang.comp.h"
#include "hang.frag.h"
#include "hang.geom.h"
#include "hang.mesh.h"
#include "hang.task.h"
#include "hang.tesc.h"
#include "hang.tese.h"
#include "hang.vert.h"

#include <stdlib.h>
#include <time.h>

enum { SIZE = 100, NUM_PASSES = 24, LIMIT_S = 20 }; /* of processor time, much more than the time-out: sanitizers */

struct heard {
   uint32_t count;
   char message[1024];
};

static void listen(void *data, const char *id, const char *message)
{
   struct heard *heard = data;
   if (strcmp(id, "device-lost") != 0)
      return;
   heard->count++;
   snprintf(heard->message, sizeof(heard->message), "%s", message);
}

static void init(struct client *client, struct heard *heard)
{
   *heard = (struct heard){0};
   static const char *const extensions[] = {VK_EXT_DEVICE_FAULT_EXTENSION_NAME, VK_EXT_MESH_SHADER_EXTENSION_NAME};
   static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   static const VkPhysicalDeviceFaultFeaturesEXT fault = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, .pNext = (void *)&mesh, .deviceFault = VK_TRUE};
   static const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE};
   client_init(client, &(struct client_options){.on_message = listen,
                                                .features = &features,
                                                .on_message_data = heard,
                                                .next = &fault,
                                                .device_extensions = extensions,
                                                .num_device_extensions = 2,
                                                .api_version = VK_API_VERSION_1_3});
}

/* Of all threads: a busy machine takes longer. */
static double processor_s(void)
{
   return (double)clock() / CLOCKS_PER_SEC;
}

/* What must be so after a loss, which is reported to everybody once. */
static void check_lost(struct client *client, VkResult result, const struct heard *heard, const char *pipeline, const char *location,
                       double begin_s)
{
   CHECK_EQ(result, VK_ERROR_DEVICE_LOST);
   CHECK(processor_s() - begin_s < LIMIT_S);
   CHECK_EQ(heard->count, 1);
   CHECK(strstr(heard->message, pipeline) != NULL);
   CHECK(strstr(heard->message, "main") != NULL);
   CHECK(strstr(heard->message, location) != NULL);
   const VkSubmitInfo nothing = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
   CHECK_EQ(vk.QueueSubmit(client->queue, 1, &nothing, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
   CHECK_EQ(vk.QueueWaitIdle(client->queue), VK_ERROR_DEVICE_LOST);
   CHECK_EQ(vk.DeviceWaitIdle(client->device), VK_ERROR_DEVICE_LOST);
   CHECK_EQ(heard->count, 1);

   const PFN_vkGetDeviceFaultInfoEXT get_fault =
      (PFN_vkGetDeviceFaultInfoEXT)vk.GetDeviceProcAddr(client->device, "vkGetDeviceFaultInfoEXT");
   VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT, .vendorInfoCount = 9};
   VkDeviceFaultInfoEXT fault = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT};
   CHECK_EQ(get_fault(client->device, &counts, &fault), VK_SUCCESS);
   CHECK_EQ(counts.addressInfoCount + counts.vendorInfoCount, 0);
   CHECK(fault.description[0] && strstr(heard->message, fault.description) != NULL);
}

/* Dispatches the shader on eight values. */
static void dispatch(const uint32_t values[8], VkResult expected)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   struct heard heard;
   init(&client, &heard);
   struct client_buffer buffer = client_buffer_create(&client, 32, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_set set = client_set_create(&client, 1, &type);
   VkShaderModule module = client_shader(&client, hang_comp, sizeof(hang_comp));
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   client_name(&client, VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)pipeline, "endless dispatch");
   memcpy(buffer.map, values, 32);
   client_set_buffer(&client, &set, 0, type, &buffer);

   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   const double begin_s = processor_s();
   client_end(cmd);
   const VkResult result = client_submit_result(&client, cmd);
   CHECK_EQ(result, expected);
   if (expected != VK_SUCCESS) {
      check_lost(&client, result, &heard, "endless dispatch", "hang.comp:9", begin_s);
   } else {
      CHECK_EQ(heard.count, 0);
      for (uint32_t i = 0; i < 8; i++)
         CHECK_EQ(((const uint32_t *)buffer.map)[i], 1);
   }
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &buffer);
   client_finish(&client);
}

enum stages { PLAIN, WITH_GEOMETRY, WITH_TESSELLATION, MESH, PLAIN_PASSES /* of the same, more than are alive at a time */ };

/* Draws a triangle whose shaders start at `start`, through more stages if that is asked for. */
static void draw(uint32_t start, enum stages stages, VkResult expected, const char *location)
{
   struct client client;
   struct heard heard;
   init(&client, &heard);
   struct client_image image = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   VkRenderPass pass = client_render_pass(&client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false,
                                          VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(&client, pass, 1, &image.view, SIZE, SIZE);
   struct client_graphics info = {
      .vertex = stages != MESH ? client_shader(&client, hang_vert, sizeof(hang_vert)) : VK_NULL_HANDLE,
      .task = stages == MESH ? client_shader(&client, hang_task, sizeof(hang_task)) : VK_NULL_HANDLE,
      .mesh = stages == MESH ? client_shader(&client, hang_mesh, sizeof(hang_mesh)) : VK_NULL_HANDLE,
      .fragment = client_shader(&client, hang_frag, sizeof(hang_frag)),
      .geometry = stages == WITH_GEOMETRY ? client_shader(&client, hang_geom, sizeof(hang_geom)) : VK_NULL_HANDLE,
      .control = stages == WITH_TESSELLATION ? client_shader(&client, hang_tesc, sizeof(hang_tesc)) : VK_NULL_HANDLE,
      .evaluation = stages == WITH_TESSELLATION ? client_shader(&client, hang_tese, sizeof(hang_tese)) : VK_NULL_HANDLE,
      .patch_vertices = 3,
      .layout = client_pipeline_layout(&client, NULL, 4),
      .pass = pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = stages == WITH_TESSELLATION ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   VkPipeline pipeline = client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
   client_name(&client, VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)pipeline, "endless draw");

   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   VkCommandBuffer cmd = client_begin(&client);
   for (uint32_t i = 0; i < (stages == PLAIN_PASSES ? NUM_PASSES : 1); i++) {
      client_begin_pass(cmd, pass, framebuffer, SIZE, SIZE, 1, &clear);
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vk.CmdPushConstants(cmd, info.layout, VK_SHADER_STAGE_ALL, 0, 4, &start);
      if (stages == MESH)
         ((PFN_vkCmdDrawMeshTasksEXT)vk.GetDeviceProcAddr(client.device, "vkCmdDrawMeshTasksEXT"))(cmd, 2, 1, 1);
      else
         vk.CmdDraw(cmd, 3, 1, 0, 0);
      vk.CmdEndRenderPass(cmd);
   }
   const double begin_s = processor_s();
   client_end(cmd);
   const VkResult result = client_submit_result(&client, cmd);
   CHECK_EQ(result, expected);
   if (expected != VK_SUCCESS)
      check_lost(&client, result, &heard, "endless draw", location, begin_s);
   else
      CHECK_EQ(heard.count, 0);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, info.layout, NULL);
   vk.DestroyShaderModule(client.device, info.vertex, NULL);
   vk.DestroyShaderModule(client.device, info.fragment, NULL);
   vk.DestroyShaderModule(client.device, info.geometry, NULL);
   vk.DestroyShaderModule(client.device, info.control, NULL);
   vk.DestroyShaderModule(client.device, info.evaluation, NULL);
   vk.DestroyShaderModule(client.device, info.task, NULL);
   vk.DestroyShaderModule(client.device, info.mesh, NULL);
   vk.DestroyFramebuffer(client.device, framebuffer, NULL);
   vk.DestroyRenderPass(client.device, pass, NULL);
   client_image_destroy(&client, &image);
   client_finish(&client);
}

TEST(compute_shader)
{
   static const uint32_t ending[8] = {1, 1, 1, 1, 1, 1, 1, 1};
   static const uint32_t all_endless[8] = {3, 3, 6, 6, 9, 9, 12, 12}, one_endless[8] = {1, 1, 1, 1, 1, 3, 1, 1};
   dispatch(all_endless, VK_ERROR_DEVICE_LOST);
   dispatch(ending, VK_SUCCESS);
   dispatch(one_endless, VK_ERROR_DEVICE_LOST);
   dispatch(ending, VK_SUCCESS);
}

/* A multiple of 4: the vertex shader ends, the fragment shader does not. */
TEST(fragment_shader)
{
   draw(8, PLAIN, VK_ERROR_DEVICE_LOST, "hang.frag:9");
   draw(1, PLAIN, VK_SUCCESS, NULL);
}

TEST(vertex_shader)
{
   draw(10, PLAIN, VK_ERROR_DEVICE_LOST, "hang.vert:8");
   draw(1, PLAIN, VK_SUCCESS, NULL);
}

TEST(one_pass_of_many)
{
   draw(8, PLAIN_PASSES, VK_ERROR_DEVICE_LOST, "hang.frag:9");
   draw(10, PLAIN_PASSES, VK_ERROR_DEVICE_LOST, "hang.vert:8");
   draw(1, PLAIN_PASSES, VK_SUCCESS, NULL);
}

TEST(geometry_shader)
{
   draw(3, WITH_GEOMETRY, VK_ERROR_DEVICE_LOST, "hang.geom:10");
   draw(1, WITH_GEOMETRY, VK_SUCCESS, NULL);
}

TEST(tessellation_shaders)
{
   draw(4, WITH_TESSELLATION, VK_ERROR_DEVICE_LOST, "hang.tesc:9");
   draw(8, WITH_TESSELLATION, VK_ERROR_DEVICE_LOST, "hang.tese:9");
   draw(1, WITH_TESSELLATION, VK_SUCCESS, NULL);
}

TEST(mesh_shaders)
{
   draw(2, MESH, VK_ERROR_DEVICE_LOST, "hang.task:12");
   draw(3, MESH, VK_ERROR_DEVICE_LOST, "hang.mesh:13");
   draw(1, MESH, VK_SUCCESS, NULL);
}

int main(int argc, char **argv)
{
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   return test_run_all(argc, argv);
}
