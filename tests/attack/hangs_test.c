/* SPDX-License-Identifier: MIT
 * SECURITY.md, "time": whatever valid work is submitted, the device is lost and all threads are back within the time-out and a second,
 * in processor time; and what is only slow, or had no processor, is not lost. */
#include "tests/attack/hangs.h"
#include "tests/test.h"

#include "hangs_comp_0.h"
#include "hangs_comp_1.h"
#include "hangs_comp_2.h"
#include "hangs_comp_3.h"
#include "hangs_comp_4.h"
#include "hangs_comp_5.h"
#include "hangs_frag.h"
#include "hangs_vert.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 16 };

struct compute {
   struct client client;
   struct hangs_heard heard;
   struct client_buffer buffer;
   struct client_set set;
   VkShaderModule module;
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

static void init_compute(struct compute *c, const uint32_t *words, size_t size_bytes)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   *c = (struct compute){0};
   client_init(&c->client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &c->heard});
   c->buffer = client_buffer_create(&c->client, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   c->set = client_set_create(&c->client, 1, &type);
   c->module = client_shader(&c->client, words, size_bytes);
   c->layout = client_pipeline_layout(&c->client, &c->set, 4);
   c->pipeline = client_compute_pipeline(&c->client, c->module, c->layout, VK_NULL_HANDLE, NULL);
   client_set_buffer(&c->client, &c->set, 0, type, &c->buffer);
}

static VkResult dispatch(struct compute *c, uint32_t x, uint32_t y, uint32_t z, uint32_t count)
{
   VkCommandBuffer cmd = client_begin(&c->client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c->pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1, &c->set.set, 0, NULL);
   vk.CmdPushConstants(cmd, c->layout, VK_SHADER_STAGE_ALL, 0, 4, &count);
   vk.CmdDispatch(cmd, x, y, z);
   return hangs_run(&c->client, cmd);
}

static void finish_compute(struct compute *c)
{
   vk.DestroyPipeline(c->client.device, c->pipeline, NULL);
   vk.DestroyPipelineLayout(c->client.device, c->layout, NULL);
   vk.DestroyShaderModule(c->client.device, c->module, NULL);
   client_set_destroy(&c->client, &c->set);
   client_buffer_destroy(&c->client, &c->buffer);
   client_finish(&c->client);
}

static void lose(const uint32_t *words, size_t size_bytes, uint32_t x, uint32_t y, uint32_t z)
{
   struct compute c;
   init_compute(&c, words, size_bytes);
   const double begin_s = hangs_processor_s();
   hangs_check(dispatch(&c, x, y, z, 0), &c.heard, begin_s);
   finish_compute(&c);
}

TEST(counted_loops)
{
   lose(hangs_comp_0, sizeof(hangs_comp_0), 4, 1, 1);
}

TEST(loops_without_effect)
{
   lose(hangs_comp_1, sizeof(hangs_comp_1), 1, 1, 1);
}

TEST(called_loops)
{
   lose(hangs_comp_4, sizeof(hangs_comp_4), 1, 1, 1);
   lose(hangs_comp_5, sizeof(hangs_comp_5), 4, 1, 1);
}

TEST(empty_workgroups)
{
   lose(hangs_comp_2, sizeof(hangs_comp_2), 65535, 65535, 65535);
}

static void draw(uint32_t num_vertices, uint32_t num_instances, uint32_t num_commands)
{
   struct client client;
   struct hangs_heard heard = {0};
   client_init(&client, &(struct client_options){.on_message = hangs_listen, .on_message_data = &heard,
                                                 .features = &(VkPhysicalDeviceFeatures){.multiDrawIndirect = VK_TRUE}});
   struct client_image image = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   VkRenderPass pass = client_render_pass(&client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false,
                                          VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(&client, pass, 1, &image.view, SIZE, SIZE);
   struct client_graphics info = {
      .vertex = client_shader(&client, hangs_vert, sizeof(hangs_vert)),
      .fragment = client_shader(&client, hangs_frag, sizeof(hangs_frag)),
      .layout = client_pipeline_layout(&client, NULL, 0),
      .pass = pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   VkPipeline pipeline = client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
   struct client_buffer buffer =
      client_buffer_create(&client, sizeof(VkDrawIndirectCommand) * num_commands, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   for (uint32_t i = 0; i < num_commands; i++)
      ((VkDrawIndirectCommand *)buffer.map)[i] = (VkDrawIndirectCommand){num_vertices, num_instances, 0, 0};

   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   VkCommandBuffer cmd = client_begin(&client);
   client_begin_pass(cmd, pass, framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdDrawIndirect(cmd, buffer.buffer, 0, num_commands, sizeof(VkDrawIndirectCommand));
   vk.CmdEndRenderPass(cmd);
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&client, cmd), &heard, begin_s);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, info.layout, NULL);
   vk.DestroyShaderModule(client.device, info.vertex, NULL);
   vk.DestroyShaderModule(client.device, info.fragment, NULL);
   vk.DestroyFramebuffer(client.device, framebuffer, NULL);
   vk.DestroyRenderPass(client.device, pass, NULL);
   client_buffer_destroy(&client, &buffer);
   client_image_destroy(&client, &image);
   client_finish(&client);
}

TEST(vertices_and_instances)
{
   draw(UINT32_MAX, UINT32_MAX, 1);
   draw(3, UINT32_MAX, 100);
}

/* Each draw ends soon. */
TEST(indirect_count)
{
   draw(30000, 1000, 100000);
}

/* ---- what is healthy ---- */

/* A workgroup of about 0.4 s, again and again. */
static int run_for_a_while(void)
{
   struct compute c;
   init_compute(&c, hangs_comp_3, sizeof(hangs_comp_3));
   uint32_t count = 1 << 20;
   double spent_s = 0;
   for (; spent_s < 0.1; count *= 2) {
      const double begin_s = hangs_processor_s();
      if (dispatch(&c, 1, 1, 1, count) != VK_SUCCESS)
         return 1;
      spent_s = hangs_processor_s() - begin_s;
   }
   printf("ready\n");
   fflush(stdout);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < 6 && result == VK_SUCCESS; i++)
      result = dispatch(&c, 1, 1, 1, count * 2);
   finish_compute(&c);
   return result == VK_SUCCESS ? 0 : 2;
}

/* Stopped three times for longer than the time-out. */
TEST(stopped_process)
{
   int ends[2], status = -1;
   CHECK_EQ(pipe(ends), 0);
   const pid_t child = fork();
   if (child == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      execl("/proc/self/exe", "hangs_test", "--healthy", NULL);
      _exit(99);
   }
   close(ends[1]);
   char text[8];
   CHECK(read(ends[0], text, sizeof(text)) > 0);
   for (uint32_t i = 0; i < 3; i++) {
      nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
      kill(child, SIGSTOP);
      nanosleep(&(struct timespec){.tv_sec = 2 * HANGS_TIMEOUT_S}, NULL);
      kill(child, SIGCONT);
   }
   CHECK_EQ(waitpid(child, &status, 0), child);
   CHECK_EQ(status, 0);
   close(ends[0]);
}

int main(int argc, char **argv)
{
   hangs_environment();
   if (argc > 1 && strcmp(argv[1], "--healthy") == 0)
      return run_for_a_while();
   return test_run_all(argc, argv);
}
