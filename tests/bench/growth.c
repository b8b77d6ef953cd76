/* SPDX-License-Identifier: MIT
 * How a compile's processor time grows when a module's size doubles: the mean of five doublings, for shapes of modules that a compiler may take the square
 * of the size for, or more. From vkCreateShaderModule to the end of the first dispatch. */
#include "tests/bench/start.h"
#include "tests/compiler/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { NUM_DOUBLINGS = 5 };

struct growth {
   struct client client;
   struct client_set set;
   VkPipelineLayout layout;
};

static double compile_s(struct growth *growth, const struct shape *shape, uint32_t count)
{
   struct client *client = &growth->client;
   const struct shape_words words = shape_assemble(shape, count);
   const clock_t begin = clock();
   VkShaderModule module = client_shader(client, words.words, words.num_words * sizeof(uint32_t));
   VkPipeline pipeline = client_compute_pipeline(client, module, growth->layout, VK_NULL_HANDLE, NULL);
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, growth->layout, 0, 1, &growth->set.set, 0, NULL);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_run(client, cmd);
   const double spent_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
   free(words.words);
   return spent_s;
}

double bench_growth_of(const struct shape *shape)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
   struct growth growth;
   client_init(&growth.client, &(struct client_options){.api_version = VK_API_VERSION_1_1});
   growth.set = client_set_create(&growth.client, 2, types);
   growth.layout = client_pipeline_layout(&growth.client, &growth.set, 0);
   struct client_buffer buffer = client_buffer_create(&growth.client, 65536, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
   for (uint32_t i = 0; i < 2; i++)
      client_set_buffer(&growth.client, &growth.set, i, types[i], &buffer);
   compile_s(&growth, shape, shape->first); /* loads and sets up the compiler */
   const double first_s = compile_s(&growth, shape, shape->first), last_s = compile_s(&growth, shape, shape->first << NUM_DOUBLINGS);
   client_buffer_destroy(&growth.client, &buffer);
   vk.DestroyPipelineLayout(growth.client.device, growth.layout, NULL);
   client_set_destroy(&growth.client, &growth.set);
   client_finish(&growth.client);
   return pow(last_s / first_s, 1.0 / NUM_DOUBLINGS);
}
