/* SPDX-License-Identifier: MIT
 * Memory of a thread after nothing, dispatches of many workgroups, and frames of many chunks and tiles. What the driver keeps for the one that has
 * most is the same on every machine. What a process has resident with up to 64 threads above what it has with 2 is not: allocators, stacks and who
 * happens to do what are in it, so its bound only finds what the former does not count. docs/SCALING.md has the figures. */
#include "tests/client/client.h"
#include "tests/resident.h"
#include "tests/test.h"

#include "memory_comp.h"
#include "memory_frag.h"
#include "memory_vert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FEW = 2, MANY = 64, MIN_STARTED = 4, MAX_TIMES = 40, SIZE = 1024 };

static uint32_t limit_threads; /* of this process's driver */

enum work { NOTHING, DISPATCH, FRAME };
static const double limits_kib[] = {[DISPATCH] = 16, [FRAME] = 224};        /* that the driver keeps for one thread */
static const long resident_limits_kib[] = {[NOTHING] = 0, [DISPATCH] = 128, [FRAME] = 512}; /* a thread */
enum { RESIDENT_SLACK_KIB = 512 };                                          /* of all */

struct use {
   long resident_kib, num_threads;
   double maximum_kib; /* of one thread, by the driver's account */
};

static long num_threads_now(void)
{
   return test_read_number("/proc/self/status", "Threads: %ld");
}

static struct use read_use(void)
{
   return (struct use){.resident_kib = test_resident_kib(), .num_threads = num_threads_now()};
}

/* Until many threads have worked: some are started only where others leave them something to do. A few will be, at the latest when the
 * machine is less busy. */
static void run(struct client *client, VkCommandBuffer cmd)
{
   client_end(cmd);
   const long had = num_threads_now();
   for (uint32_t i = 0; i < 2 || limit_threads > FEW; i++) {
      client_submit(client, cmd);
      const long has = num_threads_now();
      if (has >= MANY || (i >= MAX_TIMES && has >= had + MIN_STARTED + FEW))
         break;
   }
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
   VkCommandBuffer cmd = client_begin(client);
   client_begin_pass(cmd, pass, framebuffer, SIZE, SIZE, 1, &clear);
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

/* The driver's, of the thread that has most. */
static double read_account(int file)
{
   char text[4096] = "";
   CHECK(pread(file, text, sizeof(text) - 1, 0) >= 0);
   double maximum_kb = 0;
   const char *line = strstr(text, "scale: memory:");
   if (!line || sscanf(line, "scale: memory: %*f KB a thread, %*f KB of it touched, %lf KB at most", &maximum_kb) != 1)
      fputs(text, stderr);
   return maximum_kb * 1000 / 1024;
}

/* In a process of its own, as memory once used stays. */
static void work(enum work class, uint32_t num_threads, int answer)
{
   char text[16];
   limit_threads = num_threads;
   snprintf(text, sizeof(text), "%u", num_threads);
   setenv("VK_SWRAST_THREADS", text, 1);
   setenv("VK_SWRAST_DEBUG", "nocache,scale", 1);
   CHECK(test_refuse_huge_pages());
   const int errors = dup(STDERR_FILENO), account = memfd_create("account", 0);
   CHECK(dup2(account, STDERR_FILENO) >= 0);
   struct client client;
   client_init(&client, &(struct client_options){0});
   if (class == DISPATCH)
      dispatch(&client);
   else if (class == FRAME)
      render(&client);
   struct use use = read_use();
   client_finish(&client);
   dup2(errors, STDERR_FILENO);
   use.maximum_kib = read_account(account);
   if (write(answer, &use, sizeof(use)) != sizeof(use))
      exit(1);
}

static struct use measure(enum work class, uint32_t num_threads)
{
   struct use use = {0};
   int ends[2], status = -1;
   CHECK_EQ(pipe(ends), 0);
   fflush(stdout);
   const pid_t child = fork();
   if (child == 0) {
      close(ends[0]);
      work(class, num_threads, ends[1]);
      _exit(0);
   }
   close(ends[1]);
   CHECK_EQ(read(ends[0], &use, sizeof(use)), sizeof(use));
   CHECK_EQ(waitpid(child, &status, 0), child);
   CHECK_EQ(status, 0);
   close(ends[0]);
   return use;
}

static void compare(enum work class)
{
   const struct use few = measure(class, FEW), many = measure(class, MANY);
   const long threads = many.num_threads - few.num_threads, kib = many.resident_kib - few.resident_kib;
   printf("%.1f KiB at most; resident %ld KiB for %ld threads: %.1f each\n", many.maximum_kib, kib, threads, (double)kib / (double)(threads ? threads : 1));
   CHECK(few.resident_kib > 0);
   CHECK(kib < resident_limits_kib[class] * threads + RESIDENT_SLACK_KIB);
   if (class == NOTHING) {
      CHECK_EQ(threads, 0);
      return;
   }
   CHECK(threads >= MIN_STARTED);
   CHECK(many.maximum_kib > 0);
   CHECK(many.maximum_kib < limits_kib[class]);
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
