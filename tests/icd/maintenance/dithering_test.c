/* SPDX-License-Identifier: MIT
 * VK_EXT_legacy_dithering: colours of few bits are near what was drawn in the mean and next to it everywhere; what a format has exactly, and all without
 * the flag, stays as it is. */
#include "tests/icd/validate/graphics.h"
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include <math.h>

#include "cover.vert.h"
#include "pushed.frag.h"

enum { SIZE = 16, PIXELS = SIZE * SIZE };

struct scene {
   struct run_device run;
   struct fixture_image image;
   struct run_buffer out;
   VkPipelineShaderStageCreateInfo stages[2];
   VkPipeline pipeline;
};

static void scene_init(struct scene *s)
{
   static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT};
   memset(s, 0, sizeof(*s));
   run_init(&s->run, 0, NULL, 16);
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R5G6B5_UNORM_PACK16, .extent = {SIZE, SIZE, 1}, .mipLevels = 1, .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
   s->image = fixture_image_of(s->run.f.device, &info, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
   s->out = run_buffer(&s->run, PIXELS * 2);
   s->stages[0] = run_stage(&s->run, VK_SHADER_STAGE_VERTEX_BIT, cover_vert, sizeof(cover_vert));
   s->stages[1] = run_stage(&s->run, VK_SHADER_STAGE_FRAGMENT_BIT, pushed_frag, sizeof(pushed_frag));
   const struct graphics g = {.layout = s->run.layout, .num_stages = 2, .stages = s->stages, .num_dynamic = 1, .dynamic = dynamic, .size_px = SIZE,
                              .samples = VK_SAMPLE_COUNT_1_BIT, .num_colors = 1, .colors = {info.format}};
   fixture_require(graphics_create(s->run.f.device, &g, &s->pipeline), "vkCreateGraphicsPipelines");
}

static void scene_finish(struct scene *s)
{
   icd_DestroyPipeline(s->run.f.device, s->pipeline, NULL);
   icd_DestroyShaderModule(s->run.f.device, s->stages[0].module, NULL);
   icd_DestroyShaderModule(s->run.f.device, s->stages[1].module, NULL);
   run_buffer_free(&s->run, &s->out);
   fixture_image_destroy(s->run.f.device, &s->image);
   run_finish(&s->run);
}

static void draw(struct scene *s, VkRenderingFlags flags, const float color[4])
{
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = s->image.view,
                                                 .imageLayout = VK_IMAGE_LAYOUT_GENERAL, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .flags = flags, .renderArea = {{0, 0}, {SIZE, SIZE}}, .layerCount = 1,
                                 .colorAttachmentCount = 1, .pColorAttachments = &attachment};
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   const VkMemoryBarrier all = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_MEMORY_READ_BIT};
   run_begin(&s->run);
   const VkCommandBuffer cmd = s->run.commands;
   icd_CmdBeginRendering(cmd, &info);
   icd_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
   icd_CmdSetViewport(cmd, 0, 1, &viewport);
   icd_CmdPushConstants(cmd, s->run.layout, VK_SHADER_STAGE_ALL, 0, 16, color);
   icd_CmdDraw(cmd, 3, 1, 0, 0);
   icd_CmdEndRendering(cmd);
   icd_CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0, NULL);
   icd_CmdCopyImageToBuffer(cmd, s->image.image, VK_IMAGE_LAYOUT_GENERAL, s->out.buffer, 1, &copy);
   run_submit(&s->run);
}

/* Of red, of 5 bits. */
struct statistics {
   uint32_t min, max;
   double mean;
};

static struct statistics look(const struct scene *s)
{
   struct statistics result = {.min = 31};
   for (uint32_t i = 0; i < PIXELS; i++) {
      const uint32_t red = ((const uint16_t *)s->out.map)[i] >> 11;
      result.min = red < result.min ? red : result.min;
      result.max = red > result.max ? red : result.max;
      result.mean += (double)red / PIXELS;
   }
   return result;
}

TEST(between_two_numbers)
{
   struct scene s;
   scene_init(&s);
   for (uint32_t quarter = 0; quarter <= 4; quarter++) {
      const double exact = 10 + quarter / 4.0;
      const float color[4] = {(float)(exact / 31.0), 0, 1, 1};
      draw(&s, VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT, color);
      const struct statistics dithered = look(&s);
      CHECK_EQ(dithered.min, quarter == 4 ? 11 : 10);
      CHECK_EQ(dithered.max, quarter ? 11 : 10);
      CHECK(fabs(dithered.mean - exact) <= 1.0 / 16);
      draw(&s, 0, color);
      const struct statistics plain = look(&s);
      CHECK_EQ(plain.min, plain.max);
   }
   scene_finish(&s);
}

TEST_MAIN
