/* SPDX-License-Identifier: MIT
 * wsi/scale.c: where images land on windows, and which texels the pixels get. */
#include "tests/test.h"
#include "wsi/scale.h"

static void check_rect(VkPresentScalingFlagBitsEXT mode, VkPresentGravityFlagBitsEXT gravity, VkExtent2D image,
                        VkExtent2D window, VkRect2D expected)
{
   const struct wsi_scaling scaling = {mode, gravity, gravity};
   const VkRect2D rect = wsi_scale_rect(&scaling, image, window);
   CHECK_EQ(rect.offset.x, expected.offset.x);
   CHECK_EQ(rect.offset.y, expected.offset.y);
   CHECK_EQ(rect.extent.width, expected.extent.width);
   CHECK_EQ(rect.extent.height, expected.extent.height);
}

TEST(rects)
{
   const VkPresentGravityFlagBitsEXT min = VK_PRESENT_GRAVITY_MIN_BIT_EXT, max = VK_PRESENT_GRAVITY_MAX_BIT_EXT,
                                     center = VK_PRESENT_GRAVITY_CENTERED_BIT_EXT;
   const VkPresentScalingFlagBitsEXT one = VK_PRESENT_SCALING_ONE_TO_ONE_BIT_EXT,
                                     aspect = VK_PRESENT_SCALING_ASPECT_RATIO_STRETCH_BIT_EXT;
   const VkExtent2D window = {100, 50};
   check_rect(VK_PRESENT_SCALING_STRETCH_BIT_EXT, min, (VkExtent2D){7, 9}, window, (VkRect2D){{0, 0}, {100, 50}});
   check_rect(one, min, (VkExtent2D){60, 70}, window, (VkRect2D){{0, 0}, {60, 70}});
   check_rect(one, max, (VkExtent2D){60, 70}, window, (VkRect2D){{40, -20}, {60, 70}});
   check_rect(one, center, (VkExtent2D){60, 70}, window, (VkRect2D){{20, -10}, {60, 70}});
   check_rect(aspect, center, (VkExtent2D){10, 10}, window, (VkRect2D){{25, 0}, {50, 50}});
   check_rect(aspect, max, (VkExtent2D){400, 100}, window, (VkRect2D){{0, 25}, {100, 25}});
   check_rect(aspect, min, (VkExtent2D){4000, 1}, window, (VkRect2D){{0, 0}, {100, 1}});
}

TEST(pixels)
{
   const uint32_t texels[2][2] = {{1, 2}, {3, 4}};
   uint32_t out[4][5];
   const struct wsi_rows image = {(void *)texels, {2, 2}, 8}, window = {out, {5, 4}, 20};
   static const uint32_t doubled[4][5] = {{1, 1, 2, 2, 0}, {1, 1, 2, 2, 0}, {3, 3, 4, 4, 0}, {3, 3, 4, 4, 0}};
   static const uint32_t beyond[4][5] = {{4, 0, 0, 0, 0}, {0}};
   wsi_scale(&image, (VkRect2D){{0, 0}, {4, 4}}, &window, 4);
   CHECK(memcmp(out, doubled, sizeof(out)) == 0);
   wsi_scale(&image, (VkRect2D){{-1, -1}, {2, 2}}, &window, 4);
   CHECK(memcmp(out, beyond, sizeof(out)) == 0);
   const uint16_t halves[4] = {1, 2, 3, 4};
   uint16_t half_out[2];
   const struct wsi_rows row = {(void *)halves, {4, 1}, 8}, half_window = {half_out, {2, 1}, 4};
   wsi_scale(&row, (VkRect2D){{0, 0}, {2, 1}}, &half_window, 2);
   CHECK(half_out[0] == 2 && half_out[1] == 4);
}

TEST_MAIN
