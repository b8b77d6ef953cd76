/* SPDX-License-Identifier: MIT
 * Compute rows. */
#include "tests/bench/bench.h"
#include "tests/bench/machine.h"
#include "tests/bench/matrices.h"

#include "copy.comp.h"
#include "divergent.comp.h"
#include "fma.comp.h"
#include "histogram.comp.h"
#include "math.comp.h"
#include "matmul.comp.h"
#include "reduce.comp.h"
#include "subgroup_reduce.comp.h"
#include "subgroup_sort.comp.h"
#include "tiny.comp.h"

#include "util/macros.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL(name, buffers) {#name, name##_comp, sizeof(name##_comp), buffers}
const struct bench_kernel bench_kernels[] = {
   KERNEL(fma, 1),  KERNEL(copy, 2), KERNEL(divergent, 1), KERNEL(matmul, 3),
   KERNEL(reduce, 2), KERNEL(math, 1), KERNEL(tiny, 1), KERNEL(histogram, 2),
   KERNEL(subgroup_reduce, 2), KERNEL(subgroup_sort, 2), /* of Vulkan 1.1 */
};

enum { FMA, COPY, DIVERGENT, MATMUL, REDUCE, MATH, TINY, HISTOGRAM, SUBGROUP_REDUCE, SUBGROUP_SORT };

const uint32_t bench_num_kernels = SUBGROUP_REDUCE; /* of Vulkan 1.0 */

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

/* Seconds of `dispatches` dispatches of x * y workgroups. The first buffer has `words`, or zeros if that is NULL. */
static double measure_kernel(struct client *client, const struct bench_kernel *kernel, size_t buffer_bytes, uint32_t dispatches, uint32_t x,
                            uint32_t y, const uint32_t *words)
{
   struct job job;
   job_prepare(&job, client, kernel, buffer_bytes, VK_NULL_HANDLE);
   if (words)
      memcpy(job.buffers[0].map, words, buffer_bytes);
   job_record(&job, dispatches, x, y);
   const double seconds = bench_median(0.5, job_submit, &job);
   job_finish(&job);
   return seconds;
}

static double measure(struct client *client, uint32_t kernel, size_t buffer_bytes, uint32_t dispatches, uint32_t x, uint32_t y)
{
   return measure_kernel(client, &bench_kernels[kernel], buffer_bytes, dispatches, x, y, NULL);
}

static double row_fma(struct client *client)
{
   return 2.0 * 8 * 256 * 64 * 1024 / measure(client, FMA, 64 * 1024 * 4, 1, 1024, 1) * 1e-9;
}

/* What the machine could do is measured before and after: noise only ever takes from it. */
static double percent_of(double (*machine)(void), double (*row)(struct client *client), struct client *client)
{
   const double before = machine(), value = row(client), after = machine();
   return 100 * value / UTIL_MAX(before, after);
}

static double row_fma_percent(struct client *client)
{
   return percent_of(bench_machine_gflops, row_fma, client);
}

static double row_saxpy(struct client *client)
{
   const size_t bytes = 32 << 20;
   return 3.0 * (double)bytes / measure(client, COPY, bytes, 1, (uint32_t)(bytes / 4 / 256), 1) * 1e-9;
}

static double row_saxpy_percent(struct client *client)
{
   return percent_of(bench_machine_copy_gbs, row_saxpy, client);
}

static double row_divergent(struct client *client)
{
   return 512.0 * 512.0 / measure(client, DIVERGENT, 512 * 512 * 4, 1, 32, 32) * 1e-6;
}

static double row_matmul(struct client *client)
{
   return 2.0 * 256 * 256 * 256 / measure(client, MATMUL, 256 * 256 * 4, 1, 16, 16) * 1e-9;
}

static double product_of_matrices(struct client *client, enum bench_matrix which)
{
   const uint32_t size = BENCH_MATRIX_SIZE, tiles = size / BENCH_MATRIX_TILE;
   const struct bench_kernel kernel = bench_matrix_kernel(which);
   const double seconds = measure_kernel(client, &kernel, size * size * 4, 1, tiles, tiles, NULL);
   free((void *)kernel.words);
   return 2.0 * size * size * size / seconds * 1e-9;
}

static double row_matrices_f16(struct client *client)
{
   return product_of_matrices(client, BENCH_MATRIX_F16);
}

static double row_matrices_columns(struct client *client)
{
   return product_of_matrices(client, BENCH_MATRIX_F16_COLUMNS);
}

static double row_matrices_f32(struct client *client)
{
   return product_of_matrices(client, BENCH_MATRIX_F32);
}

static double row_matrices_bytes(struct client *client)
{
   return product_of_matrices(client, BENCH_MATRIX_BYTES);
}

static double row_reduce(struct client *client)
{
   const size_t bytes = 16 << 20;
   return (double)bytes / measure(client, REDUCE, bytes, 1, (uint32_t)(bytes / 4 / 256), 1) * 1e-9;
}

static double row_subgroup_reduce(struct client *client)
{
   const size_t bytes = 16 << 20;
   return (double)bytes / measure(client, SUBGROUP_REDUCE, bytes, 1, (uint32_t)(bytes / 4 / 256), 1) * 1e-9;
}

static double row_subgroup_sort(struct client *client)
{
   const uint32_t count = 1 << 20;
   return 8.0 * count / measure(client, SUBGROUP_SORT, count * 4, 1, count / 64, 1) * 1e-6;
}

/* Words that hash to all bins alike. */
static double row_histogram(struct client *client)
{
   const uint32_t count = 4 << 20;
   uint32_t *words = malloc(count * sizeof(*words));
   if (!words)
      client_die("no memory");
   for (uint32_t i = 0; i < count; i++)
      words[i] = (i * 2654435761u ^ i >> 7) * 2246822519u >> 11;
   const double seconds = measure_kernel(client, &bench_kernels[HISTOGRAM], count * sizeof(*words), 1, count / 4096, 1, words);
   free(words);
   return count / seconds * 1e-6;
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

static double row_copy_percent(struct client *client)
{
   return 2 * percent_of(bench_machine_copy_gbs, row_copy, client); /* row_copy counts a byte once */
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
   {"copy buffer, of memcpy", "%", false, row_copy_percent},
   {"saxpy", "GB/s", false, row_saxpy},
   {"saxpy, of memcpy", "%", false, row_saxpy_percent},
   {"dependent FMA", "GFLOP/s", false, row_fma},
   {"dependent FMA, of the peak", "%", false, row_fma_percent},
   {"divergent loop", "Mpixel/s", false, row_divergent},
   {"tiled matrix product", "GFLOP/s", false, row_matmul},
   {"cooperative matrices, f16", "GFLOP/s", false, row_matrices_f16, BENCH_NEEDS_MATRICES},
   {"cooperative matrices, f16, B by columns", "GFLOP/s", false, row_matrices_columns, BENCH_NEEDS_MATRICES},
   {"cooperative matrices, f32", "GFLOP/s", false, row_matrices_f32, BENCH_NEEDS_MATRICES},
   {"cooperative matrices, bytes", "GOP/s", false, row_matrices_bytes, BENCH_NEEDS_MATRICES},
   {"shared reduction", "GB/s", false, row_reduce},
   {"subgroup reduction", "GB/s", false, row_subgroup_reduce},
   {"sort in subgroups", "M/s", false, row_subgroup_sort},
   {"shared histogram", "Mvalue/s", false, row_histogram},
   {"transcendental mix", "Mop/s", false, row_math},
   {NULL, NULL, false, NULL},
};
