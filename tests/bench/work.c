/* SPDX-License-Identifier: MIT */
#include "tests/bench/work.h"

#include "work_quad.vert.h"

struct bench_work bench_work_dispatch(struct client *client, const struct client_set *set, struct bench_shader shader, const uint32_t groups[2])
{
   struct bench_work work = {.client = client, .layout = client_pipeline_layout(client, set, 0)};
   work.modules[0] = client_shader(client, shader.words, shader.size_bytes);
   work.pipeline = client_compute_pipeline(client, work.modules[0], work.layout, VK_NULL_HANDLE, NULL);
   work.cmd = client_begin(client);
   vk.CmdBindPipeline(work.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, work.pipeline);
   vk.CmdBindDescriptorSets(work.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, work.layout, 0, 1, &set->set, 0, NULL);
   vk.CmdDispatch(work.cmd, groups[0], groups[1], 1);
   client_end(work.cmd);
   return work;
}

struct bench_work bench_work_picture(struct client *client, const struct client_set *set, struct bench_shader shader, uint32_t width, uint32_t height)
{
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   struct bench_work work = {.client = client, .layout = client_pipeline_layout(client, set, 0)};
   work.color = client_image_create(client, format, width, height, 1, VK_SAMPLE_COUNT_1_BIT,
                                    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   work.pass = client_render_pass(client, format, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
   work.framebuffer = client_framebuffer(client, work.pass, 1, &work.color.view, width, height);
   work.modules[0] = client_shader(client, work_quad_vert, sizeof(work_quad_vert));
   work.modules[1] = client_shader(client, shader.words, shader.size_bytes);
   const struct client_graphics graphics = {.vertex = work.modules[0],
                                            .fragment = work.modules[1],
                                            .layout = work.layout,
                                            .pass = work.pass,
                                            .width = width,
                                            .height = height,
                                            .samples = VK_SAMPLE_COUNT_1_BIT,
                                            .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   work.pipeline = client_graphics_pipeline(client, &graphics, VK_NULL_HANDLE);
   work.cmd = client_begin(client);
   client_begin_pass(work.cmd, work.pass, work.framebuffer, width, height, 0, NULL);
   vk.CmdBindPipeline(work.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, work.pipeline);
   vk.CmdBindDescriptorSets(work.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, work.layout, 0, 1, &set->set, 0, NULL);
   vk.CmdDraw(work.cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(work.cmd);
   client_end(work.cmd);
   return work;
}

void bench_work_submit(void *data)
{
   struct bench_work *work = data;
   client_submit(work->client, work->cmd);
}

void bench_work_destroy(struct bench_work *work)
{
   VkDevice device = work->client->device;
   vk.FreeCommandBuffers(device, work->client->pool, 1, &work->cmd);
   vk.DestroyPipeline(device, work->pipeline, NULL);
   vk.DestroyPipelineLayout(device, work->layout, NULL);
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyShaderModule(device, work->modules[i], NULL);
   vk.DestroyFramebuffer(device, work->framebuffer, NULL);
   vk.DestroyRenderPass(device, work->pass, NULL);
   client_image_destroy(work->client, &work->color);
}
