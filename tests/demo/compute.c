/* SPDX-License-Identifier: MIT
 * The compute parts of the demonstration. */
#include "tests/demo/demo.h"

#include "util/macros.h"

#include "histogram.comp.h"
#include "mandelbrot.comp.h"
#include "matmul.comp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A compute pipeline with storage buffers at bindings 0, 1, …, run once. */
struct job {
   struct client_set set;
   VkShaderModule module;
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

static struct job job_create(struct client *client, const uint32_t *words, size_t size_bytes, uint32_t num_buffers,
                             const struct client_buffer *buffers, uint32_t push_bytes)
{
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct job job;

   demo_step("  compile");
   job.set = client_set_create(client, num_buffers, types);
   for (uint32_t i = 0; i < num_buffers; i++)
      client_set_buffer(client, &job.set, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &buffers[i]);
   job.module = client_shader(client, words, size_bytes);
   job.layout = client_pipeline_layout(client, &job.set, push_bytes);
   job.pipeline = client_compute_pipeline(client, job.module, job.layout, VK_NULL_HANDLE, NULL);
   demo_done("%s", "");
   return job;
}

static void job_run(struct client *client, const struct job *job, const void *push, uint32_t push_bytes, uint32_t x, uint32_t y)
{
   demo_step("  run");
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, job->pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, job->layout, 0, 1, &job->set.set, 0, NULL);
   if (push_bytes)
      vk.CmdPushConstants(cmd, job->layout, VK_SHADER_STAGE_ALL, 0, push_bytes, push);
   vk.CmdDispatch(cmd, x, y, 1);
   client_barrier(cmd);
   client_run(client, cmd);
   demo_done("%u workgroups", x * y);
}

static void job_destroy(struct client *client, struct job *job)
{
   vk.DestroyPipeline(client->device, job->pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, job->layout, NULL);
   vk.DestroyShaderModule(client->device, job->module, NULL);
   client_set_destroy(client, &job->set);
}

struct demo_picture demo_fractal(struct client *client)
{
   enum { WIDTH = 1600, HEIGHT = 900 };
   const struct {
      uint32_t size[2];
      float center[2], scale;
      uint32_t max_iterations;
   } push = {{WIDTH, HEIGHT}, {-0.743643f, 0.131825f}, 0.0000045f, 500};

   printf("fractal, %d x %d pixels, 4 samples each\n", WIDTH, HEIGHT);
   struct client_buffer pixels = client_buffer_create(client, WIDTH * HEIGHT * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct job job = job_create(client, mandelbrot_comp, sizeof(mandelbrot_comp), 1, &pixels, sizeof(push));
   job_run(client, &job, &push, sizeof(push), UTIL_DIV_ROUND_UP(WIDTH, 16), UTIL_DIV_ROUND_UP(HEIGHT, 8));
   job_destroy(client, &job);
   return (struct demo_picture){pixels, WIDTH, HEIGHT};
}

bool demo_matmul(struct client *client)
{
   enum { N = 256 };
   struct client_buffer matrices[3];

   printf("matrix product, %d x %d, tiles in shared memory\n", N, N);
   for (uint32_t i = 0; i < 3; i++)
      matrices[i] = client_buffer_create(client, N * N * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   float *a = matrices[0].map, *b = matrices[1].map;
   const float *c = matrices[2].map;
   for (uint32_t i = 0; i < N * N; i++) {
      a[i] = (float)((i * 7 + i / N) % 17) - 8.0f;
      b[i] = (float)((i * 5 + i / N * 3) % 13) - 6.0f;
   }
   struct job job = job_create(client, matmul_comp, sizeof(matmul_comp), 3, matrices, 0);
   job_run(client, &job, NULL, 0, N / 16, N / 16);

   /* Small integers: every partial sum is exact in floats, so the result must match to the bit. */
   demo_step("  check");
   uint32_t num_wrong = 0;
   for (uint32_t y = 0; y < N; y++) {
      for (uint32_t x = 0; x < N; x++) {
         float sum = 0;
         for (uint32_t k = 0; k < N; k++)
            sum += a[y * N + k] * b[k * N + x];
         num_wrong += sum != c[y * N + x];
      }
   }
   demo_done("%u of %u numbers are wrong", num_wrong, N * N);
   job_destroy(client, &job);
   for (uint32_t i = 0; i < 3; i++)
      client_buffer_destroy(client, &matrices[i]);
   return !num_wrong;
}

bool demo_histogram(struct client *client)
{
   enum { WORDS = 1 << 22, GROUPS = 64 };
   uint32_t expected[256] = {0}, num_wrong = 0, random = 1;

   printf("histogram of %d words, shared and global atomics\n", WORDS);
   struct client_buffer buffers[2] = {
      client_buffer_create(client, WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
      client_buffer_create(client, 256 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
   };
   for (uint32_t i = 0; i < WORDS; i++) {
      random = random * 1664525u + 1013904223u;
      const uint32_t word = random >> 24 & random >> 16;
      ((uint32_t *)buffers[0].map)[i] = word;
      expected[word & 255]++;
   }
   struct job job = job_create(client, histogram_comp, sizeof(histogram_comp), 2, buffers, 0);
   job_run(client, &job, NULL, 0, GROUPS, 1);
   demo_step("  check");
   for (uint32_t i = 0; i < 256; i++)
      num_wrong += ((const uint32_t *)buffers[1].map)[i] != expected[i];
   demo_done("%u of 256 counts are wrong", num_wrong);
   job_destroy(client, &job);
   client_buffer_destroy(client, &buffers[0]);
   client_buffer_destroy(client, &buffers[1]);
   return !num_wrong;
}
