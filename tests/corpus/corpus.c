/* SPDX-License-Identifier: MIT
 * Operands of the corpus, compiling and running. */
#include "tests/corpus/corpus.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fill(struct corpus *corpus)
{
   float *floats = corpus->floats.map;
   uint32_t *words = corpus->words.map, state = 12345;
   for (uint32_t i = 0; i < CORPUS_ELEMENTS; i++) {
      state = state * 747796405u + 2891336453u;
      uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
      word ^= word >> 22;
      words[i] = word;
      floats[i] = (float)(int32_t)(word * 2654435761u) * 0x1p-31f;
   }
}

void corpus_init(struct corpus *corpus, struct client *client)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, types[3] = {type, type, type};
   *corpus = (struct corpus){.client = client};
   corpus->floats = client_buffer_create(client, CORPUS_ELEMENTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   corpus->words = client_buffer_create(client, CORPUS_ELEMENTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   corpus->results = client_buffer_create(client, CORPUS_RESULTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   corpus->set = client_set_create(client, 3, types);
   client_set_buffer(client, &corpus->set, 0, type, &corpus->floats);
   client_set_buffer(client, &corpus->set, 1, type, &corpus->words);
   client_set_buffer(client, &corpus->set, 2, type, &corpus->results);
   corpus->layout = client_pipeline_layout(client, &corpus->set, 0);
   fill(corpus);
}

void corpus_finish(struct corpus *corpus)
{
   struct client *client = corpus->client;
   vk.DestroyPipelineLayout(client->device, corpus->layout, NULL);
   client_set_destroy(client, &corpus->set);
   client_buffer_destroy(client, &corpus->floats);
   client_buffer_destroy(client, &corpus->words);
   client_buffer_destroy(client, &corpus->results);
}

static double cpu_now_s(void)
{
   struct timespec now;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
   return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

VkPipeline corpus_compile(struct corpus *corpus, uint32_t shader, double *seconds)
{
   const struct corpus_shader *it = &corpus_shaders[shader];
   const double begin = cpu_now_s();
   VkShaderModule module = client_shader(corpus->client, it->words, it->size_bytes);
   VkPipeline pipeline = client_compute_pipeline(corpus->client, module, corpus->layout, VK_NULL_HANDLE, NULL);
   vk.DestroyShaderModule(corpus->client->device, module, NULL);
   if (seconds)
      *seconds = cpu_now_s() - begin;
   return pipeline;
}

void corpus_compile_all(struct corpus *corpus, VkPipeline *pipelines)
{
   struct client *client = corpus->client;
   VkComputePipelineCreateInfo *infos = calloc(corpus_num_shaders, sizeof(*infos));
   if (!infos)
      client_die("no memory");
   for (uint32_t i = 0; i < corpus_num_shaders; i++)
      infos[i] = (VkComputePipelineCreateInfo){
         .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
         .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = client_shader(client, corpus_shaders[i].words, corpus_shaders[i].size_bytes),
                   .pName = "main"},
         .layout = corpus->layout,
      };
   client_check(vk.CreateComputePipelines(client->device, VK_NULL_HANDLE, corpus_num_shaders, infos, NULL, pipelines),
                "vkCreateComputePipelines");
   for (uint32_t i = 0; i < corpus_num_shaders; i++)
      vk.DestroyShaderModule(client->device, infos[i].stage.module, NULL);
   free(infos);
}

void corpus_run(struct corpus *corpus, VkPipeline pipeline, uint32_t groups)
{
   memset(corpus->results.map, 0, CORPUS_RESULTS * 4);
   VkCommandBuffer cmd = client_begin(corpus->client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, corpus->layout, 0, 1, &corpus->set.set, 0, NULL);
   vk.CmdDispatch(cmd, groups, groups, 1);
   client_barrier(cmd);
   client_run(corpus->client, cmd);
}
