/* SPDX-License-Identifier: MIT
 * Compute rows. */
#include "tests/bench/bench.h"

#include "copy.comp.h"
#include "divergent.comp.h"
#include "fma.comp.h"
#include "math.comp.h"
#include "matmul.comp.h"
#include "reduce.comp.h"
#include "tiny.comp.h"

#include "util/macros.h"

#define KERNEL(name, buffers) {#name, name##_comp, sizeof(name##_comp), buffers}
const struct bench_kernel bench_kernels[] = {
   KERNEL(fma, 1),  KERNEL(copy, 2), KERNEL(divergent, 1), KERNEL(matmul, 3),
   KERNEL(reduce, 2), KERNEL(math, 1), KERNEL(tiny, 1),
};
const uint32_t bench_num_kernels = UTIL_ARRAY_SIZE(bench_kernels);

enum { FMA, COPY, DIVERGENT, MATMUL, REDUCE, MATH, TINY };

/* A kernel with its buffers and a recorded command buffer. */
struct job {
   struct client *client;
   struct client_buffer buffers[3];
   uint32_t num_buffers;
   struct client_set set;
   VkShaderModule module;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkCommandBuffer cmd;
};

static void job_prepare(struct job *job, struct client *client, const struct bench_kernel *kernel, size_t buffer_bytes,
                        VkPipelineCache cache)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, types[3] = {type, type, type};
   *job = (struct job){.client = client, .num_buffers = kernel->num_buffers};
   job->set = client_set_create(client, kernel->num_buffers, types);
   for (uint32_t i = 0; i < kernel->num_buffers; i++) {
      job->buffers[i] = client_buffer_create(
         client, buffer_bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
      client_set_buffer(client, &job->set, i, type, &job->buffers[i]);
   }
   job->module = client_shader(client, kernel->words, kernel->size_bytes);
   job->layout = client_pipeline_layout(client, &job->set, 0);
   job->pipeline = client_compute_pipeline(client, job->module, job->layout, cache, NULL);
}

static void job_record(struct job *job, uint32_t dispatches, uint32_t x, uint32_t y)
{
   job->cmd = client_begin(job->client);
   vk.CmdBindPipeline(job->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, job->pipeline);
   vk.CmdBindDescriptorSets(job->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, job->layout, 0, 1, &job->set.set, 0, NULL);
   for (uint32_t i = 0; i < dispatches; i++) {
      vk.CmdDispatch(job->cmd, x, y, 1);
      client_barrier(job->cmd);
   }
   client_end(job->cmd);
}

static void job_submit(void *data)
{
   struct job *job = data;
   client_submit(job->client, job->cmd);
}

static void job_finish(struct job *job)
{
   struct client *client = job->client;
   if (job->cmd)
      vk.FreeCommandBuffers(client->device, client->pool, 1, &job->cmd);
   vk.DestroyPipeline(client->device, job->pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, job->layout, NULL);
   vk.DestroyShaderModule(client->device, job->module, NULL);
   client_set_destroy(client, &job->set);
   for (uint32_t i = 0; i < job->num_buffers; i++)
      client_buffer_destroy(client, &job->buffers[i]);
}

/* Seconds of `dispatches` dispatches of x * y workgroups. */
static double measure(struct client *client, uint32_t kernel, size_t buffer_bytes, uint32_t dispatches, uint32_t x, uint32_t y)
{
   struct job job;
   job_prepare(&job, client, &bench_kernels[kernel], buffer_bytes, VK_NULL_HANDLE);
   job_record(&job, dispatches, x, y);
   const double seconds = bench_median(0.5, job_submit, &job);
   job_finish(&job);
   return seconds;
}

static double row_fma(struct client *client)
{
   return 2.0 * 8 * 256 * 64 * 1024 / measure(client, FMA, 64 * 1024 * 4, 1, 1024, 1) * 1e-9;
}

static double row_saxpy(struct client *client)
{
   const size_t bytes = 32 << 20;
   return 3.0 * (double)bytes / measure(client, COPY, bytes, 1, (uint32_t)(bytes / 4 / 256), 1) * 1e-9;
}

static double row_divergent(struct client *client)
{
   return 512.0 * 512.0 / measure(client, DIVERGENT, 512 * 512 * 4, 1, 32, 32) * 1e-6;
}

static double row_matmul(struct client *client)
{
   return 2.0 * 256 * 256 * 256 / measure(client, MATMUL, 256 * 256 * 4, 1, 16, 16) * 1e-9;
}

static double row_reduce(struct client *client)
{
   const size_t bytes = 16 << 20;
   return (double)bytes / measure(client, REDUCE, bytes, 1, (uint32_t)(bytes / 4 / 256), 1) * 1e-9;
}

static double row_math(struct client *client)
{
   return 16.0 * 7 * 64 * 1024 / measure(client, MATH, 64 * 1024 * 4, 1, 1024, 1) * 1e-6;
}

static double row_dispatch(struct client *client)
{
   return measure(client, TINY, 64, 256, 1, 1) / 256 * 1e6;
}

static double row_submit(struct client *client)
{
   struct job job = {.client = client, .cmd = client_begin(client)};
   client_end(job.cmd);
   const double seconds = bench_median(0.3, job_submit, &job);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &job.cmd);
   return seconds * 1e6;
}

static double row_copy(struct client *client)
{
   const size_t bytes = 64 << 20;
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
   struct job job = {.client = client};
   const VkBufferCopy region = {0, 0, bytes};

   job.buffers[0] = client_buffer_create(client, bytes, usage);
   job.buffers[1] = client_buffer_create(client, bytes, usage);
   job.cmd = client_begin(client);
   vk.CmdCopyBuffer(job.cmd, job.buffers[0].buffer, job.buffers[1].buffer, 1, &region);
   client_end(job.cmd);
   const double seconds = bench_median(0.5, job_submit, &job);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &job.cmd);
   client_buffer_destroy(client, &job.buffers[0]);
   client_buffer_destroy(client, &job.buffers[1]);
   return (double)bytes / seconds * 1e-9;
}

double bench_compile_ms(struct client *client, VkPipelineCache cache)
{
   double total = 0;
   for (uint32_t i = 0; i < bench_num_kernels; i++) {
      struct job job;
      const double begin = client_now_s();
      job_prepare(&job, client, &bench_kernels[i], 1 << 20, cache);
      job_record(&job, 1, 1, 1);
      job_submit(&job);
      total += client_now_s() - begin;
      job_finish(&job);
   }
   return total * 1e3;
}

const struct bench_row bench_compute_rows[] = {
   {"submit and wait, empty", "us", true, row_submit},
   {"dispatch + barrier, of 256", "us", true, row_dispatch},
   {"copy buffer", "GB/s", false, row_copy},
   {"saxpy", "GB/s", false, row_saxpy},
   {"dependent FMA", "GFLOP/s", false, row_fma},
   {"divergent loop", "Mpixel/s", false, row_divergent},
   {"tiled matrix product", "GFLOP/s", false, row_matmul},
   {"shared reduction", "GB/s", false, row_reduce},
   {"transcendental mix", "Mop/s", false, row_math},
   {NULL, NULL, false, NULL},
};
