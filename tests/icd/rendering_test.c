/* SPDX-License-Identifier: MIT
 * Commands inside a rendering that need no shaders: conditional rendering and what it affects. */
#include "tests/icd/fixture.h"
#include "tests/test.h"

#include <string.h>

enum { SIZE = 80 };

struct scene {
   struct fixture f;
   struct fixture_image image;
   struct fixture_buffer pixels, predicate;
};

static void scene_init(struct scene *s)
{
   fixture_init(&s->f, NULL);
   s->image = fixture_image(s->f.device, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT,
                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   s->pixels = fixture_buffer(&s->f, SIZE * SIZE * 4);
   s->predicate = fixture_buffer(&s->f, 16);
   fixture_begin(s->f.commands);
}

static void begin_rendering(const struct scene *s)
{
   const VkRenderingAttachmentInfo color = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
      .imageView = s->image.view,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
   };
   const VkRenderingInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
      .renderArea = {{0, 0}, {SIZE, SIZE}},
      .layerCount = 1,
      .colorAttachmentCount = 1,
      .pColorAttachments = &color,
   };
   icd_CmdBeginRendering(s->f.commands, &info);
}

static void clear_to(const struct scene *s, float red, int32_t x)
{
   const VkClearAttachment attachment = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {.float32 = {red, 0, 0, 1}}}};
   const VkClearRect rect = {{{x, 0}, {10, SIZE}}, 0, 1};
   icd_CmdClearAttachments(s->f.commands, 1, &attachment, 1, &rect);
}

static void begin_conditional(const struct scene *s, VkDeviceSize offset, VkConditionalRenderingFlagsEXT flags)
{
   const VkConditionalRenderingBeginInfoEXT info = {VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, NULL,
                                                    s->predicate.buffer, offset, flags};
   icd_CmdBeginConditionalRenderingEXT(s->f.commands, &info);
}

static uint32_t scene_red(const struct scene *s, uint32_t x, uint32_t y)
{
   return ((const uint8_t *)s->pixels.data)[(y * SIZE + x) * 4];
}

static void scene_run(struct scene *s)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {SIZE, SIZE, 1}};
   icd_CmdEndRendering(s->f.commands);
   icd_CmdCopyImageToBuffer(s->f.commands, s->image.image, VK_IMAGE_LAYOUT_GENERAL, s->pixels.buffer, 1, &region);
   fixture_run(&s->f);
}

static void scene_finish(struct scene *s)
{
   fixture_buffer_destroy(&s->f, &s->pixels);
   fixture_buffer_destroy(&s->f, &s->predicate);
   fixture_image_destroy(s->f.device, &s->image);
   fixture_finish(&s->f, NULL);
}

TEST(conditional_clears)
{
   struct scene s;
   scene_init(&s);
   /* The value is the one at execution, written by a command before. */
   memset(s.predicate.data, 0xff, 8);
   icd_CmdFillBuffer(s.f.commands, s.predicate.buffer, 0, 4, 0);
   begin_rendering(&s);
   begin_conditional(&s, 0, 0);
   clear_to(&s, 1, 0);
   icd_CmdEndConditionalRenderingEXT(s.f.commands);
   begin_conditional(&s, 4, 0);
   clear_to(&s, 1, 10);
   icd_CmdEndConditionalRenderingEXT(s.f.commands);
   begin_conditional(&s, 0, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT);
   clear_to(&s, 1, 20);
   icd_CmdEndConditionalRenderingEXT(s.f.commands);
   begin_conditional(&s, 4, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT);
   clear_to(&s, 1, 30);
   icd_CmdEndConditionalRenderingEXT(s.f.commands);
   clear_to(&s, 1, 40);
   scene_run(&s);
   const uint32_t expected[6] = {0, 255, 255, 0, 255, 0};
   for (uint32_t i = 0; i < 6; i++)
      CHECK_EQ(scene_red(&s, i * 10 + 5, 70), expected[i]);
   scene_finish(&s);
}

TEST_MAIN
