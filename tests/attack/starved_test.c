/* SPDX-License-Identifier: MIT
 * SECURITY.md, "little to live on": a process with little memory, few files, a part of a processor, without /proc and /tmp, or in a sandbox as
 * browsers have it, computes as any other; with all of it at once it draws, too. The argument says which; 77 where the system does not let an ordinary user try it. */
#include "tests/client/client.h"
#include "util/sanitizers.h"

#include "hangs_comp_0.h"
#include "hangs_comp_3.h"
#include "starved_frag.h"
#include "starved_vert.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SKIPPED = 77 };

static int skip(const char *reason)
{
   printf("skipped: %s: %s\n", reason, strerror(errno));
   return SKIPPED;
}

/* ---- the work ---- */

struct work {
   struct client client;
   struct client_buffer buffer;
   struct client_set set;
   VkPipelineLayout layout;
};

static void start(struct work *work)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   client_init(&work->client, &(struct client_options){0});
   work->buffer = client_buffer_create(&work->client, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   work->set = client_set_create(&work->client, 1, &type);
   work->layout = client_pipeline_layout(&work->client, &work->set, 4);
   client_set_buffer(&work->client, &work->set, 0, type, &work->buffer);
}

/* Compiles a shader and runs it: x = x / 2 + 1 goes to 2. */
static bool compute(struct work *work, uint32_t count)
{
   struct client *client = &work->client;
   VkShaderModule module = client_shader(client, hangs_comp_3, sizeof(hangs_comp_3));
   VkPipeline pipeline = client_compute_pipeline(client, module, work->layout, VK_NULL_HANDLE, NULL);
   memset(work->buffer.map, 0, 4096);
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, work->layout, 0, 1, &work->set.set, 0, NULL);
   vk.CmdPushConstants(cmd, work->layout, VK_SHADER_STAGE_ALL, 0, 4, &count);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   client_end(cmd);
   client_check(vk.QueueSubmit(client->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
   client_check(vk.QueueWaitIdle(client->queue), "vkQueueWaitIdle");
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
   const bool is_right = *(const float *)work->buffer.map == 2.0f;
   if (!is_right)
      printf("computed %g\n", (double)*(const float *)work->buffer.map);
   return is_right;
}

static void finish(struct work *work)
{
   vk.DestroyPipelineLayout(work->client.device, work->layout, NULL);
   client_set_destroy(&work->client, &work->set);
   client_buffer_destroy(&work->client, &work->buffer);
   client_finish(&work->client);
}

static int start_and_compute(void)
{
   struct work work;
   start(&work);
   const bool is_right = compute(&work, 1000);
   finish(&work);
   return is_right ? 0 : 1;
}

/* ---- what is scarce ---- */

static int with_limit(int resource, rlim_t max)
{
   const struct rlimit limit = {max, max};
   return setrlimit(resource, &limit) == 0 ? start_and_compute() : skip("setrlimit");
}

/* 256 MiB, for the compiler and all threads' stacks too. */
static int address_space(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
   return skip("a sanitizer needs terabytes of addresses");
#else
   return with_limit(RLIMIT_AS, 256 << 20);
#endif
}

/* A compile for which there is no memory is refused, and nothing is lost each time. */
static int compile_memory(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
   return skip("a sanitizer's own memory cannot be separated from the driver's");
#else
   struct work work;
   struct rlimit limit;
   unsigned long pages = 0;
   start(&work);
   if (!compute(&work, 1000))
      return 1;
   FILE *file = fopen("/proc/self/statm", "r");
   const bool is_read = file && fscanf(file, "%lu", &pages) == 1;
   if (!is_read || fclose(file) != 0 || getrlimit(RLIMIT_AS, &limit) != 0)
      return skip("/proc/self/statm");
   VkShaderModule module = client_shader(&work.client, hangs_comp_0, sizeof(hangs_comp_0));
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main"},
      .layout = work.layout,
   };
   VkPipeline pipeline = VK_NULL_HANDLE;
   VkResult result = VK_SUCCESS;
   size_t used = 0;
   const struct rlimit little = {pages * (rlim_t)sysconf(_SC_PAGESIZE) + (6 << 20), limit.rlim_max};
   if (setrlimit(RLIMIT_AS, &little) != 0)
      return skip("setrlimit");
   for (uint32_t i = 0; i < 20; i++) {
      result = vk.CreateComputePipelines(work.client.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
      if (result != VK_ERROR_OUT_OF_HOST_MEMORY) {
         printf("vkCreateComputePipelines: %d\n", result);
         return 2;
      }
      if (i == 1)
         used = mallinfo2().uordblks;
   }
   const size_t lost = mallinfo2().uordblks - used;
   if (lost > 4096) {
      printf("%zu bytes are lost by 18 compiles\n", lost);
      return 3;
   }
   if (setrlimit(RLIMIT_AS, &limit) != 0)
      return skip("setrlimit");
   client_check(vk.CreateComputePipelines(work.client.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   vk.DestroyPipeline(work.client.device, pipeline, NULL);
   vk.DestroyShaderModule(work.client.device, module, NULL);
   finish(&work);
   return 0;
#endif
}

static int files(void)
{
   return with_limit(RLIMIT_NOFILE, 64);
}

static bool write_text(const char *path, const char *text)
{
   FILE *file = fopen(path, "w");
   const bool is_open = file != NULL, is_written = is_open && fputs(text, file) >= 0;
   return is_open && fclose(file) == 0 && is_written;
}

/* Nothing in /proc and /tmp, and a home that cannot be written; else SKIPPED. */
static int lose_folders(void)
{
   char map[64];
   const unsigned user = geteuid();
   const char *manifest = getenv("VK_ICD_FILENAMES");
   if (manifest && strncmp(manifest, "/tmp/", 5) == 0) {
      errno = ENOENT;
      return skip("a driver that is not in /tmp itself");
   }
   if (unshare(CLONE_NEWNS | (user ? CLONE_NEWUSER : 0)) != 0)
      return skip("namespaces");
   snprintf(map, sizeof(map), "%u %u 1", user, user);
   if (user && !write_text("/proc/self/uid_map", map))
      return skip("a map of users");
   if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
      return skip("mounts of one's own");
   if (mount("none", "/tmp", "tmpfs", MS_RDONLY, NULL) != 0 || mount("none", "/proc", "tmpfs", MS_RDONLY, NULL) != 0)
      return skip("mounting over /proc");
   setenv("HOME", "/tmp", 1);
   unsetenv("XDG_CACHE_HOME");
   unsetenv("VK_SWRAST_DEBUG"); /* the cache is on */
   return 0;
}

static int no_folders(void)
{
   const int status = lose_folders();
   return status ? status : start_and_compute();
}

/* Work that takes most of a time-out. */
static int compute_long(void)
{
   struct work work;
   struct timespec begin, end;
   uint32_t count = 1 << 20;
   bool is_right = true;
   start(&work);
   for (double spent_s = 0; spent_s < 0.3 && is_right; count += count / 2) {
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
      is_right = compute(&work, count);
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
      spent_s = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
   }
   for (uint32_t i = 0; i < 2 && is_right; i++)
      is_right = compute(&work, count);
   finish(&work);
   return is_right ? 0 : 1;
}

/* `run` in a process that a processor has for so many of each 100 ms. */
static int with_turns(int (*run)(void), long turn_ms)
{
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   setenv("VK_SWRAST_THREADS", "2", 1);
   const pid_t child = fork();
   if (child < 0)
      return skip("fork");
   if (child == 0)
      exit(run());
   int status = 0;
   const struct timespec turn = {.tv_nsec = turn_ms * 1000000}, pause = {.tv_nsec = (100 - turn_ms) * 1000000};
   while (waitpid(child, &status, WNOHANG) == 0) {
      kill(child, SIGSTOP);
      nanosleep(&pause, NULL);
      kill(child, SIGCONT);
      nanosleep(&turn, NULL);
   }
   return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int half_a_processor(void)
{
   return with_turns(compute_long, 50);
}

static int tenth_of_a_processor(void)
{
   return with_turns(compute_long, 10);
}

/* ---- a sandbox ---- */

/* From now on, for all threads, files are not opened, programs not run, sockets not made. */
static bool enter_sandbox(void)
{
   static const unsigned refused[] = {
#ifdef SYS_open /* newer families of processors never had them */
      SYS_open, SYS_creat,
#endif
      SYS_openat, SYS_openat2, SYS_execve, SYS_execveat, SYS_socket, SYS_connect};
   enum { NUM = sizeof(refused) / sizeof(refused[0]) };
   struct sock_filter filter[NUM + 3];
   filter[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0 /* offsetof(struct seccomp_data, nr) */);
   for (unsigned i = 0; i < NUM; i++)
      filter[1 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i], (unsigned char)(NUM - i), 0);
   filter[NUM + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
   filter[NUM + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
   const struct sock_fprog program = {NUM + 3, filter};
   return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
          syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

/* What came before it has loaded the compiler; threads, memory and further shaders need nothing that is refused. */
static int sandbox(void)
{
   struct work work;
   start(&work);
   if (!compute(&work, 1000))
      return 1;
   if (!enter_sandbox())
      return skip("seccomp");
   if (!compute(&work, 1001))
      return 2;
   finish(&work);
   return 0;
}

/* Without the compiler, what needs it fails and stderr says why; the rest works. */
static int sandbox_first(void)
{
   struct work work;
   char text[4096] = "";
   FILE *said = tmpfile();
   const int own = dup(STDERR_FILENO);
   start(&work);
   if (!said || !enter_sandbox())
      return skip("seccomp");
   dup2(fileno(said), STDERR_FILENO);
   const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(hangs_comp_3), .pCode = hangs_comp_3};
   VkShaderModule module = VK_NULL_HANDLE;
   const VkResult result = vk.CreateShaderModule(work.client.device, &info, NULL, &module);
   dup2(own, STDERR_FILENO);
   const bool has_said = pread(fileno(said), text, sizeof(text) - 1, 0) > 0 && strstr(text, "cannot load the compiler");
   if (result == VK_SUCCESS || !has_said) {
      printf("vkCreateShaderModule: %d, \"%s\"\n", result, text);
      return 1;
   }
   VkCommandBuffer cmd = client_begin(&work.client);
   vk.CmdFillBuffer(cmd, work.buffer.buffer, 0, 4096, 0x01020304);
   client_barrier(cmd);
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   client_end(cmd);
   client_check(vk.QueueSubmit(work.client.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   client_check(vk.QueueWaitIdle(work.client.queue), "vkQueueWaitIdle");
   const bool is_filled = *(const uint32_t *)work.buffer.map == 0x01020304;
   finish(&work);
   return is_filled ? 0 : 1;
}

/* ---- all of it ---- */

/* Compiles shaders of a draw and draws: a triangle over all of a picture, in the colour of its fragment shader. */
static bool draw(struct work *work)
{
   enum { SIZE = 64, MIDDLE = SIZE / 2 * SIZE + SIZE / 2 };
   struct client *client = &work->client;
   struct client_image image = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   struct client_buffer texels = client_buffer_create(client, SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   VkRenderPass pass = client_render_pass(client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(client, pass, 1, &image.view, SIZE, SIZE);
   const struct client_graphics info = {
      .vertex = client_shader(client, starved_vert, sizeof(starved_vert)),
      .fragment = client_shader(client, starved_frag, sizeof(starved_frag)),
      .layout = client_pipeline_layout(client, NULL, 0),
      .pass = pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   VkPipeline pipeline = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   VkCommandBuffer cmd = client_begin(client);
   client_begin_pass(cmd, pass, framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, texels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(client, cmd);
   const uint32_t middle = ((const uint32_t *)texels.map)[MIDDLE];
   if (middle != 0xff0000ff)
      printf("drew %08x\n", middle);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, info.layout, NULL);
   vk.DestroyShaderModule(client->device, info.vertex, NULL);
   vk.DestroyShaderModule(client->device, info.fragment, NULL);
   vk.DestroyFramebuffer(client->device, framebuffer, NULL);
   vk.DestroyRenderPass(client->device, pass, NULL);
   client_buffer_destroy(client, &texels);
   client_image_destroy(client, &image);
   return middle == 0xff0000ff;
}

/* What needs files, for the compiler to be loaded, comes before the sandbox. */
static int compute_and_draw(void)
{
   struct work work;
   const int status = lose_folders();
   if (status)
      return status;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
   const struct rlimit memory = {256 << 20, 256 << 20};
   if (setrlimit(RLIMIT_AS, &memory) != 0)
      return skip("setrlimit");
#endif
   const struct rlimit num_files = {64, 64};
   if (setrlimit(RLIMIT_NOFILE, &num_files) != 0)
      return skip("setrlimit");
   start(&work);
   if (!compute(&work, 1000))
      return 1;
   if (!enter_sandbox())
      return skip("seccomp");
   if (!compute(&work, 1 << 20))
      return 2;
   if (!draw(&work))
      return 3;
   finish(&work);
   return 0;
}

/* 256 MiB, 64 files, half of a processor, no folders, a sandbox. */
static int all_at_once(void)
{
   return with_turns(compute_and_draw, 50);
}

int main(int argc, char **argv)
{
   static const struct {
      const char *name;
      int (*run)(void);
   } cases[] = {{"address_space", address_space}, {"compile_memory", compile_memory}, {"files", files}, {"no_folders", no_folders}, {"half_a_processor", half_a_processor},
                {"tenth_of_a_processor", tenth_of_a_processor}, {"all_at_once", all_at_once},
                {"sandbox", sandbox}, {"sandbox_first", sandbox_first}};
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      if (argc > 1 && strcmp(argv[1], cases[i].name) == 0)
         return cases[i].run();
   }
   return 2;
}
