/* SPDX-License-Identifier: MIT
 * Rows about fixed costs: start-up, compiling, memory. Each runs in a fresh process (bench.c sees to that). */
#include "tests/bench/start.h"
#include "tests/corpus/corpus.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

double bench_resident_bytes(void)
{
   unsigned long pages = 0, resident = 0;
   FILE *file = fopen("/proc/self/statm", "r");
   if (!file || fscanf(file, "%lu %lu", &pages, &resident) != 2)
      client_die("cannot read /proc/self/statm");
   fclose(file);
   return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static double start_ms(void)
{
   struct client client;
   const double begin = client_now_s();
   client_init(&client, &(struct client_options){0});
   const double ms = (client_now_s() - begin) * 1e3;
   client_finish(&client);
   return ms;
}

static double compile_ms(void)
{
   struct client client;
   client_init(&client, &(struct client_options){0});
   const double ms = bench_compile_ms(&client, VK_NULL_HANDLE);
   client_finish(&client);
   return ms;
}

/* From SPIR-V to the end of the first dispatch of every shader of the corpus. */
static double corpus_ms(void)
{
   struct client client;
   struct corpus corpus;
   double total_s = 0;
   client_init(&client, &(struct client_options){0});
   corpus_init(&corpus, &client);
   for (uint32_t i = 0; i < corpus_num_shaders; i++) {
      const double begin = client_now_s();
      VkPipeline pipeline = corpus_compile(&corpus, i, NULL);
      corpus_run(&corpus, pipeline, 1);
      total_s += client_now_s() - begin;
      vk.DestroyPipeline(client.device, pipeline, NULL);
   }
   corpus_finish(&corpus);
   client_finish(&client);
   return total_s * 1e3;
}

/* The same with all pipelines of one vkCreateComputePipelines call, as applications make them that know what they need. */
static double corpus_at_once_ms(void)
{
   struct client client;
   struct corpus corpus;
   client_init(&client, &(struct client_options){0});
   corpus_init(&corpus, &client);
   VkPipeline *pipelines = calloc(corpus_num_shaders, sizeof(*pipelines));
   if (!pipelines)
      client_die("no memory");
   const double begin = client_now_s();
   corpus_compile_all(&corpus, pipelines);
   for (uint32_t i = 0; i < corpus_num_shaders; i++)
      corpus_run(&corpus, pipelines[i], 1);
   const double ms = (client_now_s() - begin) * 1e3;
   for (uint32_t i = 0; i < corpus_num_shaders; i++)
      vk.DestroyPipeline(client.device, pipelines[i], NULL);
   free(pipelines);
   corpus_finish(&corpus);
   client_finish(&client);
   return ms;
}

/* Adds to *data, a double, what is loaded from a library's file: its bytes without symbols and debug information. Not the loader's and its layers'. */
static int add_loaded(struct dl_phdr_info *info, size_t size, void *data)
{
   double *bytes = data;
   if (strstr(info->dlpi_name, "libvulkan.so") || strstr(info->dlpi_name, "VkLayer"))
      return 0;
   for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
      if (info->dlpi_phdr[i].p_type == PT_LOAD)
         *bytes += (double)info->dlpi_phdr[i].p_filesz;
   }
   return 0;
}

/* Libraries that the process has only because of the driver. */
static double libraries_mb(bool compiles)
{
   struct client client;
   double before = 0, after = 0;
   dl_iterate_phdr(add_loaded, &before);
   client_init(&client, &(struct client_options){0});
   if (compiles)
      bench_compile_ms(&client, VK_NULL_HANDLE);
   dl_iterate_phdr(add_loaded, &after);
   client_finish(&client);
   return (after - before) / 1e6;
}

static double idle_libraries_mb(void)
{
   return libraries_mb(false);
}

static double compiling_libraries_mb(void)
{
   return libraries_mb(true);
}

static double idle_mb(void)
{
   struct client client;
   client_init(&client, &(struct client_options){0});
   const double bytes = bench_resident_bytes();
   client_finish(&client);
   return bytes / (1 << 20);
}

static double devices_mb(void)
{
   struct client client;
   client_init(&client, &(struct client_options){0});
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
   PFN_vkDestroyDevice destroy = vk.DestroyDevice;
   for (uint32_t i = 0; i < 1000; i++) {
      VkDevice device;
      client_check(vk.CreateDevice(client.physical_device, &info, NULL, &device), "vkCreateDevice");
      destroy(device, NULL);
   }
   const double bytes = bench_resident_bytes();
   client_finish(&client);
   return bytes / (1 << 20);
}

/* How much larger the process is after 1,000 pipelines made, run and destroyed than after the first hundred, in percent. */
static double pipelines_percent(void)
{
   struct client client;
   double after_hundred = 0;
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

   client_init(&client, &(struct client_options){0});
   struct client_buffer buffer = client_buffer_create(&client, 64 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_set set = client_set_create(&client, 1, &type);
   client_set_buffer(&client, &set, 0, type, &buffer);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   for (uint32_t i = 0; i < 1000; i++) {
      VkShaderModule module = client_shader(&client, bench_kernels[0].words, bench_kernels[0].size_bytes);
      VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
      VkCommandBuffer cmd = client_begin(&client);
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
      vk.CmdDispatch(cmd, 1, 1, 1);
      client_run(&client, cmd);
      vk.DestroyPipeline(client.device, pipeline, NULL);
      vk.DestroyShaderModule(client.device, module, NULL);
      if (i == 99)
         after_hundred = bench_resident_bytes();
   }
   const double after_all = bench_resident_bytes();
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &buffer);
   client_finish(&client);
   return (after_all / after_hundred - 1) * 100;
}

const struct bench_start_row bench_start_rows[] = {
   {"instance + device creation", "ms", false, start_ms},
   {"cold compile of the kernels", "ms", false, compile_ms},
   {"compile from the disk cache", "ms", true, compile_ms},
   {"cold compile of the corpus", "ms", false, corpus_ms},
   {"cold compile, all in one call", "ms", false, corpus_at_once_ms},
   {"corpus from the disk cache", "ms", true, corpus_ms},
   {"libraries, one idle device", "MB", false, idle_libraries_mb},
   {"libraries, after a compile", "MB", false, compiling_libraries_mb},
   {"memory, one idle device", "MB", false, idle_mb},
   {"memory after 1,000 devices", "MB", false, devices_mb},
   {"growth by 1,000 pipelines", "%", false, pipelines_percent},
   {0},
};
