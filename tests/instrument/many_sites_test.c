/* SPDX-License-Identifier: MIT
 * A shader with more locations to check than there is room for: what is not looked at is reported, once. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "many_sites_faulty.h"
#include "many_sites_fixed.h"

#include <string.h>

static uint32_t num_heard;
static char heard[1024];

static void listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0)
      return;
   num_heard++;
   snprintf(heard, sizeof(heard), "%s", message);
}

/* Two pipelines of the shader. */
static void make(struct client *client, VkPipelineLayout layout, const uint32_t *words, size_t size_bytes)
{
   VkPipeline pipelines[2];
   const VkShaderModule module = client_shader(client, words, size_bytes);
   num_heard = 0;
   for (uint32_t i = 0; i < 2; i++)
      pipelines[i] = client_compute_pipeline(client, module, layout, VK_NULL_HANDLE, NULL);
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyPipeline(client->device, pipelines[i], NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
}

TEST(reported_once)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   client_init(&client, &(struct client_options){.on_message = listen, .api_version = VK_API_VERSION_1_3});
   struct client_set set = client_set_create(&client, 1, &type);
   const VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   make(&client, layout, many_sites_faulty, sizeof(many_sites_faulty));
   CHECK_EQ(num_heard, 1);
   CHECK(strstr(heard, "more than 4096 locations to check") && strstr(heard, "SANITIZE-unchecked") && strstr(heard, "in main, module"));
   make(&client, layout, many_sites_fixed, sizeof(many_sites_fixed));
   CHECK_EQ(num_heard, 0);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_finish(&client);
}

TEST_MAIN
