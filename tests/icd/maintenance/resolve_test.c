/* SPDX-License-Identifier: MIT
 * Resolves whose samples differ: by commands with a mode, of depth and stencil too, and averages of sRGB with and without its transfer
 * function, by commands, renderings and passes; resolves by shaders; those that rendering with several samples to images of one ends with. */
#include "tests/icd/validate/graphics.h"
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "util/macros.h"

#include <math.h>

#ifdef VK_KHR_maintenance10

#include "cover.vert.h"
#include "pushed.frag.h"

enum { SIZE = 4, PIXELS = SIZE * SIZE };
#define SAMPLES VK_SAMPLE_COUNT_4_BIT

/* Of the samples of each texel. */
static const float depths[SAMPLES] = {0.5f, 0.125f, 0.75f, 0.25f};
static const uint32_t stencils[SAMPLES] = {5, 9, 3, 7};
static const float reds[SAMPLES] = {1, 0, 0, 0};
enum { LINEAR_QUARTER = 137, STORED_QUARTER = 64 }; /* a quarter of 255 with and without the transfer function */

struct target {
   struct fixture_image many, one;
   VkFormat format;
   VkImageAspectFlags aspects;
};

struct scene {
   struct run_device run;
   struct target color, depth;
   struct run_buffer out;
   VkPipelineShaderStageCreateInfo stages[2];
};

static struct fixture_image make_image(struct run_device *run, VkFormat format, VkImageAspectFlags aspects, VkSampleCountFlagBits samples)
{
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = samples == VK_SAMPLE_COUNT_1_BIT ? VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT : 0, .imageType = VK_IMAGE_TYPE_2D, .format = format, .extent = {SIZE, SIZE, 1},
      .mipLevels = 1, .arrayLayers = 1, .samples = samples,
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               (aspects & VK_IMAGE_ASPECT_COLOR_BIT ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)};
   return fixture_image_of(run->f.device, &info, VK_IMAGE_VIEW_TYPE_2D, aspects);
}

static struct target make_target(struct run_device *run, VkFormat format, VkImageAspectFlags aspects)
{
   return (struct target){make_image(run, format, aspects, SAMPLES), make_image(run, format, aspects, VK_SAMPLE_COUNT_1_BIT), format, aspects};
}

static void free_target(struct run_device *run, const struct target *target)
{
   fixture_image_destroy(run->f.device, &target->many);
   fixture_image_destroy(run->f.device, &target->one);
}

static void scene_init(struct scene *s, VkFormat depth)
{
   memset(s, 0, sizeof(*s));
   run_init(&s->run, 0, NULL, 16);
   s->color = make_target(&s->run, VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_ASPECT_COLOR_BIT);
   const bool has_stencil = depth == VK_FORMAT_D24_UNORM_S8_UINT || depth == VK_FORMAT_D32_SFLOAT_S8_UINT;
   s->depth = make_target(&s->run, depth, VK_IMAGE_ASPECT_DEPTH_BIT | (has_stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0));
   s->out = run_buffer(&s->run, PIXELS * 4);
   s->stages[0] = run_stage(&s->run, VK_SHADER_STAGE_VERTEX_BIT, cover_vert, sizeof(cover_vert));
   s->stages[1] = run_stage(&s->run, VK_SHADER_STAGE_FRAGMENT_BIT, pushed_frag, sizeof(pushed_frag));
}

static void scene_finish(struct scene *s)
{
   icd_DestroyShaderModule(s->run.f.device, s->stages[0].module, NULL);
   icd_DestroyShaderModule(s->run.f.device, s->stages[1].module, NULL);
   run_buffer_free(&s->run, &s->out);
   free_target(&s->run, &s->color);
   free_target(&s->run, &s->depth);
   run_finish(&s->run);
}

static VkPipeline make_pipeline(struct scene *s, VkRenderPass pass)
{
   static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
                                            VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_STENCIL_REFERENCE,
                                            VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK};
   const bool has_stencil = s->depth.aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
   const struct graphics g = {.layout = s->run.layout, .num_stages = 2, .stages = s->stages, .num_dynamic = 7, .dynamic = dynamic,
                              .samples = SAMPLES, .tests_depth = !pass, .pass = pass, .num_colors = 1, .colors = {s->color.format},
                              .depth = pass ? VK_FORMAT_UNDEFINED : s->depth.format,
                              .stencil = has_stencil && !pass ? s->depth.format : VK_FORMAT_UNDEFINED};
   VkPipeline pipeline;
   fixture_require(graphics_create(s->run.f.device, &g, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

static void draw_sample(struct scene *s, uint32_t i, const VkSampleMask *mask)
{
   const VkViewport viewport = {0, 0, SIZE, SIZE, depths[i], depths[i]};
   const float color[4] = {reds[i], 0, 0, 1};
   icd_CmdSetSampleMaskEXT(s->run.commands, SAMPLES, mask);
   icd_CmdSetViewport(s->run.commands, 0, 1, &viewport);
   icd_CmdSetStencilReference(s->run.commands, VK_STENCIL_FACE_FRONT_AND_BACK, stencils[i]);
   icd_CmdPushConstants(s->run.commands, s->run.layout, VK_SHADER_STAGE_ALL, 0, sizeof(color), color);
   icd_CmdDraw(s->run.commands, 3, 1, 0, 0);
}

static void bind(struct scene *s, VkPipeline pipeline)
{
   const VkCommandBuffer cmd = s->run.commands;
   const VkStencilFaceFlags faces = VK_STENCIL_FACE_FRONT_AND_BACK;
   icd_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdSetStencilTestEnable(cmd, VK_TRUE);
   icd_CmdSetStencilOp(cmd, faces, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS);
   icd_CmdSetStencilWriteMask(cmd, faces, 0xff);
   icd_CmdSetStencilCompareMask(cmd, faces, 0xff);
}

/* Each sample by a draw of its own; one before them all, which the others hide, without a mask. */
static void draw_samples(struct scene *s, VkPipeline pipeline)
{
   bind(s, pipeline);
   draw_sample(s, 0, NULL);
   for (uint32_t i = 0; i < SAMPLES; i++)
      draw_sample(s, i, &(VkSampleMask){1u << i});
}

static VkRenderingAttachmentInfo attachment_of(const struct target *target)
{
   return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = target->many.view,
                                      .imageLayout = VK_IMAGE_LAYOUT_GENERAL, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
}

/* The samples, with a resolve of the colour if `flags` is not NULL. */
static void render(struct scene *s, VkPipeline pipeline, const VkRenderingAttachmentFlagsInfoKHR *flags)
{
   VkRenderingAttachmentInfo color = attachment_of(&s->color);
   const VkRenderingAttachmentInfo depth = attachment_of(&s->depth);
   const VkRenderingEndInfoKHR end = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_KHR};
   if (flags) {
      color.pNext = flags;
      color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
      color.resolveImageView = s->color.one.view;
      color.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
   }
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {SIZE, SIZE}}, .layerCount = 1,
                                 .colorAttachmentCount = 1, .pColorAttachments = &color, .pDepthAttachment = &depth,
                                 .pStencilAttachment = s->depth.aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? &depth : NULL};
   icd_CmdBeginRendering(s->run.commands, &info);
   draw_samples(s, pipeline);
   icd_CmdEndRendering2KHR(s->run.commands, &end);
}

static void barrier(struct scene *s)
{
   const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
   icd_CmdPipelineBarrier(s->run.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &memory, 0, NULL, 0,
                          NULL);
}

static void resolve(struct scene *s, const struct target *target, VkImageAspectFlags aspects, const VkResolveImageModeInfoKHR *modes)
{
   const VkImageResolve2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, .srcSubresource = {aspects, 0, 0, 1},
                                   .dstSubresource = {aspects, 0, 0, 1}, .extent = {SIZE, SIZE, 1}};
   const VkResolveImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2, .pNext = modes, .srcImage = target->many.image,
                                     .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL, .dstImage = target->one.image,
                                     .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1, .pRegions = &region};
   barrier(s);
   icd_CmdResolveImage2(s->run.commands, &info);
}

/* What an aspect of the resolved image has, by a copy; submits. */
static void read_back(struct scene *s, const struct target *target, VkImageAspectFlags aspect)
{
   const VkBufferImageCopy copy = {.imageSubresource = {aspect, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   barrier(s);
   icd_CmdCopyImageToBuffer(s->run.commands, target->one.image, VK_IMAGE_LAYOUT_GENERAL, s->out.buffer, 1, &copy);
   run_submit(&s->run);
}

static double depth_at(const struct scene *s, uint32_t i)
{
   float as_float;
   memcpy(&as_float, &s->out.map[i], sizeof(as_float));
   switch (s->depth.format) {
   case VK_FORMAT_D16_UNORM: return ((const uint16_t *)s->out.map)[i] / 65535.0;
   case VK_FORMAT_D24_UNORM_S8_UINT: return (s->out.map[i] & 0xffffff) / 16777215.0;
   default: return as_float;
   }
}

static void check_depth(VkFormat format)
{
   static const struct {
      VkResolveModeFlagBits depth_mode, stencil_mode;
      double depth;
      uint32_t stencil;
   } rows[] = {
      {VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_MAX_BIT, 0.5, 9},
      {VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, 0.125, 5},
      {VK_RESOLVE_MODE_MAX_BIT, VK_RESOLVE_MODE_MIN_BIT, 0.75, 3},
      {VK_RESOLVE_MODE_AVERAGE_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, 0.40625, 5},
   };
   struct scene s;
   scene_init(&s, format);
   VkPipeline pipeline = make_pipeline(&s, VK_NULL_HANDLE);
   for (uint32_t r = 0; r < UTIL_ARRAY_SIZE(rows); r++) {
      const VkResolveImageModeInfoKHR modes = {VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR, NULL, 0, rows[r].depth_mode,
                                               rows[r].stencil_mode};
      run_begin(&s.run);
      render(&s, pipeline, NULL);
      resolve(&s, &s.depth, s.depth.aspects, &modes);
      read_back(&s, &s.depth, VK_IMAGE_ASPECT_DEPTH_BIT);
      for (uint32_t i = 0; i < PIXELS; i++)
         CHECK(depth_at(&s, i) > rows[r].depth - 1e-5 && depth_at(&s, i) < rows[r].depth + 1e-5);
      if (!(s.depth.aspects & VK_IMAGE_ASPECT_STENCIL_BIT))
         continue;
      run_begin(&s.run);
      read_back(&s, &s.depth, VK_IMAGE_ASPECT_STENCIL_BIT);
      for (uint32_t i = 0; i < PIXELS; i++)
         CHECK_EQ(((const uint8_t *)s.out.map)[i], rows[r].stencil);
   }
   icd_DestroyPipeline(s.run.f.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(depth_and_stencil)
{
   check_depth(VK_FORMAT_D16_UNORM);
   check_depth(VK_FORMAT_D24_UNORM_S8_UINT);
   check_depth(VK_FORMAT_D32_SFLOAT);
   check_depth(VK_FORMAT_D32_SFLOAT_S8_UINT);
}

/* One aspect of two: the other stays. */
TEST(stencil_alone)
{
   const VkResolveImageModeInfoKHR first = {VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR, NULL, 0, VK_RESOLVE_MODE_MIN_BIT,
                                            VK_RESOLVE_MODE_MIN_BIT};
   const VkResolveImageModeInfoKHR second = {VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR, NULL, 0, VK_RESOLVE_MODE_MAX_BIT,
                                             VK_RESOLVE_MODE_MAX_BIT};
   struct scene s;
   scene_init(&s, VK_FORMAT_D32_SFLOAT_S8_UINT);
   VkPipeline pipeline = make_pipeline(&s, VK_NULL_HANDLE);
   run_begin(&s.run);
   render(&s, pipeline, NULL);
   resolve(&s, &s.depth, s.depth.aspects, &first);
   resolve(&s, &s.depth, VK_IMAGE_ASPECT_STENCIL_BIT, &second);
   read_back(&s, &s.depth, VK_IMAGE_ASPECT_DEPTH_BIT);
   CHECK(depth_at(&s, 0) == depths[1]);
   run_begin(&s.run);
   read_back(&s, &s.depth, VK_IMAGE_ASPECT_STENCIL_BIT);
   CHECK_EQ(((const uint8_t *)s.out.map)[0], 9);
   icd_DestroyPipeline(s.run.f.device, pipeline, NULL);
   scene_finish(&s);
}

static void check_red(const struct scene *s, uint32_t red)
{
   for (uint32_t i = 0; i < PIXELS; i++)
      CHECK_EQ(s->out.map[i], 0xff000000 | red);
}

TEST(srgb_by_command)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_D16_UNORM);
   VkPipeline pipeline = make_pipeline(&s, VK_NULL_HANDLE);
   for (uint32_t flags = 0; flags <= VK_RESOLVE_IMAGE_ENABLE_TRANSFER_FUNCTION_BIT_KHR; flags++) {
      const VkResolveImageModeInfoKHR modes = {VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR, NULL, flags, VK_RESOLVE_MODE_AVERAGE_BIT, 0};
      run_begin(&s.run);
      render(&s, pipeline, NULL);
      resolve(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT, &modes);
      read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
      check_red(&s, flags == VK_RESOLVE_IMAGE_SKIP_TRANSFER_FUNCTION_BIT_KHR ? STORED_QUARTER : LINEAR_QUARTER);
   }
   icd_DestroyPipeline(s.run.f.device, pipeline, NULL);
   scene_finish(&s);
}

TEST(srgb_by_rendering)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_D16_UNORM);
   VkPipeline pipeline = make_pipeline(&s, VK_NULL_HANDLE);
   for (uint32_t skips = 0; skips < 2; skips++) {
      const VkRenderingAttachmentFlagsInfoKHR flags = {
         VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR, NULL,
         skips ? VK_RENDERING_ATTACHMENT_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR : VK_RENDERING_ATTACHMENT_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR};
      run_begin(&s.run);
      render(&s, pipeline, &flags);
      read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
      check_red(&s, skips ? STORED_QUARTER : LINEAR_QUARTER);
   }
   icd_DestroyPipeline(s.run.f.device, pipeline, NULL);
   scene_finish(&s);
}

#ifdef VK_EXT_custom_resolve
/* Draws of the resolve write the image that is resolved to, all others the samples, which stay, also where they are not to be stored. */
TEST(by_shader)
{
   static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT};
   static const float green[4] = {0, 1, 0, 1};
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   struct scene s;
   scene_init(&s, VK_FORMAT_D16_UNORM);
   const struct graphics g = {.layout = s.run.layout, .num_stages = 2, .stages = s.stages, .num_dynamic = 1, .dynamic = dynamic,
                              .samples = VK_SAMPLE_COUNT_1_BIT, .num_colors = 1, .colors = {s.color.format}};
   VkPipeline samples = make_pipeline(&s, VK_NULL_HANDLE), pixels;
   fixture_require(graphics_create(s.run.f.device, &g, &pixels), "vkCreateGraphicsPipelines");
   VkRenderingAttachmentInfo color = attachment_of(&s.color);
   color.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
   color.resolveMode = VK_RESOLVE_MODE_CUSTOM_BIT_EXT;
   color.resolveImageView = s.color.one.view;
   color.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
   const VkRenderingAttachmentInfo depth = attachment_of(&s.depth);
   VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .flags = VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT,
                           .renderArea = {{0, 0}, {SIZE, SIZE}}, .layerCount = 1, .colorAttachmentCount = 1, .pColorAttachments = &color,
                           .pDepthAttachment = &depth};

   run_begin(&s.run);
   icd_CmdBeginRendering(s.run.commands, &info);
   draw_samples(&s, samples);
   icd_CmdBeginCustomResolveEXT(s.run.commands, NULL);
   icd_CmdBindPipeline(s.run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pixels);
   icd_CmdSetViewport(s.run.commands, 0, 1, &viewport);
   icd_CmdPushConstants(s.run.commands, s.run.layout, VK_SHADER_STAGE_ALL, 0, sizeof(green), green);
   icd_CmdDraw(s.run.commands, 3, 1, 0, 0);
   icd_CmdEndRendering(s.run.commands);
   read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
   for (uint32_t i = 0; i < PIXELS; i++)
      CHECK_EQ(s.out.map[i], 0xff00ff00u);

   run_begin(&s.run);
   resolve(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT, NULL);
   read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
   check_red(&s, LINEAR_QUARTER);

   /* A rendering that said nothing of it goes on. */
   info.flags = 0;
   color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
   color.resolveMode = VK_RESOLVE_MODE_NONE;
   run_begin(&s.run);
   icd_CmdBeginRendering(s.run.commands, &info);
   icd_CmdBeginCustomResolveEXT(s.run.commands, NULL);
   draw_samples(&s, samples);
   icd_CmdEndRendering(s.run.commands);
   resolve(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT, NULL);
   read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
   check_red(&s, LINEAR_QUARTER);
   icd_DestroyPipeline(s.run.f.device, samples, NULL);
   icd_DestroyPipeline(s.run.f.device, pixels, NULL);
   scene_finish(&s);
}
#endif

static VkRenderPass make_pass(const struct scene *s, VkAttachmentDescriptionFlags flags)
{
   const VkAttachmentDescription attachments[2] = {
      {0, s->color.format, SAMPLES, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE, 0, 0, VK_IMAGE_LAYOUT_UNDEFINED,
       VK_IMAGE_LAYOUT_GENERAL},
      {flags, s->color.format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_DONT_CARE, VK_ATTACHMENT_STORE_OP_STORE, 0, 0,
       VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL},
   };
   static const VkAttachmentReference references[2] = {{0, VK_IMAGE_LAYOUT_GENERAL}, {1, VK_IMAGE_LAYOUT_GENERAL}};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &references[0], .pResolveAttachments = &references[1]};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 2, .pAttachments = attachments,
                                        .subpassCount = 1, .pSubpasses = &subpass};
   VkRenderPass pass;
   fixture_require(icd_CreateRenderPass(s->run.f.device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

TEST(srgb_by_pass)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_D16_UNORM);
   const VkImageView views[2] = {s.color.many.view, s.color.one.view};
   const VkClearValue clears[2] = {{.color = {.float32 = {0, 0, 0, 1}}}};
   for (uint32_t skips = 0; skips < 2; skips++) {
      VkRenderPass pass = make_pass(&s, skips ? VK_ATTACHMENT_DESCRIPTION_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR : 0);
      VkPipeline pipeline = make_pipeline(&s, pass);
      VkFramebuffer framebuffer;
      const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = pass, .attachmentCount = 2,
                                            .pAttachments = views, .width = SIZE, .height = SIZE, .layers = 1};
      fixture_require(icd_CreateFramebuffer(s.run.f.device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
      const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = pass, .framebuffer = framebuffer,
                                           .renderArea = {{0, 0}, {SIZE, SIZE}}, .clearValueCount = 2, .pClearValues = clears};
      run_begin(&s.run);
      icd_CmdBeginRenderPass(s.run.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
      draw_samples(&s, pipeline);
      icd_CmdEndRenderPass(s.run.commands);
      read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
      check_red(&s, skips ? STORED_QUARTER : LINEAR_QUARTER);
      icd_DestroyFramebuffer(s.run.f.device, framebuffer, NULL);
      icd_DestroyPipeline(s.run.f.device, pipeline, NULL);
      icd_DestroyRenderPass(s.run.f.device, pass, NULL);
   }
   scene_finish(&s);
}

/* ---- several samples for images of one ---- */

/* A rendering to the images of one sample. */
static void begin_implicit(struct scene *s, VkAttachmentLoadOp load_op, VkRenderingFlags flags, VkRect2D area, VkResolveModeFlagBits depth_mode,
                           VkResolveModeFlagBits stencil_mode)
{
   const VkMultisampledRenderToSingleSampledInfoEXT implicit = {VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT, NULL, VK_TRUE,
                                                                SAMPLES};
   VkRenderingAttachmentInfo color = attachment_of(&s->color), depth = attachment_of(&s->depth);
   color.imageView = s->color.one.view;
   color.resolveMode = load_op == VK_ATTACHMENT_LOAD_OP_LOAD ? VK_RESOLVE_MODE_NONE : VK_RESOLVE_MODE_AVERAGE_BIT; /* either gives the mean */
   depth.imageView = s->depth.one.view;
   depth.resolveMode = depth_mode;
   color.loadOp = depth.loadOp = load_op;
   VkRenderingAttachmentInfo stencil = depth;
   stencil.resolveMode = stencil_mode;
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .pNext = &implicit, .flags = flags, .renderArea = area, .layerCount = 1,
                                 .colorAttachmentCount = 1, .pColorAttachments = &color, .pDepthAttachment = &depth, .pStencilAttachment = &stencil};
   icd_CmdBeginRendering(s->run.commands, &info);
}

static const VkRect2D everything = {{0, 0}, {SIZE, SIZE}};

TEST(implicit_samples)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_D32_SFLOAT_S8_UINT);
   VkPipeline pipeline = make_pipeline(&s, VK_NULL_HANDLE);
   run_begin(&s.run);
   begin_implicit(&s, VK_ATTACHMENT_LOAD_OP_CLEAR, 0, everything, VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MAX_BIT);
   draw_samples(&s, pipeline);
   icd_CmdEndRendering(s.run.commands);
   read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
   check_red(&s, LINEAR_QUARTER);
   run_begin(&s.run);
   read_back(&s, &s.depth, VK_IMAGE_ASPECT_DEPTH_BIT);
   for (uint32_t i = 0; i < PIXELS; i++)
      CHECK(depth_at(&s, i) == depths[1]);
   run_begin(&s.run);
   read_back(&s, &s.depth, VK_IMAGE_ASPECT_STENCIL_BIT);
   for (uint32_t i = 0; i < PIXELS; i++)
      CHECK_EQ(((const uint8_t *)s.out.map)[i], 9);
   CHECK_EQ(atomic_load(&s.run.f.ears.count), 0);
   icd_DestroyPipeline(s.run.f.device, pipeline, NULL);
   scene_finish(&s);
}

/* What the image has goes to all samples; outside of the area it stays. Twice by the same commands. */
TEST(implicit_samples_are_loaded)
{
   const VkClearColorValue white = {.float32 = {1, 1, 1, 1}};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const VkRect2D area = {{1, 2}, {2, 1}};
   struct scene s;
   scene_init(&s, VK_FORMAT_D32_SFLOAT_S8_UINT);
   VkPipeline pipeline = make_pipeline(&s, VK_NULL_HANDLE);
   run_begin(&s.run);
   icd_CmdClearColorImage(s.run.commands, s.color.one.image, VK_IMAGE_LAYOUT_GENERAL, &white, 1, &range);
   barrier(&s);
   begin_implicit(&s, VK_ATTACHMENT_LOAD_OP_LOAD, 0, area, VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT);
   bind(&s, pipeline);
   for (uint32_t i = 1; i < SAMPLES; i++) /* black but one */
      draw_sample(&s, i, &(VkSampleMask){1u << i});
   icd_CmdEndRendering(s.run.commands);
   read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
   for (uint32_t i = 0; i < PIXELS; i++) {
      const bool is_inside = i == 2 * SIZE + 1 || i == 2 * SIZE + 2;
      CHECK_EQ(s.out.map[i], is_inside ? 0xff000000 | LINEAR_QUARTER * 0x010101u : 0xffffffff);
   }
   icd_DestroyPipeline(s.run.f.device, pipeline, NULL);
   scene_finish(&s);
}

/* In two parts: the second begins with what the first was resolved to. */
TEST(implicit_samples_are_suspended)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_D32_SFLOAT_S8_UINT);
   VkPipeline pipeline = make_pipeline(&s, VK_NULL_HANDLE);
   run_begin(&s.run);
   begin_implicit(&s, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_RENDERING_SUSPENDING_BIT, everything, VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT);
   draw_samples(&s, pipeline);
   icd_CmdEndRendering(s.run.commands);
   begin_implicit(&s, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_RENDERING_RESUMING_BIT, everything, VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT);
   bind(&s, pipeline);
   for (uint32_t i = 0; i < SAMPLES; i++) /* red */
      draw_sample(&s, 0, &(VkSampleMask){i ? 1u << i : 0});
   icd_CmdEndRendering(s.run.commands);
   read_back(&s, &s.color, VK_IMAGE_ASPECT_COLOR_BIT);
   const double left = 0.25, linear = (left + 3) / 4; /* of one sample, of all */
   for (uint32_t i = 0; i < PIXELS; i++) {
      const double stored = (s.out.map[i] & 0xff) / 255.0, found = pow((stored + 0.055) / 1.055, 2.4);
      CHECK(found > linear - 0.01 && found < linear + 0.01);
   }
   icd_DestroyPipeline(s.run.f.device, pipeline, NULL);
   scene_finish(&s);
}

#endif

TEST(headers)
{
#ifndef VK_KHR_maintenance10
   printf("these headers do not know VK_KHR_maintenance10\n");
#endif
}

TEST_MAIN
