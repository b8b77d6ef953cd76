/* SPDX-License-Identifier: MIT
 * Draws into attachments that are not what the pipeline was made for: one message each under VK_SWRAST_DEBUG=validate, none where all
 * fit, texels of the attachments' own format, and no byte written beside them. */
#include "icd/device/device.h"
#include "tests/icd/validate/graphics.h"
#include "tests/icd/validate/runs.h"
#include "tests/test.h"
#include "util/macros.h"

#include "attachments.vert.h"
#include "targets.frag.h"

enum { SIZE = 4, GUARD_BYTES = 65536, GUARD = 0xa5 };

#define R8 VK_FORMAT_R8_UNORM
#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
#define RGBA32 VK_FORMAT_R32G32B32A32_SFLOAT
#define D16 VK_FORMAT_D16_UNORM
#define D32 VK_FORMAT_D32_SFLOAT
#define D32S8 VK_FORMAT_D32_SFLOAT_S8_UINT
#define S8 VK_FORMAT_S8_UINT

/* An image in the middle of memory that nothing else is in. */
struct guarded {
   VkImage image;
   VkImageView view;
   VkDeviceMemory memory;
   VkDeviceSize offset, size;
   const uint8_t *map;
   VkImageAspectFlags aspects;
};

static VkImageAspectFlags aspects_of(VkFormat format)
{
   return format == S8               ? VK_IMAGE_ASPECT_STENCIL_BIT
          : format == D32S8          ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT
          : format == D16 || format == D32 ? VK_IMAGE_ASPECT_DEPTH_BIT
                                           : VK_IMAGE_ASPECT_COLOR_BIT;
}

static struct guarded guarded(struct run_device *run, VkFormat format, VkSampleCountFlagBits samples)
{
   struct guarded made = {.aspects = aspects_of(format)};
   VkMemoryRequirements needs;
   uint8_t *map;
   if (format == VK_FORMAT_UNDEFINED)
      return made;
   const bool is_color = made.aspects == VK_IMAGE_ASPECT_COLOR_BIT;
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = format,
                                   .extent = {SIZE, SIZE, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = samples,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                            (is_color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)};
   fixture_require(icd_CreateImage(run->f.device, &info, NULL, &made.image), "vkCreateImage");
   icd_GetImageMemoryRequirements(run->f.device, made.image, &needs);
   const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .allocationSize = needs.size + 2 * GUARD_BYTES,
                                        .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   made.offset = GUARD_BYTES; /* a multiple of every alignment */
   made.size = needs.size;
   fixture_require(icd_AllocateMemory(run->f.device, &memory, NULL, &made.memory), "vkAllocateMemory");
   fixture_require(icd_MapMemory(run->f.device, made.memory, 0, VK_WHOLE_SIZE, 0, (void **)&map), "vkMapMemory");
   memset(map, GUARD, memory.allocationSize);
   made.map = map;
   fixture_require(icd_BindImageMemory(run->f.device, made.image, made.memory, made.offset), "vkBindImageMemory");
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = made.image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = format,
                                       .subresourceRange = {made.aspects, 0, 1, 0, 1}};
   fixture_require(icd_CreateImageView(run->f.device, &view, NULL, &made.view), "vkCreateImageView");
   return made;
}

static void guarded_free(struct run_device *run, const struct guarded *image)
{
   for (VkDeviceSize i = 0; image->map && i < GUARD_BYTES; i++) {
      if (image->map[i] != GUARD || image->map[image->offset + image->size + i] != GUARD) {
         CHECK(!"written beside an image");
         break;
      }
   }
   icd_DestroyImageView(run->f.device, image->view, NULL);
   icd_DestroyImage(run->f.device, image->image, NULL);
   icd_FreeMemory(run->f.device, image->memory, NULL);
}

/* ---- one draw ---- */

struct side {
   VkFormat color, depth, stencil;
   VkSampleCountFlagBits samples, depth_samples; /* 0: one; as the color */
   uint32_t view_mask, num_colors;               /* 0: one */
};

struct row {
   struct side pipeline, rendering;
   const char *without, *with; /* the rule where attachments may not be unused, and where they may */
   bool tests_depth, has_no_color, moves_location, is_discarding;
};

struct scene {
   struct run_device run;
   VkPipelineShaderStageCreateInfo stages[2];
};

static void scene_init(struct scene *s)
{
   setenv("VK_SWRAST_DEBUG", "nocache,validate", 1);
   run_init(&s->run, 0, NULL, 0);
   s->stages[0] = run_stage(&s->run, VK_SHADER_STAGE_VERTEX_BIT, attachments_vert, sizeof(attachments_vert));
   s->stages[1] = run_stage(&s->run, VK_SHADER_STAGE_FRAGMENT_BIT, targets_frag, sizeof(targets_frag));
}

static void scene_finish(struct scene *s)
{
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyShaderModule(s->run.f.device, s->stages[i].module, NULL);
   run_finish(&s->run);
}

static VkPipeline pipeline_of(struct scene *s, const struct row *row, bool is_linked)
{
   VkPipeline pipeline;
   const struct side *side = &row->pipeline;
   const struct graphics whole = {.layout = s->run.layout,
                                  .samples = side->samples,
                                  .tests_depth = row->tests_depth,
                                  .is_discarding = row->is_discarding,
                                  .view_mask = side->view_mask,
                                  .num_colors = row->has_no_color ? 0 : side->num_colors ? side->num_colors : 1,
                                  .colors = {side->color},
                                  .depth = side->depth,
                                  .stencil = side->stencil};
   fixture_require(graphics_of_stages(s->run.f.device, &whole, s->stages, is_linked, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

static VkRenderingAttachmentInfo attachment(const struct guarded *image)
{
   return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                      .imageView = image->view,
                                      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
}

static void begin_rendering(struct scene *s, const struct row *row, const struct guarded images[3])
{
   const VkRenderingAttachmentInfo attachments[3] = {attachment(&images[0]), attachment(&images[1]), attachment(&images[2])};
   const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                      .renderArea = {{0, 0}, {SIZE, SIZE}},
                                      .layerCount = 1,
                                      .viewMask = row->rendering.view_mask,
                                      .colorAttachmentCount = 1,
                                      .pColorAttachments = &attachments[0],
                                      .pDepthAttachment = &attachments[1],
                                      .pStencilAttachment = &attachments[2]};
   icd_CmdBeginRendering(s->run.commands, &rendering);
   if (row->moves_location) {
      const uint32_t nowhere = VK_ATTACHMENT_UNUSED;
      const VkRenderingAttachmentLocationInfo locations = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO,
                                                           .colorAttachmentCount = 1,
                                                           .pColorAttachmentLocations = &nowhere};
      icd_CmdSetRenderingAttachmentLocations(s->run.commands, &locations);
   }
}

static void expect(struct scene *s, const char *id, const char *what, size_t index)
{
   const struct ears *ears = &s->run.f.ears;
   char whole[128] = "";
   if (id)
      snprintf(whole, sizeof(whole), "VUID-vkCmdDraw-%s", id);
   if (atomic_load(&ears->count) != (id ? 1u : 0u) || (id && strcmp(ears->id, whole) != 0)) {
      fprintf(stderr, "%s %zu: %u messages, %s instead of %s: %s\n", what, index, ears->count, ears->id, id ? id : "none", ears->text);
      CHECK(!"another message than that of the rule");
   }
}

/* Draws twice; what is reported is reported once. `texel`: what the first texel of the color attachment is to be, or NULL. */
static void check_row(struct scene *s, const struct row *row, bool may_be_unused, bool is_linked, const char *what, size_t index)
{
   struct run_device *run = &s->run;
   const struct side *side = &row->rendering;
   const VkSampleCountFlagBits samples = side->samples ? side->samples : VK_SAMPLE_COUNT_1_BIT;
   const VkFormat formats[3] = {side->color, side->depth, side->stencil};
   struct guarded images[3];
   icd_device_from_handle(run->f.device)->features.dynamicRenderingUnusedAttachments = may_be_unused;
   for (uint32_t i = 0; i < 3; i++)
      images[i] = guarded(run, formats[i], i && side->depth_samples ? side->depth_samples : samples);
   const VkPipeline pipeline = pipeline_of(s, row, is_linked);
   atomic_store(&run->f.ears.count, 0);
   run->f.ears.id[0] = 0;
   for (uint32_t time = 0; time < 2; time++) {
      run_begin(run);
      begin_rendering(s, row, images);
      icd_CmdBindPipeline(run->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      icd_CmdDraw(run->commands, 3, 1, 0, 0);
      icd_CmdEndRendering(run->commands);
      run_submit(run);
   }
   expect(s, may_be_unused ? row->with : row->without, what, index);
   /* White, in the attachment's own format, whatever the pipeline says. */
   if (side->color == R8 && samples == VK_SAMPLE_COUNT_1_BIT && !row->has_no_color && !row->moves_location && !row->is_discarding) {
      const struct run_buffer texels = run_buffer(run, SIZE * SIZE);
      const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
      run_begin(run);
      icd_CmdCopyImageToBuffer(run->commands, images[0].image, VK_IMAGE_LAYOUT_GENERAL, texels.buffer, 1, &region);
      run_submit(run);
      for (uint32_t i = 0; i < SIZE * SIZE / 4; i++)
         CHECK_EQ(texels.map[i], UINT32_MAX);
      run_buffer_free(run, &texels);
   }
   icd_DestroyPipeline(run->f.device, pipeline, NULL);
   for (uint32_t i = 0; i < 3; i++)
      guarded_free(run, &images[i]);
}

static void check_rows(const char *what, const struct row *rows, size_t count)
{
   struct scene s;
   scene_init(&s);
   for (size_t i = 0; i < count; i++) {
      for (uint32_t variant = 0; variant < 4; variant++)
         check_row(&s, &rows[i], variant & 1, variant & 2, what, i);
   }
   scene_finish(&s);
}

#define UNUSED(number) "dynamicRenderingUnusedAttachments-0" #number
#define SAMPLES(number) "multisampledRenderToSingleSampled-0" #number

TEST(colors)
{
   static const struct row rows[] = {
      {{R8}, {R8}},
      {{RGBA32}, {R8}, UNUSED(8910), UNUSED(8911)}, /* 16 bytes a texel where there is one */
      {{R8}, {RGBA32}, UNUSED(8910), UNUSED(8911)},
      {{RGBA8}, {VK_FORMAT_B8G8R8A8_UNORM}, UNUSED(8910), UNUSED(8911)},
      {{R8}, {VK_FORMAT_UNDEFINED}, UNUSED(8912), NULL},
      {{VK_FORMAT_UNDEFINED}, {VK_FORMAT_UNDEFINED}},
      {{VK_FORMAT_UNDEFINED}, {R8}, UNUSED(8910), "pColorAttachments-08963"},
      {{VK_FORMAT_UNDEFINED}, {R8}, "colorAttachmentCount-06179", NULL, .has_no_color = true},
      {{R8, .num_colors = 2}, {R8}, "colorAttachmentCount-06179", NULL},
      {{R8}, {R8}, "None-09548", "None-09548", .moves_location = true},
      {{RGBA32}, {R8}, .is_discarding = true},
      {{R8, .view_mask = 3}, {R8, .view_mask = 1}, "viewMask-06178", "viewMask-06178"},
      {{R8, .view_mask = 1}, {R8, .view_mask = 1}},
   };
   check_rows("colors", rows, UTIL_ARRAY_SIZE(rows));
}

TEST(depth_and_stencil)
{
   static const struct row rows[] = {
      {{R8, D16}, {R8, D16}, .tests_depth = true},
      {{R8, D32}, {R8, D16}, UNUSED(8914), UNUSED(8915), .tests_depth = true},
      {{R8, D32S8}, {R8, D16}, UNUSED(8914), UNUSED(8915), .tests_depth = true},
      {{R8, D16}, {R8}, UNUSED(8913), NULL, .tests_depth = true},
      {{R8}, {R8, D16}, UNUSED(8914), "pDepthAttachment-08964", .tests_depth = true},
      {{R8}, {R8, D16}, UNUSED(8914), NULL},
      {{R8, 0, S8}, {R8, 0, S8}},
      {{R8, D32S8, D32S8}, {R8, D32S8, D32S8}, .tests_depth = true},
      {{R8, 0, D32S8}, {R8, 0, S8}, UNUSED(8917), UNUSED(8918)},
      {{R8, 0, S8}, {R8}, UNUSED(8916), NULL},
      {{R8}, {R8, 0, S8}, UNUSED(8917), NULL},
   };
   check_rows("depth", rows, UTIL_ARRAY_SIZE(rows));
}

TEST(samples)
{
   static const struct row rows[] = {
      {{R8, .samples = 4}, {R8, .samples = 4}},
      {{R8, .samples = 16}, {R8}, SAMPLES(7285), SAMPLES(7285)},
      {{R8}, {R8, .samples = 4}, SAMPLES(7285), SAMPLES(7285)},
      {{R8, D16, .samples = 16}, {R8, D16, .depth_samples = 16}, SAMPLES(7285), SAMPLES(7285), .tests_depth = true},
      {{R8, D16}, {R8, D16, .depth_samples = 4}, SAMPLES(7286), SAMPLES(7286), .tests_depth = true},
      {{R8, 0, S8}, {R8, 0, S8, .depth_samples = 4}, SAMPLES(7287), SAMPLES(7287)},
      {{R8, D16, .samples = 4}, {R8, D16, .samples = 4, .depth_samples = 1}, SAMPLES(7286), SAMPLES(7286), .tests_depth = true},
   };
   check_rows("samples", rows, UTIL_ARRAY_SIZE(rows));
}

/* ---- render passes ---- */

static VkRenderPass make_pass(struct run_device *run, VkFormat format, VkSampleCountFlagBits samples, VkAttachmentLoadOp load_op)
{
   VkRenderPass pass;
   const VkAttachmentDescription description = {.format = format,
                                                .samples = samples,
                                                .loadOp = load_op,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color}, subpasses[2] = {subpass, subpass};
   const VkSubpassDependency order = {0, 1, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                      VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &description,
                                        .subpassCount = 2,
                                        .pSubpasses = subpasses,
                                        .dependencyCount = 1,
                                        .pDependencies = &order};
   fixture_require(icd_CreateRenderPass(run->f.device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

/* Draws a pipeline in the first subpass of a pass to R8 of one sample, or, without, in dynamic rendering. */
static void draw_in(struct scene *s, VkRenderPass pass, const struct guarded *image, VkPipeline pipeline)
{
   static const struct row dynamic = {{R8}, {R8}};
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = pass,
                                         .attachmentCount = 1,
                                         .pAttachments = &image->view,
                                         .width = SIZE,
                                         .height = SIZE,
                                         .layers = 1};
   VkFramebuffer framebuffer = VK_NULL_HANDLE;
   const struct guarded images[3] = {*image};
   atomic_store(&s->run.f.ears.count, 0);
   run_begin(&s->run);
   if (pass) {
      fixture_require(icd_CreateFramebuffer(s->run.f.device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
      const VkClearValue clear = {0};
      const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                           .renderPass = pass,
                                           .framebuffer = framebuffer,
                                           .renderArea = {{0, 0}, {SIZE, SIZE}},
                                           .clearValueCount = 1,
                                           .pClearValues = &clear};
      icd_CmdBeginRenderPass(s->run.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
   } else {
      begin_rendering(s, &dynamic, images);
   }
   icd_CmdBindPipeline(s->run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdDraw(s->run.commands, 3, 1, 0, 0);
   if (pass) {
      icd_CmdNextSubpass(s->run.commands, VK_SUBPASS_CONTENTS_INLINE);
      icd_CmdEndRenderPass(s->run.commands);
   } else {
      icd_CmdEndRendering(s->run.commands);
   }
   run_submit(&s->run);
   icd_DestroyFramebuffer(s->run.f.device, framebuffer, NULL);
}

TEST(passes)
{
   static const struct {
      VkFormat format; /* of the pipeline's pass; VK_FORMAT_UNDEFINED: made for dynamic rendering */
      VkSampleCountFlagBits samples, rasterized;
      uint32_t subpass;
      bool is_dynamic; /* the rendering */
      const char *id;
   } rows[] = {
      {R8, 1, 1, 0, false, NULL},
      {RGBA32, 1, 1, 0, false, "renderPass-02684"},
      {R8, 16, 16, 0, false, "renderPass-02684"},
      {R8, 1, 16, 0, false, "None-08644"},
      {R8, 1, 1, 1, false, "subpass-02685"},
      {VK_FORMAT_UNDEFINED, 1, 1, 0, false, "renderPass-02684"},
      {R8, 1, 1, 0, true, "renderPass-06198"},
      {VK_FORMAT_UNDEFINED, 1, 1, 0, true, NULL},
   };
   struct scene s;
   scene_init(&s);
   const VkDevice device = s.run.f.device;
   const VkRenderPass pass = make_pass(&s.run, R8, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      for (uint32_t is_linked = 0; is_linked < 2; is_linked++) {
         /* Load operations are no matter of compatibility, and the pass may be gone. */
         const VkRenderPass other =
            rows[i].format ? make_pass(&s.run, rows[i].format, rows[i].samples, VK_ATTACHMENT_LOAD_OP_DONT_CARE) : VK_NULL_HANDLE;
         const struct graphics whole = {.layout = s.run.layout,
                                        .samples = rows[i].rasterized,
                                        .pass = other,
                                        .subpass = rows[i].subpass,
                                        .num_colors = other ? 0 : 1,
                                        .colors = {R8}};
         const struct guarded image = guarded(&s.run, R8, VK_SAMPLE_COUNT_1_BIT);
         VkPipeline pipeline;
         fixture_require(graphics_of_stages(device, &whole, s.stages, is_linked, &pipeline), "vkCreateGraphicsPipelines");
         icd_DestroyRenderPass(device, other, NULL);
         draw_in(&s, rows[i].is_dynamic ? VK_NULL_HANDLE : pass, &image, pipeline);
         expect(&s, rows[i].id, "passes", i);
         icd_DestroyPipeline(device, pipeline, NULL);
         guarded_free(&s.run, &image);
      }
   }
   icd_DestroyRenderPass(device, pass, NULL);
   scene_finish(&s);
}

TEST_MAIN
