/* SPDX-License-Identifier: MIT
 * The contract of numerics for NaN: every operation, in a shader of its own, on NaNs of both signs, quiet and signalling, with payloads, and on
 * what makes NaN, gives the same bits for every vector width and instruction set level; a NaN that arithmetic made is the one NaN. The
 * parent runs itself once a configuration; each child prints a hash an operation. */
#include "tests/client/child.h"
#include "tests/client/client.h"
#include "tests/precision/operations.h"

#include "util/hash.h"
#include "util/macros.h"

#include "nan.h"
#include "precision16.h"
#include "precision32.h"
#include "precision64.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_VALUES = 12, TRIPLES = NUM_VALUES * NUM_VALUES * NUM_VALUES, BATCH = (TRIPLES + 63) / 64 * 64, MAX_LINES = 256 };

/* Of 16, 32 and 64 bits: quiet NaNs, signalling ones, infinities, zeros, numbers. */
static const uint64_t values[3][NUM_VALUES] = {
   {0x7e00, 0xfe00, 0x7e55, 0xffaa, 0x7c01, 0xfd23, 0x7c00, 0xfc00, 0, 0x8000, 0x3e00, 0xc100},
   {0x7fc00000, 0xffc00000, 0x7fd23456, 0xfff65432, 0x7f800001, 0xffa34567, 0x7f800000, 0xff800000, 0, 0x80000000, 0x3fc00000,
    0xc0200000},
   {0x7ff8000000000000, 0xfff8000000000000, 0x7ff923456789abcd, 0xfffe54321fedcba9, 0x7ff0000000000001, 0xfff4567890abcdef,
    0x7ff0000000000000, 0xfff0000000000000, 0, 0x8000000000000000, 0x3ff8000000000000, 0xc004000000000000},
};
static const uint64_t infinities[3] = {0x7c00, 0x7f800000, 0x7ff0000000000000};
static const uint64_t one_nans[3] = {0x7e00, 0x7fc00000, 0x7ff8000000000000};

struct job {
   struct client client;
   struct client_buffer operands, results;
   struct client_set set;
   VkPipelineLayout layout;
};

static void fill(struct job *job, uint32_t width)
{
   uint64_t(*operands)[3] = job->operands.map;
   for (uint32_t i = 0; i < BATCH; i++) {
      operands[i][0] = values[width][i % NUM_VALUES];
      operands[i][1] = values[width][i / NUM_VALUES % NUM_VALUES];
      operands[i][2] = values[width][i / NUM_VALUES / NUM_VALUES % NUM_VALUES];
   }
   memset(job->results.map, 0, BATCH * 8);
}

static bool is_nan(uint64_t bits, uint32_t width)
{
   return (bits & ~(UINT64_C(1) << (float_formats[width].bits - 1))) > infinities[width];
}

/* These copy bits: they change a sign, or nothing. */
static bool is_copy_of_bits(const struct operation *op, uint32_t bits)
{
   return !strcmp(op->name, "abs(x)") || !strcmp(op->name, "modf(x), fraction") || op->result_bits == bits;
}

static void report(const struct job *job, FILE *out, const char *name, uint32_t width, uint32_t result_width, bool is_copy)
{
   const uint64_t *results = job->results.map;
   const char *verdict = "";
   for (uint32_t i = 0; i < BATCH && !is_copy; i++)
      if (is_nan(results[i], result_width) && results[i] != one_nans[result_width])
         verdict = " not the one NaN";
   const struct util_hash hash = util_hash_bytes(results, BATCH * 8);
   fprintf(out, "%s, %u bits: %016llx%016llx%s\n", name, float_formats[width].bits, (unsigned long long)hash.hi, (unsigned long long)hash.lo,
           verdict);
}

static void run(struct job *job, VkShaderModule module, int32_t number)
{
   struct client *client = &job->client;
   const VkSpecializationMapEntry entry = {0, 0, sizeof(number)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(number), &number};
   VkPipeline pipeline = client_compute_pipeline(client, module, job->layout, VK_NULL_HANDLE, &specialization);
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, job->layout, 0, 1, &job->set.set, 0, NULL);
   vk.CmdDispatch(cmd, BATCH / 64, 1, 1);
   client_barrier(cmd);
   client_end(cmd);
   client_submit(client, cmd);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &cmd);
   vk.DestroyPipeline(client->device, pipeline, NULL);
}

static void run_operations(struct job *job, FILE *out, VkShaderModule module, uint32_t width)
{
   const uint32_t bits = float_formats[width].bits;
   for (uint32_t i = 0; i < num_operations; i++) {
      const struct operation *op = &operations[i];
      if (bits < op->least_bits || bits > op->max_bits || op->class == OPERAND_INT || op->class == OPERAND_UINT)
         continue;
      const uint32_t result_width = op->result_bits == 16 ? 0 : op->result_bits == 32 ? 1 : width;
      fill(job, width);
      run(job, module, op->number);
      report(job, out, op->name, width, result_width, is_copy_of_bits(op, bits));
   }
}

static int child(void)
{
   enum { A_COPY = 5, OF_BOTH = 8, REDUCTION = 12 }; /* of the names: a copy, and those of both, keep loaded bits */
   static const char *const names[] = {"subgroup sum", "subgroup product", "subgroup minimum", "quad sum", "loop", "a copy",
      "a variable", "shared memory", "a variable of both", "shared memory of both", "an image", "loaded or computed",
      "a reduction in shared memory"};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, types[3] = {type, type, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   const VkPhysicalDeviceFeatures features = {.shaderFloat64 = VK_TRUE, .shaderInt64 = VK_TRUE};
   VkPhysicalDeviceVulkan12Features features_1_2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderFloat16 = VK_TRUE};
   struct job job;
   struct client *client = &job.client;
   client_init(client, &(struct client_options){.features = &features, .next = &features_1_2, .api_version = VK_API_VERSION_1_2});
   job.operands = client_buffer_create(client, BATCH * 24, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   job.results = client_buffer_create(client, BATCH * 8, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   job.set = client_set_create(client, 3, types);
   client_set_buffer(client, &job.set, 0, type, &job.operands);
   client_set_buffer(client, &job.set, 1, type, &job.results);
   struct client_image image =
      client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, 64, BATCH / 64, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_STORAGE_BIT);
   client_set_image(client, &job.set, 2, types[2], image.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   job.layout = client_pipeline_layout(client, &job.set, 0);
   VkCommandBuffer cmd = client_begin(client);
   client_transition(cmd, &image, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   client_end(cmd);
   client_submit(client, cmd);
   VkShaderModule modules[4] = {client_shader(client, precision16, sizeof(precision16)), client_shader(client, precision32, sizeof(precision32)),
      client_shader(client, precision64, sizeof(precision64)), client_shader(client, nan_comp, sizeof(nan_comp))};
   for (uint32_t width = 0; width < 3; width++)
      run_operations(&job, stdout, modules[width], width);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(names); i++) {
      fill(&job, 1);
      run(&job, modules[3], (int32_t)i);
      report(&job, stdout, names[i], 1, 1, i == A_COPY || (i >= OF_BOTH && i < REDUCTION));
      const uint64_t(*operands)[3] = job.operands.map, *results = job.results.map;
      for (uint32_t k = 0; k < BATCH && i == A_COPY; k++)
         if (results[k] != operands[k][0])
            printf("a copy of %08x is %08x\n", (uint32_t)operands[k][0], (uint32_t)results[k]);
   }
   for (uint32_t i = 0; i < 4; i++)
      vk.DestroyShaderModule(client->device, modules[i], NULL);
   vk.DestroyPipelineLayout(client->device, job.layout, NULL);
   client_set_destroy(client, &job.set);
   client_image_destroy(client, &image);
   client_buffer_destroy(client, &job.operands);
   client_buffer_destroy(client, &job.results);
   client_finish(client);
   return 0;
}

static const struct client_configuration configurations[] = {
   {"16", NULL, "v4"}, {"32", NULL, "v4"}, {"4", NULL, "v4"}, {"8", NULL, "v3"}, {"8", NULL, "v2"}, {"4", NULL, "v1"}};

int main(int argc, char **argv)
{
   static char first[MAX_LINES][160];
   uint32_t num_first = 0, passed = 0, failed = 0;
   if (argc > 1 && !strcmp(argv[1], "--child"))
      return child();
   for (uint32_t c = 0; c < UTIL_ARRAY_SIZE(configurations); c++) {
      const struct client_configuration *it = &configurations[c];
      static const char *const arguments[] = {"nan_test", "--child", NULL};
      struct client_child process = client_child_configured(it, arguments);
      char line[160];
      uint32_t count = 0;
      while (fgets(line, sizeof(line), process.out)) {
         if (c == 0 && num_first < MAX_LINES)
            memcpy(first[num_first++], line, sizeof(line));
         const bool is_same = count < num_first && !strcmp(line, first[count]) && !strstr(line, "not the one") && strstr(line, "bits: ");
         passed += is_same;
         failed += !is_same;
         if (!is_same)
            printf("%s lanes, %s: %s", it->lanes, it->level, line);
         count++;
      }
      const bool is_complete = client_child_finish(&process) && count == num_first && count > 100;
      failed += !is_complete;
      if (!is_complete)
         printf("%s lanes, %s: %u operations\n", it->lanes, it->level, count);
   }
   printf("%u passed, %u failed\n", passed, failed);
   return failed != 0;
}
