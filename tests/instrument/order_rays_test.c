/* SPDX-License-Identifier: MIT
 * VK_SWRAST_DEBUG=order=…: rays and a fill without a barrier between them. */
#include "tests/client/rays.h"
#include "tests/test.h"

#include "order_race_rgen.h"

static uint32_t run(struct client *client, const struct client_buffer *data, const struct client_ray_table *table, VkPipelineLayout layout, VkDescriptorSet set,
                    bool is_faulty)
{
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdFillBuffer(cmd, data->buffer, 0, VK_WHOLE_SIZE, 100);
   client_barrier(cmd);
   vk.CmdFillBuffer(cmd, data->buffer, 0, VK_WHOLE_SIZE, 5);
   if (!is_faulty)
      client_barrier(cmd);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, table->pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &set, 0, NULL);
   rays.CmdTraceRaysKHR(cmd, &table->regions[0], &table->regions[1], &table->regions[2], &table->regions[3], 1, 1, 1);
   client_barrier(cmd);
   client_run(client, cmd);
   return *(const uint32_t *)data->map;
}

TEST(rays_after_a_fill)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   static const struct client_ray_shader generation = {order_race_rgen, sizeof(order_race_rgen)};
   struct client client;
   client_rays_init(&client);
   struct client_buffer data = client_buffer_create(&client, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   struct client_set set = client_set_create(&client, 1, &type);
   client_set_buffer(&client, &set, 0, type, &data);
   const VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   struct client_ray_table table = client_ray_table_create(&client, layout, &generation, 1);
   CHECK_EQ(run(&client, &data, &table, layout, set.set, true), 5); /* the fill comes last */
   CHECK_EQ(run(&client, &data, &table, layout, set.set, false), 6);
   client_ray_table_destroy(&client, &table);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &data);
   client_finish(&client);
}

TEST_MAIN
