/* SPDX-License-Identifier: MIT
 * What extensions add to rasterization, each recognized by its pixels: barycentric coordinates, smooth lines, interlocks,
 * conservative coverage, sample locations, discard rectangles; and what the halves of a rectangle agree on.
 * Spec: Rasterization, "Barycentric Interpolation", "Smooth Lines", "Conservative Rasterization", "Custom Sample Locations";
 * Fragment Operations, "Fragment Shader Interlock". */
#include "tests/test.h"
#include "triangle.h"

#include "barycentric.frag.h"
#include "interlock.frag.h"
#include "seams.frag.h"
#include "seams.vert.h"

#include <math.h>
#include <string.h>

static const uint8_t *pixel(const struct triangle *t, uint32_t x, uint32_t y)
{
   return (const uint8_t *)t->pixels.map + (y * TRIANGLE_SIZE + x) * 4;
}

static void draw_one(struct triangle *t, const float corners[3][4])
{
   VkCommandBuffer cmd = triangle_begin(t);
   triangle_begin_pass(t, cmd);
   triangle_draw(t, cmd, corners);
   triangle_end(t, cmd);
}

TEST(barycentric_coordinates)
{
   const VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR, NULL, VK_TRUE};
   const float corners[2][3][4] = {{{-0.9f, -0.8f, 0.1f, 1}, {1.8f, -1.6f, 0.2f, 2}, {-0.4f, 0.45f, 0.1f, 0.5f}},
                                   /* cut by the plane of w: the weights are still the whole triangle's */
                                   {{-0.9f, -0.8f, 0.1f, 1}, {1.8f, -1.6f, 0.2f, 2}, {0.4f, 0.45f, 0.1f, -0.5f}}};
   for (uint32_t i = 0; i < 2; i++) {
      struct triangle t;
      uint32_t covered = 0, wrong = 0;
      triangle_init_with(&t, &(struct triangle_options){.fragment = barycentric_frag,
                                                        .fragment_bytes = sizeof(barycentric_frag),
                                                        .extension = "VK_KHR_fragment_shader_barycentric",
                                                        .device_next = &features});
      draw_one(&t, corners[i]);
      for (uint32_t p = 0; p < TRIANGLE_SIZE * TRIANGLE_SIZE; p++) {
         const uint8_t *color = pixel(&t, p % TRIANGLE_SIZE, p / TRIANGLE_SIZE);
         covered += color[3] == 255;
         /* what is linear on the screen has no meaning for a corner that is behind */
         wrong += color[3] && (color[0] != 255 || color[1] != 255 || (color[2] != 255 && i == 0));
      }
      CHECK(covered > 100);
      CHECK_EQ(wrong, 0);
      triangle_finish(&t);
   }
}

/* The sum of alpha is the area of the line, where no pixel is cut by its ends' corners alone. */
static double smooth_area(const float corners[3][4])
{
   const VkPhysicalDeviceLineRasterizationFeaturesEXT features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT, .smoothLines = VK_TRUE};
   const VkPipelineRasterizationLineStateCreateInfoEXT line = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
      .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT};
   struct triangle t;
   double sum = 0;
   triangle_init_with(&t, &(struct triangle_options){.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                                     .extension = "VK_EXT_line_rasterization",
                                                     .device_next = &features,
                                                     .rasterization_next = &line});
   draw_one(&t, corners);
   for (uint32_t p = 0; p < TRIANGLE_SIZE * TRIANGLE_SIZE; p++) {
      const uint8_t *color = pixel(&t, p % TRIANGLE_SIZE, p / TRIANGLE_SIZE);
      sum += color[3] / 255.0;
      CHECK(color[0] == 255 || color[3] == 0);
   }
   triangle_finish(&t);
   return sum;
}

TEST(smooth_lines)
{
   /* x from 4.25 to 20.75, y = 9.75 and one wide: a quarter above, three quarters below */
   const float straight[3][4] = {
      {4.25f / 16 - 1, 9.75f / 16 - 1, 0, 1}, {20.75f / 16 - 1, 9.75f / 16 - 1, 0, 1}, {0, 0, 0, 1}};
   const float sloped[3][4] = {{4.0f / 16 - 1, 5.0f / 16 - 1, 0, 1}, {28.0f / 16 - 1, 12.0f / 16 - 1, 0, 1}, {0, 0, 0, 1}};
   CHECK(fabs(smooth_area(straight) - 16.5) < 0.1);
   CHECK(fabs(smooth_area(sloped) - 25) < 0.6);
}

TEST(interlock_orders)
{
   const VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
      .fragmentShaderPixelInterlock = VK_TRUE};
   const VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = (void *)(uintptr_t)&features,
                                          .features.fragmentStoresAndAtomics = VK_TRUE};
   struct triangle t;
   triangle_init_with(&t, &(struct triangle_options){.fragment = interlock_frag,
                                                     .fragment_bytes = sizeof(interlock_frag),
                                                     .buffer_bytes = TRIANGLE_SIZE * TRIANGLE_SIZE * 4,
                                                     .extension = "VK_EXT_fragment_shader_interlock",
                                                     .device_next = &all});
   VkCommandBuffer cmd = triangle_begin(&t);
   triangle_begin_pass(&t, cmd);
   for (uint32_t i = 0; i < 9; i++) {
      const float z = (float)(i + 1) / 10;
      triangle_draw(&t, cmd, (const float[3][4]){{-1, -1, z, 1}, {3, -1, z, 1}, {-1, 3, z, 1}});
   }
   triangle_end(&t, cmd);
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < TRIANGLE_SIZE * TRIANGLE_SIZE; i++)
      wrong += ((const uint32_t *)t.buffer.map)[i] != 123456789;
   CHECK_EQ(wrong, 0);
   triangle_finish(&t);
}

/* How many texels of a triangle with corners at (2, 2), (10, 2) and (2, 10) are covered. */
static uint32_t estimated(VkConservativeRasterizationModeEXT mode, float extra, VkSampleCountFlagBits samples)
{
   const VkPipelineRasterizationConservativeStateCreateInfoEXT state = {
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT, NULL, 0, mode, extra};
   const float corners[3][4] = {
      {2.0f / 16 - 1, 2.0f / 16 - 1, 0, 1}, {10.0f / 16 - 1, 2.0f / 16 - 1, 0, 1}, {2.0f / 16 - 1, 10.0f / 16 - 1, 0, 1}};
   struct triangle t;
   uint32_t count = 0;
   triangle_init_with(&t, &(struct triangle_options){
                             .samples = samples, .extension = "VK_EXT_conservative_rasterization", .rasterization_next = &state});
   draw_one(&t, corners);
   for (uint32_t p = 0; p < TRIANGLE_SIZE * TRIANGLE_SIZE; p++)
      count += pixel(&t, p % TRIANGLE_SIZE, p / TRIANGLE_SIZE)[0] == 255;
   triangle_finish(&t);
   return count;
}

TEST(conservative_coverage)
{
   const VkSampleCountFlagBits samples[2] = {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_4_BIT};
   for (uint32_t i = 0; i < 2; i++) {
      /* Rows of 10, 10, 9 and so on down to 2: what is touched from outside, too. */
      CHECK_EQ(estimated(VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT, 0, samples[i]), 10 + 54);
      /* Squares strictly inside: rows of 5 to 1 from (3, 3) on. */
      CHECK_EQ(estimated(VK_CONSERVATIVE_RASTERIZATION_MODE_UNDERESTIMATE_EXT, 0, samples[i]), 10);
      CHECK(estimated(VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT, 0.5f, samples[i]) > 64);
   }
   CHECK_EQ(estimated(VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT, 0, VK_SAMPLE_COUNT_1_BIT), 28);
}

TEST(sample_locations)
{
   /* A triangle whose right edge is at 10.25: what is left of the edge in column 10 follows from where samples are. */
   const VkSampleLocationEXT at[2] = {{0.125f, 0.5f}, {0.1875f, 0.75f}};
   VkPipelineSampleLocationsStateCreateInfoEXT state = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
      .sampleLocationsInfo = {VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, NULL, VK_SAMPLE_COUNT_2_BIT, {1, 1}, 2, at}};
   const float x = 10.25f / 16 - 1;
   for (uint32_t i = 0; i < 2; i++) {
      struct triangle t;
      state.sampleLocationsEnable = i != 0;
      triangle_init_with(&t, &(struct triangle_options){.samples = VK_SAMPLE_COUNT_2_BIT,
                                                        .extension = "VK_EXT_sample_locations",
                                                        .multisample_next = &state});
      draw_one(&t, (const float[3][4]){{x, -1, 0, 1}, {x, 1, 0, 1}, {x - 4, 0, 0, 1}});
      CHECK_EQ(pixel(&t, 10, 16)[0], i ? 255 : 0); /* standard locations are on the edge and beyond */
      CHECK_EQ(pixel(&t, 8, 16)[0], 255);
      CHECK_EQ(pixel(&t, 11, 16)[0], 0);
      triangle_finish(&t);
   }
}

/* What covers the target hides neither what it is cleared to nor what was drawn before where rectangles cut it. */
TEST(discard_rectangles_hide_nothing)
{
   const VkRect2D rect = {{7, 9}, {18, 6}};
   for (uint32_t mode = 0; mode < 2; mode++) {
      const VkPipelineDiscardRectangleStateCreateInfoEXT discard = {
         VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, NULL, 0, (VkDiscardRectangleModeEXT)mode, 1, &rect};
      struct triangle t;
      uint32_t wrong = 0;
      triangle_init_with(&t, &(struct triangle_options){.extension = "VK_EXT_discard_rectangles", .next = &discard});
      draw_one(&t, (const float[3][4]){{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}});
      for (uint32_t p = 0; p < TRIANGLE_SIZE * TRIANGLE_SIZE; p++) {
         const uint32_t x = p % TRIANGLE_SIZE, y = p / TRIANGLE_SIZE;
         const bool is_inside = x >= 7 && x < 25 && y >= 9 && y < 15;
         wrong += pixel(&t, x, y)[0] != (is_inside == (mode == VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT) ? 255 : 0);
      }
      CHECK_EQ(wrong, 0);
      triangle_finish(&t);
   }
}

/* What varies along one side of a rectangle alone has the same bits along the other, on both sides of the seam. */
TEST(rectangles_have_no_seam)
{
   struct triangle t;
   uint32_t covered = 0, wrong = 0;
   triangle_init_with(&t, &(struct triangle_options){.vertex = seams_vert,
                                                     .vertex_bytes = sizeof(seams_vert),
                                                     .fragment = seams_frag,
                                                     .fragment_bytes = sizeof(seams_frag)});
   VkCommandBuffer cmd = triangle_begin(&t);
   triangle_begin_pass(&t, cmd);
   vk.CmdDraw(cmd, 4 * 6, 1, 0, 0);
   triangle_end(&t, cmd);
   for (uint32_t y = 0; y < TRIANGLE_SIZE; y++) {
      for (uint32_t x = 0; x < TRIANGLE_SIZE; x++) {
         const uint8_t *own = pixel(&t, x, y), *column = pixel(&t, x, y & ~15u), *row = pixel(&t, x & ~15u, y);
         if (x % 16 > 14 || y % 16 > 13)
            continue; /* beyond the rectangles, or at their edges */
         covered += own[0] || own[1];
         wrong += memcmp(own, column, 2) != 0 || memcmp(own + 2, row + 2, 2) != 0;
      }
   }
   CHECK(covered > TRIANGLE_SIZE * TRIANGLE_SIZE / 2);
   CHECK_EQ(wrong, 0);
   triangle_finish(&t);
}

TEST_MAIN
