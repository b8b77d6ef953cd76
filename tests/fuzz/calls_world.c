/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/calls_world.h"

#include "calls_comp.h"
#include "calls_frag.h"
#include "calls_mesh.h"
#include "calls_task.h"
#include "calls_vert.h"
#include "util/macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h> /* provisional extensions, too */

struct calls_functions calls;

enum { COLOR = VK_IMAGE_ASPECT_COLOR_BIT, DEPTH = VK_IMAGE_ASPECT_DEPTH_BIT, STENCIL = VK_IMAGE_ASPECT_STENCIL_BIT, TEXTURE_SIZE = 32 };

static const struct image_format formats[] = {
   {VK_FORMAT_R8G8B8A8_UNORM, COLOR, 4, 1, true},
   {VK_FORMAT_B8G8R8A8_SRGB, COLOR, 4, 1, true},
   {VK_FORMAT_R16G16B16A16_SFLOAT, COLOR, 8, 1, true},
   {VK_FORMAT_R32G32B32A32_SFLOAT, COLOR, 16, 1, true},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, COLOR, 4, 1, true},
   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, COLOR, 4, 1, true},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, COLOR, 2, 1, true},
   {VK_FORMAT_R8_UNORM, COLOR, 1, 1, true},
   {VK_FORMAT_R8_UINT, COLOR, 1, 1, false},
   {VK_FORMAT_R32_UINT, COLOR, 4, 1, false},
   {VK_FORMAT_R16G16_SINT, COLOR, 4, 1, false},
   {VK_FORMAT_R64_UINT, COLOR, 8, 1, false},
   {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, COLOR, 4, 1, true},
   {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, COLOR, 8, 4, true},
   {VK_FORMAT_BC7_SRGB_BLOCK, COLOR, 16, 4, true},
   {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, COLOR, 8, 4, true},
   {VK_FORMAT_D16_UNORM, DEPTH, 2, 1, false},
   {VK_FORMAT_D32_SFLOAT, DEPTH, 4, 1, false},
   {VK_FORMAT_S8_UINT, STENCIL, 1, 1, false},
   {VK_FORMAT_D24_UNORM_S8_UINT, DEPTH | STENCIL, 4, 1, false},
   {VK_FORMAT_D32_SFLOAT_S8_UINT, DEPTH | STENCIL, 4, 1, false},
};
static const uint32_t extents[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 129, 256, 257, 1000};

/* ---- images ---- */

void world_destroy_image(struct world *w, struct image *image)
{
   if (!image->format)
      return;
   world_forget_commands(w);
   client_set_image(&w->client, &w->set, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, w->texture.view, w->sampler, VK_IMAGE_LAYOUT_GENERAL);
   vk.DestroyImageView(w->client.device, image->sampled, NULL);
   vk.DestroyImageView(w->client.device, image->attachment, NULL);
   vk.DestroyImage(w->client.device, image->handle, NULL);
   vk.FreeMemory(w->client.device, image->memory, NULL);
   *image = (struct image){0};
}

static VkImageView make_view(struct world *w, const struct image *image, VkImageViewType type, VkImageSubresourceRange range)
{
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = image->handle,
                                       .viewType = type,
                                       .format = image->info.format,
                                       .subresourceRange = range};
   VkImageView view;
   client_check(vk.CreateImageView(w->client.device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

static VkImageCreateInfo choose_image(const struct image_format *format, struct input *in)
{
   const uint32_t type = input_pick(in, 8);
   VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                             .imageType = type < 6 ? VK_IMAGE_TYPE_2D : type == 6 ? VK_IMAGE_TYPE_1D : VK_IMAGE_TYPE_3D,
                             .format = format->format,
                             .extent = {extents[input_pick(in, UTIL_ARRAY_SIZE(extents))], extents[input_pick(in, UTIL_ARRAY_SIZE(extents))], 1},
                             .mipLevels = 1 + input_pick(in, 4),
                             .arrayLayers = 1 + input_pick(in, 4),
                             .samples = (VkSampleCountFlagBits)(1u << input_pick(in, 4)),
                             .tiling = input_pick(in, 4) ? VK_IMAGE_TILING_OPTIMAL : VK_IMAGE_TILING_LINEAR,
                             .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
   if (info.imageType == VK_IMAGE_TYPE_1D)
      info.extent.height = 1;
   if (info.imageType == VK_IMAGE_TYPE_3D) {
      info.extent.depth = extents[input_pick(in, 12)];
      info.arrayLayers = 1;
   }
   if (input_pick(in, 2))
      info.samples = VK_SAMPLE_COUNT_1_BIT;
   if (info.samples > 1)
      info.mipLevels = 1;
   if (info.imageType == VK_IMAGE_TYPE_2D && format->aspects != COLOR)
      info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
   else if (info.imageType == VK_IMAGE_TYPE_2D && input_pick(in, 4))
      info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   return info;
}

/* Reduces what exceeds the limits of such images. False: there are none, or it is too large. */
static bool fit(struct world *w, VkImageCreateInfo *info, const struct image_format *format)
{
   static PFN_vkGetPhysicalDeviceImageFormatProperties get;
   VkImageFormatProperties offered;
   if (!get)
      get = (PFN_vkGetPhysicalDeviceImageFormatProperties)w->client.get(w->client.instance, "vkGetPhysicalDeviceImageFormatProperties");
   if (get(w->client.physical_device, info->format, info->imageType, info->tiling, info->usage, 0, &offered) != VK_SUCCESS)
      return false;
   const uint32_t longest = UTIL_MAX(info->extent.width, UTIL_MAX(info->extent.height, info->extent.depth));
   if (!(info->samples & offered.sampleCounts))
      info->samples = VK_SAMPLE_COUNT_1_BIT;
   info->arrayLayers = UTIL_MIN(info->arrayLayers, offered.maxArrayLayers);
   info->mipLevels = UTIL_MIN(info->mipLevels, offered.maxMipLevels);
   while (!(longest >> (info->mipLevels - 1)))
      info->mipLevels--;
   const uint64_t blocks = (uint64_t)(info->extent.width / format->block_size + 1) * (info->extent.height / format->block_size + 1);
   return blocks * info->extent.depth * info->arrayLayers * info->samples * format->texel_bytes < MAX_IMAGE_BYTES;
}

static void to_general(struct world *w, const struct image *image)
{
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = image->handle,
                                         .subresourceRange = {image->format->aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
   VkCommandBuffer cmd = client_begin(&w->client);
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
   client_run(&w->client, cmd);
}

void world_make_image(struct world *w, struct image *image, struct input *in)
{
   const struct image_format *format = &formats[input_pick(in, UTIL_ARRAY_SIZE(formats))];
   VkImageCreateInfo info = choose_image(format, in);
   VkMemoryRequirements needs;
   world_destroy_image(w, image);
   world_wait(w);
   if (w->is_lost || !fit(w, &info, format))
      return;
   image->format = format;
   image->info = info;
   client_check(vk.CreateImage(w->client.device, &info, NULL, &image->handle), "vkCreateImage");
   vk.GetImageMemoryRequirements(w->client.device, image->handle, &needs);
   uint32_t type = 0;
   while (!(needs.memoryTypeBits >> type & 1))
      type++;
   const VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size, type};
   client_check(vk.AllocateMemory(w->client.device, &allocate, NULL, &image->memory), "vkAllocateMemory");
   client_check(vk.BindImageMemory(w->client.device, image->handle, image->memory, 0), "vkBindImageMemory");
   to_general(w, image);
   const VkImageAspectFlags seen = format->aspects & DEPTH ? DEPTH : format->aspects;
   if (info.imageType == VK_IMAGE_TYPE_2D && info.samples == 1 && (format->is_float || seen == DEPTH))
      image->sampled = make_view(w, image, VK_IMAGE_VIEW_TYPE_2D, (VkImageSubresourceRange){seen, 0, VK_REMAINING_MIP_LEVELS, 0, 1});
   if (info.usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) && (format->is_float || format->aspects != COLOR))
      image->attachment = make_view(w, image, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                    (VkImageSubresourceRange){format->aspects, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS});
}

/* ---- command buffers ---- */

void world_wait(struct world *w)
{
   for (uint32_t i = 0; i < NUM_QUEUES && !w->is_lost; i++) {
      const VkResult result = vk.QueueWaitIdle(w->queues[i]);
      w->is_lost = result == VK_ERROR_DEVICE_LOST;
      if (!w->is_lost)
         client_check(result, "vkQueueWaitIdle");
   }
   for (uint32_t i = 0; i < NUM_COMMANDS; i++)
      w->commands[i].is_pending = false;
}

static void forget(struct commands *commands)
{
   client_check(vk.ResetCommandBuffer(commands->handle, 0), "vkResetCommandBuffer");
   commands->state = COMMANDS_INITIAL;
   commands->draw = commands->mesh = VK_NULL_HANDLE; /* which may be destroyed */
   commands->query = -1;
   commands->has_event = false;
}

void world_forget_commands(struct world *w)
{
   world_wait(w);
   for (uint32_t i = 0; i < NUM_COMMANDS; i++)
      forget(&w->commands[i]);
}

void world_bind(struct world *w, const struct commands *commands, uint32_t seed)
{
   for (VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS; point <= VK_PIPELINE_BIND_POINT_COMPUTE; point++)
      vk.CmdBindDescriptorSets(commands->handle, point, w->layout, 0, 1, &w->set.set, 0, NULL);
   vk.CmdPushConstants(commands->handle, w->layout, VK_SHADER_STAGE_ALL, 0, sizeof(seed), &seed);
   vk.CmdBindPipeline(commands->handle, VK_PIPELINE_BIND_POINT_COMPUTE, w->compute);
}

void world_record(struct world *w, struct commands *commands)
{
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                          .pInheritanceInfo = &inheritance};
   if (commands->state == COMMANDS_RENDERING) {
      calls.CmdEndRendering(commands->handle);
      commands->state = COMMANDS_RECORDING;
   }
   if (commands->state == COMMANDS_RECORDING)
      return;
   if (commands->is_secondary && commands->state != COMMANDS_INITIAL)
      world_forget_commands(w); /* primary ones may have it */
   if (commands->is_pending)
      world_wait(w);
   forget(commands);
   client_check(vk.BeginCommandBuffer(commands->handle, &info), "vkBeginCommandBuffer");
   commands->state = COMMANDS_RECORDING;
   world_bind(w, commands, 0);
}

static VkPipeline make_draw(struct world *w, const struct draw_pipeline *draw, bool has_meshes)
{
   const VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                   .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                    .pNext = world_knows_newer() && !has_meshes ? &flags : NULL,
                                                    .colorAttachmentCount = 2,
                                                    .pColorAttachmentFormats = draw->colors,
                                                    .depthAttachmentFormat = draw->depth,
                                                    .stencilAttachmentFormat = draw->stencil};
   const VkPipelineShaderStageCreateInfo stages[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_VERTEX_BIT, w->modules[1], "main", NULL},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_FRAGMENT_BIT, w->modules[2], "main", NULL},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_TASK_BIT_EXT, w->modules[3], "main", NULL},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_MESH_BIT_EXT, w->modules[4], "main", NULL}};
   const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R8G8B8A8_SNORM, 0};
   const VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 1,
                                                       .pVertexAttributeDescriptions = &attribute};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                            .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   const VkPipelineViewportStateCreateInfo viewports = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
   const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo multisample = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                             .rasterizationSamples = draw->samples};
   const VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .front = {.compareMask = 255, .writeMask = 255, .reference = 3},
                                                        .back = {.compareMask = 15, .writeMask = 129, .reference = 7}};
   VkPipelineColorBlendAttachmentState blends[2];
   for (uint32_t i = 0; i < 2; i++) {
      blends[i] = (VkPipelineColorBlendAttachmentState){draw->colors[i] == VK_FORMAT_R8G8B8A8_UNORM,
                                                        VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD,
                                                        VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_DST_COLOR, VK_BLEND_OP_MAX, 15};
   }
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 2, .pAttachments = blends};
   static const VkDynamicState states[] = {
      VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_CULL_MODE,
      VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
      VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
      VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE}; /* the last two: of vertices */
   const VkPipelineDynamicStateCreateInfo dynamic = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = UTIL_ARRAY_SIZE(states) - (has_meshes ? 2 : 0), .pDynamicStates = states};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .pNext = &rendering,
                                              .stageCount = has_meshes ? 3 : 2,
                                              .pStages = has_meshes ? stages + 1 : stages,
                                              .pVertexInputState = has_meshes ? NULL : &input,
                                              .pInputAssemblyState = has_meshes ? NULL : &assembly,
                                              .pViewportState = &viewports,
                                              .pRasterizationState = &rasterization,
                                              .pMultisampleState = &multisample,
                                              .pDepthStencilState = &depth,
                                              .pColorBlendState = &blend,
                                              .pDynamicState = &dynamic,
                                              .layout = w->layout};
   VkPipeline pipeline;
   client_check(vk.CreateGraphicsPipelines(w->client.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

static void destroy_draws(struct world *w)
{
   while (w->num_draws) {
      const struct draw_pipeline *draw = &w->draws[--w->num_draws];
      vk.DestroyPipeline(w->client.device, draw->handle, NULL);
      vk.DestroyPipeline(w->client.device, draw->mesh, NULL);
   }
}

static const struct draw_pipeline *find_draw(struct world *w, struct draw_pipeline wanted)
{
   for (uint32_t i = 0; i < w->num_draws; i++) {
      const struct draw_pipeline *draw = &w->draws[i];
      if (draw->colors[0] == wanted.colors[0] && draw->colors[1] == wanted.colors[1] && draw->depth == wanted.depth &&
          draw->stencil == wanted.stencil && draw->samples == wanted.samples)
         return draw;
   }
   if (w->num_draws == NUM_PIPELINES) {
      world_forget_commands(w);
      destroy_draws(w);
      return NULL;
   }
   wanted.handle = make_draw(w, &wanted, false);
   wanted.mesh = make_draw(w, &wanted, true);
   w->draws[w->num_draws] = wanted;
   return &w->draws[w->num_draws++];
}

/* An image that can be an attachment beside one of `first`, or NULL. */
static struct image *choose_attachment(struct world *w, const struct image *first, bool is_color, struct input *in)
{
   const uint32_t start = input_pick(in, NUM_IMAGES + 4);
   for (uint32_t i = start; i < NUM_IMAGES; i++) {
      struct image *image = &w->images[i];
      if (image->attachment && (image->format->aspects == COLOR) == is_color && image != first &&
          (!first || image->info.samples == first->info.samples))
         return image;
   }
   return NULL;
}

static void set_state(struct commands *commands, struct input *in)
{
   const VkViewport viewport = {(float)input_pick(in, 4) - 2.0f, 0, (float)commands->width, (float)commands->height, 0, 1};
   const VkRect2D scissor = {{(int32_t)input_pick(in, 5), 0}, {commands->width, commands->height}};
   const uint32_t flags = input_byte(in);
   vk.CmdSetViewport(commands->handle, 0, 1, &viewport);
   vk.CmdSetScissor(commands->handle, 0, 1, &scissor);
   calls.CmdSetCullMode(commands->handle, flags & 1 ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE);
   calls.CmdSetPrimitiveTopology(commands->handle, flags & 2 ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   calls.CmdSetDepthTestEnable(commands->handle, flags >> 2 & 1);
   calls.CmdSetDepthWriteEnable(commands->handle, flags >> 3 & 1);
   calls.CmdSetDepthCompareOp(commands->handle, (VkCompareOp)input_pick(in, 8));
   calls.CmdSetStencilTestEnable(commands->handle, flags >> 4 & 1);
   calls.CmdSetStencilOp(commands->handle, VK_STENCIL_FACE_FRONT_AND_BACK, (VkStencilOp)input_pick(in, 8), (VkStencilOp)input_pick(in, 8),
                         VK_STENCIL_OP_REPLACE, (VkCompareOp)input_pick(in, 8));
   calls.CmdSetRasterizerDiscardEnable(commands->handle, (flags >> 5) == 7);
   calls.CmdSetPrimitiveRestartEnable(commands->handle, (flags & 3) == 2);
}

/* `resolved`: of the same format, with one sample, or NULL. */
static VkRenderingAttachmentInfo attachment_info(const struct image *image, const struct image *resolved, struct input *in)
{
   VkRenderingAttachmentInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                     .imageView = image ? image->attachment : VK_NULL_HANDLE,
                                     .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                     .loadOp = (VkAttachmentLoadOp)input_pick(in, 3),
                                     .storeOp = (VkAttachmentStoreOp)(input_pick(in, 4) == 0)};
   if (image && resolved && image->info.samples > 1 && resolved->attachment && resolved->info.samples == 1 &&
       resolved->format == image->format) {
      info.resolveMode = image->format->aspects == COLOR ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
      info.resolveImageView = resolved->attachment;
      info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
   }
   if (image && image->format->aspects == COLOR)
      info.clearValue.color.float32[input_pick(in, 4)] = 0.75f;
   else
      info.clearValue.depthStencil = (VkClearDepthStencilValue){(float)input_pick(in, 5) * 0.25f, input_byte(in)};
   return info;
}

bool world_render(struct world *w, struct commands *commands, struct input *in)
{
   const VkDeviceSize zero = 0;
   if (commands->state == COMMANDS_RENDERING)
      return true;
   struct image *const color = choose_attachment(w, NULL, true, in), *const second = choose_attachment(w, color, true, in);
   struct image *const depth = choose_attachment(w, color ? color : second, false, in), *const resolved = &w->images[input_pick(in, NUM_IMAGES)];
   const struct image *const all[3] = {color, second, depth};
   struct draw_pipeline wanted = {.samples = VK_SAMPLE_COUNT_1_BIT};
   commands->width = commands->height = commands->layers = UINT32_MAX;
   for (uint32_t i = 0; i < 3; i++) {
      const struct image *sizes[2] = {all[i], all[i] && resolved->attachment && resolved->format == all[i]->format ? resolved : NULL};
      for (uint32_t j = 0; j < 2; j++) {
         if (!sizes[j])
            continue;
         commands->width = UTIL_MIN(commands->width, sizes[j]->info.extent.width);
         commands->height = UTIL_MIN(commands->height, sizes[j]->info.extent.height);
         commands->layers = UTIL_MIN(commands->layers, sizes[j]->info.arrayLayers);
      }
      if (all[i])
         wanted.samples = all[i]->info.samples;
   }
   if (commands->width == UINT32_MAX || (color && second && color->info.samples != second->info.samples))
      return false;
   for (uint32_t i = 0; i < 2; i++)
      wanted.colors[i] = all[i] ? all[i]->info.format : VK_FORMAT_UNDEFINED;
   if (depth && depth->format->aspects & DEPTH)
      wanted.depth = depth->info.format;
   if (depth && depth->format->aspects & STENCIL)
      wanted.stencil = depth->info.format;
   const struct draw_pipeline *draw = find_draw(w, wanted);
   if (!draw)
      return false;
   world_record(w, commands);
   const VkRenderingAttachmentInfo colors[2] = {attachment_info(color, resolved, in), attachment_info(second, color && color->info.samples > 1 ? NULL : resolved, in)};
   VkRenderingAttachmentInfo depth_info = attachment_info(depth, resolved, in), stencil_info = depth_info;
   const uint32_t x = commands->x = input_pick(in, UTIL_MIN(commands->width, 256)), y = commands->y = input_pick(in, UTIL_MIN(commands->height, 256));
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{(int32_t)x, (int32_t)y}, {commands->width - x, commands->height - y}},
                                 .layerCount = commands->layers,
                                 .colorAttachmentCount = 2,
                                 .pColorAttachments = colors,
                                 .pDepthAttachment = wanted.depth ? &depth_info : NULL,
                                 .pStencilAttachment = wanted.stencil ? &stencil_info : NULL};
   calls.CmdBeginRendering(commands->handle, &info);
   commands->state = COMMANDS_RENDERING;
   commands->draw = draw->handle;
   commands->mesh = draw->mesh;
   vk.CmdBindPipeline(commands->handle, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->handle);
   vk.CmdBindVertexBuffers(commands->handle, 0, 1, &w->buffers[0].buffer, &zero);
   set_state(commands, in);
   return true;
}

/* ---- the world ---- */

static void hear(void *data, const char *id, const char *message)
{
   if (strncmp(id, "VUID", 4) == 0) {
      fprintf(stderr, "invalid usage: %s: %s\n", id, message);
      abort();
   }
}

static void make_images_of_sets(struct world *w)
{
   const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   const VkImageUsageFlags usages[] = {VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_USAGE_STORAGE_BIT};
   struct client_image *const images[] = {&w->texture, &w->storage};
   for (uint32_t i = 0; i < 2; i++) {
      *images[i] = client_image_create(&w->client, VK_FORMAT_R8G8B8A8_UNORM, TEXTURE_SIZE, TEXTURE_SIZE, 1, VK_SAMPLE_COUNT_1_BIT, usages[i]);
      VkCommandBuffer cmd = client_begin(&w->client);
      client_transition(cmd, images[i], 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      client_run(&w->client, cmd);
   }
   w->sampler = client_sampler(&w->client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   w->set = client_set_create(&w->client, UTIL_ARRAY_SIZE(types), types);
   client_set_buffer(&w->client, &w->set, 0, types[0], &w->buffers[1]);
   client_set_image(&w->client, &w->set, 1, types[1], w->texture.view, w->sampler, VK_IMAGE_LAYOUT_GENERAL);
   client_set_image(&w->client, &w->set, 2, types[2], w->storage.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   w->layout = client_pipeline_layout(&w->client, &w->set, sizeof(uint32_t));
}

static void make_sparse(struct world *w)
{
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT | VK_BUFFER_CREATE_SPARSE_ALIASED_BIT,
                                    .size = SPARSE_BYTES,
                                    .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   VkMemoryRequirements needs;
   client_check(vk.CreateBuffer(w->client.device, &info, NULL, &w->sparse), "vkCreateBuffer");
   vk.GetBufferMemoryRequirements(w->client.device, w->sparse, &needs);
   if (PAGE_BYTES % needs.alignment) {
      fprintf(stderr, "pages of sparse buffers are not %u bytes\n", PAGE_BYTES);
      abort();
   }
   w->pages = client_buffer_create(&w->client, SPARSE_BYTES / 2, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
}

static void make_commands(struct world *w)
{
   for (uint32_t i = 0; i < NUM_COMMANDS; i++) {
      struct commands *commands = &w->commands[i];
      commands->is_secondary = i >= NUM_PRIMARIES;
      commands->query = -1;
      const VkCommandBufferAllocateInfo info = {
         VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, w->client.pool,
         commands->is_secondary ? VK_COMMAND_BUFFER_LEVEL_SECONDARY : VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
      const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
      client_check(vk.AllocateCommandBuffers(w->client.device, &info, &commands->handle), "vkAllocateCommandBuffers");
      client_check(calls.CreateEvent(w->client.device, &event, NULL, &w->events[i]), "vkCreateEvent");
   }
}

bool world_knows_newer(void)
{
   return !getenv("CLIENT_VALIDATE");
}

void world_init(struct world *w, void *next)
{
   *w = (struct world){0};
   static const char *const extensions[] = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                            VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                            VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, VK_KHR_RAY_QUERY_EXTENSION_NAME,
                                            VK_KHR_MAINTENANCE_5_EXTENSION_NAME, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
                                            VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME,
#ifdef VK_EXT_descriptor_heap
                                            VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME,
#endif
#if defined(VK_EXT_memory_decompression) && defined(VK_KHR_copy_memory_indirect) && defined(VK_AMDX_shader_enqueue) && \
   VK_AMDX_SHADER_ENQUEUE_SPEC_VERSION == 2
                                            VK_EXT_MEMORY_DECOMPRESSION_EXTENSION_NAME, VK_KHR_COPY_MEMORY_INDIRECT_EXTENSION_NAME,
                                            VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME, VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME,
                                            VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_AMDX_SHADER_ENQUEUE_EXTENSION_NAME,
#endif
   };
   enum { FIRST_NEWER = 6 };
   VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = next, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   VkPhysicalDeviceRobustness2FeaturesEXT robustness = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
                                                        .pNext = &meshes,
                                                        .robustBufferAccess2 = VK_TRUE};
   VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                  .pNext = &robustness,
                                                  .synchronization2 = VK_TRUE,
                                                  .dynamicRendering = VK_TRUE,
                                                  .maintenance4 = VK_TRUE};
   VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                  .pNext = &features13,
                                                  .timelineSemaphore = VK_TRUE,
                                                  .bufferDeviceAddress = VK_TRUE,
                                                  .hostQueryReset = VK_TRUE};
   const VkPhysicalDeviceFeatures features = {.robustBufferAccess = VK_TRUE, .sparseBinding = VK_TRUE, .sparseResidencyBuffer = VK_TRUE,
                                              .sparseResidencyAliased = VK_TRUE, .independentBlend = VK_TRUE, .multiDrawIndirect = VK_TRUE,
                                              .drawIndirectFirstInstance = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE,
                                              .shaderStorageBufferArrayDynamicIndexing = VK_TRUE, .shaderSampledImageArrayDynamicIndexing = VK_TRUE,
                                              .shaderStorageImageArrayDynamicIndexing = VK_TRUE,
                                              .occlusionQueryPrecise = VK_TRUE, .textureCompressionBC = VK_TRUE,
                                              .textureCompressionETC2 = VK_TRUE, .fullDrawIndexUint32 = VK_TRUE};
   client_init(&w->client, &(struct client_options){.features = &features, .next = &features12, .api_version = VK_API_VERSION_1_3,
                                                    .num_queues = NUM_QUEUES, .on_message = hear,
                                                    .device_extensions = extensions,
                                                    .num_device_extensions = world_knows_newer() ? UTIL_ARRAY_SIZE(extensions) : FIRST_NEWER});
#define X(name) calls.name = (PFN_vk##name)vk.GetDeviceProcAddr(w->client.device, "vk" #name);
   CALLS_FUNCTIONS(X)
#undef X
   for (uint32_t i = 0; i < NUM_QUEUES; i++)
      vk.GetDeviceQueue(w->client.device, 0, i, &w->queues[i]);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      w->buffers[i] = client_buffer_create(&w->client, BUFFER_BYTES,
                                           VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                              VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   w->indirect = client_buffer_create(&w->client, INDIRECT_BYTES, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   w->few = client_buffer_create(&w->client, INDIRECT_BYTES, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   make_sparse(w);
   make_images_of_sets(w);
   make_commands(w);
   w->modules[0] = client_shader(&w->client, calls_comp, sizeof(calls_comp));
   w->modules[1] = client_shader(&w->client, calls_vert, sizeof(calls_vert));
   w->modules[2] = client_shader(&w->client, calls_frag, sizeof(calls_frag));
   w->modules[3] = client_shader(&w->client, calls_task, sizeof(calls_task));
   w->modules[4] = client_shader(&w->client, calls_mesh, sizeof(calls_mesh));
   w->compute = client_compute_pipeline(&w->client, w->modules[0], w->layout, VK_NULL_HANDLE, NULL);
   VkQueryPoolCreateInfo queries = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = NUM_QUERIES};
   client_check(vk.CreateQueryPool(w->client.device, &queries, NULL, &w->occlusion), "vkCreateQueryPool");
   queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
   client_check(vk.CreateQueryPool(w->client.device, &queries, NULL, &w->timestamps), "vkCreateQueryPool");
   const VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, NULL, VK_SEMAPHORE_TYPE_TIMELINE, 0};
   const VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
   client_check(calls.CreateSemaphore(w->client.device, &semaphore, NULL, &w->timeline), "vkCreateSemaphore");
}

void world_reset(struct world *w)
{
   world_forget_commands(w);
   for (uint32_t i = 0; i < NUM_IMAGES; i++)
      world_destroy_image(w, &w->images[i]);
}

void world_finish(struct world *w)
{
   const VkDevice device = w->client.device;
   world_reset(w);
   calls.DestroySemaphore(device, w->timeline, NULL);
   vk.DestroyQueryPool(device, w->timestamps, NULL);
   vk.DestroyQueryPool(device, w->occlusion, NULL);
   destroy_draws(w);
   vk.DestroyPipeline(device, w->compute, NULL);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(w->modules); i++)
      vk.DestroyShaderModule(device, w->modules[i], NULL);
   for (uint32_t i = 0; i < NUM_COMMANDS; i++)
      calls.DestroyEvent(device, w->events[i], NULL);
   vk.DestroyPipelineLayout(device, w->layout, NULL);
   client_set_destroy(&w->client, &w->set);
   vk.DestroySampler(device, w->sampler, NULL);
   client_image_destroy(&w->client, &w->storage);
   client_image_destroy(&w->client, &w->texture);
   client_buffer_destroy(&w->client, &w->indirect);
   client_buffer_destroy(&w->client, &w->few);
   vk.DestroyBuffer(device, w->sparse, NULL);
   client_buffer_destroy(&w->client, &w->pages);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      client_buffer_destroy(&w->client, &w->buffers[i]);
   client_finish(&w->client);
}
