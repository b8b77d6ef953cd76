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

static double mean_growth(uint32_t index)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
   const struct shape *shape = &shapes[index];
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

#define SHAPES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) \
   X(22) X(23) X(24) X(25) X(26) X(40) X(41) X(42) X(43) X(44)
#define X(index)                                                                                                       \
   static double growth_##index(void)                                                                                  \
   {                                                                                                                   \
      return mean_growth(index);                                                                                       \
   }
SHAPES(X)
#undef X

const struct bench_start_row bench_growth_rows[] = {
   {"growth: straight code", "x/double", false, growth_0},
   {"growth: live values", "x/double", false, growth_1},
   {"growth: nested loops", "x/double", false, growth_2},
   {"growth: nested breaks", "x/double", false, growth_3},
   {"growth: loops in a row", "x/double", false, growth_4},
   {"growth: switch", "x/double", false, growth_5},
   {"growth: copied array", "x/double", false, growth_6},
   {"growth: composites", "x/double", false, growth_7},
   {"growth: calls", "x/double", false, growth_8},
   {"growth: calls that double", "x/double", false, growth_9},
   {"growth: cases", "x/double", false, growth_10},
   {"growth: returns", "x/double", false, growth_11},
   {"growth: sines", "x/double", false, growth_12},
   {"growth: divisions", "x/double", false, growth_13},
   {"growth: rotated values", "x/double", false, growth_14},
   {"growth: rotated arrays", "x/double", false, growth_15},
   {"growth: inverses", "x/double", false, growth_16},
   {"growth: sums", "x/double", false, growth_17},
   {"growth: lives", "x/double", false, growth_18},
   {"growth: exits", "x/double", false, growth_19},
   {"growth: structures", "x/double", false, growth_20},
   {"growth: constants", "x/double", false, growth_21},
   {"growth: wide inverses", "x/double", false, growth_22},
   {"growth: wide products", "x/double", false, growth_23},
   {"growth: reductions", "x/double", false, growth_24},
   {"growth: remainders", "x/double", false, growth_25},
   {"growth: nested returns", "x/double", false, growth_26},
   {"growth: packs", "x/double", false, growth_40},
   {"growth: crossings", "x/double", false, growth_41},
   {"growth: conversions", "x/double", false, growth_42},
   {"growth: counts of bits", "x/double", false, growth_43},
   {"growth: own vectors", "x/double", false, growth_44},
   {0},
};
