/* SPDX-License-Identifier: MIT
 * A shader that moves many structures is compiled with loops that copy memory, and gives the same words as one that moves them part by part. One that
 * has many formulas which become much code is compiled with calls, and gives the same as one that has them once, in a loop. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "formulas_1.h"
#include "formulas_16.h"
#include "structures_1.h"
#include "structures_20.h"

#include <stdlib.h>
#include <string.h>

enum { STRUCTURE_BYTES = 320, INVOCATIONS = 32, BYTES = STRUCTURE_BYTES * 4 * INVOCATIONS, FORMULA_WORDS = 1024 * INVOCATIONS, BUFFER_BYTES = FORMULA_WORDS * 4 };
_Static_assert((int)BUFFER_BYTES >= (int)BYTES, "one buffer for both");

struct code {
   const uint32_t *words;
   size_t size_bytes;
};

static void fill_bytes(uint8_t *data)
{
   for (uint32_t i = 0; i < BYTES; i++)
      data[i] = (uint8_t)(i * 2654435761u >> 26); /* floats are small numbers */
}

static void fill_words(uint8_t *data)
{
   for (uint32_t i = 0; i < FORMULA_WORDS; i++)
      ((uint32_t *)(void *)data)[i] = i * 2654435761u >> 26;
}

static void run(struct client *client, const struct code *code, void (*fill)(uint8_t *data), uint8_t *result)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client_set set = client_set_create(client, 1, &type);
   struct client_buffer buffer = client_buffer_create(client, BUFFER_BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   VkShaderModule module = client_shader(client, code->words, code->size_bytes);
   VkPipelineLayout layout = client_pipeline_layout(client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(client, module, layout, VK_NULL_HANDLE, NULL);
   memset(buffer.map, 0, BUFFER_BYTES);
   fill(buffer.map);
   client_set_buffer(client, &set, 0, type, &buffer);
   client_dispatch(client, pipeline, layout, &set, 1);
   memcpy(result, buffer.map, BUFFER_BYTES);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
   client_buffer_destroy(client, &buffer);
   client_set_destroy(client, &set);
}

/* At two widths, code with one copy and with many. */
static void check(const struct code *codes, void (*fill)(uint8_t *data))
{
   static const char *const lanes[] = {"4", "16"};
   uint8_t *results[4];
   for (uint32_t i = 0; i < 4; i++) {
      VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                     .storageBuffer8BitAccess = VK_TRUE,
                                                     .shaderInt8 = VK_TRUE};
      const VkPhysicalDeviceVulkan11Features features11 = {
         .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &features12, .storageBuffer16BitAccess = VK_TRUE};
      const VkPhysicalDeviceFeatures features = {.shaderInt64 = VK_TRUE, .shaderFloat64 = VK_TRUE, .shaderInt16 = VK_TRUE};
      struct client client;
      setenv("VK_SWRAST_LANES", lanes[i / 2], 1);
      client_init(&client, &(struct client_options){.features = &features, .next = &features11, .api_version = VK_API_VERSION_1_2});
      results[i] = malloc(BUFFER_BYTES);
      CHECK(results[i] != NULL);
      run(&client, &codes[i % 2], fill, results[i]);
      client_finish(&client);
   }
   for (uint32_t i = 1; i < 4; i++)
      CHECK(!memcmp(results[i], results[0], BUFFER_BYTES));
   for (uint32_t i = 0; i < 4; i++)
      free(results[i]);
}

TEST(structures)
{
   check((const struct code[]){{structures_1, sizeof(structures_1)}, {structures_20, sizeof(structures_20)}}, fill_bytes);
}

TEST(formulas)
{
   check((const struct code[]){{formulas_1, sizeof(formulas_1)}, {formulas_16, sizeof(formulas_16)}}, fill_words);
}

TEST_MAIN
