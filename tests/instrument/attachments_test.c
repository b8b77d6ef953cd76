/* SPDX-License-Identifier: MIT
 * Attachments, and levels and layers of images, that nobody wrote, or of which load and store operations leave nothing, and draws that read them: each
 * faulty sequence of renderings is reported, its repaired twin not at all. */
#include "tests/client/client.h"
#include "tests/instrument/quiet.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "attachments_filtered.h"
#include "attachments_input.h"
#include "attachments_plain.h"
#include "attachments_sampled.h"
#include "attachments_solid.h"
#include "attachments_vert.h"

enum { EXTENT = 16, HALF = EXTENT / 2, LOAD = VK_ATTACHMENT_LOAD_OP_LOAD, CLEAR = VK_ATTACHMENT_LOAD_OP_CLEAR, ANY = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
       KEEP = VK_ATTACHMENT_STORE_OP_STORE, DROP = VK_ATTACHMENT_STORE_OP_DONT_CARE, MAX_PASSES = 3 };

/* What is drawn; depth and stencil have the operations that follow the letter, colours the same ones. */
enum draw { NO_DRAW, OPAQUE, BLENDED, DEPTH, DEPTH_ALWAYS, STENCIL, INPUT, SAMPLED, FILTERED, SOLID, CLEARED, CLEARED_HALF, NUM_DRAWS };

struct rendering {
   int load, store;
   enum draw draws[2];
   bool has_depth; /* the operations are those of the depth and stencil attachment, colours are cleared and kept */
   bool is_other;  /* renders to another colour image, which is cleared */
   bool is_behind_transition; /* of the colour image, from the layout UNDEFINED */
   bool is_alias;  /* both of the colour image are of another one in the same memory */
   uint32_t width; /* of its area; 0: all of it */
};

static const struct row {
   const char *name, *id, *what;
   struct rendering renderings[2][MAX_PASSES]; /* of both twins, those without draws come last */
} rows[] = {
   {"blend_with_nothing", "SANITIZE-uninit-attachment", "blends with colour attachment 0",
    {{{LOAD, KEEP, {BLENDED}}}, {{CLEAR, KEEP, {BLENDED}}}}},
   {"blend_with_what_was_not_loaded", "SANITIZE-uninit-attachment", "blends with colour attachment 0",
    {{{CLEAR, KEEP, {OPAQUE}}, {ANY, KEEP, {BLENDED}}}, {{CLEAR, KEEP, {OPAQUE}}, {LOAD, KEEP, {BLENDED}}}}},
   {"blend_with_what_was_not_stored", "SANITIZE-uninit-attachment", "blends with colour attachment 0",
    {{{CLEAR, DROP, {OPAQUE}}, {LOAD, KEEP, {BLENDED}}}, {{CLEAR, KEEP, {OPAQUE}}, {LOAD, KEEP, {BLENDED}}}}},
   {"order_of_draws", "SANITIZE-uninit-attachment", "blends with colour attachment 0",
    {{{ANY, KEEP, {BLENDED, OPAQUE}}}, {{ANY, KEEP, {OPAQUE, BLENDED}}}}},
   {"cleared_by_a_command", "SANITIZE-uninit-attachment", "blends with colour attachment 0",
    {{{ANY, KEEP, {BLENDED, CLEARED}}}, {{ANY, KEEP, {CLEARED, BLENDED}}}}},
   {"depth_of_nothing", "SANITIZE-uninit-attachment", "tests depths against the depth attachment",
    {{{ANY, DROP, {DEPTH}, true}}, {{CLEAR, DROP, {DEPTH}, true}}}},
   {"depth_that_was_not_stored", "SANITIZE-uninit-attachment", "tests depths against the depth attachment",
    {{{CLEAR, DROP, {DEPTH}, true}, {LOAD, KEEP, {DEPTH}, true}}, {{CLEAR, KEEP, {DEPTH}, true}, {LOAD, KEEP, {DEPTH}, true}}}},
   {"depth_that_always_passes", "SANITIZE-uninit-attachment", "tests depths against the depth attachment",
    {{{ANY, DROP, {DEPTH}, true}}, {{ANY, DROP, {DEPTH_ALWAYS, DEPTH}, true}}}},
   {"stencil_of_nothing", "SANITIZE-uninit-attachment", "tests stencils against the stencil attachment",
    {{{ANY, DROP, {STENCIL}, true}}, {{CLEAR, DROP, {STENCIL}, true}}}},
   {"sampled_after_it_was_not_stored", "SANITIZE-uninit-image", "attachments.glsl:101",
    {{{CLEAR, DROP, {OPAQUE}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}, {{CLEAR, KEEP, {OPAQUE}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}}},
   {"sampled_but_never_drawn", "SANITIZE-uninit-image", "attachments.glsl:101",
    {{{LOAD, KEEP, {NO_DRAW}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}, {{LOAD, KEEP, {OPAQUE}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}}},
   {"blend_with_what_a_transition_discards", "SANITIZE-uninit-attachment", "blends with colour attachment 0",
    {{{CLEAR, KEEP, {OPAQUE}}, {LOAD, KEEP, {BLENDED}, .is_behind_transition = true}}, {{CLEAR, KEEP, {OPAQUE}}, {LOAD, KEEP, {BLENDED}}}}},
   {"sampled_after_a_transition_discards", "SANITIZE-uninit-image", "attachments.glsl:101",
    {{{CLEAR, KEEP, {OPAQUE}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true, .is_behind_transition = true}},
     {{CLEAR, KEEP, {OPAQUE}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}}},
   {"written_through_an_alias", "SANITIZE-uninit-image", "attachments.glsl:101",
    {{{LOAD, KEEP, {NO_DRAW}, .is_alias = true}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}},
     {{CLEAR, KEEP, {OPAQUE}, .is_alias = true}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}}},
   {"blend_with_what_a_transition_of_an_alias_discards", "SANITIZE-uninit-attachment", "blends with colour attachment 0",
    {{{CLEAR, KEEP, {OPAQUE}}, {LOAD, KEEP, {BLENDED}, .is_behind_transition = true, .is_alias = true}},
     {{CLEAR, KEEP, {OPAQUE}}, {LOAD, KEEP, {BLENDED}, .is_alias = true}}}},
   {"blend_with_what_alpha_hides", "SANITIZE-uninit-attachment", "blends with colour attachment 0",
    {{{ANY, KEEP, {BLENDED, SOLID}}}, {{ANY, KEEP, {SOLID, BLENDED}}}}},
   {"blend_beside_what_was_cleared", "SANITIZE-uninit-attachment", "texel (8, 0)",
    {{{CLEAR, KEEP, {NO_DRAW}, .width = HALF}, {LOAD, KEEP, {BLENDED}}}, {{CLEAR, KEEP, {NO_DRAW}, .width = HALF}, {LOAD, KEEP, {BLENDED}, .width = HALF}}}},
   {"blend_beside_what_was_drawn", "SANITIZE-uninit-attachment", "texel (8, 0)",
    {{{LOAD, KEEP, {OPAQUE}, .width = HALF}, {LOAD, KEEP, {BLENDED}}}, {{LOAD, KEEP, {OPAQUE}, .width = HALF}, {LOAD, KEEP, {BLENDED}, .width = HALF}}}},
   {"depth_beside_what_was_cleared", "SANITIZE-uninit-attachment", "tests depths against the depth attachment",
    {{{CLEAR, KEEP, {NO_DRAW}, true, .width = HALF}, {LOAD, KEEP, {DEPTH}, true}},
     {{CLEAR, KEEP, {NO_DRAW}, true, .width = HALF}, {LOAD, KEEP, {DEPTH}, true, .width = HALF}}}},
   {"depth_beside_what_was_drawn", "SANITIZE-uninit-attachment", "tests depths against the depth attachment",
    {{{LOAD, KEEP, {DEPTH_ALWAYS}, true, .width = HALF}, {LOAD, KEEP, {DEPTH}, true}},
     {{LOAD, KEEP, {DEPTH_ALWAYS}, true, .width = HALF}, {LOAD, KEEP, {DEPTH}, true, .width = HALF}}}},
   {"stencil_beside_what_was_cleared", "SANITIZE-uninit-attachment", "tests stencils against the stencil attachment",
    {{{CLEAR, KEEP, {NO_DRAW}, true, .width = HALF}, {LOAD, KEEP, {STENCIL}, true}},
     {{CLEAR, KEEP, {NO_DRAW}, true, .width = HALF}, {LOAD, KEEP, {STENCIL}, true, .width = HALF}}}},
   {"sampled_beside_what_was_drawn", "SANITIZE-uninit-image", "texel (8, 0)",
    {{{LOAD, KEEP, {OPAQUE}, .width = HALF}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}},
     {{LOAD, KEEP, {OPAQUE}, .width = HALF}, {CLEAR, KEEP, {SAMPLED}, .is_other = true, .width = HALF}}}},
   {"sampled_beside_what_was_loaded", "SANITIZE-uninit-image", "texel (8, 0)",
    {{{CLEAR, KEEP, {NO_DRAW}, .width = HALF}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}},
     {{CLEAR, KEEP, {NO_DRAW}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}}},
   {"sampled_beside_what_a_command_cleared", "SANITIZE-uninit-image", "texel (8, 0)",
    {{{LOAD, KEEP, {CLEARED_HALF}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}, {{LOAD, KEEP, {CLEARED}}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}}},
   {"sampled_where_it_was_not_loaded", "SANITIZE-uninit-image", "texel (0, 0)",
    {{{CLEAR, KEEP, {OPAQUE}}, {ANY, KEEP, {NO_DRAW}, .width = HALF}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}},
     {{CLEAR, KEEP, {OPAQUE}}, {LOAD, KEEP, {BLENDED}, .width = HALF}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}}},
   {"sampled_where_it_was_not_stored", "SANITIZE-uninit-image", "texel (0, 0)",
    {{{CLEAR, KEEP, {OPAQUE}}, {LOAD, DROP, {OPAQUE}, .width = HALF}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}},
     {{CLEAR, KEEP, {OPAQUE}}, {LOAD, KEEP, {OPAQUE}, .width = HALF}, {CLEAR, KEEP, {SAMPLED}, .is_other = true}}}},
   {"filtered_with_what_stands_beside", "SANITIZE-uninit-image", "fragment (7, 0)",
    {{{LOAD, KEEP, {OPAQUE}, .width = HALF}, {CLEAR, KEEP, {FILTERED}, .is_other = true, .width = HALF}},
     {{LOAD, KEEP, {OPAQUE}, .width = HALF}, {CLEAR, KEEP, {FILTERED}, .is_other = true, .width = HALF - 1}}}},
   {"input_of_nothing", "SANITIZE-uninit-image", "attachments.glsl:101", {{{ANY, KEEP, {INPUT}}}, {{CLEAR, KEEP, {INPUT}}}}},
};

static struct heard {
   uint32_t count;
   char id[64], message[3072];
} heard;

static struct scene {
   struct client client;
   struct client_image other;
   struct client_image color, alias, depth; /* of the twin in hand */
   struct client_set set;
   VkSampler sampler, linear;
   VkPipelineLayout layout;
   VkShaderModule vertex, plain, input, sampled, filtered, solid;
   VkPipeline pipelines[NUM_DRAWS];
   PFN_vkCmdBeginRendering begin;
   PFN_vkCmdEndRendering end;
   PFN_vkCmdCopyImage copy_image;
   PFN_vkCopyMemoryToImageEXT to_image;
   PFN_vkCopyImageToImageEXT between;
} s;

static void listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0)
      return;
   if (!heard.count++) {
      snprintf(heard.id, sizeof(heard.id), "%s", id);
      snprintf(heard.message, sizeof(heard.message), "%s", message);
   }
}

/* ---- the scene ---- */

static VkPipeline make_pipeline(enum draw draw, bool has_depth)
{
   static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   static const uint32_t inputs[1] = {0};
   static const VkRenderingInputAttachmentIndexInfoKHR indices = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR, .colorAttachmentCount = 1, .pColorAttachmentInputIndices = inputs};
   const VkFormat depth_format = has_depth ? VK_FORMAT_D32_SFLOAT_S8_UINT : VK_FORMAT_UNDEFINED;
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .pNext = draw == INPUT ? &indices : NULL,
                                                    .colorAttachmentCount = 1, .pColorAttachmentFormats = &format,
                                                    .depthAttachmentFormat = depth_format, .stencilAttachmentFormat = depth_format};
   const VkStencilOpState stencil = {.compareOp = VK_COMPARE_OP_EQUAL, .compareMask = 0xff, .writeMask = 0xff};
   const VkPipelineDepthStencilStateCreateInfo tests = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = draw == DEPTH || draw == DEPTH_ALWAYS,
      .depthWriteEnable = draw == DEPTH || draw == DEPTH_ALWAYS,
      .depthCompareOp = draw == DEPTH ? VK_COMPARE_OP_LESS : VK_COMPARE_OP_ALWAYS,
      .stencilTestEnable = draw == STENCIL,
      .front = stencil,
      .back = stencil,
   };
   const struct client_graphics info = {.vertex = s.vertex, .fragment = draw == INPUT ? s.input : draw == SAMPLED ? s.sampled : draw == FILTERED ? s.filtered : draw == SOLID ? s.solid : s.plain,
                                        .layout = s.layout, .next = &rendering, .width = EXTENT, .height = EXTENT, .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .has_blend = draw == BLENDED || draw == SOLID, .depth_stencil = &tests};
   return client_graphics_pipeline(&s.client, &info, VK_NULL_HANDLE);
}

static void init(void)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   static const char *const extensions[] = {VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME, VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME};
   static VkPhysicalDeviceHostImageCopyFeaturesEXT host_copy = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES_EXT, .hostImageCopy = VK_TRUE};
   static VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR local_read = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR, .pNext = &host_copy, .dynamicRenderingLocalRead = VK_TRUE};
   static const VkPhysicalDeviceDynamicRenderingFeatures rendering = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, .pNext = &local_read, .dynamicRendering = VK_TRUE};
   client_init(&s.client, &(struct client_options){.on_message = listen, .next = &rendering, .device_extensions = extensions, .num_device_extensions = 2,
                                                   .api_version = VK_API_VERSION_1_3});
   s.begin = (PFN_vkCmdBeginRendering)vk.GetDeviceProcAddr(s.client.device, "vkCmdBeginRendering");
   s.end = (PFN_vkCmdEndRendering)vk.GetDeviceProcAddr(s.client.device, "vkCmdEndRendering");
   s.copy_image = (PFN_vkCmdCopyImage)vk.GetDeviceProcAddr(s.client.device, "vkCmdCopyImage");
   s.to_image = (PFN_vkCopyMemoryToImageEXT)vk.GetDeviceProcAddr(s.client.device, "vkCopyMemoryToImageEXT");
   s.between = (PFN_vkCopyImageToImageEXT)vk.GetDeviceProcAddr(s.client.device, "vkCopyImageToImageEXT");
   s.other = client_image_create(&s.client, VK_FORMAT_R8G8B8A8_UNORM, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   s.set = client_set_create(&s.client, 2, types);
   s.sampler = client_sampler(&s.client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   s.linear = client_sampler(&s.client, VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   s.layout = client_pipeline_layout(&s.client, &s.set, 0);
   s.vertex = client_shader(&s.client, attachments_vert, sizeof(attachments_vert));
   s.plain = client_shader(&s.client, attachments_plain, sizeof(attachments_plain));
   s.input = client_shader(&s.client, attachments_input, sizeof(attachments_input));
   s.sampled = client_shader(&s.client, attachments_sampled, sizeof(attachments_sampled));
   s.filtered = client_shader(&s.client, attachments_filtered, sizeof(attachments_filtered));
   s.solid = client_shader(&s.client, attachments_solid, sizeof(attachments_solid));
   for (enum draw draw = OPAQUE; draw <= SOLID; draw++)
      s.pipelines[draw] = make_pipeline(draw, draw == DEPTH || draw == DEPTH_ALWAYS || draw == STENCIL);
}

static void finish(void)
{
   const VkDevice device = s.client.device;
   const VkShaderModule modules[] = {s.vertex, s.plain, s.input, s.sampled, s.filtered, s.solid};
   for (uint32_t i = 0; i < NUM_DRAWS; i++)
      vk.DestroyPipeline(device, s.pipelines[i], NULL);
   for (uint32_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
      vk.DestroyShaderModule(device, modules[i], NULL);
   vk.DestroyPipelineLayout(device, s.layout, NULL);
   vk.DestroySampler(device, s.sampler, NULL);
   vk.DestroySampler(device, s.linear, NULL);
   client_set_destroy(&s.client, &s.set);
   client_image_destroy(&s.client, &s.other);
   client_finish(&s.client);
}

/* ---- a twin ---- */

static void record_draw(VkCommandBuffer cmd, enum draw draw)
{
   if (draw == CLEARED || draw == CLEARED_HALF) {
      const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
      const VkClearRect rect = {{{0, 0}, {draw == CLEARED ? EXTENT : HALF, EXTENT}}, 0, 1};
      vk.CmdClearAttachments(cmd, 1, &clear, 1, &rect);
   } else if (draw != NO_DRAW) {
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipelines[draw]);
      vk.CmdDraw(cmd, 3, 1, 0, 0);
   }
}

static void record(VkCommandBuffer cmd, const struct rendering *it)
{
   VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = it->is_other ? s.other.view : it->is_alias ? s.alias.view : s.color.view,
                                      .imageLayout = VK_IMAGE_LAYOUT_GENERAL, .loadOp = (VkAttachmentLoadOp)it->load,
                                      .storeOp = (VkAttachmentStoreOp)it->store};
   VkRenderingAttachmentInfo depth = color;
   depth.imageView = s.depth.view;
   depth.clearValue.depthStencil.depth = 1.0f;
   if (it->has_depth) {
      color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
   }
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea.extent = {it->width ? it->width : EXTENT, EXTENT}, .layerCount = 1,
                                 .colorAttachmentCount = 1, .pColorAttachments = &color, .pDepthAttachment = it->has_depth ? &depth : NULL,
                                 .pStencilAttachment = it->has_depth ? &depth : NULL};
   if (it->is_behind_transition)
      client_transition(cmd, it->is_alias ? &s.alias : &s.color, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   s.begin(cmd, &info);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set.set, 0, NULL);
   for (uint32_t i = 0; i < 2; i++)
      record_draw(cmd, it->draws[i]);
   s.end(cmd);
   client_barrier(cmd);
}

static void run(const struct row *row, uint32_t twin)
{
   const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
   heard.count = 0;
   s.color = client_image_create_flags(&s.client, VK_IMAGE_CREATE_ALIAS_BIT, VK_FORMAT_R8G8B8A8_UNORM, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT, usage);
   s.alias = client_image_create_alias(&s.client, &s.color, usage);
   s.depth = client_image_create(&s.client, VK_FORMAT_D32_SFLOAT_S8_UINT, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT,
                                 VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   client_set_image(&s.client, &s.set, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, s.color.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   bool is_filtered = false;
   for (uint32_t i = 0; i < MAX_PASSES; i++)
      is_filtered |= row->renderings[twin][i].draws[0] == FILTERED;
   client_set_image(&s.client, &s.set, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, s.color.view, is_filtered ? s.linear : s.sampler, VK_IMAGE_LAYOUT_GENERAL);
   VkCommandBuffer cmd = client_begin(&s.client);
   client_transition(cmd, &s.color, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   client_transition(cmd, &s.depth, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   client_transition(cmd, &s.other, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t i = 0; i < MAX_PASSES; i++) {
      if (row->renderings[twin][i].store == KEEP && row->renderings[twin][i].load == LOAD && !row->renderings[twin][i].draws[0] && !row->renderings[twin][i].width && i)
         break; /* an empty one */
      record(cmd, &row->renderings[twin][i]);
   }
   client_run(&s.client, cmd);
   client_image_destroy(&s.client, &s.alias);
   client_image_destroy(&s.client, &s.color);
   client_image_destroy(&s.client, &s.depth);
}

static void complain(const struct row *row, const char *what)
{
   printf("%s: %s; %u reported:\n   %s\n", row->name, what, heard.count, heard.count ? heard.message : "");
   test_fail(__FILE__, __LINE__, row->name);
}

TEST(twins)
{
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      init(); /* a device reports each location once */
      run(&rows[i], 0);
      if (heard.count != 1)
         complain(&rows[i], "another number of reports");
      else if (strcmp(heard.id, rows[i].id) != 0 || !strstr(heard.message, rows[i].what))
         complain(&rows[i], "another report");
      quiet_begin();
      run(&rows[i], 1);
      if (*quiet_end() || heard.count)
         complain(&rows[i], "the repaired twin is reported, or prints something");
      finish();
   }
}

/* ---- levels and layers ---- */

enum how { CLEARED_BY_COMMAND, COPIED, RENDERED, BLITTED };

/* Of an image of two levels and two layers one is written, and the second one, of level or layer, is read: by a draw that blends or by one that fetches. */
static const struct part {
   const char *name, *id;
   enum how how;
   bool is_layer, blends;
} parts[] = {
   {"level_beside_the_cleared_one", "SANITIZE-uninit-image", CLEARED_BY_COMMAND, false, false},
   {"level_beside_the_copied_one", "SANITIZE-uninit-image", COPIED, false, false},
   {"level_beside_the_rendered_one", "SANITIZE-uninit-image", RENDERED, false, false},
   {"level_beside_the_blitted_one", "SANITIZE-uninit-image", BLITTED, false, false},
   {"layer_beside_the_cleared_one", "SANITIZE-uninit-image", CLEARED_BY_COMMAND, true, false},
   {"layer_beside_the_copied_one", "SANITIZE-uninit-image", COPIED, true, false},
   {"layer_beside_the_rendered_one", "SANITIZE-uninit-image", RENDERED, true, false},
   {"blend_with_another_level", "SANITIZE-uninit-attachment", RENDERED, false, true},
   {"blend_with_another_layer", "SANITIZE-uninit-attachment", CLEARED_BY_COMMAND, true, true},
};

struct pyramid {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView views[2]; /* of what is not read, and of what is */
   VkImageSubresourceLayers layers[2];
};

static struct pyramid make_pyramid(bool is_layer)
{
   const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .extent = {EXTENT, EXTENT, 1}, .mipLevels = 2, .arrayLayers = 2, .samples = VK_SAMPLE_COUNT_1_BIT, .usage = usage};
   struct pyramid it = {0};
   VkMemoryRequirements needs;
   client_check(vk.CreateImage(s.client.device, &info, NULL, &it.image), "vkCreateImage");
   vk.GetImageMemoryRequirements(s.client.device, it.image, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   client_check(vk.AllocateMemory(s.client.device, &allocate, NULL, &it.memory), "vkAllocateMemory");
   client_check(vk.BindImageMemory(s.client.device, it.image, it.memory, 0), "vkBindImageMemory");
   for (uint32_t i = 0; i < 2; i++) {
      it.layers[i] = (VkImageSubresourceLayers){VK_IMAGE_ASPECT_COLOR_BIT, is_layer ? 0 : i, is_layer ? i : 0, 1};
      const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = it.image, .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                          .format = info.format,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, it.layers[i].mipLevel, 1, it.layers[i].baseArrayLayer, 1}};
      client_check(vk.CreateImageView(s.client.device, &view, NULL, &it.views[i]), "vkCreateImageView");
   }
   return it;
}

static void destroy_pyramid(const struct pyramid *it)
{
   for (uint32_t i = 0; i < 2; i++)
      vk.DestroyImageView(s.client.device, it->views[i], NULL);
   vk.DestroyImage(s.client.device, it->image, NULL);
   vk.FreeMemory(s.client.device, it->memory, NULL);
}

static void render(VkCommandBuffer cmd, VkImageView view, VkAttachmentLoadOp load_op, uint32_t extent, enum draw draw)
{
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = load_op, .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea.extent = {extent, extent}, .layerCount = 1,
                                 .colorAttachmentCount = 1, .pColorAttachments = &color};
   s.begin(cmd, &info);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set.set, 0, NULL);
   record_draw(cmd, draw);
   s.end(cmd);
   client_barrier(cmd);
}

static void write_part(VkCommandBuffer cmd, const struct part *part, const struct pyramid *it, uint32_t which, const struct client_buffer *texels)
{
   const VkImageSubresourceLayers *layers = &it->layers[which];
   const uint32_t extent = EXTENT >> layers->mipLevel;
   const VkImageSubresourceRange range = {layers->aspectMask, layers->mipLevel, 1, layers->baseArrayLayer, 1};
   const VkBufferImageCopy copy = {.imageSubresource = *layers, .imageExtent = {extent, extent, 1}};
   const VkImageBlit blit = {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {{0, 0, 0}, {EXTENT, EXTENT, 1}}, *layers, {{0, 0, 0}, {(int32_t)extent, (int32_t)extent, 1}}};
   switch (part->how) {
   case CLEARED_BY_COMMAND: vk.CmdClearColorImage(cmd, it->image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){0}, 1, &range); break;
   case COPIED: vk.CmdCopyBufferToImage(cmd, texels->buffer, it->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy); break;
   case RENDERED: render(cmd, it->views[which], VK_ATTACHMENT_LOAD_OP_DONT_CARE, extent, OPAQUE); break;
   default: vk.CmdBlitImage(cmd, s.color.image, VK_IMAGE_LAYOUT_GENERAL, it->image, VK_IMAGE_LAYOUT_GENERAL, 1, &blit, VK_FILTER_NEAREST); break;
   }
   client_barrier(cmd);
}

static void run_part(const struct part *part, uint32_t twin)
{
   const struct pyramid it = make_pyramid(part->is_layer);
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL, .image = it.image,
                                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 0, 2}};
   struct client_buffer texels = client_buffer_create(&s.client, EXTENT * EXTENT * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   heard.count = 0;
   s.color = client_image_create(&s.client, VK_FORMAT_R8G8B8A8_UNORM, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT,
                                 VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   client_set_image(&s.client, &s.set, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, it.views[1], s.sampler, VK_IMAGE_LAYOUT_GENERAL);
   VkCommandBuffer cmd = client_begin(&s.client);
   client_transition(cmd, &s.color, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   client_transition(cmd, &s.other, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
   render(cmd, s.color.view, VK_ATTACHMENT_LOAD_OP_CLEAR, EXTENT, NO_DRAW);
   write_part(cmd, part, &it, twin, &texels);
   if (part->blends)
      render(cmd, it.views[1], VK_ATTACHMENT_LOAD_OP_LOAD, EXTENT >> it.layers[1].mipLevel, BLENDED);
   else
      render(cmd, s.other.view, VK_ATTACHMENT_LOAD_OP_CLEAR, EXTENT >> it.layers[1].mipLevel, SAMPLED);
   client_run(&s.client, cmd);
   client_image_destroy(&s.client, &s.color);
   client_buffer_destroy(&s.client, &texels);
   destroy_pyramid(&it);
}

TEST(levels_and_layers)
{
   for (uint32_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
      const struct row row = {.name = parts[i].name};
      init();
      run_part(&parts[i], 0);
      if (heard.count != 1 || strcmp(heard.id, parts[i].id) != 0)
         complain(&row, "another report, or another number of them");
      quiet_begin();
      run_part(&parts[i], 1);
      if (*quiet_end() || heard.count)
         complain(&row, "the repaired twin is reported, or prints something");
      finish();
   }
}

/* ---- regions ---- */

/* How the left half of an image is written, or, of the repaired twin, all of it. Or all is copied from an image, or a buffer, of which the left half was written. */
enum method { TO_IMAGE, BETWEEN, BLIT, BLIT_LINEAR, RESOLVE, BY_HOST, HOST_BETWEEN, CARRIED, CARRIED_BLIT, CARRIED_RESOLVE, CARRIED_BY_RENDERING,
              CARRIED_BY_BUFFER, CARRIED_BY_HOST };

static const struct region {
   const char *name;
   enum method method;
} regions[] = {
   {"beside_a_copied_region", TO_IMAGE},
   {"beside_a_region_of_another_image", BETWEEN},
   {"beside_a_blitted_region", BLIT},
   {"beside_a_filtered_region", BLIT_LINEAR},
   {"beside_a_resolved_region", RESOLVE},
   {"beside_a_region_that_the_host_copied", BY_HOST},
   {"beside_a_region_that_the_host_copied_between_images", HOST_BETWEEN},
   {"copy_of_what_stands_beside", CARRIED},
   {"blit_of_what_stands_beside", CARRIED_BLIT},
   {"resolve_of_what_stands_beside", CARRIED_RESOLVE},
   {"resolve_of_an_attachment_of_what_stands_beside", CARRIED_BY_RENDERING},
   {"through_a_buffer_what_stands_beside", CARRIED_BY_BUFFER},
   {"host_copy_of_what_stands_beside", CARRIED_BY_HOST},
};

static const VkImageSubresourceLayers whole_layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

static void host_to_image(const struct client_image *image, uint32_t width)
{
   static const uint32_t texels[EXTENT * EXTENT];
   const VkMemoryToImageCopyEXT region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT, .pHostPointer = texels, .imageSubresource = whole_layers,
                                          .imageExtent = {width, EXTENT, 1}};
   const VkCopyMemoryToImageInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT, .dstImage = image->image,
                                            .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1, .pRegions = &region};
   client_check(s.to_image(s.client.device, &info), "vkCopyMemoryToImageEXT");
}

static void host_between(const struct client_image *src, const struct client_image *dst, uint32_t width)
{
   const VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2, .srcSubresource = whole_layers, .dstSubresource = whole_layers,
                                .extent = {width, EXTENT, 1}};
   const VkCopyImageToImageInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO_EXT, .srcImage = src->image,
                                           .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL, .dstImage = dst->image, .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                           .regionCount = 1, .pRegions = &region};
   client_check(s.between(s.client.device, &info), "vkCopyImageToImageEXT");
}

static void render_and_resolve(VkCommandBuffer cmd, const struct client_image *src)
{
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = src->view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT, .resolveImageView = s.color.view,
                                            .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL, .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea.extent = {EXTENT, EXTENT}, .layerCount = 1, .colorAttachmentCount = 1,
                                 .pColorAttachments = &color};
   s.begin(cmd, &info);
   s.end(cmd);
}

/* From `src`, of which the left `drawn` texels of each row have been cleared, to the left `width` of s.color. */
static void write_region(VkCommandBuffer cmd, enum method method, const struct client_image *src, const struct client_buffer *buffer, uint32_t width)
{
   const VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
   const VkBufferImageCopy rows = {.imageSubresource = whole_layers, .imageExtent = {width, EXTENT, 1}};
   const VkImageCopy copy = {whole_layers, {0}, whole_layers, {0}, {width, EXTENT, 1}};
   const VkImageResolve resolve = {whole_layers, {0}, whole_layers, {0}, {width, EXTENT, 1}};
   const bool scales = method == BLIT_LINEAR; /* each texel becomes two */
   const VkImageBlit blit = {whole_layers, {{0}, {(int32_t)(scales ? width / 2 : width), EXTENT, 1}}, whole_layers, {{0}, {(int32_t)width, EXTENT, 1}}};
   switch (method) {
   case TO_IMAGE: vk.CmdCopyBufferToImage(cmd, buffer->buffer, s.color.image, layout, 1, &rows); break;
   case BETWEEN: case CARRIED: s.copy_image(cmd, src->image, layout, s.color.image, layout, 1, &copy); break;
   case BLIT: case BLIT_LINEAR: case CARRIED_BLIT:
      vk.CmdBlitImage(cmd, src->image, layout, s.color.image, layout, 1, &blit, scales ? VK_FILTER_LINEAR : VK_FILTER_NEAREST);
      break;
   case RESOLVE: case CARRIED_RESOLVE: vk.CmdResolveImage(cmd, src->image, layout, s.color.image, layout, 1, &resolve); break;
   case CARRIED_BY_RENDERING: render_and_resolve(cmd, src); break;
   case CARRIED_BY_BUFFER:
      vk.CmdCopyImageToBuffer(cmd, src->image, layout, buffer->buffer, 1, &rows);
      client_barrier(cmd);
      vk.CmdCopyBufferToImage(cmd, buffer->buffer, s.color.image, layout, 1, &rows);
      break;
   default: break; /* the host does it */
   }
   client_barrier(cmd);
}

static void clear_left(VkCommandBuffer cmd, const struct client_image *image, uint32_t width)
{
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = image->view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea.extent = {width, EXTENT}, .layerCount = 1, .colorAttachmentCount = 1,
                                 .pColorAttachments = &color};
   s.begin(cmd, &info);
   s.end(cmd);
   client_barrier(cmd);
}

static void run_region(const struct region *region, uint32_t twin)
{
   const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
   const VkImageUsageFlags of_host = VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;
   const bool is_resolve = region->method == RESOLVE || region->method == CARRIED_RESOLVE || region->method == CARRIED_BY_RENDERING;
   const bool is_carried = region->method >= CARRIED, is_of_host = region->method == BY_HOST || region->method == HOST_BETWEEN || region->method == CARRIED_BY_HOST;
   const uint32_t left = twin ? EXTENT : HALF;
   struct client_buffer buffer =
      client_buffer_create_unwritten(&s.client, EXTENT * EXTENT * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   heard.count = 0;
   s.color = client_image_create(&s.client, VK_FORMAT_R8G8B8A8_UNORM, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT, usage | VK_IMAGE_USAGE_SAMPLED_BIT | of_host);
   struct client_image src = client_image_create(&s.client, VK_FORMAT_R8G8B8A8_UNORM, EXTENT, EXTENT, 1,
                                                 is_resolve ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT, is_resolve ? usage : usage | of_host);
   client_set_image(&s.client, &s.set, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, s.color.view, s.sampler, VK_IMAGE_LAYOUT_GENERAL);
   VkCommandBuffer cmd = client_begin(&s.client);
   client_transition(cmd, &src, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   client_transition(cmd, &s.color, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   client_transition(cmd, &s.other, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   clear_left(cmd, &src, is_carried ? left : EXTENT);
   vk.CmdFillBuffer(cmd, buffer.buffer, 0, region->method == TO_IMAGE ? VK_WHOLE_SIZE : 4, 0);
   client_barrier(cmd);
   if (is_of_host) {
      client_run(&s.client, cmd);
      if (region->method == BY_HOST)
         host_to_image(&s.color, left);
      else
         host_between(&src, &s.color, is_carried ? EXTENT : left);
      cmd = client_begin(&s.client);
   }
   write_region(cmd, region->method, &src, &buffer, is_carried ? EXTENT : left);
   render(cmd, s.other.view, VK_ATTACHMENT_LOAD_OP_CLEAR, EXTENT, SAMPLED);
   client_run(&s.client, cmd);
   client_image_destroy(&s.client, &src);
   client_image_destroy(&s.client, &s.color);
   client_buffer_destroy(&s.client, &buffer);
}

TEST(halves)
{
   for (uint32_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
      const struct row row = {.name = regions[i].name};
      init();
      run_region(&regions[i], 0);
      if (heard.count != 1 || strcmp(heard.id, "SANITIZE-uninit-image") != 0 || !strstr(heard.message, "texel (8, 0)"))
         complain(&row, "another report, or another number of them");
      quiet_begin();
      run_region(&regions[i], 1);
      if (*quiet_end() || heard.count)
         complain(&row, "the repaired twin is reported, or prints something");
      finish();
   }
}

TEST_MAIN
