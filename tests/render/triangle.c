/* SPDX-License-Identifier: MIT
 * One white triangle. */
#include "triangle.h"

#include "corners.vert.h"
#include "white.frag.h"

static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

static void init(struct triangle *t, const struct triangle_options *o, VkCullModeFlags cull, const struct client_options *client)
{
   const bool resolves = o->samples > VK_SAMPLE_COUNT_1_BIT;
   const VkSampleCountFlagBits samples = resolves ? o->samples : VK_SAMPLE_COUNT_1_BIT;
   const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   *t = (struct triangle){0};
   client_init(&t->client, client);
   t->color = client_image_create(&t->client, format, TRIANGLE_SIZE, TRIANGLE_SIZE, 1, samples, usage);
   if (resolves)
      t->resolved =
         client_image_create(&t->client, format, TRIANGLE_SIZE, TRIANGLE_SIZE, 1, VK_SAMPLE_COUNT_1_BIT, usage);
   t->pixels = client_buffer_create(&t->client, TRIANGLE_SIZE * TRIANGLE_SIZE * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   t->pass = client_render_pass(&t->client, format, VK_FORMAT_UNDEFINED, samples, resolves, VK_ATTACHMENT_LOAD_OP_CLEAR);
   const VkImageView views[2] = {t->color.view, t->resolved.view};
   t->framebuffer = client_framebuffer(&t->client, t->pass, resolves ? 2 : 1, views, TRIANGLE_SIZE, TRIANGLE_SIZE);
   if (o->buffer_bytes) {
      t->buffer = client_buffer_create(&t->client, o->buffer_bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
      t->set = client_set_create(&t->client, 1, &type);
      client_set_buffer(&t->client, &t->set, 0, type, &t->buffer);
   }
   t->info = (struct client_graphics){
      .vertex = client_shader(&t->client, o->vertex ? o->vertex : corners_vert, o->vertex ? o->vertex_bytes : sizeof(corners_vert)),
      .fragment = client_shader(&t->client, o->fragment ? o->fragment : white_frag,
                                o->fragment ? o->fragment_bytes : sizeof(white_frag)),
      .layout = client_pipeline_layout(&t->client, o->buffer_bytes ? &t->set : NULL, 48),
      .pass = t->pass,
      .width = TRIANGLE_SIZE,
      .height = TRIANGLE_SIZE,
      .samples = samples,
      .topology = o->topology || o->is_point ? o->topology : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .cull = cull,
      .next = o->next,
      .stage_next = o->stage_next,
      .rasterization_next = o->rasterization_next,
      .multisample_next = o->multisample_next,
   };
   t->pipeline = client_graphics_pipeline(&t->client, &t->info, VK_NULL_HANDLE);
}

void triangle_init(struct triangle *t, VkSampleCountFlagBits samples, VkCullModeFlags cull,
                   const VkPhysicalDeviceFeatures *features)
{
   init(t, &(struct triangle_options){.samples = samples}, cull, &(struct client_options){.features = features});
}

void triangle_init_with(struct triangle *t, const struct triangle_options *o)
{
   init(t, o, VK_CULL_MODE_NONE, &(struct client_options){.next = o->device_next,
                                                          .device_extension = o->extension,
                                                          .device_extensions = o->extensions,
                                                          .num_device_extensions = o->num_extensions,
                                                          .api_version = VK_API_VERSION_1_3});
}

void triangle_finish(struct triangle *t)
{
   vk.DestroyPipeline(t->client.device, t->pipeline, NULL);
   vk.DestroyPipelineLayout(t->client.device, t->info.layout, NULL);
   vk.DestroyShaderModule(t->client.device, t->info.vertex, NULL);
   vk.DestroyShaderModule(t->client.device, t->info.fragment, NULL);
   vk.DestroyFramebuffer(t->client.device, t->framebuffer, NULL);
   vk.DestroyRenderPass(t->client.device, t->pass, NULL);
   client_buffer_destroy(&t->client, &t->pixels);
   if (t->buffer.buffer) {
      client_set_destroy(&t->client, &t->set);
      client_buffer_destroy(&t->client, &t->buffer);
   }
   if (t->resolved.image)
      client_image_destroy(&t->client, &t->resolved);
   client_image_destroy(&t->client, &t->color);
   client_finish(&t->client);
}

VkCommandBuffer triangle_begin(struct triangle *t)
{
   return client_begin(&t->client);
}

void triangle_begin_pass(struct triangle *t, VkCommandBuffer cmd)
{
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   client_begin_pass(cmd, t->pass, t->framebuffer, TRIANGLE_SIZE, TRIANGLE_SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->pipeline);
   if (t->buffer.buffer)
      vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->info.layout, 0, 1, &t->set.set, 0, NULL);
}

void triangle_draw(struct triangle *t, VkCommandBuffer cmd, const float corners[3][4])
{
   vk.CmdPushConstants(cmd, t->info.layout, VK_SHADER_STAGE_ALL, 0, 48, corners);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
}

void triangle_end(struct triangle *t, VkCommandBuffer cmd)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {TRIANGLE_SIZE, TRIANGLE_SIZE, 1}};
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, t->resolved.image ? t->resolved.image : t->color.image,
                           VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, t->pixels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(&t->client, cmd);
}
