/* SPDX-License-Identifier: MIT
 * Discard rectangles cut texels out of what is drawn, and nothing else: of pipelines, whatever of them is dynamic, and of shader objects.
 * Spec: Fragment Operations, "Discard Rectangles Test". */
#include "tests/icd/shader_object/scene.h"
#include "tests/test.h"
#include "util/macros.h"

#include <string.h>

enum { MAX_RECTANGLES = 8, NUM_SETS = 5 };

/* Half of a block, several blocks, over each other, over the edges of the target, empty, and as large as numbers can be. */
static const struct {
   uint32_t count;
   VkRect2D items[MAX_RECTANGLES];
} sets[NUM_SETS] = {
   {1, {{{5, 7}, {26, 21}}}},
   {3, {{{0, 0}, {17, 9}}, {{9, 4}, {30, 30}}, {{40, 40}, {100, 100}}}},
   {8, {{{1, 1}, {1, 1}}, {{20, 20}, {3, 5}}, {{24, 0}, {1, 48}}, {{0, 30}, {48, 1}}, {{4, 4}, {4, 4}}, {{8, 8}, {8, 8}}, {{30, 3}, {0, 9}}, {{47, 47}, {1, 1}}}},
   {2, {{{3, 3}, {0, 0}}, {{60, 3}, {4, 4}}}},
   {1, {{{0, 0}, {INT32_MAX, INT32_MAX}}}},
};

static bool is_inside(uint32_t set, uint32_t x, uint32_t y)
{
   for (uint32_t i = 0; i < sets[set].count; i++) {
      const VkRect2D *r = &sets[set].items[i];
      if (x >= (uint32_t)r->offset.x && x - (uint32_t)r->offset.x < r->extent.width && y >= (uint32_t)r->offset.y &&
          y - (uint32_t)r->offset.y < r->extent.height)
         return true;
   }
   return false;
}

/* Texels that are not what they are without rectangles, or, where they are cut out, what they are cleared to. */
static uint32_t count_wrong(uint32_t set, VkDiscardRectangleModeEXT mode, const uint32_t *full, const uint32_t *cleared, const uint32_t *pixels)
{
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      const bool is_kept = is_inside(set, i % SIZE, i / SIZE) == (mode == VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT);
      wrong += pixels[i] != (is_kept ? full : cleared)[i];
   }
   return wrong;
}

static void draw_pipeline(struct scene *s, const struct look *look, void (*set_state)(VkCommandBuffer, uint32_t, VkDiscardRectangleModeEXT),
                          uint32_t set, VkDiscardRectangleModeEXT mode, uint32_t *pixels)
{
   const VkPipeline pipeline = scene_make_pipeline(s, look);
   scene_begin(s, look);
   if (set_state)
      set_state(s->f.commands, set, mode);
   icd_CmdBindPipeline(s->f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   scene_draw(s, 0);
   scene_end(s, look, pixels);
   icd_DestroyPipeline(s->f.device, pipeline, NULL);
}

/* In parts, and those that the set does not have, empty. */
static void set_rectangles(VkCommandBuffer cmd, uint32_t set, VkDiscardRectangleModeEXT mode)
{
   VkRect2D items[MAX_RECTANGLES];
   memset(items, 0, sizeof(items));
   memcpy(items, sets[set].items, sets[set].count * sizeof(items[0]));
   icd_CmdSetDiscardRectangleEXT(cmd, 3, MAX_RECTANGLES - 3, items + 3);
   icd_CmdSetDiscardRectangleEXT(cmd, 0, 3, items);
   icd_CmdSetDiscardRectangleModeEXT(cmd, mode);
   icd_CmdSetDiscardRectangleEnableEXT(cmd, VK_TRUE);
}

static void disable(VkCommandBuffer cmd, uint32_t set, VkDiscardRectangleModeEXT mode)
{
   set_rectangles(cmd, set, mode);
   icd_CmdSetDiscardRectangleEnableEXT(cmd, VK_FALSE);
}

static const VkDynamicState states[] = {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT,
                                        VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT};

/* A look said in each manner. */
static void check_look(struct scene *s, const struct look *look, const VkShaderEXT objects[NUM_STAGES], uint32_t set, VkDiscardRectangleModeEXT mode,
                       const uint32_t *full, const uint32_t *cleared)
{
   static uint32_t pixels[SIZE * SIZE];
   const VkPipelineDynamicStateCreateInfo dynamic[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, NULL, 0, 1, states},
      {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, NULL, 0, 3, states},
   };
   const VkPipelineDiscardRectangleStateCreateInfoEXT info = {
      VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, NULL, 0, mode, sets[set].count, sets[set].items};
   const VkPipelineDiscardRectangleStateCreateInfoEXT counted = {
      VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, NULL, 0, mode, sets[set].count, NULL};
   struct look with = *look;
   with.discard = &info;
   draw_pipeline(s, &with, NULL, set, mode, pixels);
   CHECK_EQ(count_wrong(set, mode, full, cleared, pixels), 0);
   with.discard = &counted; /* of this many, commands say which */
   with.dynamic = &dynamic[0];
   draw_pipeline(s, &with, set_rectangles, set, mode, pixels);
   CHECK_EQ(count_wrong(set, mode, full, cleared, pixels), 0);
   with.discard = NULL; /* commands say all */
   with.dynamic = &dynamic[1];
   draw_pipeline(s, &with, set_rectangles, set, mode, pixels);
   CHECK_EQ(count_wrong(set, mode, full, cleared, pixels), 0);
   draw_pipeline(s, &with, disable, set, mode, pixels);
   CHECK(scene_is_same(pixels, full));
   scene_begin(s, look);
   scene_bind_objects(s, look, objects);
   scene_set_state(s, look);
   set_rectangles(s->f.commands, set, mode);
   scene_draw(s, 0);
   scene_end(s, look, pixels);
   CHECK_EQ(count_wrong(set, mode, full, cleared, pixels), 0);
}

TEST(cut_what_is_drawn)
{
   static uint32_t full[SIZE * SIZE], cleared[SIZE * SIZE];
   struct scene s;
   VkShaderEXT objects[NUM_STAGES];
   scene_init(&s);
   scene_make_objects(&s, NULL, objects);
   for (uint32_t i = 0; i < NUM_LOOKS; i++) {
      const struct look *look = &scene_looks[i];
      struct look nothing = *look;
      nothing.is_discarded = true;
      draw_pipeline(&s, look, NULL, 0, 0, full);
      draw_pipeline(&s, &nothing, NULL, 0, 0, cleared);
      for (uint32_t set = i % 2; set < NUM_SETS; set += 2) {
         check_look(&s, look, objects, set, VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT, full, cleared);
         check_look(&s, look, objects, set, VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT, full, cleared);
      }
   }
   scene_destroy_objects(&s, objects);
   scene_finish(&s);
}

/* No rectangles at all keep everything, in either mode. What commands set says nothing of them. */
TEST(none)
{
   static uint32_t full[SIZE * SIZE], pixels[SIZE * SIZE];
   struct scene s;
   struct look look = scene_looks[0];
   scene_init(&s);
   draw_pipeline(&s, &look, NULL, 0, 0, full);
   for (uint32_t mode = 0; mode < 2; mode++) {
      const VkPipelineDiscardRectangleStateCreateInfoEXT info = {
         VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, NULL, 0, (VkDiscardRectangleModeEXT)mode, 0, NULL};
      look.discard = mode ? NULL : &info;
      draw_pipeline(&s, &look, set_rectangles, 0, (VkDiscardRectangleModeEXT)mode, pixels);
      CHECK(scene_is_same(pixels, full));
   }
   scene_finish(&s);
}

/* More than there are, and numbers that no valid program has, do nothing beyond the rectangles. */
TEST(bad_input)
{
   static uint32_t full[SIZE * SIZE], cleared[SIZE * SIZE], pixels[SIZE * SIZE];
   const VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, NULL, 0, 3, states};
   VkRect2D many[40];
   struct scene s;
   struct look look = scene_looks[0], nothing = look;
   nothing.is_discarded = true;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(many); i++)
      many[i] = (VkRect2D){{i ? INT32_MIN : INT32_MAX, i ? -7 : INT32_MIN}, {UINT32_MAX, i ? 1 : UINT32_MAX}};
   const VkPipelineDiscardRectangleStateCreateInfoEXT info = {
      VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, NULL, 0, VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT, 40, many};
   scene_init(&s);
   draw_pipeline(&s, &look, NULL, 0, 0, full);
   draw_pipeline(&s, &nothing, NULL, 0, 0, cleared);
   look.discard = &info;
   draw_pipeline(&s, &look, NULL, 0, 0, pixels);
   CHECK(scene_is_same(pixels, cleared));
   look.discard = NULL;
   look.dynamic = &dynamic;
   const VkPipeline pipeline = scene_make_pipeline(&s, &look);
   scene_begin(&s, &look);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdSetDiscardRectangleEnableEXT(s.f.commands, VK_TRUE);
   icd_CmdSetDiscardRectangleModeEXT(s.f.commands, VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT);
   icd_CmdSetDiscardRectangleEXT(s.f.commands, 0, 40, many);
   icd_CmdSetDiscardRectangleEXT(s.f.commands, 8, 32, many);
   icd_CmdSetDiscardRectangleEXT(s.f.commands, UINT32_MAX, 2, many);
   scene_draw(&s, 0);
   scene_end(&s, &look, pixels);
   CHECK(scene_is_same(pixels, full));
   icd_DestroyPipeline(s.f.device, pipeline, NULL);
   scene_finish(&s);
}

TEST_MAIN
