/* SPDX-License-Identifier: MIT
 * Memory of a thread: what a process has resident with 64 threads above what it has with 2, after nothing, dispatches of many workgroups, and frames
 * of many chunks and tiles. docs/SCALING.md has the figures. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "memory_comp.h"
#include "memory_frag.h"
#include "memory_vert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FEW = 2, MANY = 64, MIN_STARTED = 8, MAX_TIMES = 40, SIZE = 1024 };

static uint32_t limit_threads; /* of this process's driver */

enum work { NOTHING, DISPATCH, FRAME };
static const long limits_kib[] = {[DISPATCH] = 64, [FRAME] = 320}; /* a thread */

struct use {
   long resident_kib, num_threads;
};

/* Resident memory that is not a mapped file: pages of files come and go with the machine's memory. */
static struct use read_use(void)
{
   struct use use = {-1, -1};
   char line[256];
   FILE *file = fopen("/proc/self/status", "r");
   while (file && fgets(line, sizeof(line), file)) {
      sscanf(line, "RssAnon: %ld", &use.resident_kib);
      sscanf(line, "Threads: %ld", &use.num_threads);
   }
   if (file)
      fclose(file);
   return use;
}

/* Until many threads have worked: some are started only where others leave them something to do. */
static void run(struct client *client, VkCommandBuffer cmd)
{
   client_end(cmd);
   for (uint32_t i = 0; i < MAX_TIMES && (i < 2 || (limit_threads > FEW && read_use().num_threads < MANY)); i++)
      client_submit(client, cmd);
}

static void dispatch(struct client *client)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client_buffer buffer = client_buffer_create(client, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_set set = client_set_create(client, 1, &type);
   VkShaderModule module = client_shader(client, memory_comp, sizeof(memory_comp));
   VkPipelineLayout layout = client_pipeline_layout(client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(client, module, layout, VK_NULL_HANDLE, NULL);
   client_set_buffer(client, &set, 0, type, &buffer);
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdDispatch(cmd, 65535, 4, 1);
   run(client, cmd);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
   client_set_destroy(client, &set);
   client_buffer_destroy(client, &buffer);
}

static void render(struct client *client)
{
   struct client_image image =
      client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   VkRenderPass pass =
      client_render_pass(client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(client, pass, 1, &image.view, SIZE, SIZE);
   struct client_graphics info = {
      .vertex = client_shader(client, memory_vert, sizeof(memory_vert)),
      .fragment = client_shader(client, memory_frag, sizeof(memory_frag)),
      .layout = client_pipeline_layout(client, NULL, 0),
      .pass = pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   VkPipeline pipeline = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass,
                                        .framebuffer = framebuffer,
                                        .renderArea.extent = {SIZE, SIZE},
                                        .clearValueCount = 1,
                                        .pClearValues = &clear};
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdDraw(cmd, 3 * 1000000, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
   run(client, cmd);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, info.layout, NULL);
   vk.DestroyShaderModule(client->device, info.vertex, NULL);
   vk.DestroyShaderModule(client->device, info.fragment, NULL);
   vk.DestroyFramebuffer(client->device, framebuffer, NULL);
   vk.DestroyRenderPass(client->device, pass, NULL);
   client_image_destroy(client, &image);
}

/* In a process of its own, as memory once used stays. */
static void work(enum work kind, uint32_t num_threads, int answer)
{
   char text[16];
   limit_threads = num_threads;
   snprintf(text, sizeof(text), "%u", num_threads);
   setenv("VK_SWRAST_THREADS", text, 1);
   struct client client;
   client_init(&client, &(struct client_options){0});
   if (kind == DISPATCH)
      dispatch(&client);
   else if (kind == FRAME)
      render(&client);
   const struct use use = read_use();
   if (write(answer, &use, sizeof(use)) != sizeof(use))
      exit(1);
   client_finish(&client);
}

static struct use measure(enum work kind, uint32_t num_threads)
{
   struct use use = {0};
   int ends[2], status = -1;
   CHECK_EQ(pipe(ends), 0);
   fflush(stdout);
   const pid_t child = fork();
   if (child == 0) {
      close(ends[0]);
      work(kind, num_threads, ends[1]);
      _exit(0);
   }
   close(ends[1]);
   CHECK_EQ(read(ends[0], &use, sizeof(use)), sizeof(use));
   CHECK_EQ(waitpid(child, &status, 0), child);
   CHECK_EQ(status, 0);
   close(ends[0]);
   return use;
}

static void compare(enum work kind)
{
   const struct use few = measure(kind, FEW), many = measure(kind, MANY);
   const long threads = many.num_threads - few.num_threads, kib = many.resident_kib - few.resident_kib;
   printf("%ld KiB for %ld threads: %.1f each\n", kib, threads, (double)kib / (double)(threads ? threads : 1));
   CHECK(few.resident_kib > 0);
   if (kind == NOTHING) {
      CHECK_EQ(threads, 0);
      CHECK(kib < 64); /* of all */
   } else {
      CHECK(threads >= MIN_STARTED);
      CHECK(kib < limits_kib[kind] * threads);
   }
}

TEST(nothing)
{
   compare(NOTHING);
}

TEST(dispatch)
{
   compare(DISPATCH);
}

TEST(frame)
{
   compare(FRAME);
}

TEST_MAIN
