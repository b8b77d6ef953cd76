/* SPDX-License-Identifier: MIT
 * SECURITY.md, "little to live on": a process with little memory, few files, half of a processor, without /proc and /tmp, or in a sandbox as
 * browsers have it, computes as any other. The argument says which; 77 where the system does not let an ordinary user try it. */
#include "tests/client/client.h"
#include "util/sanitizers.h"

#include "hangs_comp_0.h"
#include "hangs_comp_3.h"

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

/* Nothing in /proc and /tmp, and a home that cannot be written. */
static int no_folders(void)
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
   return start_and_compute();
}

/* Half of a processor, in turns of 50 ms, for work that takes most of a time-out. */
static int half_a_processor(void)
{
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   setenv("VK_SWRAST_THREADS", "2", 1);
   const pid_t child = fork();
   if (child < 0)
      return skip("fork");
   if (child == 0) {
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
      exit(is_right ? 0 : 1);
   }
   int status = 0;
   const struct timespec turn = {.tv_nsec = 50000000};
   while (waitpid(child, &status, WNOHANG) == 0) {
      kill(child, SIGSTOP);
      nanosleep(&turn, NULL);
      kill(child, SIGCONT);
      nanosleep(&turn, NULL);
   }
   return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
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

int main(int argc, char **argv)
{
   static const struct {
      const char *name;
      int (*run)(void);
   } cases[] = {{"address_space", address_space}, {"compile_memory", compile_memory}, {"files", files}, {"no_folders", no_folders}, {"half_a_processor", half_a_processor},
                {"sandbox", sandbox}, {"sandbox_first", sandbox_first}};
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      if (argc > 1 && strcmp(argv[1], cases[i].name) == 0)
         return cases[i].run();
   }
   return 2;
}
