/* SPDX-License-Identifier: MIT */
#include "tests/instrument/sync_scene.h"

#include "util/macros.h"

#include <stdio.h>
#include <string.h>

#include "sync_comp.h"
#include "sync_frag.h"
#include "sync_input_frag.h"
#include "sync_vert.h"
#include "sync_xfb_vert.h"

struct sync_functions sync_vk;
struct sync_scene scene;

static void listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0 || scene.heard.count == SYNC_MAX_HEARD)
      return;
   snprintf(scene.heard.id[scene.heard.count], sizeof(scene.heard.id[0]), "%s", id);
   snprintf(scene.heard.message[scene.heard.count], sizeof(scene.heard.message[0]), "%s", message);
   scene.heard.count++;
}

/* ---- what is used ---- */

static struct client_buffer make_buffer(const char *name, VkBufferUsageFlags usage)
{
   const struct client_buffer buffer = client_buffer_create(&scene.client, SYNC_WORDS * 4, usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                                                                       VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   client_name(&scene.client, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)buffer.buffer, name);
   return buffer;
}

static struct client_image make_image(const char *name, VkFormat format, uint32_t levels, VkImageUsageFlags usage)
{
   const struct client_image image = client_image_create(&scene.client, format, SYNC_EXTENT, SYNC_EXTENT, levels, VK_SAMPLE_COUNT_1_BIT,
                                                         usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   client_name(&scene.client, VK_OBJECT_TYPE_IMAGE, (uint64_t)(uintptr_t)image.image, name);
   return image;
}

static void make_sets(void)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                            VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   static const VkDescriptorType input_type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
   scene.set = client_set_create(&scene.client, 4, types);
   client_set_buffer(&scene.client, &scene.set, 0, types[0], &scene.input);
   client_set_buffer(&scene.client, &scene.set, 1, types[1], &scene.output);
   client_set_image(&scene.client, &scene.set, 2, types[2], scene.pixels.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   client_set_image(&scene.client, &scene.set, 3, types[3], scene.picture.view, scene.sampler, VK_IMAGE_LAYOUT_GENERAL);
   scene.input_set = client_set_create(&scene.client, 1, &input_type);
   client_set_image(&scene.client, &scene.input_set, 0, input_type, scene.target.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   scene.layout = client_pipeline_layout(&scene.client, &scene.set, 8);
   const VkDescriptorSetLayout layouts[2] = {scene.set.layout, scene.input_set.layout};
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 2, .pSetLayouts = layouts};
   client_check(vk.CreatePipelineLayout(scene.client.device, &info, NULL, &scene.input_layout), "vkCreatePipelineLayout");
}

#define STORED (VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

void sync_make_alias(void)
{
   scene.pixels_alias = client_image_create_alias(&scene.client, &scene.pixels, STORED);
   client_name(&scene.client, VK_OBJECT_TYPE_IMAGE, (uint64_t)(uintptr_t)scene.pixels_alias.image, "the alias");
}

static void make_objects(void)
{
   static const VkDrawIndirectCommand triangle = {3, 1, 0, 0};
   scene.input = make_buffer("the input", VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   scene.output = make_buffer("the output", VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                         VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   scene.staging = make_buffer("the staging buffer", 0);
   scene.vertices = make_buffer("the vertices", VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
   scene.indices = make_buffer("the indices", VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
   scene.arguments = make_buffer("the arguments", VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   scene.captured = make_buffer("what is captured", VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                                                       VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   scene.cached = client_buffer_create_cached(&scene.client, SYNC_WORDS * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                                                             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   if (scene.cached.buffer)
      client_name(&scene.client, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)scene.cached.buffer, "the cached words");
   memcpy(scene.vertices.map, (const float[6]){-1, -1, 3, -1, -1, 3}, 24);
   memcpy(scene.indices.map, (const uint16_t[3]){0, 1, 2}, 6);
   memcpy(scene.arguments.map, &triangle, sizeof(triangle));
   scene.pixels = client_image_create_flags(&scene.client, VK_IMAGE_CREATE_ALIAS_BIT, VK_FORMAT_R32_UINT, SYNC_EXTENT, SYNC_EXTENT, 1,
                                            VK_SAMPLE_COUNT_1_BIT, STORED);
   client_name(&scene.client, VK_OBJECT_TYPE_IMAGE, (uint64_t)(uintptr_t)scene.pixels.image, "the pixels");
   scene.picture = make_image("the picture", VK_FORMAT_R32_UINT, SYNC_LEVELS, VK_IMAGE_USAGE_SAMPLED_BIT);
   scene.target = make_image("the target", VK_FORMAT_R32_UINT, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
   scene.depth = make_image("the depth", VK_FORMAT_D32_SFLOAT, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   scene.sampler = client_sampler(&scene.client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   make_sets();
   scene.comp = client_shader(&scene.client, sync_comp, sizeof(sync_comp));
   scene.vert = client_shader(&scene.client, sync_vert, sizeof(sync_vert));
   scene.xfb_vert = client_shader(&scene.client, sync_xfb_vert, sizeof(sync_xfb_vert));
   scene.frag = client_shader(&scene.client, sync_frag, sizeof(sync_frag));
   scene.input_frag = client_shader(&scene.client, sync_input_frag, sizeof(sync_input_frag));
   scene.compute = client_compute_pipeline(&scene.client, scene.comp, scene.layout, VK_NULL_HANDLE, NULL);
   client_name(&scene.client, VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)scene.compute, "the kernel");
}

static void make_generated(void)
{
   const VkIndirectCommandsLayoutTokenEXT token = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                   .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT};
   const VkIndirectCommandsLayoutCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
                                                       .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                                       .indirectStride = sizeof(VkDispatchIndirectCommand),
                                                       .pipelineLayout = scene.layout,
                                                       .tokenCount = 1,
                                                       .pTokens = &token};
   client_check(sync_vk.CreateIndirectCommandsLayoutEXT(scene.client.device, &info, NULL, &scene.generated), "vkCreateIndirectCommandsLayoutEXT");
}

static void load_functions(void)
{
#define X(name) sync_vk.name = (PFN_vk##name)vk.GetDeviceProcAddr(scene.client.device, "vk" #name);
   SYNC_FUNCTIONS(X)
#undef X
}

void sync_init(void)
{
   static const VkPhysicalDeviceFeatures features = {.fragmentStoresAndAtomics = VK_TRUE};
   static const char *const extensions[] = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
                                            VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME, VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME,
                                            VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
#ifdef VK_KHR_copy_memory_indirect
                                            VK_KHR_COPY_MEMORY_INDIRECT_EXTENSION_NAME,
#endif
#ifdef VK_EXT_memory_decompression
                                            VK_EXT_MEMORY_DECOMPRESSION_EXTENSION_NAME,
#endif
   };
   const void *next = NULL;
#ifdef VK_KHR_copy_memory_indirect
   const VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR copies = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR, .indirectMemoryCopy = VK_TRUE};
   next = &copies;
#endif
#ifdef VK_EXT_memory_decompression
   const VkPhysicalDeviceMemoryDecompressionFeaturesEXT decompression = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_DECOMPRESSION_FEATURES_EXT, .pNext = (void *)next, .memoryDecompression = VK_TRUE};
   next = &decompression;
#endif
   const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditions = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, .pNext = (void *)next, .conditionalRendering = VK_TRUE};
   const VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .pNext = (void *)&conditions, .transformFeedback = VK_TRUE};
   const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT, .pNext = (void *)&capture, .deviceGeneratedCommands = VK_TRUE};
   const VkPhysicalDeviceMaintenance5Features maintenance = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&generated, .maintenance5 = VK_TRUE};
   const VkPhysicalDeviceVulkan12Features core = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&maintenance, .drawIndirectCount = VK_TRUE,
      .bufferDeviceAddress = VK_TRUE};
   client_init(&scene.client, &(struct client_options){.on_message = listen, .num_queues = 2, .features = &features, .next = &core,
                                                       .device_extensions = extensions, .num_device_extensions = UTIL_ARRAY_SIZE(extensions), .api_version = VK_API_VERSION_1_3});
   for (uint32_t i = 0; i < 2; i++)
      vk.GetDeviceQueue(scene.client.device, 0, i, &scene.queues[i]);
   load_functions();
   make_objects();
   make_generated();
   VkCommandBuffer cmd = client_begin(&scene.client);
   const VkImageLayout from = VK_IMAGE_LAYOUT_UNDEFINED, to = VK_IMAGE_LAYOUT_GENERAL;
   client_transition(cmd, &scene.pixels, 0, 1, from, to);
   client_transition(cmd, &scene.picture, 0, SYNC_LEVELS, from, to);
   client_transition(cmd, &scene.target, 0, 1, from, to);
   client_transition(cmd, &scene.depth, 0, 1, from, to);
   client_run(&scene.client, cmd);
}

void sync_finish(void)
{
   struct client_buffer *const buffers[] = {&scene.input, &scene.output, &scene.staging, &scene.vertices, &scene.indices, &scene.arguments,
                                             &scene.captured, &scene.cached};
   struct client_image *const images[] = {&scene.pixels, &scene.picture, &scene.target, &scene.depth};
   const VkShaderModule modules[] = {scene.comp, scene.vert, scene.frag, scene.input_frag};
   sync_vk.DestroyIndirectCommandsLayoutEXT(scene.client.device, scene.generated, NULL);
   vk.DestroyShaderModule(scene.client.device, scene.xfb_vert, NULL);
   vk.DestroyPipeline(scene.client.device, scene.compute, NULL);
   for (uint32_t i = 0; i < 4; i++) {
      vk.DestroyShaderModule(scene.client.device, modules[i], NULL);
      client_image_destroy(&scene.client, images[i]);
   }
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(buffers); i++)
      client_buffer_destroy(&scene.client, buffers[i]);
   vk.DestroySampler(scene.client.device, scene.sampler, NULL);
   vk.DestroyPipelineLayout(scene.client.device, scene.layout, NULL);
   vk.DestroyPipelineLayout(scene.client.device, scene.input_layout, NULL);
   client_set_destroy(&scene.client, &scene.set);
   client_set_destroy(&scene.client, &scene.input_set);
   client_finish(&scene.client);
}

/* ---- commands ---- */

void sync_barrier(VkCommandBuffer cmd, VkPipelineStageFlags src, VkAccessFlags src_access, VkPipelineStageFlags dst, VkAccessFlags dst_access)
{
   const VkMemoryBarrier it = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = src_access, .dstAccessMask = dst_access};
   vk.CmdPipelineBarrier(cmd, src, dst, 0, 1, &it, 0, NULL, 0, NULL);
}

void sync_buffer_barrier(VkCommandBuffer cmd, const struct client_buffer *buffer, uint64_t offset, uint64_t size)
{
   const VkBufferMemoryBarrier it = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .buffer = buffer->buffer,
                                     .offset = offset,
                                     .size = size};
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &it, 0, NULL);
}

void sync_image_barrier(VkCommandBuffer cmd, const struct client_image *image, uint32_t level, uint32_t count, VkImageLayout from, VkImageLayout to,
                          struct sync_image_scope scope)
{
   const VkImageMemoryBarrier it = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .srcAccessMask = scope.src_access,
                                    .dstAccessMask = scope.dst_access,
                                    .oldLayout = from,
                                    .newLayout = to,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = image->image,
                                    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, count, 0, 1}};
   vk.CmdPipelineBarrier(cmd, scope.src, scope.dst, 0, 0, NULL, 0, NULL, 1, &it);
}

static void bind_kernel(VkCommandBuffer cmd, enum sync_mode mode, uint32_t offset)
{
   const uint32_t push[2] = {mode, offset};
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, scene.compute);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, scene.layout, 0, 1, &scene.set.set, 0, NULL);
   vk.CmdPushConstants(cmd, scene.layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
}

void sync_dispatch_of(VkCommandBuffer cmd, const struct client_buffer *parameters)
{
   bind_kernel(cmd, SYNC_READ, 0);
   sync_vk.CmdDispatchIndirect(cmd, parameters->buffer, 0);
}

void sync_dispatch_at(VkCommandBuffer cmd, enum sync_mode mode, uint32_t offset, uint32_t groups)
{
   bind_kernel(cmd, mode, offset);
   if (groups)
      vk.CmdDispatch(cmd, groups, 1, 1);
   else
      sync_vk.CmdDispatchIndirect(cmd, scene.output.buffer, 0);
}

void sync_dispatch(VkCommandBuffer cmd, enum sync_mode mode)
{
   sync_dispatch_at(cmd, mode, 0, 4);
}

void sync_copy(VkCommandBuffer cmd, const struct client_buffer *from, const struct client_buffer *to)
{
   const VkBufferCopy region = {0, 0, SYNC_WORDS * 4};
   vk.CmdCopyBuffer(cmd, from->buffer, to->buffer, 1, &region);
}

void sync_fill(VkCommandBuffer cmd, const struct client_buffer *buffer)
{
   vk.CmdFillBuffer(cmd, buffer->buffer, 0, VK_WHOLE_SIZE, 1);
}

void sync_upload(VkCommandBuffer cmd, const struct client_image *image, uint32_t level, int32_t x, uint32_t width)
{
   const VkBufferImageCopy region = {
      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1}, .imageOffset = {x, 0, 0}, .imageExtent = {width, SYNC_EXTENT >> level, 1}};
   vk.CmdCopyBufferToImage(cmd, scene.staging.buffer, image->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

void sync_blit(VkCommandBuffer cmd, uint32_t from)
{
   const int32_t size = SYNC_EXTENT >> from;
   const VkImageBlit region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, from, 0, 1},
                               .srcOffsets = {{0, 0, 0}, {size, size, 1}},
                               .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, from + 1, 0, 1},
                               .dstOffsets = {{0, 0, 0}, {size / 2, size / 2, 1}}};
   vk.CmdBlitImage(cmd, scene.picture.image, VK_IMAGE_LAYOUT_GENERAL, scene.picture.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region, VK_FILTER_NEAREST);
}

void sync_download(VkCommandBuffer cmd, const struct client_image *image)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SYNC_EXTENT, SYNC_EXTENT, 1}};
   vk.CmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, scene.staging.buffer, 1, &region);
}

/* ---- render passes ---- */

static VkPipeline make_pipeline(VkRenderPass pass, uint32_t subpass, VkShaderModule vertex, VkShaderModule fragment, VkPipelineLayout pipeline_layout,
                                bool has_depth, bool has_depth_write)
{
   const struct client_graphics graphics = {
      .vertex = vertex,
      .fragment = fragment,
      .layout = pipeline_layout,
      .pass = pass,
      .subpass = subpass,
      .width = SYNC_EXTENT,
      .height = SYNC_EXTENT,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .has_depth = has_depth,
      .has_depth_write = has_depth_write,
      .stride_bytes = 8,
      .num_attributes = 1,
      .attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}},
   };
   return client_graphics_pipeline(&scene.client, &graphics, VK_NULL_HANDLE);
}

static VkRenderPass make_render_pass(const struct sync_pass_options *options)
{
   const VkAttachmentDescription attachments[2] = {
      {.format = scene.target.format, .samples = 1, .loadOp = options->load_op, .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .initialLayout = VK_IMAGE_LAYOUT_GENERAL, .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
      {.format = scene.depth.format, .samples = 1, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .initialLayout = VK_IMAGE_LAYOUT_GENERAL, .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
   };
   static const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL}, depth_reference = {1, VK_IMAGE_LAYOUT_GENERAL},
                                      read_depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL};
   const VkSubpassDescription subpasses[2] = {
      {.colorAttachmentCount = 1, .pColorAttachments = &color, .pDepthStencilAttachment = options->has_depth ? &depth_reference : NULL},
      {.inputAttachmentCount = 1, .pInputAttachments = &color, .pDepthStencilAttachment = options->has_depth ? &read_depth : NULL},
   };
   const VkRenderPassCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
      .attachmentCount = options->has_depth ? 2 : 1,
      .pAttachments = attachments,
      .subpassCount = options->has_second_subpass ? 2 : 1,
      .pSubpasses = subpasses,
      .dependencyCount = options->num_dependencies,
      .pDependencies = options->dependencies,
   };
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(scene.client.device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

const struct sync_pass *sync_make_pass(const struct sync_pass_options *options)
{
   struct sync_pass *it = &scene.passes[scene.num_passes++];
   const VkImageView views[2] = {scene.target.view, scene.depth.view};
   it->pass = make_render_pass(options);
   it->framebuffer = client_framebuffer(&scene.client, it->pass, options->has_depth ? 2 : 1, views, SYNC_EXTENT, SYNC_EXTENT);
   it->pipeline = make_pipeline(it->pass, 0, options->captures ? scene.xfb_vert : scene.vert, scene.frag, scene.layout, options->has_depth, options->has_depth);
   if (options->has_second_subpass)
      it->second = make_pipeline(it->pass, 1, scene.vert, scene.input_frag, scene.input_layout, options->tests_depth, false);
   else
      it->second = VK_NULL_HANDLE;
   return it;
}

void sync_destroy_passes(void)
{
   client_image_destroy(&scene.client, &scene.pixels_alias);
   scene.pixels_alias = (struct client_image){0};
   for (; scene.num_passes; scene.num_passes--) {
      const struct sync_pass *it = &scene.passes[scene.num_passes - 1];
      vk.DestroyPipeline(scene.client.device, it->pipeline, NULL);
      vk.DestroyPipeline(scene.client.device, it->second, NULL);
      vk.DestroyFramebuffer(scene.client.device, it->framebuffer, NULL);
      vk.DestroyRenderPass(scene.client.device, it->pass, NULL);
   }
}

void sync_begin_pass(VkCommandBuffer cmd, const struct sync_pass *pass, enum sync_mode mode)
{
   static const VkClearValue clears[2] = {{.color = {.uint32 = {1, 1, 1, 1}}}, {.depthStencil = {1.0f, 0}}};
   const uint32_t push[2] = {mode, 0};
   const VkDeviceSize zero = 0;
   client_begin_pass(cmd, pass->pass, pass->framebuffer, SYNC_EXTENT, SYNC_EXTENT, 2, clears);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene.layout, 0, 1, &scene.set.set, 0, NULL);
   vk.CmdPushConstants(cmd, scene.layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
   vk.CmdBindVertexBuffers(cmd, 0, 1, &scene.vertices.buffer, &zero);
}

void sync_draw_pass(VkCommandBuffer cmd, const struct sync_pass *pass, enum sync_mode mode)
{
   sync_begin_pass(cmd, pass, mode);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
}

const struct sync_pass *sync_plain_pass(VkAttachmentLoadOp load_op)
{
   return sync_make_pass(&(struct sync_pass_options){.load_op = load_op});
}
